"""paired.py unpaired_diff_ci: variance in place of the standard error"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    gap = np.mean(b) - np.mean(a)
    se = np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b)
    return gap, gap - z * se, gap + z * se
