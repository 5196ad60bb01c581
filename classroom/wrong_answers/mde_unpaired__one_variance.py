"""power.py mde_unpaired: one model's variance"""
import math
from statistics import NormalDist


def mde_unpaired(n, p, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return z * math.sqrt(p * (1 - p) / n)
