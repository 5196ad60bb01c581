"""t6: structure.py. Clusters by hand, every draw of clusters, and whole-number combinations."""
import math
from fractions import Fraction

import numpy as np
from checking import (
    Interval,
    bootstrap_slips,
    check,
    check_draws,
    check_seed,
    every_resample,
)

SIZES = (1, 5, 2, 4, 3, 1)


def clusters(rng, sizes=SIZES, numbers=False):
    """Scores that rise and fall together, and their clusters' names, in any order of rows."""
    names = rng.choice([3, 12, 7, 40, 5, 29, 101] if numbers else
                       ["wiki", "a b", "doc10", "doc2", "Zoo", "x", "7"], len(sizes), False)
    ids = np.repeat(names, sizes)
    level = np.repeat(rng.uniform(0.1, 0.8, size=len(sizes)), sizes)
    x = np.round(level + rng.uniform(-0.1, 0.2, size=len(ids)), 2)
    order = rng.permutation(len(ids))
    return x[order], ids[order]


def by_cluster(x, ids):
    return [x[ids == name] for name in dict.fromkeys(ids.tolist())]


def test_clustered_se_sums_residuals_before_squaring(structure, rng):
    x, ids = clusters(rng)
    n, mean, groups = len(x), x.mean(), by_cluster(x, ids)
    C = len(groups)
    total = sum(math.fsum(g - mean) ** 2 for g in groups)
    right = math.sqrt(total) / n
    means = np.array([g.mean() for g in groups])
    squares = math.fsum((x - mean) ** 2)
    check(structure.clustered_se, x, ids, expect=right, also=(right * math.sqrt(C / (C - 1)),),
          called=f"clustered_se(x, cluster_ids) with {n} scores in clusters of {SIZES}",
          why="sqrt(sum over clusters of (sum of (x - mean))^2) / n", slips={
        "residuals are squared before summing: sum within the cluster first":
            math.sqrt(squares) / n,
        "the clusters are ignored: that is the ordinary standard error":
            math.sqrt(squares / (n - 1) / n),
        "cluster means count alike: a large cluster weighs more":
            lambda got: any(abs(got - np.std(means, ddof=d) / math.sqrt(C)) < 1e-8 for d in (0, 1)),
        "divided by the number of clusters: divide by n questions": math.sqrt(total) / C,
        "not divided by n: the sum of residuals belongs to n questions": math.sqrt(total),
        "divided by sqrt(n): divide by n": math.sqrt(total / n),
        "the square root is forgotten: that is the variance":
            lambda got: any(abs(got - v) < 1e-8 for v in (right**2, total / n)),
        "the mean is not subtracted: residuals are x - mean":
            math.sqrt(sum(math.fsum(g) ** 2 for g in groups)) / n,
        "each cluster's own mean is subtracted: take the mean of all scores": 0.0,
        "residuals of a cluster are averaged: sum them":
            math.sqrt(sum((m - mean) ** 2 for m in means)) / n,
        "the mean of the cluster means is subtracted: take the mean of all scores":
            math.sqrt(sum(math.fsum(g - means.mean()) ** 2 for g in groups)) / n,
    })


def test_clustered_se_takes_numbers_as_cluster_names(structure, rng):
    x, ids = clusters(rng, numbers=True)
    groups = by_cluster(x, ids)
    C = len(groups)
    right = math.sqrt(sum(math.fsum(g - x.mean()) ** 2 for g in groups)) / len(x)
    starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1]))
    check(structure.clustered_se, x, ids, expect=right, also=(right * math.sqrt(C / (C - 1)),),
          called=f"clustered_se(x, cluster_ids) with clusters {sorted(set(ids.tolist()))}",
          slips={
        "only neighbours are one cluster: rows of a cluster can stand anywhere":
            math.sqrt(np.sum(np.add.reduceat(x - x.mean(), starts) ** 2)) / len(x),
    })


def test_clustered_se_of_single_questions_is_the_ordinary_one(structure, rng):
    x = np.round(rng.beta(1, 1, size=6), 2)
    ids = np.array(["c", "a", "f", "b", "e", "d"])
    se = math.sqrt(math.fsum((x - x.mean()) ** 2)) / 6
    check(structure.clustered_se, x, ids, expect=se, also=(se * math.sqrt(6 / 5),),
          why="std(x, ddof=0) / sqrt(n)")


# ---- the cluster bootstrap ----


def drawn(x, ids, once=False, unweighted=False, by_size=False, over_n=False):
    """Distribution of the mean over every draw of clusters with replacement."""
    groups = by_cluster(x, ids)
    sums, sizes = np.array([[g.sum(), len(g)] for g in groups]).T
    index, chance = every_resample(len(groups))
    if once:                                            # a cluster drawn twice comes once
        index = (index[:, :, None] == np.arange(len(groups))).any(axis=1)
        return index @ sums / (index @ sizes), chance
    if unweighted:
        return (sums / sizes)[index].mean(axis=1), chance
    if by_size:
        chance = chance * np.prod(len(sizes) * sizes[index] / len(x), axis=1)
    return sums[index].sum(axis=1) / (len(x) if over_n else sizes[index].sum(axis=1)), chance


def test_cluster_bootstrap_ci_draws_whole_clusters(structure, rng):
    """A right solution fails less than once in a million."""
    x, ids = clusters(rng)
    questions = x[rng.integers(len(x), size=(50_000, len(x)))].mean(axis=1)
    check(structure.cluster_bootstrap_ci, x, ids, seed=int(rng.integers(1000)),
          called=f"cluster_bootstrap_ci(x, cluster_ids) with {len(x)} scores, clusters of {SIZES}",
          expect=Interval(*drawn(x, ids)),
          why="2.5 % and 97.5 % quantiles over all draws of clusters", slips={
        **bootstrap_slips(*drawn(x, ids), (0.025, 0.975), 10_000),
        "questions are drawn, not clusters: draw as many clusters as there are, each whole":
            [Interval(questions), Interval(many_clusters(x, ids, rng))],
        "a cluster drawn twice counts once: it brings its questions twice":
            Interval(*drawn(x, ids, once=True)),
        "cluster means count alike: take the mean over all questions drawn":
            Interval(*drawn(x, ids, unweighted=True)),
        "the sum is divided by the original n: divide it by the number of questions drawn":
            Interval(*drawn(x, ids, over_n=True)),
        "large clusters are drawn more often: draw from the list of names, each in it once":
            Interval(*drawn(x, ids, by_size=True)),
        "the formula's interval: this one takes percentiles of draws":
            lambda got: abs(got[0] + got[1] - 2 * x.mean()) < 1e-6,
    })


def many_clusters(x, ids, rng):
    """The same with as many clusters drawn as there are questions, 50,000 times."""
    sums, sizes = np.array([[g.sum(), len(g)] for g in by_cluster(x, ids)]).T
    index = rng.integers(len(sums), size=(50_000, len(x)))
    return sums[index].sum(axis=1) / sizes[index].sum(axis=1)


def test_cluster_bootstrap_ci_takes_numbers_as_cluster_names(structure, rng):
    """A right solution fails less than once in a million."""
    x, ids = clusters(rng, numbers=True)
    check(structure.cluster_bootstrap_ci, x, ids, B=4_000, seed=int(rng.integers(1000)),
          called=f"cluster_bootstrap_ci(x, cluster_ids, B=4000) with {len(x)} scores, "
                 f"clusters {sorted(set(ids.tolist()))}",
          expect=Interval(*drawn(x, ids), B=4_000),
          slips=bootstrap_slips(*drawn(x, ids), (0.025, 0.975), 4_000))


def test_cluster_bootstrap_ci_follows_its_seed(structure, rng):
    x, ids = rng.gamma(1, size=60), np.repeat(np.arange(20), 3)
    check_seed(structure.cluster_bootstrap_ci, x, ids, B=60, like=(0.0, 0.0))


def test_cluster_bootstrap_ci_draws_as_often_as_B_says(structure, rng):
    """A right solution fails less than once in a million."""
    x, ids = np.round(rng.gamma(1, size=14), 2), np.repeat(np.arange(7), 2)
    check_draws(structure.cluster_bootstrap_ci, x, ids, draws=drawn(x, ids))


# ---- several tries ----


def at_least_one(n, c, k):
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


def all_of(n, c, k):
    return float(Fraction(math.comb(c, k), math.comb(n, k)))


OVERLAP = "k c / n counts a set of tries once for each right answer in it: count combinations"


def test_pass_at_k_is_unbiased(structure, rng):
    n, c, k = int(rng.integers(10, 14)), int(rng.integers(3, 6)), int(rng.integers(3, 5))
    check(structure.pass_at_k, n, c, k, expect=at_least_one(n, c, k),
          why="1 - C(n - c, k) / C(n, k)", slips={
        "plug-in pass@k: 1 - (1 - c/n)^k is biased, count combinations": 1 - (1 - c / n) ** k,
        "one try: k is ignored": c / n,
        "no try is right: pass@k is 1 less that": 1 - at_least_one(n, c, k),
        "all tries are right: pass@k asks for one of them": all_of(n, c, k),
        "c and n - c are swapped: count the sets without a right answer": 1 - all_of(n, c, k),
        OVERLAP: [k * c / n, min(k * c / n, 1)],
        "the product is one factor off: see where it starts and ends":
            [at_least_one(n, c, k - 1), at_least_one(n, c, k + 1),
             *(1 - np.prod(1 - k / np.arange(n - c + i, n + j))
               for i, j in ((1, 0), (0, 1), (0, 0), (2, 1))),
             *(1 - math.prod((n - c - i) / (n - i) for i in range(1, end)) for end in (k, k + 1))],
    })


def test_pass_at_k_is_1_when_k_tries_must_hit(structure, rng):
    c = int(rng.integers(3, 6))
    n, k = 7, 7 - c + 1
    check(structure.pass_at_k, n, c, k, expect=1.0,
          why=f"only {n - c} answers are wrong, and {k} are tried", slips={
        "plug-in pass@k: 1 - (1 - c/n)^k is biased, count combinations": 1 - (1 - c / n) ** k,
        OVERLAP: k * c / n,
        "n - c < k: no set of k wrong answers exists, so the chance is 1":
            lambda got: True,
    })


def test_pass_at_k_knows_the_ends(structure, rng):
    n = int(rng.integers(5, 9))
    check(structure.pass_at_k, n, 0, 3, expect=0.0, why="no answer is right", slips={
        "c = 0 gives 1: no answer is right": 1.0})
    check(structure.pass_at_k, n, n, 2, expect=1.0, why="every answer is right")
    check(structure.pass_at_k, n, 2, 1, expect=2 / n, why="one try is right with c / n")


def test_pass_at_k_holds_for_thousands_of_answers(structure, rng):
    n, c, k = 2_000, int(rng.integers(2, 5)), 700
    check(structure.pass_at_k, n, c, k, expect=at_least_one(n, c, k), slips={
        "plug-in pass@k: 1 - (1 - c/n)^k is biased, count combinations": 1 - (1 - c / n) ** k,
        OVERLAP: k * c / n,
        "float overflow: divide whole numbers, or multiply small factors one by one":
            lambda got: got in (0, 1),
    })


def test_pass_hat_k_asks_for_every_try(structure, rng):
    n, c, k = int(rng.integers(10, 14)), int(rng.integers(5, 8)), int(rng.integers(2, 5))
    check(structure.pass_hat_k, n, c, k, expect=all_of(n, c, k), why="C(c, k) / C(n, k)", slips={
        "plug-in: (c / n)^k is biased, count combinations": (c / n) ** k,
        "pass@k: here every try must be right": at_least_one(n, c, k),
        "one try: k is ignored": c / n,
    })


def test_pass_hat_k_is_0_with_fewer_right_answers_than_tries(structure):
    check(structure.pass_hat_k, 7, 2, 3, expect=0.0, why="only 2 answers are right")


def test_design_effect_is_the_ratio_of_variances(structure, rng):
    x, ids = clusters(rng)
    groups, n = by_cluster(x, ids), len(x)
    C = len(groups)
    clustered = math.sqrt(sum(math.fsum(g - x.mean()) ** 2 for g in groups)) / n
    clustered *= math.sqrt(C / (C - 1))
    naive = math.sqrt(math.fsum((x - x.mean()) ** 2) / (n - 1) / n)
    right = (clustered / naive) ** 2
    check(structure.design_effect, x, ids, expect=right,
          called=f"design_effect(x, cluster_ids) with {n} scores in clusters of {SIZES}", slips={
        "the ratio is not squared: it compares variances": clustered / naive,
        "upside down: clustered over naive": 1 / right,
        "the factor C / (C - 1) is missing: single questions must give 1": right * (C - 1) / C,
        "the naive variance divides by n: use ddof=1": right * n / (n - 1),
    })
