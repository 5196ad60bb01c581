"""tests.py: scipy's binomial test and permutation test"""
import numpy as np
from scipy import stats


def mcnemar_exact(a, b):
    n_a, n_b = np.sum((a == 1) & (b == 0)), np.sum((a == 0) & (b == 1))
    return n_a, n_b, stats.binomtest(int(n_b), int(n_a + n_b)).pvalue if n_a + n_b else 1.0


def sign_flip_p(a, b, R=20_000, seed=0):
    found = stats.permutation_test((b - a,), np.mean, permutation_type="samples", n_resamples=R,
                                   random_state=np.random.default_rng(seed))
    return found.pvalue


def mcnemar_chi2(a, b):
    n_a, n_b = np.sum(a > b), np.sum(b > a)
    chi2 = max(abs(int(n_a) - int(n_b)) - 1, 0) ** 2 / max(1, n_a + n_b)
    return chi2, stats.chi2.sf(chi2, 1)
