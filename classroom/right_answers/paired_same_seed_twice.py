"""paired.py: one stream of indices drawn once, all at a time"""
import numpy as np


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    index = np.random.default_rng(seed).integers(len(a), size=(B, len(a)))
    gaps = np.array([metric(row) for row in b[index]]) - np.array([metric(row) for row in a[index]])
    gaps.sort()
    return gaps[int(np.floor(0.025 * (B - 1)))], gaps[int(np.ceil(0.975 * (B - 1)))]
