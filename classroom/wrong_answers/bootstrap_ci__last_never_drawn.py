"""ci.py bootstrap_ci: the last question is never drawn"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.default_rng(seed)
    n = len(x)
    draws = [stat(x[rng.integers(0, n - 1, size=n)]) for _ in range(B)]
    return tuple(np.quantile(draws, [alpha / 2, 1 - alpha / 2]))
