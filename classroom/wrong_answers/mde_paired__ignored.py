"""power.py mde_paired: alpha and power are ignored"""
import math


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    z = 1.96 + 0.84
    return z * math.sqrt(disagree / (n + z * z))
