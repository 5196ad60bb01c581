"""paired.py: variances and the covariance, as the lesson derives it"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    se_a, se_b = (np.std(x, ddof=1) / np.sqrt(len(x)) for x in (a, b))
    gap = b.mean() - a.mean()
    return gap, gap - z * np.hypot(se_a, se_b), gap + z * np.hypot(se_a, se_b)


def paired_diff_ci(a, b, z=1.96):
    covariance = np.cov(a, b)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    gap, half = b.mean() - a.mean(), z * np.sqrt(variance / len(a))
    return np.array([gap, gap - half, gap + half])
