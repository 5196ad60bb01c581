"""Every function beside its counterpart elsewhere, on a few thousand random inputs.

Exact quantities must agree to 1e-9, relative where they exceed 1. Random ones are measured in
Monte Carlo errors and must stay below 5.5: a right answer fails that once in 26 million draws,
in the comparison of whole distributions once in 2 million. Prints the largest difference of
each, edge cases included, and ends with exit code 1 if one is too large or a function is left.

python bench/agree.py [WORD ...]        only functions whose name has a WORD
"""
import inspect
import sys
import tempfile
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))     # the lessons, one folder up

try:
    import errorbars.stats as eb
    import pandas as pd
    import statsmodels.api as sm
    from errorbars.compare import paired_compare
    from errorbars.leaderboard import holm_correction
    from errorbars.power import minimum_detectable_effect, questions_needed
    from evalstats.core.resampling import bonett_price_paired_ci
    from evalstats.tests import _mcnemar_midp_p
    from scipy import optimize, special, stats
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.descriptivestats import sign_test
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint
    from statsmodels.stats.weightstats import CompareMeans, DescrStatsW
except ImportError as error:
    sys.exit(f"bench/agree.py needs {error.name}; run: python -m pip install --group dev")

import ci
import load
import noise
import paired
import power
import report
import structure
import tests

CLOSE, ERRORS = 1e-9, 5.5
Z = stats.norm.ppf(0.975)
CHECKS = []             # (function, counterpart, inputs, unit, check)
LEFT_OUT = {            # compared through what they are a part of, or made for printing
    "t_area", "resampled_means_of_many", "disagreements", "check_tries", "fake_coverage",
    "print_made_up", "print_clusters", "print_runs", "main"}


def beside(function, counterpart, inputs=2_000, unit=""):
    """The check below compares function with its counterpart: check(rng) -> (ours, theirs)."""
    def register(check):
        CHECKS.append((function, counterpart, inputs, unit, check))
        return check
    return register


def in_errors(function, counterpart, inputs=40):
    """The same for random quantities: both values in units of their Monte Carlo error."""
    return beside(function, counterpart, inputs, "errors")


# ---- made-up inputs ----


def scores(rng, least=2):
    """Real scores: any size, skewed, rounded or tied."""
    x = rng.gamma(rng.choice([0.2, 2]), size=int(rng.integers(least, 300)))
    return np.round(x, 1) if rng.random() < 0.3 else x


def two(rng):
    """0/1 scores of two models: any size from 2, any agreement, also none and total."""
    n = int(rng.integers(2, 400))
    p, differ = rng.choice([0, 0.02, 0.5, 0.9, 1]), rng.choice([0, 0.01, 0.1, 0.5, 1])
    a = (rng.random(n) < p).astype(float)
    return a, np.where(rng.random(n) < differ, 1 - a, a)


def table(a, b):
    return [[np.sum((a == 1) & (b == 1)), np.sum(a > b)],
            [np.sum(b > a), np.sum((a == 0) & (b == 0))]]


def in_clusters(rng, equal=False):
    """(x, cluster of each as text), at least two clusters and one with two questions."""
    sizes = rng.integers(1, 12, size=int(rng.integers(2, 20)))
    sizes = np.full(len(sizes), 4) if equal else np.append(sizes, 2)
    ids = np.repeat([f"c{i}" for i in range(len(sizes))], sizes)
    x = rng.normal(size=len(sizes)).repeat(sizes) + rng.normal(size=len(ids))
    order = rng.permutation(len(ids))
    return (x[order] > 0.3) * 1.0 if rng.random() < 0.3 else x[order], ids[order]


def distance(ours, theirs):
    """Kolmogorov's distance of two samples, in errors of a share: (that, 0)."""
    at = np.concatenate([ours, theirs])
    below = [np.searchsorted(np.sort(x), at, "right") / len(x) for x in (ours, theirs)]
    return np.max(np.abs(below[0] - below[1])) / np.sqrt(0.25 / len(ours) + 0.25 / len(theirs)), 0


# ---- load ----


@beside(load.load_pair, "pandas.read_csv", 100)
def _(rng):
    n = int(rng.integers(1, 200))
    frame = pd.DataFrame({
        "qid": [f"q{i:04}" for i in rng.permutation(n)],
        "model_a": np.round(rng.random(n), 3), "model_b": rng.integers(2, size=n)})
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/results.csv"
        frame.to_csv(path, index=False)
        qids, a, b = load.load_pair(path)
    frame = frame.sort_values("qid")
    assert qids == frame.qid.tolist()
    return np.concatenate([a, b]), np.concatenate([frame.model_a, frame.model_b])


# ---- ci ----


@beside(ci.clt_ci, "scipy norm.interval, sem")
def _(rng):
    x = scores(rng)
    return ci.clt_ci(x, Z), (x.mean(), *(x.mean() + stats.sem(x) * np.array([-Z, Z])))


@beside(ci.wilson_ci, "statsmodels proportion_confint")
def _(rng):
    n = int(rng.integers(1, 2_000))
    k = int(rng.choice([0, n, rng.integers(0, n + 1)]))
    return ci.wilson_ci(k, n, Z), proportion_confint(k, n, method="wilson")


@beside(ci.t_cdf, "scipy t.cdf")
def _(rng):
    t, df = rng.normal(0, 4), 10 ** rng.uniform(0, 6)
    return ci.t_cdf(t, df), stats.t.cdf(t, df)


@beside(ci.t_quantile, "scipy t.ppf")
def _(rng):
    p, df = rng.uniform(0.001, 0.999), 10 ** rng.uniform(0, 6)
    return ci.t_quantile(p, df), stats.t.ppf(p, df)


@beside(ci.leggauss, "scipy roots_legendre", 30)
def _(rng):
    degree = int(rng.integers(1, 40))
    return np.array(ci.leggauss(degree)), np.array(special.roots_legendre(degree))


@beside(ci.binomial, "scipy binom.pmf", 500)
def _(rng):
    n, share = int(10 ** rng.uniform(0, 5)), rng.uniform(0.01, 0.99)
    first, chances = ci.binomial(n, share)
    return chances, stats.binom.pmf(first + np.arange(len(chances)), n, share)


@beside(ci.tally, "numpy unique", 500)
def _(rng):
    n, few = int(10 ** rng.uniform(0, 5)), int(10 ** rng.uniform(0, 3))
    x = rng.choice([rng.integers(few, size=n) / few, rng.normal(size=n)])
    values, counts = ci.tally(x)
    if counts.max() == 1:           # x itself, where nearly all differ
        values, counts = np.unique(values, return_counts=True)
    return np.array([values, counts]), np.array(np.unique(x, return_counts=True))


@beside(ci.middle, "numpy.quantile")
def _(rng):
    x, alpha = scores(rng, 1), rng.uniform(0.001, 0.5)
    return ci.middle(x, alpha), np.quantile(x, [alpha / 2, 1 - alpha / 2])


@in_errors(ci.bootstrap_ci, "scipy bootstrap, the ends")
def _(rng):
    """The error of a quantile of 10,000 draws, on both sides."""
    x = rng.normal(size=40)
    there = stats.bootstrap((x,), np.mean, method="percentile", n_resamples=10_000,
                            rng=rng).confidence_interval
    error = np.sqrt(2 * 0.025 * 0.975 / 10_000) / stats.norm.pdf(1.96) * stats.sem(x)
    return np.array(ci.bootstrap_ci(x, seed=rng)) / error, np.array(there) / error


@in_errors(ci.resampled, "scipy bootstrap, whole distribution")
def _(rng):
    n = int(rng.choice([1, 2, 7, 50, 500]))
    x = rng.choice([rng.normal(size=n), (rng.random(n) < 0.9) * 1.0, rng.integers(5, size=n) / 4])
    stat = rng.choice([np.mean, np.median, np.max])
    there = stat(x[rng.integers(n, size=(2_000, n))], axis=1) if n < 2 else stats.bootstrap(
        (x,), stat, n_resamples=2_000, method="percentile", rng=rng).bootstrap_distribution
    return distance(np.round(ci.resampled(x, stat, 2_000, rng), 9), np.round(there, 9))


@in_errors(ci.resampled, "numpy, many scores, rows of two", 4)
def _(rng):
    rows = rng.normal(size=(70_000, 2))
    ours = ci.resampled(rows, B=400, seed=rng)
    there = np.array([rows[rng.integers(len(rows), size=len(rows))].mean(axis=0)
                      for _ in range(400)])
    return distance(ours[:, 0] - ours[:, 1], there[:, 0] - there[:, 1])


# ---- paired ----


@beside(paired.unpaired_diff_ci, "statsmodels CompareMeans")
def _(rng):
    a, b = scores(rng, 3), scores(rng, 3)
    both = CompareMeans(DescrStatsW(b), DescrStatsW(a))
    return paired.unpaired_diff_ci(a, b, Z)[1:], both.zconfint_diff(usevar="unequal")


@beside(paired.paired_diff_ci, "statsmodels DescrStatsW")
def _(rng):
    a = scores(rng)
    b = rng.permutation(a) + 0.1
    return paired.paired_diff_ci(a, b, Z)[1:], DescrStatsW(b - a).zconfint_mean()


@beside(paired.bonett_price_ci, "evalstats bonett_price_paired_ci")
def _(rng):
    a, b = two(rng)
    return paired.bonett_price_ci(a, b, Z), bonett_price_paired_ci(b, a)


@in_errors(paired.paired_bootstrap_ci, "scipy bootstrap, paired, gap of means")
def _(rng):
    a, b = rng.normal(size=(2, 60))
    there = stats.bootstrap((a, b), lambda a, b, axis: b.mean(axis) - a.mean(axis), paired=True,
                            method="percentile", n_resamples=10_000, rng=rng).confidence_interval
    error = np.sqrt(2 * 0.025 * 0.975 / 10_000) / stats.norm.pdf(1.96) * stats.sem(b - a)
    return np.array(paired.paired_bootstrap_ci(a, b, seed=rng)) / error, np.array(there) / error


@in_errors(paired.paired_bootstrap_ci, "scipy bootstrap, paired, ratio of rows", 20)
def _(rng):
    a, b = rng.gamma(4, size=(2, 60, 2))

    def gap(p, q, r, s, axis):
        return r.sum(axis) / s.sum(axis) - p.sum(axis) / q.sum(axis)
    there = stats.bootstrap((*a.T, *b.T), gap, paired=True, method="percentile",
                            n_resamples=4_000, rng=rng)
    low, high = paired.paired_bootstrap_ci(a, b, lambda rows: rows[:, 0].sum() / rows[:, 1].sum(),
                                           4_000, rng)
    error = (np.sqrt(2 * 0.025 * 0.975 / 4_000) / stats.norm.pdf(1.96)
             * there.standard_error * 1.3)              # tails a little wider than normal
    return np.array([low, high]) / error, np.array(there.confidence_interval) / error


# ---- tests ----


@beside(tests.mcnemar_exact, "statsmodels mcnemar")
def _(rng):
    a, b = two(rng)
    return tests.mcnemar_exact(a, b), (np.sum(a > b), np.sum(b > a),
                                       mcnemar(table(a, b), exact=True).pvalue)


@beside(tests.mcnemar_midp, "evalstats, and scipy at a tie")
def _(rng):
    a, b = two(rng)
    m, wins = int(np.sum(a != b)), int(np.sum(b > a))
    there = _mcnemar_midp_p(a, b)
    if m and 2 * wins == m:                     # there: 1; Fagerland: half the tie is left out
        there = 1 - stats.binom.pmf(wins, m, 0.5) / 2
    return tests.mcnemar_midp(a, b), there


@beside(tests.mcnemar_chi2, "statsmodels mcnemar")
def _(rng):
    a, b = two(rng)
    if np.sum(a > b) == np.sum(b > a):          # there: nan without disagreement, else 1 / m
        return tests.mcnemar_chi2(a, b), (0, 1)
    there = mcnemar(table(a, b), exact=False, correction=True)
    return tests.mcnemar_chi2(a, b), (there.statistic, there.pvalue)


@beside(tests.sign_test, "statsmodels sign_test")
def _(rng):
    a, b = np.round(rng.normal(size=(2, int(rng.integers(2, 200)))), 1)
    there = sign_test(b - a)[1] if np.any(a != b) else 1.0
    return tests.sign_test(a, b)[2], there


@beside(tests.sign_flip_p, "scipy permutation_test, all flips", 200)
def _(rng):
    a, b = np.round(rng.normal(size=(2, int(rng.integers(2, 11)))), 1)
    if np.array_equal(a, b):
        return tests.sign_flip_p(a, b), 1.0
    # One-tenths summed as whole numbers, so that ties are ties in both.
    d = np.rint(10 * (b - a))
    there = stats.permutation_test((d,), lambda d, axis: np.abs(np.sum(d, axis=axis)),
                                   permutation_type="samples", vectorized=True,
                                   n_resamples=np.inf, alternative="greater")
    return tests.sign_flip_p(a, b), there.pvalue


@in_errors(tests.sign_flip_p, "scipy permutation_test, random flips")
def _(rng):
    n = int(rng.choice([20, 40, 300]))
    d = rng.choice([rng.normal(0.2, 1, n), rng.choice([-1.0, 0, 1], n, p=[0.2, 0.5, 0.3])])
    there = stats.permutation_test((d,), lambda d, axis: np.abs(np.sum(d, axis=axis)) + 1e-9,
                                   permutation_type="samples", vectorized=True, n_resamples=4_999,
                                   alternative="greater", rng=rng).pvalue
    ours = tests.sign_flip_p(np.zeros(n), d, R=4_999, seed=rng)
    both = (ours + there) / 2
    return np.array([ours, there]) / np.sqrt(both * (1 - both) * 2 / 4_999 + 1e-8), np.array(
        [there, there]) / np.sqrt(both * (1 - both) * 2 / 4_999 + 1e-8)


@in_errors(tests.sign_flip_p, "exact McNemar, 0/1 scores of many sizes")
def _(rng):
    a_only, b_only = rng.integers(0, 200, size=2)
    p, d = tests.coin_p(int(a_only), int(b_only)), np.repeat([-1.0, 1.0], [a_only, b_only])
    error = np.sqrt(p * (1 - p) / 20_000) + 1 / 20_000
    return tests.sign_flip_p(np.zeros(len(d)), d, seed=rng) / error, p / error


@beside(tests.anytime_p, "scipy betabinom")
def _(rng):
    a, b = (int(x) for x in rng.integers(0, 10 ** rng.integers(1, 5), size=2))
    ratio = np.exp(stats.binom.logpmf(b, a + b, 0.5) - stats.betabinom.logpmf(b, a + b, 1, 1))
    return tests.anytime_p(a, b), min(1, ratio)


@beside(tests.bonferroni, "statsmodels multipletests")
def _(rng):
    p = rng.random(int(rng.integers(1, 60))) ** 3
    return tests.bonferroni(p), multipletests(p, method="bonferroni")[1]


@beside(tests.holm, "errorbars holm_correction")
def _(rng):
    p = np.round(rng.random(int(rng.integers(1, 60))) ** 3, int(rng.integers(1, 9)))
    return tests.holm(p), holm_correction(p.tolist())


@beside(tests.holm, "statsmodels multipletests (slow)", 100)
def _(rng):
    p = rng.random(int(rng.integers(1, 60))) ** 3
    return tests.holm(p), multipletests(p, method="holm")[1]


@beside(tests.coin_p, "scipy binomtest, logarithms")
def _(rng):
    """Logarithms, so that the smallest p-values count as much as the others."""
    m = int(10 ** rng.uniform(0, 6))
    wins = int(np.clip(m / 2 + rng.normal(0, 3) * np.sqrt(m), 0, m))
    return np.log(tests.coin_p(wins, m - wins)), np.log(stats.binomtest(wins, m).pvalue)


@beside(tests.coin_p, "whole numbers, logarithms, to 1e-300", 500)
def _(rng):
    """Here scipy 1.17 is no help: binomtest(1083, 1121) gives 0 for 5.7e-267."""
    m = int(rng.integers(1, 900))
    wins = int(rng.integers(0, m // 2 + 1))
    exact = Fraction(2 * sum(comb(m, i) for i in range(wins + 1)), 2**m)
    return np.log(tests.coin_p(wins, m - wins)), np.log(float(min(1, exact)))


@beside(tests.coin_probability, "scipy binom.pmf")
def _(rng):
    a, b = (int(x) for x in rng.integers(0, 10 ** rng.integers(1, 7), size=2))
    return tests.coin_probability(a, b), stats.binom.pmf(a, a + b, 0.5)


# ---- noise ----


def truth(rng):
    """(n, p, gap, disagree) that two models can have."""
    n, p, disagree = int(rng.integers(20, 400)), rng.uniform(0.45, 0.55), rng.uniform(0.02, 0.4)
    return n, p, disagree * rng.uniform(-1, 1), disagree


@beside(noise.agreement, "the shares they are made from")
def _(rng):
    _, p, gap, disagree = truth(rng)
    both, a_only, b_only, neither = noise.agreement(p, gap, disagree)
    return (both + a_only, both + b_only, a_only + b_only, both + a_only + b_only + neither), (
        p, p + gap, disagree, 1)


@in_errors(noise.fake_pair, "those shares", 200)
def _(rng):
    _, p, gap, disagree = truth(rng)
    a, b = noise.fake_pair(5_000, p, gap, disagree, rng)
    expected = np.array([p, p + gap, disagree])
    error = np.sqrt(expected * (1 - expected) / 5_000)
    return np.array([a.mean(), b.mean(), np.mean(a != b)]) / error, expected / error


@in_errors(noise.how_often, "exact sum with scipy")
def _(rng):
    n, p, gap, disagree = truth(rng)
    threshold = (int(rng.integers(0, 5)) + 0.5) / n
    a, b = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    a, b = a[a + b <= n], b[a + b <= n]
    q = (disagree - gap) / 2
    chance = stats.binom.pmf(a, n, q) * stats.binom.pmf(b, n - a, (disagree - q) / (1 - q))
    d = (b - a) / n
    se = np.sqrt(np.maximum((a + b) / n - d**2, 0) / (n - 1))
    expected = np.array([chance[d >= threshold].sum(), chance[np.abs(d) > 1.96 * se].sum()])
    error = np.sqrt(np.maximum(expected * (1 - expected), 0) / 5_000) + 1 / 5_000
    return np.array(noise.how_often(n, p, gap, disagree, threshold, 5_000, rng)) / error, (
        expected / error)


@beside(noise.variance_split, "errorbars within_between_variance")
def _(rng):
    n, K = rng.integers(2, 40), rng.integers(2, 9)
    x = rng.normal(size=(n, 1)) * rng.choice([0, 1]) + rng.normal(size=(n, K))
    between, within, se = noise.variance_split(x)
    there = eb.within_between_variance(x.ravel(), np.repeat(np.arange(n), K))
    return (within, between, se), (*there, stats.sem(x.mean(axis=1)))


@beside(noise.se_with_answers, "Fractions, squared")
def _(rng):
    n, K = (int(x) for x in rng.integers(1, 1000, size=2))
    q, s = rng.random(2)
    return noise.se_with_answers(n, K, q, s) ** 2, float(
        Fraction(q) / n + Fraction(s) / (K * n))


@in_errors(noise.fake_answers, "moments of Beta, Bernoulli", 100)
def _(rng):
    accuracy, var = rng.uniform(0.3, 0.7), rng.uniform(0.01, 0.1)
    means = noise.fake_answers(4_000, 2, rng, accuracy, var)
    product = means[:, 0] * means[:, 1]              # E = Var(p) + accuracy^2
    expected = np.array([accuracy, var + accuracy**2])
    error = np.sqrt(np.array([means.mean(axis=1).var(), product.var()]) / 4_000)
    return np.array([means.mean(), product.mean()]) / error, expected / error


# ---- power ----


@beside(power.n_paired, "errorbars questions_needed")
def _(rng):
    disagree = rng.uniform(0.01, 0.5)
    gap = disagree * rng.uniform(0.05, 0.9)
    there = questions_needed(gap, variance=(disagree - gap**2) / 2).n_questions
    ours = power.n_paired(gap, disagree)
    return max(ours, 2), there                          # there never below 2


@beside(power.n_unpaired, "errorbars questions_needed")
def _(rng):
    p, gap = rng.uniform(0.05, 0.6), rng.uniform(0.01, 0.3)
    variance = (p * (1 - p) + (p + gap) * (1 - p - gap)) / 2
    return power.n_unpaired(gap, p), questions_needed(gap, variance=variance).n_questions


@beside(power.n_for, "errorbars questions_needed")
def _(rng):
    variance, gap, alpha, chance = rng.uniform((0.1, 0.01, 0.001, 0.5), (2, 0.1, 0.2, 0.99))
    return power.n_for(variance, gap, alpha, chance), questions_needed(
        gap, variance=variance / 2, alpha=alpha, power=chance).n_questions


@beside(power.n_margin, "errorbars questions_needed")
def _(rng):
    margin, disagree = rng.uniform((0.005, 0.1), (0.05, 0.5))
    return power.n_margin(margin, disagree), questions_needed(
        margin, variance=disagree / 2).n_questions


@beside(power.mde_paired, "scipy brentq on the n it needs", 500)
def _(rng):
    n, disagree = int(rng.integers(20, 20_000)), rng.uniform(0.01, 0.9)
    z = Z + stats.norm.ppf(0.8)
    return power.mde_paired(n, disagree), optimize.brentq(
        lambda gap: z**2 * (disagree - gap**2) - n * gap**2, 0, 2, xtol=1e-14)


@beside(power.mde_unpaired, "errorbars minimum_detectable_effect")
def _(rng):
    n, p = int(rng.integers(2, 20_000)), rng.uniform(0.01, 0.99)
    return power.mde_unpaired(n, p), minimum_detectable_effect(n, baseline_accuracy=p)


@beside(power.z_sum, "scipy norm.ppf")
def _(rng):
    alpha, chance = rng.uniform(1e-4, 0.999, size=2)
    return power.z_sum(alpha, chance), stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(chance)


@beside(power.power_paired, "scipy norm.sf")
def _(rng):
    n, _, gap, disagree = truth(rng)
    shift = gap / np.sqrt((disagree - gap**2) / n)
    return power.power_paired(n, gap, disagree), (
        stats.norm.sf(Z - shift) + stats.norm.cdf(-Z - shift))


@beside(power.power_mcnemar, "exact sum with scipy", 200)
def _(rng):
    n, disagree = int(rng.integers(5, 60)), rng.uniform(0.05, 0.9)
    gap = rng.uniform(-1, 1) * disagree
    total = 0.0
    for m in range(1, n + 1):
        k = np.arange(m + 1)
        fires = np.minimum(1, 2 * stats.binom.cdf(np.minimum(k, m - k), m, 0.5)) < 0.05
        total += stats.binom.pmf(m, n, disagree) * np.sum(
            stats.binom.pmf(k[fires], m, (disagree + gap) / 2 / disagree))
    return power.power_mcnemar(n, gap, disagree), total


@beside(power.critical_count, "scipy binom.cdf")
def _(rng):
    m, alpha = int(rng.integers(0, 3_000)), rng.choice([0.05, 0.01, 0.2])
    k = np.arange(m // 2 + 1)
    return power.critical_count(m, alpha), np.sum(2 * stats.binom.cdf(k, m, 0.5) < alpha) - 1


# ---- structure ----


@beside(structure.cluster_sums, "pandas groupby")
def _(rng):
    x, ids = in_clusters(rng)
    groups = pd.Series(x).groupby(ids)
    return np.array(structure.cluster_sums(x, ids)), np.array([groups.sum(), groups.size()])


@beside(structure.clustered_se, "statsmodels OLS, uncorrected", 500)
def _(rng):
    x, ids = in_clusters(rng)
    fit = sm.OLS(x, np.ones(len(x))).fit(cov_type="cluster", cov_kwds={
        "groups": pd.factorize(ids)[0], "use_correction": False})
    return structure.clustered_se(x, ids), fit.bse[0]


@beside(structure.small_sample_se, "errorbars cluster_robust_se")
def _(rng):
    x, ids = in_clusters(rng)
    return structure.small_sample_se(x, ids), eb.cluster_robust_se(x, ids)


@beside(structure.clustered_ci, "errorbars se, scipy t.ppf")
def _(rng):
    x, ids = in_clusters(rng)
    sizes = pd.Series(ids).value_counts()
    df = max(1, sizes.sum() ** 2 / (sizes**2).sum() - 1)
    half = stats.t.ppf(0.975, df) * eb.cluster_robust_se(x, ids)
    return structure.clustered_ci(x, ids), (x.mean(), x.mean() - half, x.mean() + half)


@beside(structure.paired_clustered_ci, "errorbars paired_compare, equal clusters", 500)
def _(rng):
    x, ids = in_clusters(rng, equal=True)
    y = rng.permutation(x)
    there = paired_compare(y, x, clusters=ids)
    if there.se_clustered == 0:
        return 0, 0
    return structure.paired_clustered_ci(x, y, ids)[1:], (there.ci_low_clustered,
                                                          there.ci_high_clustered)


@in_errors(structure.cluster_bootstrap_ci, "scipy bootstrap of sums and sizes")
def _(rng):
    ids = np.repeat(np.arange(60), rng.integers(1, 9, size=60))
    x = rng.normal(size=60)[ids] + rng.normal(size=len(ids))
    sums, sizes = np.bincount(ids, x), np.bincount(ids)
    there = stats.bootstrap((sums, sizes), lambda s, m, axis: s.sum(axis) / m.sum(axis),
                            paired=True, method="percentile", n_resamples=10_000, rng=rng)
    error = (np.sqrt(2 * 0.025 * 0.975 / 10_000) / stats.norm.pdf(1.96) * there.standard_error)
    return np.array(structure.cluster_bootstrap_ci(x, ids, seed=rng)) / error, np.array(
        there.confidence_interval) / error


def answers(rng):
    n = int(rng.choice([rng.integers(1, 20), rng.integers(1, 3_000)]))
    return n, int(rng.choice([0, n, rng.integers(0, n + 1)])), int(rng.integers(1, n + 1))


@beside(structure.pass_at_k, "Fractions of binomial coefficients")
def _(rng):
    n, c, k = answers(rng)
    return structure.pass_at_k(n, c, k), float(1 - Fraction(comb(n - c, k), comb(n, k)))


@beside(structure.pass_hat_k, "Fractions of binomial coefficients")
def _(rng):
    n, c, k = answers(rng)
    return structure.pass_hat_k(n, c, k), float(Fraction(comb(c, k), comb(n, k)))


@beside(structure.mean_pass_at_k, "scipy hypergeom, sem", 500)
def _(rng):
    n = rng.integers(5, 30, size=int(rng.integers(2, 40)))
    c, k = rng.integers(0, n + 1), int(rng.integers(1, 6))
    each = 1 - stats.hypergeom.pmf(0, n, c, k)
    return structure.mean_pass_at_k(n, c, k, Z), (
        each.mean(), *(each.mean() + stats.sem(each) * np.array([-Z, Z])))


@beside(structure.intraclass_correlation, "errorbars intraclass_correlation")
def _(rng):
    x, ids = in_clusters(rng)
    if np.ptp(x) == 0:
        return 0, 0
    return max(-1, structure.intraclass_correlation(x, ids)), (
        eb.intraclass_correlation(x, ids))


@beside(structure.design_effect, "errorbars se / scipy sem, squared")
def _(rng):
    x, ids = in_clusters(rng)
    if np.ptp(x) == 0:
        return 0, 0
    return structure.design_effect(x, ids), (eb.cluster_robust_se(x, ids) / stats.sem(x)) ** 2


@beside(structure.effective_n, "scipy sem / errorbars se, squared, x n")
def _(rng):
    x, ids = in_clusters(rng)
    if eb.cluster_robust_se(x, ids) < 1e-12:
        return 0, 0
    return structure.effective_n(x, ids), len(x) * (
        stats.sem(x) / eb.cluster_robust_se(x, ids)) ** 2


@beside(structure.effective_clusters, "pandas value_counts")
def _(rng):
    _, ids = in_clusters(rng)
    shares = pd.Series(ids).value_counts(normalize=True)
    return structure.effective_clusters(ids), 1 / (shares**2).sum()


@beside(structure.recipe_gap, "scipy ttest_ind, all permutations", 300)
def _(rng):
    a, b = (rng.normal(size=int(rng.integers(2, 7))) for _ in range(2))
    welch = stats.ttest_ind(b, a, equal_var=False)
    gap, low, high, p = structure.recipe_gap(a, b)
    runs = np.concatenate([a, b])
    gaps = [runs[list(set(range(len(runs))) - set(given))].mean() - runs[list(given)].mean()
            for given in combinations(range(len(runs)), len(a))]
    interval = welch.confidence_interval()
    return (gap, low, high, p), (b.mean() - a.mean(), interval.low, interval.high,
                                 np.mean(np.abs(gaps) >= abs(gap) - 1e-12))


@in_errors(structure.fake_clusters, "moments of Beta, Bernoulli", 100)
def _(rng):
    accuracy, rho = rng.uniform(0.3, 0.8), rng.uniform(0.05, 0.6)
    x, _ = structure.fake_clusters(rng, 4_000, 2, accuracy, rho)
    pairs = x.reshape(-1, 2)
    product = pairs[:, 0] * pairs[:, 1]
    expected = np.array([accuracy, rho * accuracy * (1 - accuracy) + accuracy**2])
    error = np.sqrt(np.array([pairs.mean(axis=1).var(), product.var()]) / 4_000)
    return np.array([x.mean(), product.mean()]) / error, expected / error


# ---- what report.py decides with ----


@beside(report.score_ci, "statsmodels, scipy ttest_1samp", 1_000)
def _(rng):
    if rng.random() < 0.5:
        x = two(rng)[0]
        right = int(x.sum())
        there = (proportion_confint(right, len(x), method="wilson")
                 if min(right, len(x) - right) < report.LARGE else DescrStatsW(x).zconfint_mean())
        return report.score_ci(x, None, 0.05, True)[1:3], np.clip(there, 0, 1)
    x = -1 - scores(rng)                        # outside [0, 1], where ours are cut
    if np.ptp(x) == 0:
        return 0, 0
    there = stats.ttest_1samp(x, 0).confidence_interval()
    return report.score_ci(x, None, 0.05, False)[1:3], there


@beside(report.gap_ci, "evalstats, statsmodels, scipy ttest_rel", 1_000)
def _(rng):
    if rng.random() < 0.5:
        a, b = two(rng)
        few = min(np.sum(a > b), np.sum(b > a)) < report.BOTH_SIDES
        return report.gap_ci(a, b, None, 0.05)[:2], (
            bonett_price_paired_ci(b, a) if few else DescrStatsW(b - a).zconfint_mean())
    a, b = rng.normal(size=(2, int(rng.integers(2, 300))))
    return report.gap_ci(a, b, None, 0.05)[:2], stats.ttest_rel(b, a).confidence_interval()


@beside(report.t_p, "scipy ttest_1samp")
def _(rng):
    d = rng.normal(rng.choice([0, 0.3]), size=int(rng.integers(2, 300)))
    return report.t_p(d), stats.ttest_1samp(d, 0).pvalue


# ---- the comparison ----


def largest(check, inputs, name, seed=0):
    """The largest difference over random inputs, relative to what is larger than 1."""
    rng = np.random.default_rng([seed, *name.encode()])
    worst = 0.0
    for _ in range(inputs):
        ours, theirs = (np.asarray(x, dtype=float) for x in check(rng))
        worst = max(worst, np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))))
    return worst


def largest_in_errors(check, inputs, name, seed=0):
    rng = np.random.default_rng([seed, *name.encode()])
    return max(np.max(np.abs(np.subtract(*check(rng)))) for _ in range(inputs))


def not_compared():
    """Functions of the lessons that no check mentions."""
    seen = {function.__name__ for function, *_ in CHECKS} | LEFT_OUT
    return [f"{lesson.__name__}.{name}" for lesson in (ci, paired, tests, noise, power, structure)
            for name, found in vars(lesson).items()
            if callable(found) and getattr(found, "__module__", "") == lesson.__name__
            and inspect.isfunction(inspect.unwrap(found)) and name not in seen]


def main():
    words, bad = sys.argv[1:], not_compared()
    print(f"{'function':24}{'counterpart':41}{'inputs':>7}{'largest':>8}")
    for function, counterpart, inputs, unit, check in CHECKS:
        name = function.__name__
        if words and not any(word in name for word in words):
            continue
        find, allowed = (largest_in_errors, ERRORS) if unit else (largest, CLOSE)
        found = find(check, inputs, name + counterpart)
        shown = f"{found:.1f}" if unit else f"{found:.0e}"
        print(f"{name:24}{counterpart:41}{inputs:>7,}{shown:>8}"
              + " <- too much" * (not found <= allowed), flush=True)
        bad += [name] * (not found <= allowed)
    print("\nAs it stands: absolute up to 1, relative above; 2.1 and the like: Monte Carlo errors.")
    print(f"These differ or are left out: {', '.join(bad)}." if bad else
          "Every function agrees with its counterpart elsewhere.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
