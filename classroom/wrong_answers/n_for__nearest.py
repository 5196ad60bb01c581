"""power.py n_for: n is rounded down or to the nearest"""
from statistics import NormalDist


def n_for(variance, gap, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return round(z * z * variance / gap**2)
