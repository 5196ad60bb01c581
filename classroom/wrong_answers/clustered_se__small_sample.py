"""structure.py clustered_se: a factor C / (C - 1)"""
import numpy as np


def clustered_se(x, cluster_ids):
    names, cluster = np.unique(cluster_ids, return_inverse=True)
    sums, C = np.bincount(cluster, weights=x - np.mean(x)), len(names)
    return np.sqrt(C / (C - 1) * np.sum(sums**2)) / len(x)
