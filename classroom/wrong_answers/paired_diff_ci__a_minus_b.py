"""paired.py paired_diff_ci: the gap is a - b"""
import numpy as np


def paired_diff_ci(a, b, z=1.96):
    d = a - b
    gap, se = np.mean(d), np.std(d, ddof=1) / np.sqrt(len(d))
    return gap, gap - z * se, gap + z * se
