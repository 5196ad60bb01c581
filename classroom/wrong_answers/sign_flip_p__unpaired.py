"""tests.py sign_flip_p: the scores are shuffled over all questions"""
import numpy as np


def sign_flip_p(a, b, R=20_000, seed=0):
    rng = np.random.default_rng(seed)
    observed, everything, hits = abs(np.mean(b) - np.mean(a)), np.concatenate([a, b]), 0
    for _ in range(R):
        shuffled = rng.permutation(everything)
        hits += abs(shuffled[:len(a)].mean() - shuffled[len(a):].mean()) >= observed - 1e-12
    return hits / R
