"""structure.py cluster_bootstrap_ci: a cluster drawn twice counts once"""
import numpy as np


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    names = np.unique(cluster_ids)
    draws = [x[np.isin(cluster_ids, rng.choice(names, size=len(names)))].mean() for _ in range(B)]
    return tuple(np.percentile(draws, [2.5, 97.5]))
