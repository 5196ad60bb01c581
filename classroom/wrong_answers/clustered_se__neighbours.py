"""structure.py clustered_se: only neighbours are one cluster"""
import numpy as np


def clustered_se(x, cluster_ids):
    starts = np.flatnonzero(np.append(True, cluster_ids[1:] != cluster_ids[:-1]))
    return np.sqrt(np.sum(np.add.reduceat(x - x.mean(), starts) ** 2)) / len(x)
