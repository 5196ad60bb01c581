"""ci.py clt_ci: in percent"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return 100 * mean, 100 * (mean - z * se), 100 * (mean + z * se)
