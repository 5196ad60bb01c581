"""power.py: scipy's quantiles and root finder"""
import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    return int(np.ceil((norm.ppf(1 - alpha / 2) + norm.ppf(power)) ** 2
                       * (disagree - gap**2) / gap**2))


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    variance = p * (1 - p) + (p + gap) * (1 - p - gap)
    return np.ceil((norm.isf(alpha / 2) + norm.isf(1 - power)) ** 2 * variance / gap**2)


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    z = norm.ppf(1 - alpha / 2) + norm.ppf(power)
    return brentq(lambda gap: z * z * (disagree - gap**2) - n * gap**2, 0, 1)
