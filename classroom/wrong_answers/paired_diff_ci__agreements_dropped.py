"""paired.py paired_diff_ci: questions on which they agree are dropped"""
import numpy as np


def paired_diff_ci(a, b, z=1.96):
    d = (b - a)[a != b]
    gap, se = np.mean(d), np.std(d, ddof=1) / np.sqrt(len(d))
    return gap, gap - z * se, gap + z * se
