"""structure.py cluster_bootstrap_ci: large clusters are drawn more often"""
import numpy as np


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    groups = {name: x[cluster_ids == name] for name in np.unique(cluster_ids)}
    draws = []
    for _ in range(B):
        drawn = rng.choice(cluster_ids, size=len(groups))
        draws.append(np.mean(np.concatenate([groups[name] for name in drawn])))
    return tuple(np.percentile(draws, [2.5, 97.5]))
