"""noise.py how_often: every lead counts"""
import numpy as np

from paired import paired_diff_ci


def how_often(n=500, p=0.7, gap=0.0, disagree=0.10, threshold=0.008, T=20_000, seed=0):
    rng = np.random.default_rng(seed)
    wins = clear = 0
    for _ in range(T):
        a, b = fake_pair(n, p, gap, disagree, rng)
        wins += np.mean(b) - np.mean(a) >= 0.008
        _, low, high = paired_diff_ci(a, b)
        clear += low > 0 or high < 0
    return wins / T, clear / T
