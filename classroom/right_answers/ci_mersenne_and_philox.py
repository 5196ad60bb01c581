"""ci.py: another bit generator, a Generator made from a SeedSequence"""
import numpy as np


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    rng = np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))
    draws = [stat(rng.choice(x, len(x))) for _ in range(B)]
    low, high = np.percentile(draws, (50 * alpha, 100 - 50 * alpha), method="weibull")
    return float(low), float(high)
