"""ci.py bootstrap_ci: z standard errors to each side"""
from statistics import NormalDist

import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.default_rng(seed)
    draws = [stat(x[rng.integers(len(x), size=len(x))]) for _ in range(B)]
    z = NormalDist().inv_cdf(1 - alpha / 2)
    return stat(x) - z * np.std(draws), stat(x) + z * np.std(draws)
