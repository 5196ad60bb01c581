"""power.py n_unpaired: alpha is one-sided"""
import math
from statistics import NormalDist


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(power)
    n = z * z * (p * (1 - p) + (p + gap) * (1 - p - gap)) / gap**2
    return math.ceil(n)
