"""ci.py: numpy scalars of low-level sums, weights instead of indices"""
import numpy as np


def clt_ci(x, z=1.96):
    n = np.float64(len(x))
    mean = np.add.reduce(x) / n
    d = x - mean
    half = np.float64(z) * np.sqrt(np.dot(d, d) / (n - 1) / n)
    return np.float64(mean), np.float64(mean - half), np.float64(mean + half)


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.RandomState(seed)
    counts = rng.multinomial(len(x), [1 / len(x)] * len(x), size=B)
    draws = [stat(np.repeat(x, row)) for row in counts]
    return np.quantile(draws, alpha / 2), np.quantile(draws, 1 - alpha / 2)
