"""paired.py unpaired_diff_ci: the paired interval is returned"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    gap = np.mean(b - a)
    se = np.std(b - a, ddof=1) / np.sqrt(len(a))
    return gap, gap - z * se, gap + z * se
