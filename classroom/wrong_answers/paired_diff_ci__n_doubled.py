"""paired.py paired_diff_ci: n is doubled"""
import numpy as np


def paired_diff_ci(a, b, z=1.96):
    d = b - a
    se = np.std(d, ddof=1) / np.sqrt(len(a) + len(b))
    return np.mean(d), np.mean(d) - z * se, np.mean(d) + z * se
