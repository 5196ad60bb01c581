"""tests.py mcnemar_exact: chi-square p"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    if n_a + n_b == 0:
        return 0, 0, 1.0
    chi2 = max(abs(n_a - n_b) - 1, 0) ** 2 / (n_a + n_b)
    return n_a, n_b, math.erfc(math.sqrt(chi2 / 2))
