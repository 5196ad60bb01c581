"""structure.py design_effect: the factor C / (C - 1) is missing"""
import numpy as np


def design_effect(x, cluster_ids):
    return (clustered_se(x, cluster_ids) / np.std(x, ddof=1)) ** 2 * len(x)
