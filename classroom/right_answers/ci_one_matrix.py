"""ci.py: one matrix of indices; percentiles with another rule"""
import numpy as np


def clt_ci(x, z=1.96):
    x = np.asarray(x, dtype=float)
    half = z * (x.var(ddof=1) / x.size) ** 0.5
    return np.array([x.mean(), x.mean() - half, x.mean() + half])


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rows = np.random.default_rng(seed).integers(0, len(x), (B, len(x)))
    draws = np.apply_along_axis(stat, 1, x[rows])
    return np.percentile(draws, [100 * alpha / 2, 100 - 100 * alpha / 2], method="nearest")
