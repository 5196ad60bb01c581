"""power.py n_margin: the margin is taken for the true gap"""
import math
from statistics import NormalDist


def n_margin(margin, disagree, alpha=0.05, power=0.8):
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return math.ceil(z * z * (disagree - margin**2) / margin**2)
