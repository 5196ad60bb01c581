"""noise.py how_often: std divides by n"""
import numpy as np


def how_often(n=500, p=0.7, gap=0.0, disagree=0.10, threshold=0.008, T=20_000, seed=0):
    rng = np.random.default_rng(seed)
    wins = clear = 0
    for _ in range(T):
        a, b = fake_pair(n, p, gap, disagree, rng)
        d = b - a
        wins += np.mean(d) >= threshold
        clear += abs(np.mean(d)) > 1.96 * np.std(d) / np.sqrt(n)
    return wins / T, clear / T
