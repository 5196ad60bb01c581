"""ci.py clt_ci: variance over sqrt(n)"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.var(x, ddof=1) / np.sqrt(len(x))
    return mean, mean - z * se, mean + z * se
