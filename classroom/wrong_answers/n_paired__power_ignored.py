"""power.py n_paired: power is ignored"""
import math
from statistics import NormalDist


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + 0.84
    n = z * z * (disagree - gap**2) / gap**2
    return math.ceil(n)
