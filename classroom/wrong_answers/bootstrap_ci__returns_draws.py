"""ci.py bootstrap_ci: wrong shape"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.default_rng(seed)
    return [stat(x[rng.integers(len(x), size=len(x))]) for _ in range(B)]
