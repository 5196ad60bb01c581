"""t2: paired.py. Expected values by hand, or from every resample of the questions."""
import math
from itertools import product

import numpy as np
from checking import (
    LAST_NEVER_DRAWN,
    Interval,
    around,
    bootstrap_slips,
    check,
    check_draws,
    check_seed,
    every_resample,
    slips_around,
)

SEPARATELY = "A and B are resampled separately: draw one set of questions, use it for both"
A_MINUS_B = "the gap is a - b: take b - a, so that above 0 means B is better"


def two_models(rng, n=7):
    """Scores of two models that find the same questions hard and agree on the first."""
    a = np.round(rng.beta(1, 1, size=n), 2)
    b = np.round(np.clip(a + rng.normal(0.1, 0.2, size=n), 0, 1), 2)
    b[0] = a[0]
    return a, b


def var(x):
    mean = math.fsum(x) / len(x)
    return math.fsum((v - mean) ** 2 for v in x) / (len(x) - 1)


def usual_slips(gap, se, n, z):
    return {A_MINUS_B: around(-gap)(z * se), **slips_around(gap, se, n, z)}


def test_unpaired_diff_ci_adds_the_squared_standard_errors(paired, rng):
    (a, b), n, z = two_models(rng), 7, 1.3
    gap = math.fsum(b) / n - math.fsum(a) / n
    se_a, se_b = math.sqrt(var(a) / n), math.sqrt(var(b) / n)
    se, interval = math.hypot(se_a, se_b), around(gap)
    check(paired.unpaired_diff_ci, a, b, z, expect=interval(z * se),
          why="gap -+ z sqrt(se_a^2 + se_b^2)", slips={
        **usual_slips(gap, se, n, z),
        "the paired interval is returned: here the questions count as unrelated":
            interval(z * math.sqrt(var(b - a) / n)),
        "the standard errors are added: add their squares, then take the root":
            interval(z * (se_a + se_b)),
        "the squares are subtracted: variances of a difference add":
            interval(z * math.sqrt(abs(se_a**2 - se_b**2))),
        "only one model's standard error is used: both scores wobble":
            lambda got: any(abs(got[2] - gap - z * one) < 1e-8 for one in (se_a, se_b)),
        "the models' own ends are subtracted: add the squared standard errors":
            lambda got: abs(abs(got[2] - got[1]) / 2 - z * abs(se_a - se_b)) < 1e-8,
    })


def test_unpaired_diff_ci_is_95_percent_by_default(paired):
    a, b = np.array([1.0, 0, 0, 1, 0, 1]), np.array([1.0, 1, 0, 1, 1, 1])
    se = math.sqrt(0.25 / 5 + 5 / 36 / 5)       # p (1 - p) / (n - 1) is var(ddof=1) / n
    gap = 2 / 6
    check(paired.unpaired_diff_ci, a, b, expect=around(gap)(1.96 * se),
          slips=usual_slips(gap, se, 6, 1.96))


def test_paired_diff_ci_takes_the_differences_question_by_question(paired, rng):
    (a, b), n, z = two_models(rng), 7, 1.3
    d = b - a
    gap, se = math.fsum(d) / n, math.sqrt(var(d) / n)
    interval = around(gap)
    moved = d[1:]                               # the first question is the one they agree on
    size = np.abs(d)
    covariance = (var(a) + var(b) - var(d)) / 2
    check(paired.paired_diff_ci, a, b, z, expect=interval(z * se),
          why="d = b - a; mean(d) -+ z std(d, ddof=1) / sqrt(n)", slips={
        **usual_slips(gap, se, n, z),
        "the unpaired interval is returned: subtract question by question first":
            interval(z * math.sqrt((var(a) + var(b)) / n)),
        "sorting breaks the pairs: keep each question's two scores together":
            interval(z * math.sqrt(var(np.sort(b) - np.sort(a)) / n)),
        "questions on which they agree are dropped: they count as differences of 0":
            around(math.fsum(moved) / 6)(z * math.sqrt(var(moved) / 6)),
        "the sizes of the differences are averaged: keep their signs":
            around(math.fsum(size) / n)(z * math.sqrt(var(size) / n)),
        "the covariance counts once: Var(b - a) takes it off twice":
            interval(z * math.sqrt((var(a) + var(b) - covariance) / n)),
        "n is doubled: there are n differences, one for each question":
            interval(z * se / math.sqrt(2)),
        "the models' own ends are subtracted: the differences have one interval":
            lambda got: abs(abs(got[2] - got[1]) / 2
                            - z * abs(math.sqrt(var(b) / n) - math.sqrt(var(a) / n))) < 1e-8,
    })


def test_paired_diff_ci_of_right_and_wrong_is_95_percent_by_default(paired):
    # Both right 3, only A 1, only B 4, neither 2: one d of -1, four of +1, five of 0.
    a = np.array([1.0, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    b = np.array([1.0, 1, 1, 0, 1, 1, 1, 1, 0, 0])
    gap, se = 0.3, math.sqrt((0.5 - 0.3**2) / 9)
    check(paired.paired_diff_ci, a, b, expect=around(gap)(1.96 * se),
          why="Var(d) is disagreement - gap^2, times n / (n - 1)", slips={
        **usual_slips(gap, se, 10, 1.96),
        "gap^2 is forgotten: Var(d) is disagreement - gap^2":
            around(gap)(1.96 * math.sqrt(0.5 / 9)),
        "the unpaired interval is returned: subtract question by question first":
            around(gap)(1.96 * math.sqrt((0.24 + 0.21) / 9)),
    })


def test_paired_bootstrap_ci_keeps_the_pairs_together(paired, rng):
    a = np.round(rng.beta(1, 1, size=12), 2)
    check(paired.paired_bootstrap_ci, a, a + 0.5, np.median, B=1_000,
          expect=(0.5, 0.5), tol=1e-9,
          called="paired_bootstrap_ci(a, a + 0.5, np.median, B=1000) with 12 scores in a",
          why="every question differs by exactly 0.5, whichever are drawn", slips={
        "the gap is a - b: take metric(b) - metric(a)": (-0.5, -0.5),
        SEPARATELY: lambda got: got[0] < 0.45 and got[1] > 0.55,
    })


def draws(a, b, metric=np.mean, of=None):
    """Distribution of metric(b) - metric(a) over every resample of the (first `of`) questions."""
    index, chance = every_resample(len(a), of)
    return metric(b[index], axis=1) - metric(a[index], axis=1), chance


def apart(a, b, rng):
    """The same with questions of their own for each model, from 50,000 pairs of resamples."""
    index, chance = every_resample(len(a))
    i, j = rng.choice(len(index), p=chance, size=(2, 50_000))
    return b[index].mean(axis=1)[i] - a[index].mean(axis=1)[j], None


def test_paired_bootstrap_ci_takes_95_percent_of_resampled_gaps(paired, rng):
    """A right solution fails less than once in a million."""
    a, b = two_models(rng)
    gap, se = np.mean(b - a), math.sqrt(var(b - a) / 7)
    (low_a, high_a), (low_b, high_b) = (Interval(*draws(0 * x, x)).ends for x in (a, b))
    between = (low_b - low_a, high_b - high_a), (low_b - high_a, high_b - low_a)
    check(paired.paired_bootstrap_ci, a, b, seed=int(rng.integers(1000)),
          expect=Interval(*draws(a, b)),
          why="the 2.5 % and 97.5 % quantiles of the gap over all resamples", slips={
        **bootstrap_slips(*draws(a, b), (0.025, 0.975), 10_000),
        "the gap is a - b: take metric(b) - metric(a)": Interval(*draws(b, a)),
        SEPARATELY: Interval(*apart(a, b, rng)),
        "sorting breaks the pairs: keep each question's two scores together":
            Interval(*draws(np.sort(a), np.sort(b))),
        "the formula's interval: this one takes percentiles of resamples":
            (gap - 1.96 * se, gap + 1.96 * se),
        LAST_NEVER_DRAWN: Interval(*draws(a, b, of=6)),
        "the models' own intervals are subtracted: the gap has draws of its own":
            [*between, lambda got: any(np.allclose(got, ends, atol=0.2 * se) for ends in between)],
        "the names are swapped, as a permutation test does: draw questions, keep b - a":
            Interval(np.array(list(product([-1, 1], repeat=7))) @ (b - a) / 7),
    })


def test_paired_bootstrap_ci_works_for_any_metric(paired, rng):
    """A right solution fails less than once in a million."""
    (a, b), B = np.round(rng.gamma(1, size=(2, 7)), 2), 4_000
    medians = draws(a, b, np.median)
    check(paired.paired_bootstrap_ci, a, b, np.median, B=B, seed=int(rng.integers(1000)),
          expect=Interval(*medians, B=B),
          why="median of b less median of a, on the same resampled questions", slips={
        "metric is ignored: the mean stands in the code": Interval(*draws(a, b), B=B),
        "the metric is taken of the differences: take metric(b) - metric(a)":
            Interval(*draws(0 * a, b - a, np.median), B=B),
        **bootstrap_slips(*medians, (0.025, 0.975), B),
    })


def test_paired_bootstrap_ci_follows_its_seed(paired, rng):
    a, b = rng.gamma(1, size=(2, 30))
    check_seed(paired.paired_bootstrap_ci, a, b, B=60, like=(0.0, 0.0))


def test_paired_bootstrap_ci_draws_as_often_as_B_says(paired, rng):
    """A right solution fails less than once in a million."""
    a, b = two_models(rng)
    check_draws(paired.paired_bootstrap_ci, a, b, draws=draws(a, b))


def right_wrong(both, a_only, b_only, neither):
    """0/1 scores of two models with these counts."""
    counts = [both, a_only, b_only, neither]
    return np.repeat([1.0, 1, 0, 0], counts), np.repeat([1.0, 0, 1, 0], counts)


def bonett_price(n, a_only, b_only, z, added=1):
    n, a_only, b_only = n + 2 * added, a_only + added, b_only + added
    gap = (b_only - a_only) / n
    half = z * math.sqrt(((a_only + b_only) / n - gap**2) / n)
    return gap - half, gap + half


def test_bonett_price_ci_adds_a_question_to_each_disagreement(paired, rng):
    a_only, b_only = 2, int(rng.integers(4, 7))
    a, b = right_wrong(9, a_only, b_only, 5)
    n, z = len(a), 1.5
    low, high = bonett_price(n, a_only, b_only, z)
    middle = (b_only - a_only) / n
    check(paired.bonett_price_ci, a, b, z, expect=(low, high), slips={
        "nothing is added: one question belongs to each kind of disagreement":
            bonett_price(n, a_only, b_only, z, 0),
        "half a question is added: one belongs to each kind of disagreement":
            bonett_price(n, a_only, b_only, z, 0.5),
        "the gap is a - b: take b - a": (-high, -low),
        "z is ignored: 1.96 stands in the code": bonett_price(n, a_only, b_only, 1.96),
        "the middle is the plain gap: it moves with the added questions":
            (middle - (high - low) / 2, middle + (high - low) / 2),
        "n stays as it is: the two added questions count in n as well":
            lambda got: abs(sum(got) / 2 - (b_only - a_only) / n) < 1e-8,
    })


def test_bonett_price_ci_has_width_without_a_disagreement(paired):
    a, b = right_wrong(20, 0, 0, 18)
    half = 1.96 * math.sqrt(2 / 40 / 40)
    check(paired.bonett_price_ci, a, b, expect=(-half, half), slips={
        "no width: the plain formula ends there": (0, 0)})


def test_bonett_price_ci_stays_between_minus_one_and_one(paired):
    a, b = right_wrong(0, 0, 5, 0)
    low, _ = bonett_price(5, 0, 5, 1.96)
    check(paired.bonett_price_ci, a, b, expect=(low, 1), slips={
        "an end lies outside -1 to 1: cut it there": bonett_price(5, 0, 5, 1.96)})
