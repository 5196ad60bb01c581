"""noise.py fake_pair: a cell is below 0"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    luck = rng.random(n)
    a = luck < p
    b = (luck < p - a_only) | ((luck >= p) & (luck < p + b_only))
    return a.astype(int), b.astype(int)
