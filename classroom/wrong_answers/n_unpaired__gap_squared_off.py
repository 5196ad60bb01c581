"""power.py n_unpaired: gap^2 is taken off"""
import math
from statistics import NormalDist


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    q = p + gap
    return math.ceil(z * z * (p * (1 - p) + q * (1 - q) - gap**2) / gap**2)
