"""structure.py clustered_se: cluster means count alike"""
import numpy as np


def clustered_se(x, cluster_ids):
    means = [x[cluster_ids == c].mean() for c in np.unique(cluster_ids)]
    return np.std(means, ddof=1) / np.sqrt(len(means))
