"""ci.py clt_ci: sqrt(n - 1) for sqrt(n)"""
import numpy as np


def clt_ci(x, z=1.96):
    se = np.std(x, ddof=1) / np.sqrt(len(x) - 1)
    return np.mean(x), np.mean(x) - z * se, np.mean(x) + z * se
