"""ci.py: another bit generator, started by a number from the seed"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    start = np.random.default_rng(seed).integers(2**32)
    rng = np.random.Generator(np.random.Philox(np.random.SeedSequence(start)))
    draws = [stat(rng.choice(x, len(x))) for _ in range(B)]
    low, high = np.percentile(draws, (50 * alpha, 100 - 50 * alpha), method="weibull")
    return float(low), float(high)
