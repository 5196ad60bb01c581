"""paired.py paired_bootstrap_ci: the gap is a - b"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    n, gaps = len(a), []
    for _ in range(B):
        i = rng.integers(n, size=n)
        gaps.append(metric(a[i]) - metric(b[i]))
    return tuple(np.quantile(gaps, [0.025, 0.975]))
