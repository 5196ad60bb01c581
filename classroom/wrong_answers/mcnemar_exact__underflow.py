"""tests.py mcnemar_exact: 0.5**m is 0 for so many coins"""
import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int(np.sum(a > b)), int(np.sum(b > a))
    m, term, tail = n_a + n_b, 0.5 ** (n_a + n_b), 0.0
    for i in range(min(n_a, n_b) + 1):
        tail += term
        term *= (m - i) / (i + 1)
    return n_a, n_b, min(1.0, 2 * tail)
