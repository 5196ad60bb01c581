"""structure.py: a matrix of who is in which cluster; whole numbers for pass@k"""
from math import comb

import numpy as np


def clustered_se(x, cluster_ids):
    owners = cluster_ids.tolist()
    inside = np.array([[name == own for own in owners] for name in set(owners)], dtype=float)
    return np.linalg.norm(inside @ (x - x.mean())) / x.size


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    names = sorted(set(cluster_ids.tolist()))
    sums = np.array([x[cluster_ids == name].sum() for name in names])
    sizes = np.array([np.count_nonzero(cluster_ids == name) for name in names])
    drawn = rng.integers(len(names), size=(B, len(names)))
    return tuple(np.percentile(sums[drawn].sum(1) / sizes[drawn].sum(1), [2.5, 97.5],
                               method="hazen"))


def pass_at_k(n, c, k):
    return 1 - comb(n - c, k) / comb(n, k)
