"""power.py n_paired: z(1 - power) is below 0"""
import math
from statistics import NormalDist


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(1 - power)
    return math.ceil(z * z * (disagree - gap**2) / gap**2)
