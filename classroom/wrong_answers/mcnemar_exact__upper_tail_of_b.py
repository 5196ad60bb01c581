"""tests.py mcnemar_exact: the tail of one model's count"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    m = n_a + n_b
    return n_a, n_b, min(1.0, 2 * sum(math.comb(m, i) for i in range(n_b, m + 1)) / 2**m)
