"""paired.py paired_bootstrap_ci: wrong unit of percentiles"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    n, gaps = len(a), []
    for _ in range(B):
        i = rng.integers(n, size=n)
        gaps.append(metric(b[i]) - metric(a[i]))
    return tuple(np.percentile(gaps, [0.025, 0.975]))
