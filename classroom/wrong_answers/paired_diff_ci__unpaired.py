"""paired.py paired_diff_ci: the unpaired interval is returned"""
import numpy as np


def paired_diff_ci(a, b, z=1.96):
    gap = np.mean(b) - np.mean(a)
    se = np.sqrt(np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b))
    return gap, gap - z * se, gap + z * se
