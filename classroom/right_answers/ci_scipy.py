"""ci.py: scipy"""
import numpy as np
from scipy import stats


def clt_ci(x, z=1.96):
    half = z * stats.sem(x)
    return np.mean(x), np.mean(x) - half, np.mean(x) + half


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    found = stats.bootstrap((x,), stat, n_resamples=B, confidence_level=1 - alpha, vectorized=False,
                            method="percentile", random_state=np.random.default_rng(seed))
    return found.confidence_interval.low, found.confidence_interval.high


def wilson_ci(k, n, z=1.96):
    level = 1 - 2 * stats.norm.sf(z)
    found = stats.binomtest(int(k), int(n)).proportion_ci(level, method="wilson")
    return found.low, found.high
