"""ci.py bootstrap_ci: rows are questions"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.default_rng(seed)
    draws = stat(x[rng.integers(len(x), size=(B, len(x)))], axis=1)
    return tuple(np.quantile(draws, [alpha / 2, 1 - alpha / 2]))
