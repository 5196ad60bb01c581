"""tests.py: a matrix of signs, means compared after rounding, plus one"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    rng = np.random.default_rng(seed)
    d = b - a
    signs = np.where(rng.random((R, d.size)) < 0.5, -1.0, 1.0)
    gaps = np.round(np.abs((signs * d).mean(axis=1)), 10)
    return (1 + np.sum(gaps >= np.round(abs(d.mean()), 10))) / (R + 1)
