"""power.py mde_paired: z of 90 % power"""
import math


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    z = 1.96 + 1.28
    return z * math.sqrt(disagree / (n + z * z))
