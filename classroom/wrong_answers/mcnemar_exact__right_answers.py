"""tests.py mcnemar_exact: the right answers are counted"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a)), int(np.sum(b))
    m, k = n_a + n_b, min(n_a, n_b)
    return n_a, n_b, min(1.0, 2 * sum(math.comb(m, i) for i in range(k + 1)) / 2**m)
