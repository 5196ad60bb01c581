"""paired.py unpaired_diff_ci: the variances are pooled"""
import numpy as np


def unpaired_diff_ci(a, b, z=1.96):
    gap, m, n = np.mean(b) - np.mean(a), len(a), len(b)
    pooled = ((m - 1) * np.var(a, ddof=1) + (n - 1) * np.var(b, ddof=1)) / (m + n - 2)
    se = np.sqrt(pooled * (1 / m + 1 / n))
    return gap, gap - z * se, gap + z * se
