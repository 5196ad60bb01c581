"""paired.py unpaired_diff_ci: only one model's standard error is used"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    gap = np.mean(b) - np.mean(a)
    se = np.std(b, ddof=1) / np.sqrt(len(b))
    return gap, gap - z * se, gap + z * se
