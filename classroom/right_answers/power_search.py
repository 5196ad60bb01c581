"""power.py: n counted up, the gap by halving"""
from statistics import NormalDist

normal = NormalDist(0, 1)


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    n, z = 1, normal.inv_cdf(1 - alpha / 2)
    while normal.cdf(gap / ((disagree - gap**2) / n) ** 0.5 - z) < power:
        n += 1
    return n


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    low, high = 0.0, disagree
    for _ in range(60):
        gap = (low + high) / 2
        seen = gap / ((disagree - gap**2) / n) ** 0.5 - normal.inv_cdf(1 - alpha / 2)
        low, high = (gap, high) if normal.cdf(seen) < power else (low, gap)
    return high
