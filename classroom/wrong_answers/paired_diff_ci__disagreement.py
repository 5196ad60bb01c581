"""paired.py paired_diff_ci: gap^2 is forgotten"""
import numpy as np


def paired_diff_ci(a, b, z=1.96):
    gap = np.mean(b) - np.mean(a)
    se = np.sqrt(np.mean((b - a) ** 2) / (len(a) - 1))
    return gap, gap - z * se, gap + z * se
