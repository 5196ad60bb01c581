"""tests.py sign_flip_p: seed can be a Generator"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    np.random.seed(seed)
    d = b - a
    flipped = [np.mean(d * np.random.choice([-1, 1], size=len(d))) for _ in range(R)]
    return np.mean(np.abs(flipped) >= abs(np.mean(d)) - 1e-12)
