"""ci.py clt_ci: no square root of n"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / len(x)
    return mean, mean - z * se, mean + z * se
