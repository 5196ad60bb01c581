"""paired.py bonett_price_ci: n stays as it is"""
import numpy as np


def bonett_price_ci(a, b, z=1.96):
    n, a_only, b_only = len(a), np.sum(a > b) + 1, np.sum(b > a) + 1
    gap = (b_only - a_only) / n
    half = z * np.sqrt(((a_only + b_only) / n - gap**2) / n)
    return max(gap - half, -1.0), min(gap + half, 1.0)
