"""ci.py wilson_ci: the plain formula"""
import numpy as np


def wilson_ci(k, n, z=1.96):
    half = z * np.sqrt(k / n * (1 - k / n) / n)
    return k / n - half, k / n + half
