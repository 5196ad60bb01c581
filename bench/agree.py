"""Every function beside its counterpart elsewhere, on a few thousand random inputs.

Exact quantities must agree to 1e-9, resampled ones to 5.5 Monte Carlo errors. Prints the
largest difference of each and ends with exit code 1 if one is too large. Needs scipy and
statsmodels (pip install --group dev).
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))     # the lessons, one folder up

try:
    import statsmodels.api as sm
    from scipy import special, stats
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint
except ImportError as error:
    sys.exit(f"bench/agree.py needs {error.name}; run: python -m pip install --group dev")

import ci
import paired
import power
import structure
import tests

ROUNDS = 2_000
CLOSE = 1e-9


def pair(rng):
    """0/1 scores of two models: any size from 2, any agreement, also none and total."""
    n = int(rng.integers(2, 400))
    p, differ = rng.choice([0, 0.02, 0.5, 0.9, 1]), rng.choice([0, 0.01, 0.1, 0.5, 1])
    a = (rng.random(n) < p).astype(float)
    return a, np.where(rng.random(n) < differ, 1 - a, a)


def table(a, b):
    return [[np.sum((a == 1) & (b == 1)), np.sum(a > b)],
            [np.sum(b > a), np.sum((a == 0) & (b == 0))]]


def clt(rng):
    x = rng.gamma(2, size=rng.integers(2, 300))
    low, high = stats.norm.interval(0.95, np.mean(x), stats.sem(x))
    return ci.clt_ci(x, stats.norm.ppf(0.975))[1:], (low, high)


def wilson(rng):
    n = int(rng.integers(1, 2_000))
    k = int(rng.choice([0, n, rng.integers(0, n + 1)]))
    z = stats.norm.ppf(0.975)
    return ci.wilson_ci(k, n, z), proportion_confint(k, n, method="wilson")


def t_quantile(rng):
    p, df = rng.uniform(0.001, 0.999), 10 ** rng.uniform(0, 6)
    return ci.t_quantile(p, df) / max(1, abs(stats.t.ppf(p, df))), (
        stats.t.ppf(p, df) / max(1, abs(stats.t.ppf(p, df))))


def t_cdf(rng):
    t, df = rng.normal(0, 4), 10 ** rng.uniform(0, 6)
    return ci.t_cdf(t, df), stats.t.cdf(t, df)


def paired_t(rng):
    a, b = rng.normal(size=(2, int(rng.integers(3, 200))))
    test = stats.ttest_rel(b, a)
    interval = test.confidence_interval()
    z = ci.t_quantile(0.975, len(a) - 1)
    return paired.paired_diff_ci(a, b, z)[1:], (interval.low, interval.high)


def mcnemar_exact(rng):
    a, b = pair(rng)
    return tests.mcnemar_exact(a, b)[2], mcnemar(table(a, b), exact=True).pvalue


def mcnemar_chi2(rng):
    a, b = pair(rng)
    if np.array_equal(a, b) or np.sum(a > b) == np.sum(b > a):      # statsmodels: nan, or 1/m
        return tests.mcnemar_chi2(a, b)[1], 1.0
    return tests.mcnemar_chi2(a, b)[1], mcnemar(table(a, b), exact=False, correction=True).pvalue


def holm(rng):
    p = rng.random(int(rng.integers(1, 60))) ** 3
    return tests.holm(p), multipletests(p, method="holm")[1]


def bonferroni(rng):
    p = rng.random(int(rng.integers(1, 60))) ** 3
    return tests.bonferroni(p), multipletests(p, method="bonferroni")[1]


def sign_flip_exact(rng):
    a, b = np.round(rng.normal(size=(2, int(rng.integers(2, 11)))), 1)
    if np.array_equal(a, b):
        return tests.sign_flip_p(a, b), 1.0
    # One-tenths summed as whole numbers, so that ties are ties in both.
    d = np.rint(10 * (b - a))
    there = stats.permutation_test((d,), lambda d, axis: np.abs(np.sum(d, axis=axis)),
                                   permutation_type="samples", vectorized=True,
                                   n_resamples=np.inf, alternative="greater")
    return tests.sign_flip_p(a, b), there.pvalue


def clustered_se(rng):
    n = int(rng.integers(4, 200))
    x, clusters = rng.normal(size=n), rng.integers(0, max(2, n // 3), size=n)
    if len(np.unique(clusters)) < 2:
        return 0.0, 0.0
    fit = sm.OLS(x, np.ones(n)).fit(cov_type="cluster", cov_kwds={
        "groups": clusters, "use_correction": False})
    return structure.clustered_se(x, clusters), fit.bse[0]


def pass_at_k(rng):
    n = int(rng.integers(1, 200))
    c, k = int(rng.integers(0, n + 1)), int(rng.integers(1, n + 1))
    return structure.pass_at_k(n, c, k), 1 - stats.hypergeom.pmf(0, n, c, k)


def pass_hat_k(rng):
    n = int(rng.integers(1, 200))
    c, k = int(rng.integers(0, n + 1)), int(rng.integers(1, n + 1))
    return structure.pass_hat_k(n, c, k), special.comb(c, k) / special.comb(n, k)


def recipe_gap(rng):
    a, b = (rng.normal(size=int(rng.integers(2, 7))) for _ in range(2))
    welch = stats.ttest_ind(b, a, equal_var=False).confidence_interval()
    p = stats.permutation_test((a, b), lambda a, b, axis: np.mean(a, axis) - np.mean(b, axis),
                               vectorized=True, n_resamples=np.inf).pvalue
    _, low, high, ours = structure.recipe_gap(a, b)
    # scipy doubles the smaller tail; with equal numbers of runs that is the two-sided share.
    return ((low, high, ours), (welch.low, welch.high, p if len(a) == len(b) else ours))


def power_mcnemar(rng):
    n, disagree = int(rng.integers(5, 60)), rng.uniform(0.05, 0.9)
    gap = rng.uniform(-1, 1) * disagree
    total = 0.0
    for m in range(1, n + 1):
        k = np.arange(m + 1)
        fires = np.minimum(1, 2 * stats.binom.cdf(np.minimum(k, m - k), m, 0.5)) < 0.05
        total += stats.binom.pmf(m, n, disagree) * np.sum(
            stats.binom.pmf(k[fires], m, (disagree + gap) / 2 / disagree))
    return power.power_mcnemar(n, gap, disagree), total


def bootstrap(rng):
    """In Monte Carlo errors of one end: the error of a quantile of 10,000 draws, both sides."""
    x = rng.normal(size=40)
    there = stats.bootstrap((x,), np.mean, method="percentile", n_resamples=10_000,
                            random_state=rng).confidence_interval
    error = np.sqrt(2 * 0.025 * 0.975 / 10_000) / stats.norm.pdf(1.96) * stats.sem(x)
    return np.array(ci.bootstrap_ci(x, seed=rng)) / error, np.array(there) / error


def sign_flip(rng):
    """In Monte Carlo errors of the difference of two simulated p-values."""
    a, b = rng.normal(size=(2, 40))
    b += 0.3
    there = stats.permutation_test((b - a,), np.mean, permutation_type="samples",
                                   vectorized=True, n_resamples=9_999, random_state=rng).pvalue
    ours = tests.sign_flip_p(a, b, R=9_999, seed=rng)
    error = np.sqrt(there * (1 - there) * 2 / 9_999) + 1e-4
    return ours / error, there / error


EXACT = (clt, wilson, t_cdf, t_quantile, paired_t, mcnemar_exact, mcnemar_chi2, holm, bonferroni,
         sign_flip_exact, clustered_se, pass_at_k, pass_hat_k, recipe_gap, power_mcnemar)
RESAMPLED = (bootstrap, sign_flip)
SLOW = {"sign_flip_exact": 100, "recipe_gap": 50, "power_mcnemar": 50, "clustered_se": 500,
        "bootstrap": 20, "sign_flip": 20}


def largest(function, rounds, seed=0):
    """The largest difference over `rounds` random inputs."""
    rng = np.random.default_rng([seed, *function.__name__.encode()])
    return max(float(np.max(np.abs(np.subtract(*function(rng))))) for _ in range(rounds))


def main():
    bad = []
    print(f"{'function':24}{'inputs':>8}{'largest difference':>22}{'allowed':>12}")
    for group, allowed, unit in ((EXACT, CLOSE, ""), (RESAMPLED, 5.5, " errors")):
        for function in group:
            rounds = SLOW.get(function.__name__, ROUNDS)
            found = largest(function, rounds)
            print(f"{function.__name__:24}{rounds:>8,}{found:>22.2g}{allowed:>12g}{unit}",
                  flush=True)
            bad += [function.__name__] * (found > allowed)
    print("\n" + (f"These differ: {', '.join(bad)}." if bad else
                  "Every function agrees with its counterpart elsewhere."))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
