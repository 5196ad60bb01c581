"""ci.py bootstrap_ci: every resample is alike"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    np.random.default_rng(seed)
    draws = [stat(x) for _ in range(B)]
    return tuple(np.quantile(draws, [alpha / 2, 1 - alpha / 2]))
