"""paired.py paired_bootstrap_ci: the last question is never drawn"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    n, gaps = len(a), []
    for _ in range(B):
        i = rng.integers(0, n - 1, size=n)
        gaps.append(metric(b[i]) - metric(a[i]))
    return tuple(np.quantile(gaps, [0.025, 0.975]))
