"""tests.py mcnemar_exact: 1 - tail"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    m = n_a + n_b
    tail = sum(math.comb(m, i) for i in range(min(n_a, n_b) + 1)) / 2**m
    return n_a, n_b, 1 - tail
