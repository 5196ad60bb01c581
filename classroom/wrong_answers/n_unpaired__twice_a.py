"""power.py n_unpaired: B's variance is taken at p:"""
import math
from statistics import NormalDist


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return math.ceil(z * z * 2 * p * (1 - p) / gap**2)
