"""power.py n_paired: n is rounded down or to the nearest"""
from statistics import NormalDist


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return round(z * z * (disagree - gap**2) / gap**2)
