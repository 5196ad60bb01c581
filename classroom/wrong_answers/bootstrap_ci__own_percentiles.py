"""ci.py bootstrap_ci: the scores' own percentiles"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    return tuple(np.quantile(x, [alpha / 2, 1 - alpha / 2]))
