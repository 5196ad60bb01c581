"""ci.py clt_ci: half width in place of the ends"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return mean, z * se, z * se
