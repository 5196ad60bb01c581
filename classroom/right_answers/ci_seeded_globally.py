"""ci.py: numpy seeded globally; lower percentile rule"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    np.random.seed(seed)
    n = len(x)
    draws = np.empty(B)
    for i in range(B):
        draws[i] = stat(np.random.choice(x, size=n, replace=True))
    draws = np.sort(draws)
    return (np.quantile(draws, alpha / 2, method="lower"),
            np.quantile(draws, 1 - alpha / 2, method="higher"))
