"""structure.py clustered_se: each cluster's own mean is subtracted"""
import numpy as np


def clustered_se(x, cluster_ids):
    groups = [x[cluster_ids == c] for c in np.unique(cluster_ids)]
    return np.sqrt(sum(np.sum(group - group.mean()) ** 2 for group in groups)) / len(x)
