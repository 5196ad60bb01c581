"""ci.py clt_ci: std divides by n"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x) / np.sqrt(len(x))
    return mean, mean - z * se, mean + z * se
