"""The lessons beside scipy and statsmodels, on inputs that neither was tuned for (prove)."""
from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from running import ROOT  # noqa: F401  (puts the lessons on the path)

import ci
import noise
import paired
import power
import structure
import tests as t3

pytestmark = pytest.mark.prove
stats = pytest.importorskip("scipy.stats")
sm = pytest.importorskip("statsmodels.api")
proportion = pytest.importorskip("statsmodels.stats.proportion")
contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
multitest = pytest.importorskip("statsmodels.stats.multitest")


def pair(a_only, b_only, both=3, neither=2):
    cells = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [a_only, b_only, both, neither], axis=0)
    return cells[:, 0].astype(float), cells[:, 1].astype(float)


def relative(got, expected):
    return abs(got - expected) / abs(expected)


# ---- t1 ----


@pytest.mark.parametrize("n", [2, 3, 10, 500, 100_003])
def test_formula_interval_to_1e_12(n):
    x = np.random.default_rng(n).gamma(0.3, size=n)
    mean, low, high = ci.clt_ci(x, z=1.7)
    se = stats.sem(x)
    expected = x.mean() + 1.7 * se * np.array([0, -1, 1])
    assert (mean, low, high) == pytest.approx(tuple(expected), rel=1e-12)


@pytest.mark.parametrize("df", [1, 1.5, 2, 2.7, 3, 5, 9.3, 11, 30, 197, 1e3, 1e5, 1e7])
def test_t_quantile_and_cdf(df):
    for p in (0.5, 0.500001, 0.6, 0.9, 0.975, 0.995, 0.9995, 1 - 1e-6, 1 - 1e-9):
        t = stats.t.ppf(p, df)
        # 1 - p is known to 1e-16 only, and so is the quantile that belongs to it
        tolerance = 1e-10 + 1e-15 / (1 - p) * t
        assert ci.t_quantile(p, df) == pytest.approx(t, abs=tolerance * max(1, t)), f"{p}, {df}"
        assert ci.t_quantile(1 - p, df) == pytest.approx(-t, abs=tolerance * max(1, t))
    for t in (0.0, 0.3, 1.96, 5.0, 37.0):
        assert ci.t_cdf(t, df) == pytest.approx(stats.t.cdf(t, df), abs=1e-12)
        tail = stats.t.cdf(-t, df)
        assert ci.t_cdf(-t, df) == pytest.approx(tail, rel=1e-8, abs=1e-300), f"tail of {t}, {df}"


def test_wilson_to_1e_12():
    rng = np.random.default_rng(0)
    z = stats.norm.ppf(0.975)
    for n in (1, 2, 7, 30, 1_000, 10**6, 10**9):
        for k in {0, n, n // 2, *rng.integers(0, n + 1, 20).tolist()}:
            low, high = proportion.proportion_confint(k, n, method="wilson")
            got = ci.wilson_ci(k, n, z)
            assert got == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12)), (k, n)


def test_bootstrap_lies_where_scipys_lies():
    """10,000 draws each: ends differ by less than 0.15 standard errors but once in a million."""
    rng = np.random.default_rng(2)
    for x, stat in ((rng.gamma(0.5, size=80), np.mean), (rng.gamma(0.5, size=80), np.median),
                    ((rng.random(300) < 0.9) * 1.0, np.mean)):
        expected = stats.bootstrap((x,), stat, method="percentile", n_resamples=10_000,
                                   rng=np.random.default_rng(5))
        low, high = expected.confidence_interval
        step = 1 / len(x) if set(x) <= {0, 1} else np.diff(np.sort(x)).max() * (stat is np.median)
        got = ci.bootstrap_ci(x, stat)
        assert got == (pytest.approx(low, abs=0.15 * expected.standard_error + step),
                       pytest.approx(high, abs=0.15 * expected.standard_error + step))


# ---- t2 ----


def test_unpaired_and_paired_intervals_to_1e_12():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=41), rng.gamma(2, size=41)
    gap, _, high = paired.unpaired_diff_ci(a, b, z=1)
    welch = stats.ttest_ind(b, a, equal_var=False)
    assert gap / (high - gap) == pytest.approx(welch.statistic, rel=1e-12)
    gap, low, high = paired.paired_diff_ci(a, b, stats.t.ppf(0.975, 40))
    expected = stats.ttest_rel(b, a).confidence_interval(0.95)
    assert (low, high) == (pytest.approx(expected.low, rel=1e-12),
                           pytest.approx(expected.high, rel=1e-12))


# ---- t3 ----

COUNTS = [(0, 1), (1, 1), (4, 17), (10, 24), (0, 40), (300, 412), (499, 501), (5_000, 5_300),
          (49_000, 51_000), (250_000, 251_500), (500_000, 500_000), (498_000, 502_000)]


@pytest.mark.parametrize("a_only, b_only", COUNTS)
def test_mcnemar_to_1e_10_up_to_a_million_disagreements(a_only, b_only):
    m, least = a_only + b_only, min(a_only, b_only)
    expected = min(1, 2 * stats.binom.cdf(least, m, 0.5))
    got = t3.coin_p(a_only, b_only)
    assert relative(got, expected) < 1e-10, f"{got}, scipy says {expected}"
    assert relative(got, stats.binomtest(least, m).pvalue) < 1e-10
    here = stats.binom.pmf(least, m, 0.5)
    assert relative(t3.coin_probability(a_only, b_only), here) < 1e-9
    if m <= 10_000:
        a, b = pair(a_only, b_only)
        table = [[3, a_only], [b_only, 2]]
        assert t3.mcnemar_exact(a, b)[2] == pytest.approx(
            contingency.mcnemar(table, exact=True).pvalue, rel=1e-10)
        assert t3.mcnemar_midp(a, b) == pytest.approx(expected - here if a_only != b_only
                                                      else 1 - here / 2, rel=1e-9)
        corrected = contingency.mcnemar(table, exact=False, correction=True)
        if abs(a_only - b_only) > 0:            # for b = c it is 1 / m there, and p below 1
            assert t3.mcnemar_chi2(a, b) == (pytest.approx(corrected.statistic, rel=1e-12),
                                             pytest.approx(corrected.pvalue, rel=1e-10))


def test_mcnemar_far_in_the_tail():
    for a_only, b_only in ((0, 900), (100, 1_200), (1_000, 2_500)):
        m = a_only + b_only
        exact = Fraction(sum(comb(m, i) for i in range(a_only + 1)), 2 ** (m - 1))
        assert relative(t3.coin_p(a_only, b_only), float(exact)) < 1e-10


def test_sign_flip_equals_scipys_exact_permutation():
    """scipy gets whole numbers, where ties are ties; the lesson gets them divided by 10."""
    rng = np.random.default_rng(4)
    for n in (2, 5, 9, 12):
        a, b = rng.integers(0, 7, (2, n))
        expected = stats.permutation_test(((b - a) * 1.0,), lambda d: abs(d.sum()),
                                          permutation_type="samples", n_resamples=np.inf,
                                          vectorized=False, alternative="greater").pvalue
        for scale in (1.0, 1e-7, 1e5):
            assert t3.sign_flip_p(a * scale / 10, b * scale / 10) == pytest.approx(expected), b - a


def test_drawn_sign_flips_agree_with_the_exact_convolution():
    """5.5 standard errors of 20,000 flips: a right answer fails once in ten million."""
    rng = np.random.default_rng(6)
    for _ in range(20):
        d = rng.integers(-9, 12, rng.integers(20, 90))
        sums = np.array([1.0])
        for size in np.abs(d[d != 0]):
            grown = np.zeros(len(sums) + 2 * size)
            grown[:len(sums)] += sums / 2
            grown[2 * size:] += sums / 2
            sums = grown
        values = np.arange(len(sums)) - len(sums) // 2
        exact = sums[np.abs(values) >= abs(d.sum())].sum()
        for a in (np.zeros(len(d)), rng.integers(0, 50, len(d)) / 8):
            got = t3.sign_flip_p(a, a + d)
            assert got == pytest.approx(exact, abs=5.5 * sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_holm_and_bonferroni_equal_statsmodels():
    rng = np.random.default_rng(7)
    for n in (1, 2, 20, 300):
        p = rng.random(n) ** 3
        p[: n // 3] = p[0]
        assert t3.holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1], rel=1e-12)
        assert t3.bonferroni(p) == pytest.approx(
            multitest.multipletests(p, method="bonferroni")[1], rel=1e-12)


@pytest.mark.parametrize("n, share", [(5, 0.3), (400, 0.02), (10**4, 0.9), (10**6, 0.5)])
def test_binomial_equals_scipys(n, share):
    first, probabilities = ci.binomial(n, share)
    k = np.arange(first, first + len(probabilities))
    expected = stats.binom.pmf(k, n, share)
    large = expected > 1e-250
    assert probabilities[large] == pytest.approx(expected[large], rel=1e-8)


# ---- t4, t5 ----


def test_variance_split_equals_the_random_effects_anova():
    rng = np.random.default_rng(8)
    answers = (rng.random((60, 5)) < rng.beta(2, 1, (60, 1))).astype(float)
    question, sampling, se = noise.variance_split(answers)
    msb = 5 * np.var(answers.mean(axis=1), ddof=1)
    msw = np.mean(np.var(answers, axis=1, ddof=1))
    assert stats.f_oneway(*answers).statistic == pytest.approx(msb / msw)
    assert (question, sampling) == pytest.approx(((msb - msw) / 5, msw), rel=1e-12)
    assert se == pytest.approx(stats.sem(answers.mean(axis=1)), rel=1e-12)


def test_questions_needed_equal_statsmodels_normal_power():
    solver = pytest.importorskip("statsmodels.stats.power").NormalIndPower(ddof=0)
    for gap, disagree, alpha, chance in ((0.01, 0.1, 0.05, 0.8), (0.03, 0.2, 0.01, 0.9)):
        effect = gap / sqrt(disagree - gap**2)
        n = solver.solve_power(effect, alpha=alpha, power=chance, ratio=0, alternative="larger")
        two_sided = solver.solve_power(effect, alpha=alpha / 2, power=chance, ratio=0,
                                       alternative="larger")
        assert n < two_sided
        assert power.n_paired(gap, disagree, alpha, chance) == np.ceil(two_sided)
        got = power.power_paired(1_000, gap, disagree, alpha)
        assert got == pytest.approx(solver.power(effect, 1_000, alpha, ratio=0), rel=1e-9)


@pytest.mark.parametrize("n, gap, disagree, alpha", [
    (500, 0.02, 0.10, 0.05), (60, 0.2, 0.4, 0.05), (25, 0, 0.5, 0.05), (3_000, 0.01, 0.05, 0.001)])
def test_power_of_the_exact_test_is_the_double_sum(n, gap, disagree, alpha):
    total = 0.0
    for m in range(n + 1):
        chance = stats.binom.pmf(m, n, disagree)
        if chance > 1e-14:
            b = np.arange(m + 1)
            p = np.minimum(1, 2 * stats.binom.cdf(np.minimum(b, m - b), m, 0.5))
            favour = stats.binom.pmf(b, m, (disagree + gap) / (2 * disagree))
            total += chance * favour[p < alpha].sum()
    assert power.power_mcnemar(n, gap, disagree, alpha) == pytest.approx(total, abs=1e-10)


# ---- t6 ----


def clustered(seed, sizes=(6, 2, 1, 1, 9, 4, 4)):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    x = rng.normal(size=len(sizes))[groups] + rng.normal(size=len(groups))
    order = rng.permutation(len(groups))
    return x[order], groups[order]


@pytest.mark.parametrize("sizes", [(6, 2, 1, 1, 9, 4, 4), (10,) * 50, (231, 75, 44, 34, 2, 1)])
def test_clustered_errors_equal_statsmodels_ols(sizes):
    x, groups = clustered(1, sizes)
    fit = sm.OLS(x, np.ones(len(x)))
    plain = fit.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    assert structure.clustered_se(x, groups) == pytest.approx(plain.bse[0], rel=1e-12)
    # statsmodels' correction is C / (C - 1) (n - 1) / (n - 1) for a mean
    corrected = fit.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    assert structure.small_sample_se(x, groups) == pytest.approx(corrected.bse[0], rel=1e-12)
    # and its t has C - 1 degrees of freedom: ours as many only where clusters are equal
    df = len(x) ** 2 / np.sum(np.square(sizes)) - 1
    for alpha, (mean, low, high) in (
            (0.05, structure.clustered_ci(x, groups)),
            (0.1, structure.paired_clustered_ci(np.zeros(len(x)), x, groups, alpha=0.1))):
        half = stats.t.ppf(1 - alpha / 2, df) * corrected.bse[0]
        assert (mean, low, high) == pytest.approx((x.mean(), x.mean() - half, x.mean() + half))
        if min(sizes) == max(sizes):
            assert (low, high) == pytest.approx(tuple(corrected.conf_int(alpha)[0]), rel=1e-9)


def test_intraclass_correlation_equals_the_anova_of_statsmodels():
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm
    pandas = pytest.importorskip("pandas")
    x, groups = clustered(2)
    anova = anova_lm(ols("x ~ C(g)", pandas.DataFrame({"x": x, "g": groups})).fit())
    msb, msw = anova["mean_sq"]
    sizes = np.bincount(groups)
    m0 = (len(x) - np.sum(sizes**2) / len(x)) / (len(sizes) - 1)
    # Donner 1986 writes m0 as the mean size less its variance over n: the same number
    mean = sizes.mean()
    assert m0 == pytest.approx(mean - np.sum((sizes - mean) ** 2) / ((len(sizes) - 1) * len(x)))
    assert structure.intraclass_correlation(x, groups) == pytest.approx(
        (msb - msw) / (msb + (m0 - 1) * msw), rel=1e-12)


def test_cluster_bootstrap_lies_where_scipys_lies():
    """10,000 draws of the clusters each: 0.15 standard errors apart at most."""
    x, groups = clustered(3, (10,) * 30)
    sums, sizes = np.bincount(groups, x), np.bincount(groups)
    expected = stats.bootstrap((sums, sizes), lambda s, n: s.sum() / n.sum(), paired=True,
                               vectorized=False, method="percentile", n_resamples=10_000,
                               rng=np.random.default_rng(1))
    low, high = expected.confidence_interval
    got = structure.cluster_bootstrap_ci(x, groups)
    assert got == (pytest.approx(low, abs=0.15 * expected.standard_error),
                   pytest.approx(high, abs=0.15 * expected.standard_error))


def test_pass_at_k_is_exact_for_n_to_10_000():
    rng = np.random.default_rng(9)
    for n in (1, 2, 10, 200, 1_000, 10_000):
        for c in {0, 1, n // 2, n, *rng.integers(0, n + 1, 6).tolist()}:
            for k in {1, n, *rng.integers(1, n + 1, 6).tolist()}:
                exact = 1 - Fraction(comb(n - c, k), comb(n, k))
                hat = Fraction(comb(c, k), comb(n, k))
                assert structure.pass_at_k(n, c, k) == pytest.approx(float(exact), abs=1e-12)
                assert structure.pass_hat_k(n, c, k) == pytest.approx(float(hat), rel=1e-10,
                                                                      abs=1e-300)


def test_recipe_gap_equals_welch_and_the_exact_permutation():
    rng = np.random.default_rng(10)
    for m, n in ((2, 2), (3, 3), (3, 5), (6, 4)):
        a, b = np.round(rng.normal(size=m), 2), np.round(rng.normal(1, 2, size=n), 2)
        gap, low, high, p = structure.recipe_gap(a, b)
        expected = stats.ttest_ind(b, a, equal_var=False).confidence_interval(0.95)
        assert (low, high) == (pytest.approx(expected.low, rel=1e-8),
                               pytest.approx(expected.high, rel=1e-8))
        assert gap == pytest.approx(b.mean() - a.mean())

        def spread(x, y, axis):
            return abs(np.mean(x, axis=axis) - np.mean(y, axis=axis))

        exact = stats.permutation_test((a, b), spread, vectorized=True, n_resamples=np.inf,
                                       alternative="greater").pvalue
        assert p == pytest.approx(exact), "of all ways to hand out the runs"
