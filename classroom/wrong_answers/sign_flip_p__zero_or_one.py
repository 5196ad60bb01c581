"""tests.py sign_flip_p: signs are -1 or 1, not 0 or 1"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    rng = np.random.default_rng(seed)
    d = b - a
    hits = 0
    for _ in range(R):
        flipped = np.mean(d * rng.integers(2, size=len(d)))
        hits += abs(flipped) >= abs(np.mean(d)) - 1e-12
    return hits / R
