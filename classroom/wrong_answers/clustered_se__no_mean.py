"""structure.py clustered_se: the mean is not subtracted"""
import numpy as np


def clustered_se(x, cluster_ids):
    total = sum(np.sum(x[cluster_ids == c]) ** 2 for c in np.unique(cluster_ids))
    return np.sqrt(total) / len(x)
