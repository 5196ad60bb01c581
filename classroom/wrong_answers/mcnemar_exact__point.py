"""tests.py mcnemar_exact: only the observed count"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    m, k = n_a + n_b, min(n_a, n_b)
    p = min(1.0, 2 * math.comb(m, k) / 2**m)
    return n_a, n_b, p
