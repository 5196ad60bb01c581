"""tests.py mcnemar_exact: float overflow"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    m, k = n_a + n_b, min(n_a, n_b)
    p = min(1.0, 2 * sum(math.comb(m, i) * 0.5**m for i in range(k + 1)))
    return n_a, n_b, p
