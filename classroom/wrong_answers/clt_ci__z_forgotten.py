"""ci.py clt_ci: z is forgotten"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return mean, mean - se, mean + se
