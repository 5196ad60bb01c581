"""ci.py clt_ci: z is ignored"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return mean, mean - 1.96 * se, mean + 1.96 * se
