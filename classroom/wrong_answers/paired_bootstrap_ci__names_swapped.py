"""paired.py paired_bootstrap_ci: the names are swapped"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    gaps = []
    for _ in range(B):
        swap = rng.random(len(a)) < 0.5
        gaps.append(metric(np.where(swap, a, b)) - metric(np.where(swap, b, a)))
    return tuple(np.quantile(gaps, [0.025, 0.975]))
