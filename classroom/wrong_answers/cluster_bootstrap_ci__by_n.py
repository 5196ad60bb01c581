"""structure.py cluster_bootstrap_ci: the sum is divided by the original n"""
import numpy as np


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    groups = {name: x[cluster_ids == name] for name in np.unique(cluster_ids)}
    names, draws = list(groups), []
    for _ in range(B):
        drawn = [groups[names[i]] for i in rng.integers(len(names), size=len(names))]
        draws.append(np.sum(np.concatenate(drawn)) / len(x))
    return tuple(np.percentile(draws, [2.5, 97.5]))
