"""structure.py cluster_bootstrap_ci: wrong unit of percentiles"""
import numpy as np


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    groups = [x[cluster_ids == c] for c in np.unique(cluster_ids)]
    C, draws = len(groups), []
    for _ in range(B):
        drawn = [groups[i] for i in rng.integers(C, size=C)]
        draws.append(np.mean(np.concatenate(drawn)))
    return tuple(np.percentile(draws, [0.025, 0.975]))
