"""tests.py sign_flip_p: global random state"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    assert len(a) == len(b)
    d = b - a
    hits = 0
    for _ in range(R):
        flipped = np.mean(d * np.random.choice([-1, 1], size=len(d)))
        hits += abs(flipped) >= abs(np.mean(d)) - 1e-12
    return hits / R
