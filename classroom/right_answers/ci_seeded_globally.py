"""ci.py: numpy seeded globally; lower percentile rule"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    np.random.seed(np.random.default_rng(seed).integers(2**32))
    n = len(x)
    draws = np.empty(B)
    for i in range(B):
        draws[i] = stat(x[np.random.choice(n, size=n, replace=True)])
    draws = np.sort(draws)
    return (np.quantile(draws, alpha / 2, method="lower"),
            np.quantile(draws, 1 - alpha / 2, method="higher"))
