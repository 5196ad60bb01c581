"""ci.py clt_ci: wrong shape"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return mean - z * se, mean + z * se
