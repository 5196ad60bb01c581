"""noise.py fake_pair: A's scores are flipped"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    a = rng.random(n) < p
    flip = rng.random(n) < disagree
    return a.astype(int), np.where(flip, ~a, a).astype(int)
