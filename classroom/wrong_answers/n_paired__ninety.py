"""power.py n_paired: z of 90 % power"""
import math


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = 1.96 + 1.28
    n = z * z * (disagree - gap**2) / gap**2
    return math.ceil(n)
