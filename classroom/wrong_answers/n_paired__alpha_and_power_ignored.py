"""power.py n_paired: alpha and power are ignored"""
import math


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = 1.96 + 0.84
    n = z * z * (disagree - gap**2) / gap**2
    return math.ceil(n)
