"""paired.py unpaired_diff_ci: std divides by n"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    gap = np.mean(b) - np.mean(a)
    se = np.sqrt(np.var(a) / len(a) + np.var(b) / len(b))
    return gap, gap - z * se, gap + z * se
