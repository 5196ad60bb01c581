"""tests.py mcnemar_chi2: the correction goes below 0"""
import math

import numpy as np


def mcnemar_chi2(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    if n_a + n_b == 0:
        return 0.0, 1.0
    chi2 = (abs(n_a - n_b) - 1) ** 2 / (n_a + n_b)
    return chi2, math.erfc(math.sqrt(chi2 / 2))
