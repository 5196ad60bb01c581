"""t1: ci.py. Expected values by hand, or from every resample that can be drawn."""
import math

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


def scores(rng, n):
    """Skewed scores between 0 and 1, with two decimals: they show what 0/1 scores hide."""
    return np.round(rng.beta(0.7, 1.5, size=n), 2)


def mean_and_se(x):
    mean = math.fsum(x) / len(x)
    var = math.fsum((v - mean) ** 2 for v in x) / (len(x) - 1)
    return mean, math.sqrt(var / len(x))


def test_clt_ci_is_mean_and_z_standard_errors(ci, rng):
    x, z = scores(rng, 7), 1.7
    mean, se = mean_and_se(x)
    interval = around(mean)
    check(ci.clt_ci, x, z, expect=interval(z * se), why="mean -+ z std(ddof=1) / sqrt(n)", slips={
        **slips_around(mean, se, 7, z),
        "sqrt(p (1 - p) / n) holds for 0/1 scores only: use std(ddof=1) / sqrt(n)":
            interval(z * math.sqrt(mean * (1 - mean) / 7)),
        "median in place of the mean: the score is the mean":
            lambda got: abs(got[0] - np.median(x)) < 1e-8,
    })


def test_clt_ci_of_right_and_wrong_is_95_percent_by_default(ci):
    x = np.array([1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    se = math.sqrt(6 / 8 * 2 / 8 / 7)           # p (1 - p) / (n - 1) is var(ddof=1) / n
    check(ci.clt_ci, x, expect=around(0.75)(1.96 * se), why="1.96 standard errors", slips={
        **slips_around(0.75, se, 8, 1.96),
        "the ends are cut to [0, 1]: the formula does not stop there": lambda got: got[2] == 1,
    })


def test_clt_ci_works_on_any_scale(ci, rng):
    x = np.round(500 + 300 * rng.gamma(1, size=6))              # milliseconds, say
    mean, se = mean_and_se(x)
    check(ci.clt_ci, x, expect=around(mean)(1.96 * se), tol=1e-6, slips={
        **slips_around(mean, se, 6, 1.96),
        "the ends are cut to [0, 1]: scores can be on any scale": lambda got: max(got[1:]) <= 1,
    })


def draws(x, stat=np.mean, of=None):
    """Distribution of stat over every resample of x, or of its first `of` scores."""
    index, chance = every_resample(len(x), of)
    return stat(x[index], axis=1), chance


def test_bootstrap_ci_takes_percentiles_of_resampled_means(ci, rng):
    """A right solution fails less than once in a million."""
    x, B, levels = scores(rng, 7), 4_000, (0.1, 0.9)
    means = draws(x)
    check(ci.bootstrap_ci, x, B=B, alpha=0.2, seed=int(rng.integers(1000)),
          expect=Interval(*means, levels, B),
          why="the 10 % and 90 % quantiles of the mean over all resamples", slips={
        **bootstrap_slips(*means, levels, B),
        "alpha is ignored: 0.05 stands in the code": Interval(*means, (0.025, 0.975), B),
        "alpha is cut off at each end: half of it belongs to each": Interval(*means, (0.2, 0.8), B),
        "the scores' own percentiles: take those of the means of n drawn scores":
            [tuple(np.quantile(x, levels)), Interval(x, None, levels, B)],
    })


def test_bootstrap_ci_is_95_percent_by_default(ci, rng):
    """A right solution fails less than once in a million."""
    x = scores(rng, 7)
    check(ci.bootstrap_ci, x, expect=Interval(*draws(x)),
          why="the 2.5 % and 97.5 % quantiles of the mean over all resamples", slips={
        **bootstrap_slips(*draws(x), (0.025, 0.975), 10_000),
        LAST_NEVER_DRAWN: Interval(*draws(x, of=6)),
    })


def test_bootstrap_ci_works_for_any_statistic(ci, rng):
    """A right solution fails less than once in a million."""
    x, B = scores(rng, 7), 4_000
    right = Interval(*draws(x, np.median), B=B)
    half = 1.96 * right.sd
    check(ci.bootstrap_ci, x, np.median, B=B, expect=right,
          why="the 2.5 % and 97.5 % quantiles of the median over all resamples", slips={
        "stat is ignored: the mean stands in the code": Interval(*draws(x), B=B),
        "z standard errors to each side: take percentiles of the draws":
            [(middle - half, middle + half) for middle in (right.mean, np.median(x))],
        **bootstrap_slips(*draws(x, np.median), (0.025, 0.975), B),
    })


def test_bootstrap_ci_follows_its_seed(ci, rng):
    check_seed(ci.bootstrap_ci, rng.gamma(1, size=30), B=60, like=(0.0, 0.0))


def test_bootstrap_ci_draws_as_often_as_B_says(ci, rng):
    """A right solution fails less than once in a million."""
    x = scores(rng, 7)
    check_draws(ci.bootstrap_ci, x, draws=draws(x))


def test_wilson_ci_solves_for_the_accuracy(ci, rng):
    n, z = 12, 1.7
    k = int(rng.integers(1, 6))
    # The ends are the p with |k / n - p| = z sqrt(p (1 - p) / n): a quadratic equation.
    a, b, c = 1 + z * z / n, -(2 * k / n + z * z / n), (k / n) ** 2
    root = math.sqrt(b * b - 4 * a * c)

    def wald(k, n, z):
        half = z * math.sqrt(k / n * (1 - k / n) / n)
        return k / n - half, k / n + half

    check(ci.wilson_ci, k, n, z, expect=((-b - root) / (2 * a), (-b + root) / (2 * a)),
          why="the p with |k/n - p| = z sqrt(p (1 - p) / n)", slips={
        "the plain formula: Wilson's interval moves its centre": wald(k, n, z),
        "z is ignored: 1.96 stands in the code": wilson(k, n, 1.96),
        "two right and two wrong are added: that is Agresti and Coull's interval":
            wald(k + 2, n + 4, z),
        "z^2 / 2 right and wrong are added: that is Agresti and Coull's interval":
            wald(k + z * z / 2, n + z * z, z),
        "the centre is k / n: it is (k + z^2 / 2) / (n + z^2)":
            lambda got: abs(sum(got) / 2 - k / n) < 1e-8,
    })


def wilson(k, n, z):
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return centre - half, centre + half


def test_wilson_ci_has_width_at_both_ends(ci):
    z2 = 1.96**2
    check(ci.wilson_ci, 0, 10, expect=(0, z2 / (10 + z2)), slips={
        "no width at 0 right: the plain formula ends there": (0, 0)})
    check(ci.wilson_ci, 10, 10, expect=(10 / (10 + z2), 1), slips={
        "no width when all are right: the plain formula ends there": (1, 1)})
