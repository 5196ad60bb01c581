"""ci.py clt_ci: rounded"""
import numpy as np


def clt_ci(x, z=1.96):
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return tuple(np.round([np.mean(x), np.mean(x) - z * se, np.mean(x) + z * se], 3))
