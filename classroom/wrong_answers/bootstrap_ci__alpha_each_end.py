"""ci.py bootstrap_ci: alpha is cut off at each end"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.default_rng(seed)
    draws = [stat(x[rng.integers(len(x), size=len(x))]) for _ in range(B)]
    return tuple(np.quantile(draws, [alpha, 1 - alpha]))
