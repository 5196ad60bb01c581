"""paired.py bonett_price_ci: an end lies outside -1 to 1"""
import numpy as np


def bonett_price_ci(a, b, z=1.96):
    n, a_only, b_only = len(a) + 2, np.sum(a > b) + 1, np.sum(b > a) + 1
    gap = (b_only - a_only) / n
    half = z * np.sqrt(((a_only + b_only) / n - gap**2) / n)
    return gap - half, gap + half
