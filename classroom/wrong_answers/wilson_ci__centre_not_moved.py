"""ci.py wilson_ci: the centre is k / n"""
import numpy as np


def wilson_ci(k, n, z=1.96):
    half = z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4)
    return k / n - half, k / n + half
