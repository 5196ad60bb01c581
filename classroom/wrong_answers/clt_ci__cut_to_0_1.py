"""ci.py clt_ci: the ends are cut to [0, 1]"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return mean, max(0.0, mean - z * se), min(1.0, mean + z * se)
