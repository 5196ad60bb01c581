"""paired.py unpaired_diff_ci: the gap is a - b"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    gap = np.mean(a) - np.mean(b)
    se = np.sqrt(np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b))
    return gap, gap - z * se, gap + z * se
