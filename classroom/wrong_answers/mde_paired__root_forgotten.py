"""power.py mde_paired: the root is forgotten"""
from statistics import NormalDist


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return z * disagree / (n + z * z)
