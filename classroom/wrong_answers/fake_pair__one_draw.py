"""noise.py fake_pair: questions are drawn together"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    cell = rng.choice(4, size=n // 10 + 1, p=[p - a_only, a_only, b_only, 1 - p - b_only])
    cell = np.repeat(cell, 10)[:n]
    return (cell < 2).astype(int), ((cell == 0) | (cell == 2)).astype(int)
