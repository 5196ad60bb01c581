"""structure.py: pass@k as the Codex paper prints it, a sandwich with a small-sample factor"""
import numpy as np


def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    return 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))


def clustered_se(x, cluster_ids):
    names, codes = np.unique(cluster_ids, return_inverse=True)
    sums = np.bincount(codes, weights=x - np.mean(x))
    C = len(names)
    return np.sqrt(C / (C - 1) * np.sum(sums**2)) / len(x)


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    rng = np.random.default_rng(seed)
    names = np.unique(cluster_ids)
    where = {name: np.flatnonzero(cluster_ids == name) for name in names}
    means = []
    for _ in range(B):
        drawn = rng.choice(names, size=len(names), replace=True)
        means.append(x[np.concatenate([where[name] for name in drawn])].mean())
    return np.quantile(means, 0.025), np.quantile(means, 0.975)
