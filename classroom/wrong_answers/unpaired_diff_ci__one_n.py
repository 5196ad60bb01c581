"""paired.py unpaired_diff_ci: one n for both"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    gap = np.mean(b) - np.mean(a)
    se = np.sqrt((np.var(a, ddof=1) + np.var(b, ddof=1)) / len(a))
    return gap, gap - z * se, gap + z * se
