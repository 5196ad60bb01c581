"""structure.py clustered_se: the clusters are ignored"""
import numpy as np


def clustered_se(x, cluster_ids):
    return np.std(x, ddof=1) / np.sqrt(len(x))
