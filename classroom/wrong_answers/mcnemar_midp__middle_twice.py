"""tests.py mcnemar_midp: the middle is taken off twice"""
import math

import numpy as np


def mcnemar_midp(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    m, k = n_a + n_b, min(n_a, n_b)
    if m == 0:
        return 1.0
    p = min(1.0, 2 * sum(math.comb(m, i) for i in range(k + 1)) / 2**m)
    return p - math.comb(m, k) / 2**m
