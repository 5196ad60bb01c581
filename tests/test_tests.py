"""t3: tests.py. Expected p-values by counting coins with whole numbers, or every sign there is."""
import math
from fractions import Fraction
from itertools import combinations, product
from statistics import NormalDist

import numpy as np
from checking import Redraw, call, call_text, check, check_seed, monte_carlo, require


def coins(m, k):
    """P(Binomial(m, 1/2) <= k)."""
    return float(Fraction(sum(math.comb(m, i) for i in range(k + 1)), 2**m))


def exactly(m, k):
    return float(Fraction(math.comb(m, k), 2**m))


def right_wrong(rng, both, a_only, b_only, neither):
    """0/1 scores of two models with these counts, in any order."""
    counts = [both, a_only, b_only, neither]
    order = rng.permutation(sum(counts))
    return np.repeat([1.0, 1, 0, 0], counts)[order], np.repeat([1.0, 0, 1, 0], counts)[order]


def test_mcnemar_exact_doubles_the_smaller_tail(tests, rng):
    a_only, b_only = int(rng.integers(2, 5)), int(rng.integers(8, 12))
    both, neither, m = 9, 4, a_only + b_only
    a, b = right_wrong(rng, both, a_only, b_only, neither)
    n, p = len(a), 2 * coins(m, a_only)

    def counts(p):
        return a_only, b_only, p

    check(tests.mcnemar_exact, a, b, expect=counts(p),
          called=f"mcnemar_exact(a, b) with {a_only} only a right, {b_only} only b right, "
                 f"{both} both, {neither} neither",
          why=f"2 P(Binomial({m}, 1/2) <= {a_only})", slips={
        "the counts are swapped: return n_a_only first": (b_only, a_only, p),
        "one-sided p: double the tail": counts(p / 2),
        "agreeing questions are counted: a coin is tossed only where they differ":
            counts(2 * coins(n, a_only)),
        "the observed count is left out: P(X <= k) includes k": counts(2 * coins(m, a_only - 1)),
        "only the observed count: add the counts below it": counts(2 * exactly(m, a_only)),
        "1 - tail: p is twice P(X <= k) itself":
            [counts(1 - p / 2), counts(1 - p), counts(2 - p)],
        "mid-p: the exact test counts the observed table whole":
            counts(p - exactly(m, a_only)),
        "chi-square p: use the binomial distribution": lambda got: got[:2] == counts(0)[:2] and any(
            abs(got[2] - math.erfc(math.sqrt(chi2 / 2))) < 1e-6
            for chi2 in ((b_only - a_only) ** 2 / m, (b_only - a_only - 1) ** 2 / m)),
        "the right answers are counted: count those that only one model has right":
            lambda got: got[:2] == (both + a_only, both + b_only),
        "each model's wrong answers are counted: count those that only one has right":
            lambda got: got[:2] == (neither + b_only, neither + a_only),
    })


def test_mcnemar_exact_takes_the_smaller_count_whichever_model_has_it(tests, rng):
    a_only, b_only = int(rng.integers(8, 12)), int(rng.integers(2, 5))
    a, b = right_wrong(rng, 6, a_only, b_only, 5)
    m = a_only + b_only
    wrong_tail = 2 * coins(m, a_only)
    check(tests.mcnemar_exact, a, b, expect=(a_only, b_only, 2 * coins(m, b_only)),
          called=f"mcnemar_exact(a, b) with {a_only} only a right, {b_only} only b right",
          why=f"2 P(Binomial({m}, 1/2) <= {b_only}), the smaller count", slips={
        "the tail of one model's count: take the smaller count, whichever it is":
            lambda got: got[:2] == (a_only, b_only) and any(
                abs(got[2] - p) < 1e-8 for p in (1, wrong_tail, wrong_tail / 2)),
        "the counts are swapped: return n_a_only first":
            lambda got: got[:2] == (b_only, a_only),
    })


def test_mcnemar_exact_of_equal_counts_is_1(tests, rng):
    k = int(rng.integers(4, 8))
    a, b = right_wrong(rng, 6, k, k, 5)
    check(tests.mcnemar_exact, a, b, expect=(k, k, 1),
          called=f"mcnemar_exact(a, b) with {k} only a right, {k} only b right", slips={
        "p above 1: the two tails share the middle, so stop at 1": (k, k, 2 * coins(2 * k, k)),
    })


def test_mcnemar_exact_without_a_disagreement_is_1(tests):
    a = np.array([1.0, 0.0, 1.0, 1.0])
    check(tests.mcnemar_exact, a, a.copy(), expect=(0, 0, 1), why="no coin was tossed", slips={
        "p above 1: stop at 1": (0, 0, 2),
        "p = 0 without a disagreement: nothing speaks against equal models": (0, 0, 0),
    })


def test_mcnemar_exact_holds_for_a_thousand_disagreements(tests, rng):
    a_only, b_only = int(rng.integers(540, 560)), int(rng.integers(600, 620))
    a, b = right_wrong(rng, 50, a_only, b_only, 30)
    check(tests.mcnemar_exact, a, b,
          expect=(a_only, b_only, 2 * coins(a_only + b_only, a_only)),
          called=f"mcnemar_exact(a, b) with {a_only} only a right, {b_only} only b right", slips={
        "0.5**m is 0 for so many coins: divide whole numbers, or use logarithms":
            (a_only, b_only, 0),
    })


# ---- the sign flip ----


NO_COINS = ("no flip changes the gap: each question has a coin of its own, for its sign; shuffled "
            "differences, or one coin for all, keep the size of their mean")


def whole(rng, n, shift):
    """Scores a, b with two decimals, and 100 (b - a) as whole numbers: these add exactly."""
    a = rng.integers(20, 70, size=n)
    d = np.round(rng.gamma(1, 9, size=n) * rng.choice([-1, 1], size=n) + shift).astype(int)
    return a / 100, (a + d) / 100, d


def signs(n):
    return np.array(list(product([-1, 1], repeat=n)))


def test_sign_flip_p_counts_flips_as_large_as_the_gap(tests, rng):
    """A right solution fails less than once in a million."""
    (a, b, d), R = whole(rng, 8, 4), 4_000
    sums, gap = signs(8) @ d, d.sum()
    p = np.mean(np.abs(sums) >= abs(gap))
    n_b, n_a = int(np.sum(d > 0)), int(np.sum(d < 0))
    by_count = min(1, 2 * coins(n_a + n_b, min(n_a, n_b)))
    if gap <= 0 or not 0.05 < p < 0.5 or by_count == 1:
        raise Redraw("one-sided")
    pooled = np.rint(np.concatenate([a, b]) * 100).astype(int)
    halves = pooled[np.array(list(combinations(range(16), 8)))].sum(axis=1)
    check(tests.sign_flip_p, a, b, R, int(rng.integers(1000)), expect=float(p),
          tol=monte_carlo(p, R), why="the share of all 256 ways to flip the signs", slips={
        # Keeping or dropping a difference (0 or 1) instead of flipping it gives the same.
        "one-sided p: the absolute value of the mean counts, and signs are -1 or 1, not 0 or 1":
            np.mean(sums >= gap),
        NO_COINS: 1.0,
        "the scores are shuffled over all questions: swap within a question":
            np.mean(np.abs(2 * halves - pooled.sum()) >= gap),
        "the share of smaller gaps: p counts those at least as large": 1 - p,
        "sizes are ignored: that is the sign test": by_count,
        "the sizes are averaged: take the mean first, then its absolute value":
            float(np.abs(d).sum() <= gap),
    })


def test_sign_flip_p_is_the_same_for_a_gap_below_0(tests, rng):
    """A right solution fails less than once in a million."""
    (a, b, d), R = whole(rng, 8, -4), 4_000
    sums, gap = signs(8) @ d, d.sum()
    p = np.mean(np.abs(sums) >= abs(gap))
    if gap >= 0 or not 0.05 < p < 0.5:
        raise Redraw("one-sided")
    check(tests.sign_flip_p, a, b, R, int(rng.integers(1000)), expect=float(p),
          tol=monte_carlo(p, R), why="the share of all 256 ways to flip the signs", slips={
        "the mean has no absolute value: a gap below 0 counts as well":
            np.mean(sums >= gap),
        "every flip counts: take the size of the observed mean, too, and toss a coin per question":
            1.0,
        "one-sided p: gaps in the other direction count as well": np.mean(sums <= gap),
    })


def test_sign_flip_p_counts_ties(tests, rng):
    """A right solution fails less than once in a million."""
    a_only, b_only, R = 2, int(rng.integers(5, 8)), 4_000
    a, b = right_wrong(rng, 4, a_only, b_only, 3)
    m = a_only + b_only
    p = 2 * coins(m, a_only)
    check(tests.sign_flip_p, a, b, R, int(rng.integers(1000)), expect=p, tol=monte_carlo(p, R),
          called=f"sign_flip_p(a, b, {R}) with {a_only} only a right, {b_only} only b right",
          why="exact, by counting coins", slips={
        "ties are lost: a flip as large as the gap counts, so >= and not >":
            2 * coins(m, a_only - 1),
        "one-sided p: the absolute value of the mean counts": p / 2,
        NO_COINS: 1.0,
    })


def test_sign_flip_p_counts_ties_that_rounding_hides(tests, rng):
    a = rng.integers(1, 9, size=7) / 10
    b = a + rng.permutation([1, 1, 1, 1, -1, -1, -1]) / 10
    b = np.round(b, 1)
    flipped = signs(7) * (b - a)
    for total, observed in ((flipped.sum(axis=1), np.sum(b - a)),
                            ([sum(row) for row in flipped.tolist()], sum((b - a).tolist()))):
        if np.mean(np.abs(total) >= abs(observed)) > 0.8:
            raise Redraw("ties are lost to rounding")
    check(tests.sign_flip_p, a, b, 2_000, expect=1.0, tol=2 / 2_000,
          why="seven differences of 0.1, so that no flip brings them closer to 0", slips={
        "ties are lost to rounding: 0.3 - 0.2 is not 0.1, so allow 1e-9 in the comparison":
            lambda got: got < 0.99,
    })


def test_sign_flip_p_of_a_model_against_itself_is_1(tests, rng):
    a = np.round(rng.beta(1, 1, size=7), 2)
    check(tests.sign_flip_p, a, a.copy(), 500, expect=1.0, tol=2 / 500,
          why="no flip changes a gap of 0", slips={
        "ties are lost: a flip as large as the gap counts, so >= and not >":
            lambda got: got < 0.01,
    })


def test_sign_flip_p_follows_its_seed(tests, rng):
    a, b = rng.gamma(1, size=(2, 60))
    check_seed(tests.sign_flip_p, a, b, R=1_000, like=0.0)


def test_sign_flip_p_draws_as_often_as_R_says(tests, rng):
    a, b = rng.gamma(1, size=(2, 40))
    for seed in range(4):
        p = call(tests.sign_flip_p, a, b, R=13, seed=seed, like=0.0)
        off = min(abs(p * 13 - round(p * 13)), abs(p * 14 - round(p * 14)))
        require(off < 1e-9, tests.sign_flip_p,
                call_text("sign_flip_p", (a, b), {"R": 13, "seed": seed}), p,
                "a share of 13 flips, hits / 13 or (hits + 1) / 14",
                "R is ignored: 20,000 stands in the code")


# ---- optional: other tests of the same table, and many tests at once ----


def test_coin_p_doubles_the_smaller_tail(tests, rng):
    heads, tails = int(rng.integers(2, 5)), int(rng.integers(8, 12))
    p = 2 * coins(heads + tails, heads)
    slips = {
        "one-sided p: double the tail": p / 2,
        "the observed count is left out: P(X <= k) includes k":
            2 * coins(heads + tails, heads - 1),
    }
    check(tests.coin_p, heads, tails, expect=p, slips=slips)
    check(tests.coin_p, tails, heads, expect=p, slips={
        **slips, "the tail of the first count: take the smaller one, whichever it is":
            lambda got: got > 0.9})


def test_coin_p_is_never_above_1(tests, rng):
    k = int(rng.integers(3, 8))
    check(tests.coin_p, k, k, expect=1.0, slips={
        "p above 1: the two tails share the middle, so stop at 1": 2 * coins(2 * k, k)})
    check(tests.coin_p, 0, 0, expect=1.0, why="no coin was tossed", slips={
        "p above 1: stop at 1": 2.0})


def test_coin_p_holds_for_thousands_of_coins(tests, rng):
    heads, tails = int(rng.integers(1000, 1020)), int(rng.integers(1080, 1100))
    check(tests.coin_p, heads, tails, expect=2 * coins(heads + tails, heads), slips={
        "0.5**m is 0 for so many coins: divide whole numbers, or use logarithms": 0.0})


def test_mcnemar_chi2_corrects_for_continuity(tests, rng):
    a_only, b_only = int(rng.integers(5, 9)), int(rng.integers(14, 20))
    a, b = right_wrong(rng, 30, a_only, b_only, 12)
    m = a_only + b_only

    def with_p(chi2):
        return chi2, 2 * NormalDist().cdf(-math.sqrt(chi2))

    chi2 = (b_only - a_only - 1) ** 2 / m
    check(tests.mcnemar_chi2, a, b, expect=with_p(chi2),
          called=f"mcnemar_chi2(a, b) with {a_only} only a right, {b_only} only b right", slips={
        "no continuity correction: take 1 off |b - c|": with_p((b_only - a_only) ** 2 / m),
        "half a question is taken off: Edwards' correction takes 1":
            with_p((b_only - a_only - 0.5) ** 2 / m),
        "one-sided p: both tails of the normal distribution count":
            (chi2, NormalDist().cdf(-math.sqrt(chi2))),
    })


def test_mcnemar_chi2_of_equal_counts_is_0(tests, rng):
    a, b = right_wrong(rng, 5, 6, 6, 4)
    check(tests.mcnemar_chi2, a, b, expect=(0, 1),
          called="mcnemar_chi2(a, b) with 6 only a right, 6 only b right", slips={
        "the correction goes below 0: max(|b - c| - 1, 0)":
            (1 / 12, 2 * NormalDist().cdf(-math.sqrt(1 / 12))),
    })


def test_mcnemar_chi2_without_a_disagreement_is_0(tests):
    a = np.array([1.0, 0.0, 1.0])
    check(tests.mcnemar_chi2, a, a.copy(), expect=(0, 1), slips={
        "p = 0 without a disagreement: nothing speaks against equal models": (0, 0)})


def test_mcnemar_midp_counts_the_observed_table_half(tests, rng):
    a_only, b_only = int(rng.integers(3, 6)), int(rng.integers(9, 13))
    a, b = right_wrong(rng, 7, a_only, b_only, 3)
    m = a_only + b_only
    p = 2 * coins(m, a_only)
    check(tests.mcnemar_midp, a, b, expect=p - exactly(m, a_only),
          called=f"mcnemar_midp(a, b) with {a_only} only a right, {b_only} only b right", slips={
        "the exact p: take off half of the observed table in each tail": p,
        "the observed table is left out: half of it counts": p - 2 * exactly(m, a_only),
        "one-sided p: both tails count": (p - exactly(m, a_only)) / 2,
    })


def test_mcnemar_midp_of_equal_counts_halves_the_middle_once(tests, rng):
    k = int(rng.integers(3, 7))
    a, b = right_wrong(rng, 4, k, k, 3)
    middle = exactly(2 * k, k)
    check(tests.mcnemar_midp, a, b, expect=1 - middle / 2,
          called=f"mcnemar_midp(a, b) with {k} only a right, {k} only b right", slips={
        "the middle is taken off twice: it belongs to both tails": 1 - middle,
        "p is 1: half of the observed table is taken off": 1,
        "p above 1 is cut too late: the exact p is 1 here": 2 * coins(2 * k, k) - middle / 2,
    })


def test_mcnemar_midp_without_a_disagreement_is_1(tests):
    a = np.array([1.0, 0.0, 1.0])
    check(tests.mcnemar_midp, a, a.copy(), expect=1.0, slips={
        "p = 0.5 without a disagreement: nothing speaks against equal models": 0.5})


P = np.array([0.04, 0.001, 0.03, 0.2, 0.013])


def test_bonferroni_multiplies_by_the_number_of_tests(tests):
    check(tests.bonferroni, P, expect=np.array([0.2, 0.005, 0.15, 1.0, 0.065]), slips={
        "the threshold is divided: here p is multiplied": P / 5,
        "Holm's p: every one is multiplied by the same number":
            np.array([0.09, 0.005, 0.09, 0.2, 0.052]),
    })


def test_bonferroni_stops_at_1(tests):
    check(tests.bonferroni, np.array([0.5, 0.1, 0.9]), expect=np.array([1, 0.3, 1]), slips={
        "p above 1: stop at 1": np.array([1.5, 0.3, 2.7])})


def test_holm_multiplies_step_by_step_and_never_falls(tests):
    # sorted 0.001, 0.013, 0.03, 0.04, 0.2 times 5, 4, 3, 2, 1; 0.04 x 2 may not fall below 0.09
    check(tests.holm, P, expect=np.array([0.09, 0.005, 0.09, 0.2, 0.052]), slips={
        "a later p falls below an earlier one: keep the largest so far":
            np.array([0.08, 0.005, 0.09, 0.2, 0.052]),
        "the order is lost: return each p in its own place":
            np.array([0.005, 0.052, 0.09, 0.09, 0.2]),
        "Bonferroni's p: the next smallest is multiplied by one less": np.minimum(1, 5 * P),
        "false discovery rate: that is Benjamini and Hochberg's":
            np.array([0.05, 0.005, 0.05, 0.2, 0.0325]),
    })


def test_holm_stops_at_1(tests):
    check(tests.holm, np.array([0.5, 0.6]), expect=np.array([1, 1]), slips={
        "p above 1: stop at 1": lambda got: max(got) > 1})
