"""tests.py mcnemar_midp: the exact p"""
import math

import numpy as np


def mcnemar_midp(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    m, k = n_a + n_b, min(n_a, n_b)
    return min(1.0, 2 * sum(math.comb(m, i) for i in range(k + 1)) / 2**m)
