"""t4: noise.py. Shares against the four cells, how_often against an exact sum over all tables."""
import math

import numpy as np
from checking import Redraw, call, call_text, check, check_seed, monte_carlo, require, short

CELLS = ("both right", "only A right", "only B right", "neither")


def cells(p, gap, disagree):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    return np.array([p - a_only, a_only, b_only, 1 - p - b_only])


def pair(function, n, p, gap, disagree, seed):
    """The scores as an array (2, n) of 0 and 1."""
    called = f"fake_pair({n}, {p}, {gap}, {disagree}, np.random.default_rng({seed}))"
    got = call(function, n, p, gap, disagree, np.random.default_rng(seed),
               like=np.zeros((2, n)), called=called)
    require(np.all((got == 0) | (got == 1)), function, called,
            f"values such as {short(float(got[(got != 0) & (got != 1)][:1].sum()))}",
            "0 and 1 only", "chances are returned: draw right or wrong with them")
    return got


def shares(a, b):
    return np.array([np.mean((a == x) & (b == y)) for x, y in ((1, 1), (1, 0), (0, 1), (0, 0))])


def test_fake_pair_has_the_four_cells_it_is_asked_for(noise, rng):
    """A right solution fails less than once in a million."""
    n, p, gap, disagree, seed = 20_000, 0.62, 0.12, 0.2, int(rng.integers(1000))
    a, b = pair(noise.fake_pair, n, p, gap, disagree, seed)
    got, right = shares(a, b), cells(p, gap, disagree)
    off = [monte_carlo(share, n) for share in right]
    p_b = p + gap
    apart = np.array([p * p_b, p * (1 - p_b), (1 - p) * p_b, (1 - p) * (1 - p_b)])
    slips = {
        "disagree - gap is swapped with disagree + gap: B is the better one":
            cells(p, -gap, disagree),
        "the two models are swapped: return A's scores first": right[[0, 2, 1, 3]],
        "both right is p: A's accuracy is both right plus only A right":
            np.array([p, *right[1:3], 1 - p - disagree]),
        "both right is p - disagree: take off only what A alone has right":
            np.array([p - disagree, *right[1:3], 1 - p]),
        "both right is p - disagree / 2: take off only what A alone has right":
            np.array([p - disagree / 2, *right[1:3], 1 - p - disagree / 2]),
        "both right is p - (B only): take off what A alone has right":
            np.array([p - right[2], *right[1:3], 1 - p - right[1]]),
        "the models are independent: one draw per question decides both": apart,
        "each cell is twice too large: halve disagree -+ gap":
            np.array([p - 2 * right[1], 2 * right[1], 2 * right[2], 1 - p - 2 * right[2]]),
        "A's scores are flipped with chance disagree: then B cannot be better by gap":
            np.array([p * (1 - disagree), p * disagree, (1 - p) * disagree,
                      (1 - p) * (1 - disagree)]),
        "gap is ignored: the cells are (disagree -+ gap) / 2": cells(p, 0, disagree),
        "disagree is ignored: it is the share of questions that differ": cells(p, gap, 0.1),
        "p is ignored: it is the accuracy of A": cells(0.7, gap, disagree),
    }
    likely = next((text for text, slip in slips.items() if np.all(np.abs(got - slip) <= off)), "")
    require(np.all(np.abs(got - right) <= off), noise.fake_pair,
            f"fake_pair({n}, {p}, {gap}, {disagree}, np.random.default_rng({seed}))",
            ", ".join(f"{name} {share:.3f}" for name, share in zip(CELLS, got)),
            ", ".join(f"{name} {share:.3f}" for name, share in zip(CELLS, right)), likely)


def test_fake_pair_draws_with_the_generator_it_is_given(noise, rng):
    """80 questions twice alike by chance: less than once in a million."""
    seeds = [int(seed) for seed in rng.choice(1000, size=4, replace=False)]
    first, again, *others = (pair(noise.fake_pair, 80, 0.6, 0.1, 0.4, seed)
                             for seed in (seeds[0], *seeds))
    called = f"fake_pair(80, 0.6, 0.1, 0.4, np.random.default_rng({seeds[0]}))"
    require(np.array_equal(first, again), noise.fake_pair, f"{called}, twice",
            "different pairs", "the same pair",
            "global random state: draw with rng, the argument")
    require(not all(np.array_equal(first, other) for other in others), noise.fake_pair,
            called, "the same pair as with any other seed", "another pair for another seed",
            "rng is ignored: draw with it, and make no generator of your own")


def test_fake_pair_draws_each_question_by_itself(noise, rng):
    """Counts of disagreements spread as Binomial(50, 0.4); 80 of them miss less than 1 in 10^6."""
    seed = int(rng.integers(1000))
    counts = [np.sum(np.abs(np.diff(pair(noise.fake_pair, 50, 0.5, 0.1, 0.4, seed + i), axis=0)))
              for i in range(80)]
    spread = np.var(counts, ddof=1) / (50 * 0.4 * 0.6)
    require(0.35 < spread < 2.2, noise.fake_pair,
            "fake_pair(50, 0.5, 0.1, 0.4, rng) with 80 seeds",
            f"counts of disagreements with variance {12 * spread:.3g}",
            "variance 12, as 50 independent questions have", "the counts are fixed: draw every "
            "question's cell" if spread < 1 else "questions are drawn together: draw one by one")


# ---- how often ----


def tables(n, p, gap, disagree):
    """Every (only A, only B) of n questions, and the probability of each."""
    _, p_a, p_b, _ = cells(p, gap, disagree)
    a, b = np.array([(i, j) for i in range(n + 1) for j in range(n + 1 - i)]).T
    log = np.array([math.lgamma(i + 1) for i in range(n + 1)])
    agree = n - a - b
    return a, b, np.exp(log[n] - log[a] - log[b] - log[agree] + a * math.log(p_a)
                        + b * math.log(p_b) + agree * math.log(1 - p_a - p_b))


def exact(n, p, gap, disagree, threshold, z=1.96, strict=False, closed=False, either=False,
          ddof=1):
    """(share of gaps >= threshold, share of intervals without 0), summed over all tables."""
    a, b, chance = tables(n, p, gap, disagree)
    gaps = (b - a) / n
    se = np.sqrt(((a + b) / n - gaps**2) / (n - ddof))
    ahead = np.abs(gaps) if either else gaps
    ahead = ahead > threshold + 1e-9 if strict else ahead >= threshold - 1e-9
    without = np.abs(gaps) >= z * se if closed else np.abs(gaps) > z * se + 1e-12
    return chance @ ahead, chance @ without


def unpaired_share(n, p, gap, disagree):
    """How often the unpaired interval excludes 0, by simulation: 200,000 tables."""
    cell = np.random.default_rng(0).multinomial(n, cells(p, gap, disagree), size=200_000) / n
    a, b = cell[:, 0] + cell[:, 1], cell[:, 0] + cell[:, 2]
    se = np.sqrt((a * (1 - a) + b * (1 - b)) / (n - 1))
    return np.mean(np.abs(b - a) > 1.96 * se)


def test_how_often_counts_wins_and_intervals_without_0(noise, rng):
    """A right solution fails less than once in a million."""
    n, p, gap, disagree, threshold, T = 40, 0.6, 0.12, 0.3, 0.0875, 2_000
    setting = (n, p, gap, disagree)
    ahead, without = exact(*setting, threshold)
    check(noise.how_often, *setting, threshold, T, int(rng.integers(1000)),
          expect=(ahead, without), tol=(monte_carlo(ahead, T), monte_carlo(without, T)),
          why="summed over all tables of 40 questions", slips={
        "counts are returned: divide them by T": lambda got: max(got) > 1,
        "the two shares are swapped: the share of wins comes first": (without, ahead),
        "every lead counts: compare mean(b) - mean(a), not counts, with threshold, not 0.008":
            (exact(*setting, 0.008)[0], without),
        "gap is ignored: the pairs need it": exact(n, p, 0, disagree, threshold),
        "n is ignored: 500 stands in the code": exact(500, p, gap, disagree, threshold),
        "the gap is a - b: B is ahead where mean(b) - mean(a) is large":
            (exact(n, p, -gap, disagree, threshold)[0], without),
        "losses are counted: count gaps of at least the threshold": (1 - ahead, without),
        "the unpaired interval is used: call paired_diff_ci": (ahead, unpaired_share(*setting)),
        "intervals with 0 are counted: count those without it": (ahead, 1 - without),
    })


def test_how_often_counts_wins_of_B_but_intervals_on_both_sides(noise, rng):
    """A right solution fails less than once in a million."""
    n, p, gap, disagree, threshold, T = 40, 0.5, -0.09, 0.3, 0.0375, 2_000
    ahead, without = exact(n, p, gap, disagree, threshold)
    either, _ = exact(n, p, gap, disagree, threshold, either=True)
    check(noise.how_often, n, p, gap, disagree, threshold, T, int(rng.integers(1000)),
          expect=(ahead, without), tol=(monte_carlo(ahead, T), monte_carlo(without, T)),
          why="summed over all tables of 40 questions", slips={
        "wins of A are counted too: no absolute value, B must be ahead": (either, without),
        "only intervals above 0 are counted: below 0 they exclude it too": (ahead, 0.001),
        "disagree is ignored: 0.1 stands in the code": exact(n, p, gap, 0.1, threshold),
    })


def test_how_often_counts_a_gap_equal_to_the_threshold(noise, rng):
    """A right solution fails less than once in a million."""
    setting, threshold, T = (4, 0.5, 0.0, 0.25), 0.5, 4_000
    ahead, without = exact(*setting, threshold)
    strict, _ = exact(*setting, threshold, strict=True)
    _, closed = exact(*setting, threshold, closed=True)
    _, narrow = exact(*setting, threshold, ddof=0)
    check(noise.how_often, *setting, threshold, T, int(rng.integers(1000)),
          expect=(ahead, without), tol=(monte_carlo(ahead, T), monte_carlo(without, T)),
          why="summed over all tables of 4 questions", slips={
        "gaps equal to the threshold are lost: >= and not >": (strict, without),
        "std divides by n: use ddof=1, as paired_diff_ci does": (ahead, narrow),
        "0 to 0 is counted as an interval without 0: an end at 0 includes it": (ahead, closed),
    })


def test_how_often_follows_its_seed(noise):
    setting = (30, 0.6, 0.05, 0.3, 0.05)
    check_seed(noise.how_often, *setting, T=200, like=(0.0, 0.0), exact=exact(*setting))


def test_how_often_runs_T_comparisons(noise, rng):
    setting = (30, 0.6, 0.05, 0.3, 0.05)
    got = call(noise.how_often, *setting, T=7, seed=1, like=(0.0, 0.0))
    whole = np.abs(7 * np.array(got) - np.round(7 * np.array(got)))
    require(np.all(whole < 1e-9) or np.allclose(got, exact(*setting), atol=1e-9),
            noise.how_often, call_text("how_often", setting, {"T": 7, "seed": 1}), got,
            "shares of 7 comparisons", "T is ignored: 20,000 stands in the code")


def test_how_often_draws_a_new_pair_each_time(noise, rng):
    """Forty comparisons twice alike throughout by chance: less than once in a million."""
    got = call(noise.how_often, 40, 0.5, 0.0, 0.4, 0.0125, T=40, seed=int(rng.integers(1000)),
               like=(0.0, 0.0))
    require(0 < got[0] < 1, noise.how_often, "how_often(40, 0.5, 0.0, 0.4, 0.0125, T=40)", got,
            "a share of wins between 0 and 1: every comparison has questions of its own",
            "every comparison draws the same pair: make the generator before the loop"
            if got[0] <= 1 else "counts are returned: divide them by T")


# ---- optional: which questions, which answers ----


def test_variance_split_takes_the_answers_noise_off_the_questions(noise, rng):
    answers = (rng.random((6, 4)) < rng.beta(1, 1, size=(6, 1))).astype(float)
    n, K = answers.shape
    means = answers.mean(axis=1)
    within = np.mean([sum((x - m) ** 2 for x in row) / (K - 1) for row, m in zip(answers, means)])
    between = sum((m - means.mean()) ** 2 for m in means) / (n - 1)
    if between - within / K < 0.01 or within == 0:
        raise Redraw("question variance is cut")
    se = math.sqrt(between / n)
    biased = within * (K - 1) / K
    every = answers.ravel()
    check(noise.variance_split, answers, expect=(between - within / K, within, se), slips={
        "sampling variance is biased: divide by K - 1, not by K":
            lambda got: abs(got[1] - biased) < 1e-8,
        "sampling noise stays in the question variance: take sampling_var / K off":
            (between, within, se),
        "all of the sampling variance is taken off: a mean of K answers has 1 / K of it":
            lambda got: abs(got[0] - max(between - within, 0)) < 1e-8,
        "se counts the answers as independent: the questions are the unit":
            lambda got: any(abs(got[2] - np.std(every, ddof=d) / math.sqrt(n * K)) < 1e-8
                            for d in (0, 1)),
        "variance of the means divides by n: use ddof=1":
            lambda got: abs(got[2] - se * math.sqrt((n - 1) / n)) < 1e-8,
        "se is not rooted: it is the root of a variance": lambda got: abs(got[2] - se**2) < 1e-8,
    })


def test_variance_split_is_never_negative(noise):
    answers = np.array([[1.0, 0], [0, 1], [1, 0], [0, 1]])
    check(noise.variance_split, answers, expect=(0, 0.5, 0), slips={
        "question variance below 0: cut it at 0": (-0.25, 0.5, 0)})
