"""paired.py paired_diff_ci: the covariance counts once"""
import numpy as np


def paired_diff_ci(a, b, z=1.96):
    gap = np.mean(b) - np.mean(a)
    variance = np.var(a, ddof=1) + np.var(b, ddof=1) - np.cov(a, b)[0, 1]
    half = z * np.sqrt(variance / len(a))
    return gap, gap - half, gap + half
