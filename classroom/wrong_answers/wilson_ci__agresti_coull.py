"""ci.py wilson_ci: two right and two wrong are added"""
import numpy as np


def wilson_ci(k, n, z=1.96):
    k, n = k + 2, n + 4
    half = z * np.sqrt(k / n * (1 - k / n) / n)
    return k / n - half, k / n + half
