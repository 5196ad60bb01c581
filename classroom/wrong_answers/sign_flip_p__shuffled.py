"""tests.py sign_flip_p: no flip changes the gap"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    rng = np.random.default_rng(seed)
    d = b - a
    hits = 0
    for _ in range(R):
        hits += abs(np.mean(rng.permutation(d))) >= abs(np.mean(d)) - 1e-12
    return hits / R
