"""noise.py fake_pair: global random state"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    cell = np.random.choice(4, size=n, p=[p - a_only, a_only, b_only, 1 - p - b_only])
    return (cell < 2).astype(int), ((cell == 0) | (cell == 2)).astype(int)
