"""noise.py: all comparisons in one array; a pair by its conditional chances"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    a = rng.random(n) < p
    lost, won = (disagree - gap) / 2 / p, (disagree + gap) / 2 / (1 - p)
    differs = rng.random(n) < np.where(a, lost, won)
    return a, a ^ differs


def how_often(n=500, p=0.7, gap=0.0, disagree=0.10, threshold=0.008, T=20_000, seed=0):
    rng = np.random.default_rng(seed)
    chances = [(disagree - gap) / 2, (disagree + gap) / 2, 1 - disagree]
    d = rng.choice([-1, 1, 0], p=chances, size=(T, n))
    mean, half = d.mean(axis=1), 1.96 * d.std(axis=1, ddof=1) / np.sqrt(n)
    return (mean >= threshold).mean(), ((mean - half > 0) | (mean + half < 0)).mean()
