"""paired.py paired_bootstrap_ci: rows are questions"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    a, b, gaps = np.ravel(a), np.ravel(b), []
    for _ in range(B):
        i = rng.integers(len(a), size=len(a))
        gaps.append(metric(b[i]) - metric(a[i]))
    return tuple(np.quantile(gaps, [0.025, 0.975]))
