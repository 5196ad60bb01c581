"""paired.py paired_bootstrap_ci: global random state"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    assert len(a) == len(b)
    n, gaps = len(a), []
    for _ in range(B):
        i = np.random.choice(n, size=n)
        gaps.append(metric(b[i]) - metric(a[i]))
    return tuple(np.quantile(gaps, [0.025, 0.975]))
