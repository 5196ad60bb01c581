"""ci.py wilson_ci: z is ignored"""
import numpy as np


def wilson_ci(k, n, z=1.96):
    z = 1.96
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4)
    return centre - half, centre + half
