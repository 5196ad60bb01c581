"""ci.py clt_ci: variance in place of the standard error"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.var(x, ddof=1) / len(x)
    return mean, mean - z * se, mean + z * se
