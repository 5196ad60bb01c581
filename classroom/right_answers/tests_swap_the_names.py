"""tests.py: swapping which model gave which answer; numpy seeded globally; isclose for ties"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    np.random.seed(seed)
    observed, hits = abs(np.mean(b) - np.mean(a)), 0
    for _ in range(R):
        swap = np.random.rand(len(a)) < 0.5
        one, other = np.where(swap, b, a), np.where(swap, a, b)
        gap = abs(np.mean(other) - np.mean(one))
        hits += gap > observed or np.isclose(gap, observed)
    return hits / R
