"""noise.py: choice of a cell per question, and the interval of t2"""
import numpy as np

from paired import paired_diff_ci


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    cells = rng.choice(4, size=n, p=[p - a_only, a_only, b_only, 1 - p - b_only])
    return (cells <= 1).astype(float), ((cells == 0) | (cells == 2)).astype(float)


def how_often(n=500, p=0.7, gap=0.0, disagree=0.10, threshold=0.008, T=20_000, seed=0):
    rng = np.random.default_rng(seed)
    wins, clear = [], []
    for _ in range(T):
        a, b = fake_pair(n, p, gap, disagree, rng)
        _, low, high = paired_diff_ci(a, b)
        wins.append(np.mean(b) - np.mean(a) >= threshold)
        clear.append(not low <= 0 <= high)
    return np.mean(wins), np.mean(clear)
