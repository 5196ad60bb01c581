"""ci.py clt_ci: the stub's raise is reached"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    interval = mean, mean - z * se, mean + z * se
    raise NotImplementedError("t1 clt_ci")
    return interval
