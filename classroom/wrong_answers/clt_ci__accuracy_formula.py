"""ci.py clt_ci: sqrt(p (1 - p) / n) holds for 0/1 scores only"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.sqrt(x.mean() * (1 - x.mean()) / len(x))
    return mean, mean - z * se, mean + z * se
