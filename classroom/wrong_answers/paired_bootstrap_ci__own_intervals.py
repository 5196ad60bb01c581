"""paired.py paired_bootstrap_ci: the models' own intervals are subtracted"""
import numpy as np

from ci import bootstrap_ci


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    low_a, high_a = bootstrap_ci(a, metric, B, seed=seed)
    low_b, high_b = bootstrap_ci(b, metric, B, seed=seed)
    return low_b - low_a, high_b - high_a
