"""power.py n_paired: alpha is ignored"""
import math
from statistics import NormalDist


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = 1.96 + NormalDist().inv_cdf(power)
    n = z * z * (disagree - gap**2) / gap**2
    return math.ceil(n)
