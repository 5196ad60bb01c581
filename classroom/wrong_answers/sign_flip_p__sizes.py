"""tests.py sign_flip_p: the sizes are averaged"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    rng = np.random.default_rng(seed)
    sizes = np.abs(b - a)
    flips = rng.choice([-1, 1], size=(R, len(sizes)))
    return np.mean(np.abs((flips * sizes).mean(axis=1)) >= sizes.mean() - 1e-12)
