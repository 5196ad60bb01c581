"""ci.py clt_ci: not made of plain numbers"""
import numpy as np


def clt_ci(x, z=1.96):
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return {"mean": mean, "low": mean - z * se, "high": mean + z * se}
