"""structure.py cluster_bootstrap_ci: questions are drawn, not clusters"""
from ci import bootstrap_ci


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    return bootstrap_ci(x, B=B, seed=seed)
