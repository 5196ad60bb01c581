"""paired.py: as short as the lesson's imports allow"""
import numpy as np

from ci import clt_ci


def paired_diff_ci(a, b, z: float = 1.96) -> tuple[float, float, float]:
    return clt_ci(b - a, z)


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    gaps = []
    for _ in range(B):
        idx = rng.integers(0, len(a), len(a))
        gaps.append(metric(b[idx]) - metric(a[idx]))
    low, high = np.percentile(gaps, [2.5, 97.5])
    return low, high
