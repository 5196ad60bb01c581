"""paired.py: pairs as rows, drawn together"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    pairs = np.stack([a, b], axis=1)
    gaps = []
    for _ in range(B):
        drawn = rng.choice(pairs, len(pairs), axis=0)
        gaps.append(metric(drawn[:, 1]) - metric(drawn[:, 0]))
    return tuple(np.percentile(gaps, [2.5, 97.5]))
