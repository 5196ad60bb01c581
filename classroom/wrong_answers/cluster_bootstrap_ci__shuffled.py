"""structure.py cluster_bootstrap_ci: every resample is alike"""
import numpy as np


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    names, draws = np.unique(cluster_ids), []
    for _ in range(B):
        drawn = rng.choice(names, size=len(names), replace=False)
        draws.append(np.mean(np.concatenate([x[cluster_ids == name] for name in drawn])))
    return tuple(np.percentile(draws, [2.5, 97.5]))
