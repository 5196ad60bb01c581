"""paired.py paired_bootstrap_ci: A and B are resampled separately"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    n, gaps = len(a), []
    for _ in range(B):
        rng_a, rng_b = rng.spawn(2)
        gaps.append(metric(rng_b.choice(b, n)) - metric(rng_a.choice(a, n)))
    return tuple(np.quantile(gaps, [0.025, 0.975]))
