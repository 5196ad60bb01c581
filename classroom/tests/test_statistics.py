"""The lessons' functions against values worked by hand or printed elsewhere, source beside each.

Nothing is random here but what is seeded, and nothing is compared with the code under test.
"""
import tracemalloc
from fractions import Fraction
from itertools import combinations, product
from math import comb, sqrt, tan

import numpy as np
import pytest
from running import ROOT  # noqa: F401  (puts the lessons on the path)

import ci
import noise
import paired
import power
import structure
import tests as t3

# Student (1908), hours of sleep gained by ten patients with either drug.
SLEEP = (np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]),
         np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]))
# Darwin (1876) in Fisher (1935), heights of maize in inches: crossed and self-fertilised.
MAIZE = (np.array([17.375, 20.375, 20, 20, 18.375, 18.625, 18.625, 15.25, 16.5, 18, 16.25, 18,
                   12.75, 15.5, 18]),
         np.array([23.5, 12, 21, 22, 19.125, 21.5, 22.125, 20.375, 18.25, 21.625, 23.25, 21,
                   22.125, 23, 12]))


def pair(a_only, b_only, both=0, neither=0):
    """0/1 scores with these counts."""
    cells = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [a_only, b_only, both, neither], axis=0)
    return cells[:, 0].astype(float), cells[:, 1].astype(float)


def near(expected, digits):
    """Equal to a printed figure of so many decimals."""
    return pytest.approx(expected, abs=0.5 * 10.0**-digits + 1e-12)


# ---- t1 ----


def test_formula_interval_of_four_scores_by_hand():
    # 1, 2, 3, 4: variance 5/3 with ddof 1, standard error sqrt(5/12)
    mean, low, high = ci.clt_ci(np.array([1.0, 2, 3, 4]), z=2)
    assert (mean, low, high) == pytest.approx((2.5, 2.5 - 2 * sqrt(5 / 12), 2.5 + 2 * sqrt(5 / 12)))


@pytest.mark.parametrize("k, n, error", [
    (14, 307, 0.011926), (2, 123, 0.011450), (2, 132, 0.010673), (5, 280, 0.007929),
    (8, 154, 0.017941), (8, 193, 0.014385)])
def test_standard_error_is_never_0_for_a_score_between_0_and_1(k, n, error):
    # figures of a public report about another tool that printed 0.0 for them
    mean, low, _ = ci.clt_ci(np.repeat([1.0, 0.0], [k, n - k]))
    assert (mean - low) / 1.96 == near(error, 6)


@pytest.mark.parametrize("k, n, low, high, digits", [
    (25, 25, 0.8668, 1, 4), (24, 25, 0.8046, 0.9929, 4), (40, 40, 0.9124, 1, 4),
    (0, 307, 0, 0.012358, 5), (1, 1, 0.2065, 1, 4), (19, 20, 0.764, 0.991, 3),
    (120, 200, 0.531, 0.665, 3), (132, 200, 0.592, 0.722, 3), (0, 29, 0, 0.1170, 4),
    (81, 263, 0.2553, 0.3662, 4), (15, 148, 0.0624, 0.1605, 4), (1, 29, 0.0061, 0.1718, 4)])
def test_wilson_interval_is_the_published_one(k, n, low, high, digits):
    # the last four: Newcombe 1998, Statistics in Medicine 17:857, table I
    assert ci.wilson_ci(k, n) == (near(low, digits), near(high, digits))


def test_wilson_interval_ends_exactly_at_0_and_1_and_nowhere_else_beyond():
    for n in [*range(1, 200), 10**6, 10**12]:
        low, high = ci.wilson_ci(0, n)
        assert low == 0 and 0 < high < 1, f"wilson_ci(0, {n}) is {low, high}"
        low, high = ci.wilson_ci(n, n)
        assert high == 1 and 0 < low < 1, f"wilson_ci({n}, {n}) is {low, high}"


def test_wilson_interval_solves_its_definition():
    # its ends are the p from which k / n lies z sqrt(p (1 - p) / n) away
    for k, n, z in product((1, 7, 19), (20, 400), (1.0, 1.96, 3.3)):
        for p in ci.wilson_ci(k, n, z):
            assert abs(k / n - p) == pytest.approx(z * sqrt(p * (1 - p) / n), rel=1e-10)


@pytest.mark.parametrize("k, n", [(-1, 5), (6, 5), (0, 0)])
def test_wilson_refuses_counts_that_cannot_be(k, n):
    with pytest.raises(ValueError, match=f"{k} right of {n}"):
        ci.wilson_ci(k, n)


@pytest.mark.parametrize("df, t", [
    (1, 12.7062), (2, 4.30265), (3, 3.18245), (5, 2.57058), (9, 2.26216), (10, 2.22814),
    (30, 2.04227), (100, 1.98397)])
def test_t_quantile_is_the_one_of_every_table(df, t):
    assert ci.t_quantile(0.975, df) == near(t, 4)
    assert ci.t_quantile(0.025, df) == near(-t, 4)


@pytest.mark.parametrize("p", [0.5, 0.6, 0.9, 0.975, 0.9995, 1 - 1e-6])
def test_t_quantile_equals_its_closed_forms(p):
    s = 2 * p - 1
    q = 4 * p * (1 - p)                 # 1 - s^2 without cancellation
    assert ci.t_quantile(p, 1) == pytest.approx(tan(np.pi * (p - 0.5)), rel=1e-9, abs=1e-12)
    assert ci.t_quantile(p, 2) == pytest.approx(s * sqrt(2 / q), rel=1e-9, abs=1e-12)
    four = 2 * sqrt(max(0, np.cos(np.arccos(sqrt(q)) / 3) / sqrt(q) - 1)) if p > 0.5 else 0
    assert ci.t_quantile(p, 4) == pytest.approx(four, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("p, df", [(0, 5), (1, 5), (0.975, 0.5), (float("nan"), 5)])
def test_t_quantile_refuses_what_has_none(p, df):
    with pytest.raises(ValueError, match="t_quantile"):
        ci.t_quantile(p, df)


def test_student_gets_his_own_interval():
    # R, t.test(extra ~ group, paired = TRUE): t -4.0621, df 9, p 0.002833, -2.4598858 to -0.7001142
    a, b = SLEEP
    gap, low, high = paired.paired_diff_ci(a, b, ci.t_quantile(0.975, 9))
    assert (gap, low, high) == (near(1.58, 6), near(0.7001142, 6), near(2.4598858, 6))
    assert 2 * ci.t_cdf(-4.062128, 9) == near(0.002833, 6)


def test_bootstrap_of_two_questions_is_the_exact_lattice():
    # mean 0, 1/2 or 1 with chance 1/4, 1/2, 1/4
    x = np.array([0.0, 1.0])
    assert ci.bootstrap_ci(x) == (0, 1)
    assert ci.bootstrap_ci(x, alpha=0.6) == (0.5, 0.5)


@pytest.mark.parametrize("n, share", [(0, 0.5), (1, 0.5), (7, 0.3), (40, 1.0), (40, 0.0)])
def test_binomial_is_the_textbook_one(n, share):
    first, probabilities = ci.binomial(n, share)
    full = np.zeros(n + 1)
    full[first:first + len(probabilities)] = probabilities
    exact = [comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    assert full == pytest.approx(exact, rel=1e-13, abs=1e-300)


def test_draws_of_right_wrong_scores_come_in_any_order():
    """Sorted draws of two models would rise together: their differences would have no spread."""
    a, b = np.repeat([[0.0, 1.0], [1.0, 0.0]], [30, 70], axis=1)
    together = np.corrcoef(ci.resampled(a, seed=1), ci.resampled(b, seed=2))[0, 1]
    assert abs(together) < 6 / sqrt(10_000)


def test_two_scores_are_drawn_as_often_as_they_are_there():
    """0.2 and 0.7, 90 times in 100 the larger: each count of larger ones within 6 errors."""
    x = np.repeat([0.7, 0.2], [90, 10])
    counts = np.round((100 * ci.resampled(x, B=50_000, seed=3) - 20) / 0.5, 6)
    assert counts.tolist() == counts.astype(int).tolist()
    found = np.bincount(counts.astype(int), minlength=101) / 50_000
    exact = np.array([comb(100, k) * 0.9**k * 0.1 ** (100 - k) for k in range(101)])
    assert np.all(np.abs(found - exact) <= 6 * np.sqrt(exact / 50_000) + 6 / 50_000)


@pytest.mark.parametrize("values, n", [(1, 31), (3, 90), (3, 91), (5, 200), (40, 1_300)])
def test_draws_of_few_different_scores_have_the_spread_of_resampling(values, n):
    """Counted or drawn question by question: mean and sd of 4,000 draws within 6 errors."""
    x = np.arange(n) % values / 4
    draws = ci.resampled(x, B=4_000, seed=5)
    se = x.std() / sqrt(n)
    assert abs(draws.mean() - x.mean()) <= 6 * se / sqrt(4_000) + 1e-12
    assert abs(draws.std() - se) <= 6 * se / sqrt(8_000) + 1e-12


def test_the_tally_counts_every_score():
    rng = np.random.default_rng(0)
    for x in (np.ones(40), np.array([2.0, -1.0, 2.0]), rng.integers(3, size=200) / 2,
              np.concatenate([np.zeros(70_000), rng.normal(size=10)])):
        values, counts = ci.tally(x)
        assert values.tolist() == np.unique(x).tolist()
        assert np.sum(counts) == len(x) and np.dot(values, counts) == pytest.approx(x.sum())
    many = rng.normal(size=40)
    assert ci.tally(many)[0] is many


def test_a_first_look_that_deceives_costs_no_memory():
    """Zeros first, then 40,000 different scores: counting would take 40,000 numbers a draw."""
    x = np.concatenate([np.zeros(ci.BLOCK), np.random.default_rng(0).normal(size=40_000)])
    tracemalloc.start()
    draws = ci.resampled(x, B=50)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6
    assert abs(draws.std() * sqrt(len(x)) / x.std() - 1) < 6 / sqrt(100)


def test_a_median_is_that_of_the_questions_drawn():
    x = np.random.default_rng(1).normal(size=301)
    rng = np.random.default_rng(2)
    by_hand = [np.median(x[rng.integers(301, size=301)]) for _ in range(500)]
    assert np.array_equal(ci.resampled(x, np.median, 500, seed=2), by_hand)
    rows = x[:300].reshape(150, 2)
    assert ci.resampled(rows, np.median, 20).shape == (20,), "rows: one number each"


def test_a_median_of_more_scores_than_a_block_is_that_of_the_questions_drawn():
    x = np.random.default_rng(3).normal(size=ci.BLOCK + 1)
    rng = np.random.default_rng(4)
    by_hand = [np.median(x[rng.integers(len(x), size=len(x))]) for _ in range(3)]
    assert np.array_equal(ci.resampled(x, np.median, 3, seed=4), by_hand)


@pytest.mark.parametrize("B", [1, 2, 3, 10, 41, 1000])
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.5, 0.9999])
def test_the_ends_are_quantiles_of_the_draws(B, alpha):
    draws = np.random.default_rng(B).normal(size=B)
    assert np.allclose(ci.middle(draws, alpha), np.quantile(draws, [alpha / 2, 1 - alpha / 2]),
                       rtol=0, atol=1e-12)


def test_a_statistic_without_a_number_is_refused():
    """NaN sorts last: it would move both ends, and nobody would see it."""
    with pytest.raises(ValueError, match=r"of 500 resamples gave no number \(NaN\)"):
        ci.bootstrap_ci(np.array([0.0, 0.0, 1.0]), lambda x: 1 / x.mean() if x.any() else np.nan,
                        B=500)


def test_rows_are_drawn_whole_and_the_seed_decides():
    """A ratio of sums over rows (passed, asked): drawing cells apart would leave 0 to 1."""
    rows = np.random.default_rng(4).integers(1, 5, size=(30, 2)) * [1, 10]
    ratio = lambda drawn: drawn[:, 0].sum() / drawn[:, 1].sum()                     # noqa: E731
    rng = np.random.default_rng(9)
    by_hand = [ratio(rows[rng.integers(30, size=30)]) for _ in range(50)]
    assert np.array_equal(ci.resampled(rows, ratio, 50, seed=9), by_hand)
    other = rows[::-1]
    rng = np.random.default_rng(9)
    drawn = [rng.integers(30, size=30) for _ in range(50)]
    gaps = [ratio(other[i]) - ratio(rows[i]) for i in drawn]
    assert paired.paired_bootstrap_ci(rows, other, ratio, 50, seed=9) == ci.middle(np.array(gaps))


def test_bootstrap_of_a_constant_is_the_constant():
    assert ci.bootstrap_ci(np.full(40, 0.7)) == (pytest.approx(0.7), pytest.approx(0.7))


# ---- t2 ----


def test_models_that_agree_everywhere_keep_an_interval():
    # by hand: two pseudo-questions that disagree among 202, variance 2 / 202 / 202
    low, high = paired.bonett_price_ci(*pair(0, 0, both=150, neither=50))
    assert high == pytest.approx(1.96 * sqrt(2) / 202) and low == -high
    assert 100 * high == near(1.37, 2)


def test_bonett_price_by_hand():
    # 2 against 14 of 200: 3 and 15 of 202, gap 12/202, variance (18/202 - gap^2) / 202
    gap = 12 / 202
    half = 1.96 * sqrt((18 / 202 - gap**2) / 202)
    assert paired.bonett_price_ci(*pair(2, 14, 118, 66)) == pytest.approx((gap - half, gap + half))


def test_bonett_price_stays_within_one():
    for n in (1, 2, 5, 60):
        low, high = paired.bonett_price_ci(*pair(0, n))
        assert -1 <= low < high <= 1
        assert paired.bonett_price_ci(*pair(n, 0)) == pytest.approx((-high, -low))


def test_overlapping_intervals_can_hide_a_clear_paired_gap():
    # 120 and 132 right of 200, 2 against 14: SE of the gap 0.019594, unpaired p 0.2142
    a, b = pair(2, 14, 118, 66)
    gap, low, high = paired.paired_diff_ci(a, b)
    assert (gap, (high - low) / 3.92) == (pytest.approx(0.06), near(0.019594, 6))
    _, low, high = paired.unpaired_diff_ci(a, b)
    assert low < 0 < high
    assert 2 * power.NORMAL.cdf(-0.06 / ((high - low) / 3.92)) == near(0.2142, 2)


def test_resampled_pairs_of_identical_models_differ_by_nothing():
    a = np.linspace(0, 1, 57)
    assert paired.paired_bootstrap_ci(a, a) == (0, 0), "the two were drawn separately"
    assert paired.paired_bootstrap_ci(a, a, np.median) == (0, 0), "the two were drawn separately"


# ---- t3 ----


@pytest.mark.parametrize("a_only, b_only, exact, midp, corrected", [
    (1, 7, 0.0703, 0.0391, 0.0771),         # Fagerland 2013, BMC Med Res Methodol 13:91, table 1
    (6, 16, 0.0525, 0.0347, 0.0550),        # the same, table 2
    (2, 12, 0.0129, None, 0.0162),          # Armitage & Berry, as worked by StatsDirect
    (12, 5, 0.1435, None, 0.1456),          # stat-tools.xyz
    (18, 33, None, None, 0.04995),          # Elements of Statistical Learning, exercise 10.6
    (4, 17, 0.0072, None, 0.0088)])         # the fake pair of the lesson
def test_mcnemar_p_is_the_published_one(a_only, b_only, exact, midp, corrected):
    a, b = pair(a_only, b_only, 5, 5)
    if exact is not None:
        assert t3.mcnemar_exact(a, b) == (a_only, b_only, near(exact, 4))
    if midp is not None:
        assert t3.mcnemar_midp(a, b) == near(midp, 4)
    assert t3.mcnemar_chi2(a, b)[1] == near(corrected, 5 if corrected == 0.04995 else 4)


def test_midp_of_the_395_classifications():
    # 10 against 24: a notebook with MATLAB's testcholdout beside it
    assert t3.mcnemar_exact(*pair(10, 24))[2] == near(0.02430651, 8)
    assert t3.mcnemar_midp(*pair(10, 24)) == near(0.01667385, 8)


@pytest.mark.parametrize("each, midp", [(5, 0.876953), (18, 0.933970)])
def test_as_many_wins_as_losses_give_p_1_and_no_more(each, midp):
    assert t3.mcnemar_exact(*pair(each, each))[2] == 1
    assert t3.mcnemar_midp(*pair(each, each)) == near(midp, 6)
    assert t3.mcnemar_chi2(*pair(each, each)) == (0, 1)
    assert t3.mcnemar_chi2(*pair(each, each + 1))[0] == 0, "the correction went below 0"


def test_no_disagreement_is_p_1_everywhere():
    a, b = pair(0, 0, 30, 10)
    assert t3.mcnemar_exact(a, b) == (0, 0, 1)
    assert (t3.mcnemar_midp(a, b), t3.mcnemar_chi2(a, b), t3.sign_flip_p(a, b)) == (1, (0, 1), 1)
    assert t3.anytime_p(0, 0) == 1


@pytest.mark.parametrize("m", [1, 2, 5, 16, 21, 60])
def test_mcnemar_p_is_a_sum_of_binomials(m):
    for b in range(m + 1):
        exact = min(1, 2 * sum(comb(m, i) for i in range(min(b, m - b) + 1)) / 2**m)
        got = t3.mcnemar_exact(*pair(m - b, b))[2]
        assert got == pytest.approx(exact, rel=1e-13), f"{m - b} against {b}: {got}, not {exact}"


def test_sign_test_takes_any_score_and_drops_ties():
    a = np.array([0.1, 5.0, -2.0, 3.0, 3.0])
    assert t3.sign_test(a, a + np.array([0.1, 9, -1, 0, 2])) == (1, 3, pytest.approx(0.625))


def test_ten_equal_gains_have_p_2_in_1024():
    assert t3.sign_flip_p(np.zeros(10), np.ones(10)) == 2 / 1024


@pytest.mark.parametrize("scale", [1.0, 1e-80, 1e-9, 1e9, 1e80])
def test_sums_that_tie_on_paper_tie_in_floats(scale):
    # -0.1, -0.1, -0.6, 0.7: |sum| 0.1 is the smallest of all 16; a bare >= counts 12
    a = np.array([0.5, 0.5, 0.9, 0.1]) * scale
    b = np.array([0.4, 0.4, 0.3, 0.8]) * scale
    assert t3.sign_flip_p(a, b) == 1, "ties were lost to rounding"


def test_sign_flip_of_darwins_maize():
    # Fisher 1935: 863 of 32768 sums as large on one side, so 1726 on both
    assert t3.sign_flip_p(*MAIZE) == 1726 / 32768
    d = MAIZE[1] - MAIZE[0]
    t = d.mean() / (d.std(ddof=1) / sqrt(15))
    assert (t, 2 * ci.t_cdf(-t, 14)) == (near(2.148, 3), near(0.0497, 4))
    assert t3.sign_flip_p(*SLEEP) == 4 / 1024


def test_drawn_sign_flips_are_never_0_and_near_the_exact_value():
    a = np.zeros(40)
    p = t3.sign_flip_p(a, a + 1, R=999)
    assert p == 1 / 1000, "40 gains of 40: no flip in 999 comes near, so (0 + 1) / (999 + 1)"
    b = np.repeat([1.0, -1.0], [25, 15])
    exact = t3.mcnemar_exact(a, b)[2]
    # 5.5 standard errors: wrong less than once in ten million
    assert t3.sign_flip_p(a, b) == pytest.approx(exact, abs=5.5 * sqrt(exact / 20_000))


def of_two_sizes(large, small, scale=1.0):
    """Differences 2 and 1 (times scale): of each kind (in favour of B, of A) so many."""
    d = np.repeat([2.0, -2, 1, -1], [*large, *small]) * scale
    return np.zeros(len(d)), d


@pytest.mark.parametrize("large, small", [((105, 95), (100, 100)), ((0, 0), (210, 190)),
                                          ((150, 130), (0, 0))])
def test_many_equal_differences_have_the_exact_p(large, small):
    """Sums of 2s and 1s with random signs, convolved. 5.5 standard errors: 4 in 10^8 miss."""
    sums = np.ones(1)
    for size, count in ((2, sum(large)), (1, sum(small))):
        coin = np.zeros(2 * size + 1)
        coin[[0, -1]] = 0.5
        for _ in range(count):
            sums = np.convolve(sums, coin)
    middle = len(sums) // 2
    observed = abs(2 * (large[0] - large[1]) + small[0] - small[1])
    exact = sums[np.abs(np.arange(len(sums)) - middle) >= observed].sum()
    for scale in (1.0, 0.1):
        p = t3.sign_flip_p(*of_two_sizes(large, small, scale), R=50_000)
        assert p == pytest.approx(exact, abs=5.5 * sqrt(exact * (1 - exact) / 50_000))


def test_sixteen_differences_are_enumerated():
    d = np.random.default_rng(3).normal(size=16)
    sums = np.array(list(product((-1, 1), repeat=16))) @ d
    assert t3.sign_flip_p(np.zeros(16), d) == np.mean(np.abs(sums) >= abs(d.sum()) - 1e-9)


def test_the_defaults_are_the_lessons():
    rng = np.random.default_rng(0)
    x, d, ids = rng.normal(size=60), rng.normal(size=60), np.repeat(np.arange(12), 5)
    assert t3.sign_flip_p(x, x + d) == t3.sign_flip_p(x, x + d, 20_000, 0)
    assert (structure.cluster_bootstrap_ci(x, ids)
            == structure.cluster_bootstrap_ci(x, ids, 10_000, 0))
    assert ci.bootstrap_ci(x) == ci.bootstrap_ci(x, np.mean, 10_000, 0.05, 0)
    assert np.array_equal(ci.resampled(x), ci.resampled(x, np.mean, 10_000, 0))
    for metric in (np.mean, np.median):
        assert (paired.paired_bootstrap_ci(x, d, metric)
                == paired.paired_bootstrap_ci(x, d, metric, 10_000, 0))
    assert (structure.paired_clustered_ci(x, d, ids)
            == structure.paired_clustered_ci(x, d, ids, 0.05))
    assert structure.fake_coverage() == structure.fake_coverage(2_000, 0, 0.7)
    answers = [noise.fake_answers(30, 4, np.random.default_rng(1), *more)
               for more in ((), (0.7, 0.05))]
    assert np.array_equal(*answers)
    assert noise.how_often() == noise.how_often(500, 0.7, 0.0, 0.10, 0.008, 20_000, 0)
    assert np.array_equal(noise.disagreements(9, 0.7, 0, 0.3, 50),
                          noise.disagreements(9, 0.7, 0, 0.3, 50, 0))


@pytest.mark.parametrize("heads, tails", [(3, 7), (0, 1), (2_900, 3_100), (3_100, 2_900)])
def test_the_chance_of_just_these_counts(heads, tails):
    exact = float(Fraction(comb(heads + tails, heads), 2 ** (heads + tails)))
    assert t3.coin_probability(heads, tails) == pytest.approx(exact, rel=1e-9)


def test_counts_beyond_any_chance_have_none():
    assert t3.coin_probability(100, 9_900) == 0.0


@pytest.mark.parametrize("m, b, p", [(1, 1, 1), (3, 2, 1), (5, 5, 6 / 32), (10, 10, 11 / 1024),
                                     (20, 17, 21 * 1140 / 2**20)])
def test_anytime_p_by_hand(m, b, p):
    assert t3.anytime_p(m - b, b) == pytest.approx(min(1, p))
    assert t3.anytime_p(b, m - b) == t3.anytime_p(m - b, b)


def test_anytime_p_raises_at_most_5_percent_ever():
    """Exact, by carrying the distribution of heads from toss to toss: no simulation."""
    alive, alarms = np.array([1.0]), 0.0
    for m in range(1, 201):
        alive = (np.append(alive, 0) + np.append(0, alive)) / 2
        fires = np.array([t3.anytime_p(m - b, b) < 0.05 for b in range(m + 1)])
        alarms += alive[fires].sum()
        alive[fires] = 0
    assert 0.01 < alarms < 0.05, f"{alarms:.4f} false alarms in 200 looks"


def test_peeking_every_50_questions_exactly():
    """Two equal models, 10 % disagree: the lesson's 0.16 and 0.04, and 0.0156."""
    size = 192                        # more than 191 disagreements in 1,000 has chance 1e-17
    step = np.zeros((size, size))
    for m in range(51):
        for b in range(m + 1):
            step[m - b, b] = comb(50, m) * 0.1**m * 0.9 ** (50 - m) * comb(m, b) / 2**m
    turn = np.fft.rfft2(step, (2 * size, 2 * size))
    mcnemar, anytime = np.ones((2, size, size))
    for a in range(size):
        for b in range(a, size - a):                    # past the corner nothing is left
            mcnemar[a, b] = mcnemar[b, a] = t3.coin_p(a, b)
            anytime[a, b] = anytime[b, a] = t3.anytime_p(a, b)

    def alarms(p, looks):
        alive, fired = np.zeros((size, size)), 0.0
        alive[0, 0] = 1
        for look in range(1, 21):
            grown = np.fft.irfft2(np.fft.rfft2(alive, (2 * size, 2 * size)) * turn)
            alive = np.maximum(grown[:size, :size], 0)
            if look in looks:
                fired += alive[p < 0.05].sum()
                alive[p < 0.05] = 0
        return fired

    assert alarms(mcnemar, range(1, 21)) == near(0.16, 2)
    assert alarms(mcnemar, [20]) == near(0.04, 2)
    assert alarms(anytime, range(1, 21)) == near(0.0156, 4)


def test_holm_and_bonferroni_by_hand():
    p = [0.01, 0.04, 0.03, 0.005]
    assert t3.bonferroni(p) == pytest.approx([0.04, 0.16, 0.12, 0.02])
    assert t3.holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert t3.holm([0.9, 0.8]).tolist() == [1, 1], "an adjusted p above 1"
    assert t3.holm([0.02]).tolist() == [0.02]


# ---- t4 ----


def test_how_often_counts_what_comparisons_of_the_scores_would():
    setting = 6, 0.5, 0.25, 0.5
    counts = zip(*noise.disagreements(*setting, 3_000, seed=7))
    gaps, excluded = [], []
    for a_only, b_only in counts:
        d = np.repeat([-1.0, 1, 0], [a_only, b_only, 6 - a_only - b_only])
        gaps.append(d.mean())
        excluded.append(abs(d.mean()) > 1.96 * d.std(ddof=1) / sqrt(6))
    expected = np.mean(np.array(gaps) >= 0.2), np.mean(excluded)
    assert noise.how_often(*setting, threshold=0.2, T=3_000, seed=7) == expected


def test_models_that_cannot_be_are_refused():
    assert noise.agreement(0.7, 0.1, 0.1) == pytest.approx([0.7, 0, 0.1, 0.2]), "A never ahead"
    with pytest.raises(ValueError, match=r"0\.7, gap 0\.2 and disagreement 0\.1: a share would be "
                                         r"-0\.05; raise disagree above \|gap\|, or lower it"):
        noise.agreement(0.7, 0.2, 0.1)


def test_made_up_answers_have_the_variances_asked_for():
    """4,000 questions, 5 answers. 6 standard errors of each figure: 2 in 10^9 miss."""
    answers = noise.fake_answers(4_000, 5, np.random.default_rng(0), accuracy=0.7,
                                 question_var=0.05)
    question_var, sampling_var, se = noise.variance_split(answers)
    assert answers.shape == (4_000, 5) and set(np.unique(answers)) == {0, 1}
    assert answers.mean() == pytest.approx(0.7, abs=6 * se)
    assert question_var == pytest.approx(0.05, abs=6 * 0.002)
    assert sampling_var == pytest.approx(0.21 - 0.05, abs=6 * 0.002)


def test_variance_split_by_hand():
    # means 1/2, 1, 0; within 1/2, 0, 0; between 1/4, of which 1/12 is carried over
    question, sampling, se = noise.variance_split([[1, 0], [1, 1], [0, 0]])
    assert (question, sampling) == pytest.approx((1 / 4 - 1 / 12, 1 / 6))
    assert se == pytest.approx(sqrt(1 / 4 / 3))


def test_variance_split_is_unbiased_over_every_outcome():
    """Each of the 64 tables of 2 questions x 3 answers, weighted by its chance."""
    p = np.array([0.3, 0.8])
    expected = 0.0
    for cells in product((0, 1), repeat=6):
        answers = np.reshape(cells, (2, 3))
        chance = np.prod(np.where(answers == 1, p[:, None], 1 - p[:, None]))
        expected += chance * noise.variance_split(answers)[1]
    assert expected == pytest.approx(np.mean(p * (1 - p)))


def test_question_variance_is_never_negative():
    assert noise.variance_split([[1, 0], [0, 1], [1, 0]])[0] == 0


@pytest.mark.parametrize("K, points", [(1, 2.0), (5, 1.3), (np.inf, 1.0)])
def test_more_answers_buy_only_the_luck_of_the_answers(K, points):
    assert 100 * noise.se_with_answers(500, K, 0.05, 0.16) == near(points, 1)


# ---- t5 ----


@pytest.mark.parametrize("call, n", [
    (lambda: power.n_for(1 / 9, 0.03), 969),                # Miller 2024: 968.998
    (lambda: power.n_for(198 * 0.027788**2, 0.06), 334),    # a public analysis of GPQA, 5 epochs
    (lambda: power.n_paired(0.01, 0.10), 7842),
    (lambda: power.n_unpaired(0.01, 0.70), 32_644),
    (lambda: power.n_margin(0.01, 0.10), 7849)])
def test_questions_needed_are_an_int_rounded_up(call, n):
    # 7.848880 = (1.959964 + 0.841621)^2 times 999, 4159 and 1000
    assert call() == n and isinstance(call(), int)


def test_one_question_is_the_least_and_levels_lie_inside_0_and_1():
    assert power.n_for(1e-9, 0.5) == 1
    for level in ((0, 0.8), (1, 0.8), (1.5, 0.8), (0.05, 0), (0.05, 1), (0.05, 1.5)):
        with pytest.raises(ValueError, match="must lie between 0 and 1"):
            power.z_sum(*level)


def test_no_effect_needs_no_number_of_questions():
    for call in (lambda: power.n_paired(0, 0.1), lambda: power.n_unpaired(0, 0.7),
                 lambda: power.n_for(1, 0.0)):
        with pytest.raises(ValueError, match="gap 0"):
            call()
    with pytest.raises(ValueError, match="disagree"):
        power.n_paired(0.2, 0.1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        power.n_paired(0.01, 0.1, alpha=0)


def test_detectable_gaps_of_the_public_gpqa_analysis():
    # 198 questions: 7.8 points paired; unpaired SE 0.040483 would show 10.9 or more; power 0.56
    assert 100 * power.z_sum(0.05, 0.8) * 0.027788 == near(7.8, 1)
    assert power.NORMAL.cdf(0.0586 / 0.027788 - 1.959964) == near(0.56, 2)


def test_smallest_gap_solves_the_number_of_questions():
    for n, disagree in ((500, 0.1), (60, 0.4)):
        gap = power.mde_paired(n, disagree)
        assert power.z_sum(0.05, 0.8) ** 2 * (disagree - gap**2) / gap**2 == pytest.approx(n)
    assert 100 * power.mde_paired(500, 0.10) == near(3.9, 1)
    assert power.mde_unpaired(500, 0.7) == pytest.approx(2.801585 * sqrt(0.42 / 500), rel=1e-6)


@pytest.mark.parametrize("gap, p", [(0.1, 0.9), (-0.1, 1), (0.1, 0), (-0.9, 0.9)])
def test_accuracies_may_reach_0_and_1(gap, p):
    variance = p * (1 - p) + (p + gap) * (1 - p - gap)
    assert power.n_unpaired(gap, p) == power.n_for(variance, gap)


@pytest.mark.parametrize("gap, p, said", [(0.1, 0.95, "0.95 and 1.05"), (-0.1, 0.05, "-0.05"),
                                          (0.2, -0.1, "-0.1 and 0.1"), (-0.2, 1.1, "1.1 and 0.9")])
def test_accuracies_outside_0_to_1_are_refused(gap, p, said):
    with pytest.raises(ValueError, match=said):
        power.n_unpaired(gap, p)


def test_a_model_that_is_never_worse_disagrees_as_often_as_it_gains():
    assert power.n_paired(0.1, 0.1) == power.n_for(0.1 - 0.01, 0.1)
    with pytest.raises(ValueError, match=r"gap -0\.11 with disagreement 0\.1"):
        power.n_paired(-0.11, 0.1)


def test_a_margin_takes_alpha_and_power_along():
    assert power.n_margin(0.02, 0.1, 0.1, 0.9) == power.n_for(0.1, 0.02, 0.1, 0.9)


def test_power_of_a_large_gap_by_the_formula():
    # half the questions differ and the gap is 0.4: variance 0.5 - 0.16 of one difference
    shift, z = 0.4 / sqrt(0.34 / 20), power.NORMAL.inv_cdf(0.975)
    assert power.power_paired(20, 0.4, 0.5) == pytest.approx(
        power.NORMAL.cdf(shift - z) + power.NORMAL.cdf(-shift - z))


@pytest.mark.parametrize("m, alpha, k", [(6, 0.05, 0), (6, 0.03125, -1), (6, 0.0313, 0),
                                         (5, 0.05, -1), (10, 0.9, 4), (9, 0.9, 3), (9, 1, 3)])
def test_the_largest_losing_count_that_is_significant(m, alpha, k):
    # 0 of 6 has p = 2 / 64 = 0.03125, which is not below itself; 4 of 10 has 0.75, 4 of 9 has 1
    assert power.critical_count(m, alpha) == k


def test_power_of_the_exact_test_by_every_outcome():
    """All 3^7 ways in which 7 questions can fall, with a level that 7 can reach."""
    for gap, disagree in ((0.3, 0.5), (0.0, 0.9), (0.6, 0.6), (-0.6, 0.6), (0.4, 1.0)):
        b_only, a_only = (disagree + gap) / 2, (disagree - gap) / 2
        found = 0.0
        for cells in product((-1, 0, 1), repeat=7):
            a, b = cells.count(-1), cells.count(1)
            if t3.coin_p(a, b) < 0.1:
                found += a_only**a * b_only**b * (1 - disagree) ** (7 - a - b)
        got = power.power_mcnemar(7, gap, disagree, alpha=0.1)
        assert got == pytest.approx(found, abs=1e-12), f"gap {gap}, disagree {disagree}"


def test_power_of_the_exact_test_nears_the_formula_for_many_disagreements():
    assert power.power_mcnemar(4_000, 0.04, 0.9) == pytest.approx(
        power.power_paired(4_000, 0.04, 0.9), abs=0.01)


def test_power_at_500_is_25_percent_for_the_test_and_29_for_the_interval():
    assert power.power_mcnemar(500, 0.02, 0.10) == near(0.250, 3)
    assert power.power_paired(500, 0.02, 0.10) == near(0.29, 2)
    assert power.power_paired(500, 0, 0.10) == pytest.approx(0.05), "no gap: the false alarms"


# ---- t6 ----

UNEVEN = np.array([1.0, 1, 1, 1, 1, 1, 0, 0, 0, 1]), np.repeat(["a", "b", "c", "d"], [6, 2, 1, 1])


def test_clustered_errors_of_uneven_clusters_by_hand():
    # sums of residuals 1.8, -1.4, -0.7, 0.3: sqrt(5.78) / 10
    x, clusters = UNEVEN
    assert structure.clustered_se(x, clusters) == pytest.approx(sqrt(5.78) / 10)
    assert structure.small_sample_se(x, clusters) == pytest.approx(sqrt(5.78) / 10 * sqrt(4 / 3))
    assert x.std(ddof=1) / sqrt(10) == near(0.152753, 6)
    mean, _, high = structure.clustered_ci(x, clusters)
    # worth 100 / 42 equal clusters: t quantile for 1.38095 degrees of freedom
    assert (mean, high - mean) == pytest.approx((0.7, 6.799586 * 0.277609), rel=1e-5)
    effect = (0.277609 / 0.152753) ** 2
    assert structure.design_effect(x, clusters) == pytest.approx(effect, rel=1e-4)
    assert structure.effective_n(x, clusters) == pytest.approx(10 / effect, rel=1e-4)


def test_a_cluster_for_every_question_is_the_ordinary_error():
    x = UNEVEN[0]
    own = np.arange(10)
    assert structure.small_sample_se(x, own) == pytest.approx(x.std(ddof=1) / sqrt(10))
    assert structure.design_effect(x, own) == pytest.approx(1)
    assert structure.clustered_se(x, own) == pytest.approx(x.std(ddof=0) / sqrt(10))


def test_one_cluster_has_no_error_bar():
    for function in (structure.small_sample_se, structure.clustered_ci, structure.design_effect):
        with pytest.raises(ValueError, match="1 cluster"):
            function(UNEVEN[0], np.zeros(10))


def test_clusters_may_be_text_or_numbers_in_any_order():
    x, clusters = UNEVEN
    expected = structure.clustered_se(x, clusters)
    shuffled = np.array([3, 9, 0, 7, 1, 6, 2, 8, 5, 4])
    for codes in (clusters, np.repeat([7, 3, -1, 40], [6, 2, 1, 1]),
                  np.repeat(["01", "1", "10", "001"], [6, 2, 1, 1])):
        assert structure.clustered_se(x[shuffled], codes[shuffled]) == pytest.approx(expected)


def test_copying_every_answer_leaves_the_clustered_error_alone():
    x, clusters = UNEVEN
    for function in (structure.clustered_se, structure.small_sample_se):
        once, five = function(x, clusters), function(np.repeat(x, 5), np.repeat(clusters, 5))
        assert five == pytest.approx(once), "copies were counted as questions"


def test_intraclass_correlation_of_shrout_and_fleiss():
    # Shrout & Fleiss 1979, Psychological Bulletin 86:420: 6 targets, 4 judges, ICC(1,1) 0.17
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    x = np.ravel(ratings).astype(float)
    assert structure.intraclass_correlation(x, np.repeat(np.arange(6), 4)) == near(0.1657, 4)


def test_intraclass_correlation_of_uneven_clusters_by_hand():
    # 1, 2, 3 and 5: MSB 6.75, MSW 2 / 2, m0 4 - 10 / 4
    x, clusters = np.array([1.0, 2, 3, 5]), [0, 0, 0, 1]
    assert structure.intraclass_correlation(x, clusters) == pytest.approx(5.75 / 7.25)


def test_intraclass_correlation_at_its_ends():
    assert structure.intraclass_correlation(np.array([1.0, 1, 0, 0]), [0, 0, 1, 1]) == 1
    assert structure.intraclass_correlation(np.array([1.0, 0, 1, 0]), [0, 0, 1, 1]) == -1
    for x, clusters in ((np.ones(4), [0, 0, 1, 1]), (np.arange(4.0), [0, 0, 0, 0]),
                        (np.arange(4.0), [0, 1, 2, 3])):
        with pytest.raises(ValueError):
            structure.intraclass_correlation(x, clusters)


def test_lopsided_clusters_are_worth_few():
    # a real set of 500 issues from 12 repositories: (500)^2 / sum of squares
    sizes = [231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1]
    worth = structure.effective_clusters(np.repeat(np.arange(12), sizes))
    assert worth == pytest.approx(500**2 / 64_600, rel=1e-12)
    assert structure.effective_clusters(np.repeat(np.arange(50), 10)) == pytest.approx(50)


def test_cluster_bootstrap_draws_clusters_of_their_own_size():
    # one cluster of 1 right, one of 3 wrong: mean 1, 1/4 or 0 with chance 1/4, 1/2, 1/4
    x, clusters = np.array([1.0, 0, 0, 0]), np.array([0, 1, 1, 1])
    low, high = structure.cluster_bootstrap_ci(x, clusters)
    assert (low, high) == (0, 1)
    drawn = [structure.cluster_bootstrap_ci(x, clusters, B=1, seed=s)[0] for s in range(40)]
    assert set(np.round(drawn, 12)) == {0, 0.25, 1}, "a draw is 1, 1/4 or 0, nothing else"


@pytest.mark.parametrize("n, c", [(n, c) for n in range(1, 8) for c in range(n + 1)])
def test_pass_at_k_and_pass_hat_k_count_every_choice(n, c):
    answers = [1] * c + [0] * (n - c)
    for k in range(1, n + 1):
        chosen = list(combinations(answers, k))
        assert structure.pass_at_k(n, c, k) == pytest.approx(np.mean([max(x) for x in chosen]))
        assert structure.pass_hat_k(n, c, k) == pytest.approx(np.mean([min(x) for x in chosen]))


def test_pass_at_k_of_the_papers():
    assert structure.pass_at_k(10, 3, 5) == near(0.917, 3)
    assert structure.pass_at_k(6, 3, 1) == pytest.approx(0.5)       # README of human-eval


@pytest.mark.parametrize("n, c, k", [(2, 0, 5), (4, 2, 5), (4, 2, 0), (4, 5, 1), (4, -1, 1)])
def test_more_tries_than_answers_are_refused(n, c, k):
    for function in (structure.pass_at_k, structure.pass_hat_k):
        with pytest.raises(ValueError, match=f"k = {k} tries with {n} answers, {c} right"):
            function(n, c, k)


def test_ragged_answers_average_over_problems():
    # 1 right of 10 and 2 right of 4: 0.30, not 3/14; two tries (0.2 + 5/6) / 2
    n, c = np.array([10, 4]), np.array([1, 2])
    assert structure.mean_pass_at_k(n, c, 1)[0] == pytest.approx(0.30)
    assert structure.mean_pass_at_k(n, c, 2)[0] == near(0.516667, 6)
    mean, _, high = structure.mean_pass_at_k(n, c, 1)
    assert high - mean == pytest.approx(1.96 * 0.2), "problems are the unit: sd 0.2 sqrt 2, n 2"


def test_intervals_over_clusters_lie_evenly_about_the_mean():
    x, ids = UNEVEN
    mean, low, high = structure.clustered_ci(x, ids, alpha=0.1)
    # sizes 6, 2, 1, 1: 100 / 42 equal clusters; residual sums as above
    half = ci.t_quantile(0.95, 100 / 42 - 1) * sqrt(5.78) / 10 * sqrt(4 / 3)
    assert (mean, low, high) == pytest.approx((0.7, 0.7 - half, 0.7 + half))
    a = np.linspace(0, 1, 10)
    assert structure.paired_clustered_ci(a, a + x, ids, 0.1) == pytest.approx((mean, low, high))


def test_two_clusters_have_an_error_and_equal_scores_no_design_effect():
    x, ids = np.array([1.0, 1, 0, 1]), np.array([0, 0, 1, 1])
    # residual sums 0.5 and -0.5: sqrt(0.5) / 4 x sqrt(2)
    assert structure.small_sample_se(x, ids) == pytest.approx(0.25)
    with pytest.raises(ValueError, match="cannot inflate a variance of 0"):
        structure.design_effect(np.ones(4), ids)
    with pytest.raises(ValueError, match="have no correlation"):
        structure.intraclass_correlation(np.ones(4), ids)
    with pytest.raises(ValueError, match="4 clusters of 4 questions: needs at least 2, and one"):
        structure.intraclass_correlation(x, np.arange(4))


def test_mean_pass_at_k_is_as_wide_as_asked():
    n, c = np.array([10, 4, 5]), np.array([1, 2, 5])
    mean, low, high = structure.mean_pass_at_k(n, c, 1, z=3)
    half = 3 * np.std([0.1, 0.5, 1], ddof=1) / sqrt(3)
    assert (mean - low, high - mean) == pytest.approx((half, half))


def test_made_up_clusters_are_as_alike_as_asked():
    """20,000 documents of 10. The errors are those of simulations; 6 of them: 2 in 10^9 miss."""
    x, ids = structure.fake_clusters(np.random.default_rng(1), 20_000, 10, accuracy=0.7, rho=0.2)
    assert np.array_equal(ids, np.repeat(np.arange(20_000), 10)) and set(x) == {0.0, 1.0}
    assert x.mean() == pytest.approx(0.7, abs=6 * 0.0017)
    assert structure.intraclass_correlation(x, ids) == pytest.approx(0.2, abs=6 * 0.003)
    (again, _), (default, same) = (structure.fake_clusters(np.random.default_rng(1), *size)
                                   for size in ((50, 10, 0.7, 0.2), ()))
    assert np.array_equal(again, default) and len(np.unique(same)) == 50


def test_coverage_of_made_up_clusters_is_counted_eval_by_eval():
    rng, T = np.random.default_rng(5), 40
    inside = np.zeros(2)
    for _ in range(T):
        x, ids = structure.fake_clusters(rng, accuracy=0.6)
        for i, se in enumerate((x.std(ddof=1) / sqrt(500), structure.clustered_se(x, ids))):
            inside[i] += abs(x.mean() - 0.6) <= 1.96 * se
    assert structure.fake_coverage(T, seed=5, accuracy=0.6) == tuple(inside / T)


@pytest.mark.parametrize("columns", [1, 2])
def test_means_of_very_many_scores_are_drawn_piece_by_piece(columns):
    """Their spread is that of resampling: 300 draws know it to 4 %, and 6 errors are asked."""
    n = 100_000
    x = np.random.default_rng(2).exponential(size=(n, columns)[:columns])
    draws = np.reshape(ci.resampled(x, B=300, seed=3), (300, columns))
    mean, se = np.reshape(x.mean(axis=0), -1), np.reshape(x.std(axis=0), -1) / sqrt(n)
    assert np.all(np.abs(draws.mean(axis=0) - mean) < 6 * se / sqrt(300))
    assert np.all(np.abs(draws.std(axis=0) / se - 1) < 6 * 0.041)
    assert np.array_equal(draws.ravel(), np.ravel(ci.resampled(x, B=300, seed=3)))


def test_welch_interval_of_the_sleep_data():
    # R, t.test(extra ~ group): df 17.776, -3.3654832 to 0.2054832
    gap, low, high, _ = structure.recipe_gap(*SLEEP)
    assert (gap, low, high) == (near(1.58, 6), near(-0.2054832, 6), near(3.3654832, 6))


@pytest.mark.parametrize("each, least", [(2, 1 / 3), (3, 0.1), (4, 2 / 70)])
def test_few_runs_cannot_go_below_their_least_p(each, least):
    runs = np.arange(each) / 100
    assert structure.recipe_gap(runs, runs + 1)[3] == pytest.approx(least)


def test_recipes_of_unequal_numbers_of_runs_by_hand():
    # 1, 2 against 3, 4, 9: of the ten ways, {1,2} | rest and ... |gap| >= 23/6 only that one
    gap, _, _, p = structure.recipe_gap([1, 2], [3, 4, 9])
    runs = np.array([1, 2, 3, 4, 9])
    gaps = [(runs.sum() - runs[list(i)].sum()) / 3 - runs[list(i)].mean()
            for i in combinations(range(5), 2)]
    assert gap == pytest.approx(16 / 3 - 1.5)
    assert p == np.mean(np.abs(gaps) >= 16 / 3 - 1.5 - 1e-9)


def test_equal_spreads_and_large_scores_change_nothing():
    runs = np.array([0.1, 0.2, 0.3])
    for scale in (1.0, 1e9, 1e-9):
        gap, low, high, p = structure.recipe_gap(runs * scale, (runs + 0.3) * scale)
        half = ci.t_quantile(0.975, 4) * sqrt(2 / 300)
        assert np.array([gap, low, high]) / scale == pytest.approx([0.3, 0.3 - half, 0.3 + half])
        assert p == 0.1, "of 20 ways only the two extreme ones are as far apart"


def test_runs_without_a_spread_are_refused():
    for a, b, said in (([1], [1, 2], "at least 2 of each"), ([1, 1], [2, 2], "same score"),
                       (range(12), range(12), "12 and 12 runs: more than a million ways")):
        with pytest.raises(ValueError, match=said):
            structure.recipe_gap(a, b)
