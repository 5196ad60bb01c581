"""tests.py mcnemar_chi2: no continuity correction"""
import math

import numpy as np


def mcnemar_chi2(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    if n_a + n_b == 0:
        return 0.0, 1.0
    chi2 = (n_a - n_b) ** 2 / (n_a + n_b)
    return chi2, math.erfc(math.sqrt(chi2 / 2))
