"""tests.py mcnemar_exact: NaN or infinity"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    if n_a + n_b == 0:
        return 0, 0, math.nan
    m, k = n_a + n_b, min(n_a, n_b)
    return n_a, n_b, min(1.0, 2 * sum(math.comb(m, i) for i in range(k + 1)) / 2**m)
