"""structure.py clustered_se: divided by the number of clusters"""
import numpy as np


def clustered_se(x, cluster_ids):
    total = sum(np.sum(x[cluster_ids == c] - x.mean()) ** 2 for c in np.unique(cluster_ids))
    return np.sqrt(total) / len(np.unique(cluster_ids))
