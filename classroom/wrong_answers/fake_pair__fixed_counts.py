"""noise.py fake_pair: the counts are fixed"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = round(n * (disagree - gap) / 2), round(n * (disagree + gap) / 2)
    both = round(n * p) - a_only
    counts = [both, a_only, b_only, n - both - a_only - b_only]
    order = rng.permutation(n)
    return np.repeat([1, 1, 0, 0], counts)[order], np.repeat([1, 0, 1, 0], counts)[order]
