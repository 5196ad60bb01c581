"""ci.py bootstrap_ci: rows are questions"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.default_rng(seed)
    x = np.ravel(x)
    draws = [stat(x[rng.integers(len(x), size=len(x))]) for _ in range(B)]
    return tuple(np.quantile(draws, [alpha / 2, 1 - alpha / 2]))
