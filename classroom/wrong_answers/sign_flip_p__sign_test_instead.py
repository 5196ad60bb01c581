"""tests.py sign_flip_p: sizes are ignored"""
import math

import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    tail = sum(math.comb(n_a + n_b, i) for i in range(min(n_a, n_b) + 1))
    return min(1.0, 2 * tail / 2 ** (n_a + n_b))
