"""structure.py design_effect: the ratio is not squared"""
import numpy as np


def design_effect(x, cluster_ids):
    return small_sample_se(x, cluster_ids) / (np.std(x, ddof=1) / np.sqrt(len(x)))
