"""ci.py clt_ci: the input is changed in place"""
import numpy as np


def clt_ci(x, z=1.96):
    mean, n = x.mean(), len(x)
    x -= mean
    se = np.sqrt((x @ x) / (n - 1) / n)
    return mean, mean - z * se, mean + z * se
