"""ci.py clt_ci: std in place of the standard error"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1)
    return mean, mean - z * se, mean + z * se
