"""noise.py: cells counted first, rows in the order of the cells"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    both, one, two, none = rng.multinomial(n, [p - a_only, a_only, b_only, 1 - p - b_only])
    a = np.concatenate([np.ones(both + one), np.zeros(two + none)])
    b = np.concatenate([np.ones(both), np.zeros(one), np.ones(two), np.zeros(none)])
    return a, b
