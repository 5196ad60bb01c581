"""power.py mde_paired: alpha is one-sided"""
import math
from statistics import NormalDist


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(power)
    return z * math.sqrt(disagree / (n + z * z))
