"""paired.py paired_bootstrap_ci: every resample is alike"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    n, gaps = len(a), []
    for _ in range(B):
        i = rng.permutation(n)
        gaps.append(metric(b[i]) - metric(a[i]))
    return tuple(np.quantile(gaps, [0.025, 0.975]))
