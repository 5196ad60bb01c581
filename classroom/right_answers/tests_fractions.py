"""tests.py: fractions, and every sign where they are few"""
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np


def mcnemar_exact(a, b):
    d = [int(y - x) for x, y in zip(a, b)]
    n_a, n_b = d.count(-1), d.count(1)
    tail = sum(Fraction(comb(n_a + n_b, i), 2 ** (n_a + n_b)) for i in range(min(n_a, n_b) + 1))
    return n_a, n_b, min(Fraction(1), 2 * tail)


def sign_flip_p(a, b, R=20_000, seed=0):
    d = np.asarray(b) - np.asarray(a)
    observed = abs(d.sum())
    if len(d) <= 12:
        sums = [sum(s * v for s, v in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
        return Fraction(sum(abs(s) > observed or np.isclose(abs(s), observed) for s in sums),
                        2 ** len(d))
    rng = np.random.default_rng(seed)
    signs = 2 * rng.integers(0, 2, size=(R, len(d))) - 1
    return np.mean(np.abs(signs @ d) >= observed * (1 - 1e-12))
