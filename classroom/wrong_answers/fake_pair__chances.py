"""noise.py fake_pair: chances are returned"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    return np.full(n, p), np.full(n, p + gap)
