"""structure.py clustered_se: the square root is forgotten"""
import numpy as np


def clustered_se(x, cluster_ids):
    total = sum(np.sum(x[cluster_ids == c] - x.mean()) ** 2 for c in np.unique(cluster_ids))
    return total / len(x) ** 2
