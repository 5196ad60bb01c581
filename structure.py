"""t6 - What was drawn independently?

Ten questions about one document rise and fall together: 500 of them can be worth 180.
Sum the residuals of a document before squaring, or resample whole documents. The same
holds for several answers to a question (pass@k) and for training runs with other seeds.

Uses load, ci, paired, tests. Next: join.py makes results.csv from two real runs.
"""
from itertools import combinations
from math import comb

import numpy as np

from ci import clt_ci, middle, resampled, t_quantile


def clustered_se(x, cluster_ids):
    """Standard error of the mean of x when questions come in clusters.

    x: shape (n,), scores; cluster_ids: shape (n,), text or numbers.
    sqrt(sum over clusters of (sum of (x - mean) in it)^2) / n; Liang & Zeger 1986, Miller
    2024. With one question a cluster: std(x, ddof=0) / sqrt(n). With few clusters it is too
    small: intervals of 5 clusters cover 85 % (see paired_clustered_ci); one cluster gives 0.
    """
    sums, _ = cluster_sums(x - np.mean(x), cluster_ids)
    return np.sqrt(np.sum(sums**2)) / len(x)


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    """95 % percentile interval of the mean of x, drawing whole clusters with replacement.

    x, cluster_ids: shape (n,). A cluster drawn twice counts twice, so that the number of
    questions varies between draws. Returns (low, high). Needs some twenty clusters: with
    five it covers 83 to 86 %.
    """
    sums, sizes = cluster_sums(x, cluster_ids)
    drawn = resampled(np.column_stack([sums, sizes]), B=B, seed=seed)
    return middle(drawn[:, 0] / drawn[:, 1])


def pass_at_k(n, c, k):
    """Chance that at least one of k answers is right, from n answers of which c were.

    1 - C(n - c, k) / C(n, k), unbiased (Chen et al. 2021), as a product that cannot overflow.
    Raises ValueError for k > n: fewer answers than tries say nothing about k tries.
    """
    check_tries(n, c, k)
    # max: with fewer than k wrong answers one factor is 0, and those before it are below 0
    return 1.0 - float(np.prod(np.maximum(1.0 - k / np.arange(n - c + 1, n + 1), 0.0)))


def pass_hat_k(n, c, k):
    """Chance that all of k answers are right, from n answers of which c were.

    C(c, k) / C(n, k), unbiased (tau-bench's pass^k, Yao et al. 2024).
    """
    check_tries(n, c, k)
    tried = np.arange(k)
    return float(np.prod(np.maximum(c - tried, 0) / (n - tried)))


def mean_pass_at_k(n, c, k, z=1.96):
    """Mean pass@k over problems with its interval: (mean, low, high).

    n, c: shape (problems,), answers and right answers of each. Problems are the unit: the
    interval is clt_ci over their pass@k. Few problems, or a pass@k near 1 that hardly varies, make
    it too narrow: 30 problems with a mean of 0.67 a try cover 81 % for k = 5.
    """
    return clt_ci(np.array([pass_at_k(*problem, k) for problem in zip(n, c)]), z)


def check_tries(n, c, k):
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"k = {k} tries with {n} answers, {c} right: needs 0 <= c <= n and "
                         "1 <= k <= n; sample more answers or lower k")


def cluster_sums(x, cluster_ids):
    """(sum of x in each cluster, size of each), shape (C,) each."""
    _, cluster = np.unique(cluster_ids, return_inverse=True)
    return np.bincount(cluster, weights=x), np.bincount(cluster)


def intraclass_correlation(x, cluster_ids):
    """How alike scores of one cluster are: 0 like strangers, 1 identical (Donner 1986).

    x, cluster_ids: shape (n,). One-way analysis of variance: (MSB - MSW) / (MSB + (m0 - 1)
    MSW) with m0 the mean cluster size less its variance / n. Can be below 0 by chance.
    """
    sums, sizes = cluster_sums(x, cluster_ids)
    n, clusters = len(x), len(sums)
    if not 2 <= clusters < n:
        raise ValueError(f"{clusters} clusters of {n} questions: needs at least 2, and one with 2")
    between = np.sum(sizes * (sums / sizes - np.mean(x)) ** 2)
    within = np.sum((x - np.mean(x)) ** 2) - between
    msb, msw = between / (clusters - 1), within / (n - clusters)
    m0 = (n - np.sum(sizes**2) / n) / (clusters - 1)
    if msb + (m0 - 1) * msw == 0:
        raise ValueError("all scores are equal: they have no correlation")
    return (msb - msw) / (msb + (m0 - 1) * msw)


def design_effect(x, cluster_ids):
    """How much the clusters inflate the variance of the mean of x: (clustered / naive se)^2.

    The clustered se carries its factor sqrt(C / (C - 1)), so that clusters of one question
    give exactly 1. For equal clusters of size m about 1 + (m - 1) x intraclass correlation.
    """
    naive = np.std(x, ddof=1) / np.sqrt(len(x))
    if naive == 0:
        raise ValueError("all scores are equal: clusters cannot inflate a variance of 0")
    return (small_sample_se(x, cluster_ids) / naive) ** 2


def effective_n(x, cluster_ids):
    """How many independent questions x is worth: n / design effect."""
    return len(x) / design_effect(x, cluster_ids)


def effective_clusters(cluster_ids):
    """How many equal clusters these are worth: (sum m)^2 / sum m^2 over their sizes m.

    One repository with half of the questions among a dozen leaves about 3.
    """
    _, sizes = np.unique(cluster_ids, return_counts=True)
    return np.sum(sizes) ** 2 / np.sum(sizes**2)


def small_sample_se(x, cluster_ids):
    """clustered_se times sqrt(C / (C - 1)) for C clusters; refuses one cluster."""
    clusters = len(np.unique(cluster_ids))
    if clusters < 2:
        raise ValueError("1 cluster: nothing was drawn independently, so there is no error bar; "
                         "needs at least 2")
    return clustered_se(x, cluster_ids) * np.sqrt(clusters / (clusters - 1))


def clustered_ci(x, cluster_ids, alpha=0.05):
    """Mean of x with an interval for few or lopsided clusters: (mean, low, high).

    small_sample_se with Student's t on effective_clusters - 1 degrees of freedom, at least 1.
    5 equal clusters: covers 94 % where 1.96 covers 85 %. One of twelve with half of the
    questions: 94 % where the usual C - 1 degrees (the same for equal clusters) cover 79 %.
    The 12 repositories of SWE-bench Verified, 231 questions to 1: 92 to 94 %, C - 1: 79 to 82 %.
    Two with a third each among many small ones: 86 to 92 %.
    """
    df = max(1, effective_clusters(cluster_ids) - 1)
    half = t_quantile(1 - alpha / 2, df) * small_sample_se(x, cluster_ids)
    return np.mean(x), np.mean(x) - half, np.mean(x) + half


def paired_clustered_ci(a, b, cluster_ids, alpha=0.05):
    """Gap b - a with its interval over clusters: (gap, low, high). See clustered_ci."""
    return clustered_ci(b - a, cluster_ids, alpha)


def recipe_gap(runs_a, runs_b, alpha=0.05):
    """Two training recipes, the training run as the unit: (gap, low, high, p).

    runs_a, runs_b: shape (R,), a score per run, all on the same questions; R can differ.
    Welch's interval (1947) with Student's t, and the exact p of all ways to hand out the
    runs to the recipes. 3 runs against 3 cannot go below p = 0.1, 4 against 4 below 0.029. The
    interval covers 94 to 96 % from 3 runs on; the p asks whether the recipes are alike in
    everything: where one spreads three times as far, 5 against 5 gives 7 % false alarms.
    """
    runs_a, runs_b = np.asarray(runs_a, dtype=float), np.asarray(runs_b, dtype=float)
    m, n = len(runs_a), len(runs_b)
    if min(m, n) < 2:
        raise ValueError(f"{m} and {n} runs: the spread between runs needs at least 2 of each")
    if comb(m + n, m) > 1_000_000:
        raise ValueError(f"{m} and {n} runs: more than a million ways to hand them out; "
                         "the interval alone will do (ci.t_quantile)")
    gap = np.mean(runs_b) - np.mean(runs_a)
    var_a, var_b = np.var(runs_a, ddof=1) / m, np.var(runs_b, ddof=1) / n
    if var_a + var_b == 0:
        raise ValueError("every run of a recipe has the same score: were the seeds different?")
    df = (var_a + var_b) ** 2 / (var_a**2 / (m - 1) + var_b**2 / (n - 1))
    half = t_quantile(1 - alpha / 2, df) * np.sqrt(var_a + var_b)
    runs = np.concatenate([runs_a, runs_b])
    given = np.array(list(combinations(range(m + n), m)))
    gaps = (np.sum(runs) - runs[given].sum(axis=1)) / n - runs[given].mean(axis=1)
    tolerance = 1e-12 * np.max(np.abs(runs))
    return gap, gap - half, gap + half, np.mean(np.abs(gaps) >= abs(gap) - tolerance)


def fake_clusters(rng, clusters=50, size=10, accuracy=0.7, rho=0.2):
    """0/1 scores of `clusters` documents with `size` questions each: (x, cluster_ids).

    Every document has its own accuracy ~ Beta with variance rho p (1 - p), which makes rho
    the intraclass correlation. rng: a numpy Generator.
    """
    spread = 1 / rho - 1
    p = rng.beta(accuracy * spread, (1 - accuracy) * spread, size=clusters)
    x = rng.random((clusters, size)) < p[:, None]
    return x.ravel().astype(float), np.repeat(np.arange(clusters), size)


def fake_coverage(T=2_000, seed=0, accuracy=0.7):
    """Coverage of the naive and the clustered 95 % interval over T made-up evals."""
    rng = np.random.default_rng(seed)
    naive = clustered = 0
    for _ in range(T):
        x, documents = fake_clusters(rng, accuracy=accuracy)
        mean, low, high = clt_ci(x)
        naive += low <= accuracy <= high
        clustered += abs(mean - accuracy) <= 1.96 * clustered_se(x, documents)
    return naive / T, clustered / T


def print_made_up():
    """The lesson's 50 documents with 10 questions each, and pass@k."""
    T = 2_000
    naive, clustered = fake_coverage(T)
    x, documents = fake_clusters(np.random.default_rng(0))
    half = 1.96 * clustered_se(x, documents)
    print(f"made up: 50 documents x 10 questions, accuracy 70 %; {T:,} such evals\n")
    print(f"{'95 % interval':24}{'one eval':>16}{'covers 70 % in':>20}")
    for name, low, high, share in (
            ("naive", *clt_ci(x)[1:], naive),
            ("clustered", np.mean(x) - half, np.mean(x) + half, clustered),
            ("cluster bootstrap", *cluster_bootstrap_ci(x, documents), None)):
        covers = f"{share:.3f} +- {np.sqrt(share * (1 - share) / T):.3f}" if share else ""
        print(f"{name:24}{f'{100 * low:.1f} to {100 * high:.1f}':>16}{covers:>20}".rstrip())
    print(f"\n{'':24}{'correlation':>16}{'design effect':>20}{'worth':>16}")
    print(f"{'planned':24}{0.2:>16.2f}{1 + 9 * 0.2:>20.1f}{500 / 2.8:>6.0f} questions")
    print(f"{'this eval':24}{intraclass_correlation(x, documents):>16.2f}"
          f"{design_effect(x, documents):>20.1f}{effective_n(x, documents):>6.0f} questions")
    print(f"\n3 of 10 answers right: pass@5 {pass_at_k(10, 3, 5):.3f} "
          f"(1 - (1 - c/n)^k would say {1 - 0.7**5:.3f})")
    print("\nResample what was drawn independently: the documents, not their questions.")


def print_clusters(data):
    """Naive and clustered errors of real results, side by side."""
    from load import clip, fill, p_text, unit
    from tests import sign_flip_p
    show = unit(*data.scores)
    _, sizes = np.unique(data.clusters, return_counts=True)
    rows = [(name, x, show.score, show.interval) for name, x in zip(data.names, data.scores)]
    if len(rows) == 2:
        rows.append(("gap", data.scores[1] - data.scores[0], show.gap, show.gap_interval))
    intervals = [clustered_ci(x, data.clusters) for _, x, _, _ in rows]
    print(f"{data.title}\n{len(sizes):,} clusters of {sizes.min():,} to {sizes.max():,} questions, "
          f"worth {effective_clusters(data.clusters):.1f} equal ones\n")
    print(f"{'':18}{'mean':>7}{'naive se':>10}{'clustered':>11}{'effect':>8}{'worth':>7}"
          f"{'95 % interval':>18}")
    rounding = 1e-13 * max(np.max(np.abs(x)) for x in data.scores)
    for (name, x, text, ends), (mean, low, high) in zip(rows, intervals):
        naive, se = np.std(x, ddof=1) / np.sqrt(data.n), small_sample_se(x, data.clusters)
        effect = worth = between = "-"
        if se > rounding:           # else the clusters are all alike: no spread is no certainty
            between = ends(low, high)
            if naive > rounding:
                effect = f"{design_effect(x, data.clusters):.2f}"
                worth = f"{effective_n(x, data.clusters):,.0f}"
        print(fill(f"{clip(name, 17):18}{text(mean):>7}{show.se(naive):>10}{show.se(se):>11}"
                   f"{effect:>8}{worth:>7} {between:>17}"))
    if len(rows) == 3:
        p = sign_flip_p(np.zeros(len(sizes)), cluster_sums(rows[2][1], data.clusters)[0])
        print(f"\nsign flip of the clusters' sums: p {p_text(p)}")
    print(f"\nThe intervals count {len(sizes):,} clusters as drawn, not {data.n:,} questions.")


def print_runs(args):
    """Two recipes from a file with a row per training run."""
    from load import clusters_of, p_text, read_table, refuse, score_columns, scores, unit
    table = read_table(args.file or "runs_real.csv")
    recipes = clusters_of(table, args.runs, slice(None))
    names = list(dict.fromkeys(recipes.tolist()))
    columns = [args.a] if args.a else score_columns(table, args.runs)
    if len(columns) != 1:
        refuse(f"{table.path}: {len(columns)} score columns ({', '.join(columns) or 'none'}); "
               "name one: --a COL")
    if len(names) != 2:
        refuse(f"{table.path}, column {args.runs}: {len(names)} recipes "
               f"({', '.join(names[:5])}); a comparison needs two")
    x = scores(table, columns[0])
    show = unit(x)
    runs = [x[recipes == name] for name in names]
    gap, low, high, p = recipe_gap(*runs)
    print(f"{table.path}: {columns[0]} of each training run, {show.name}\n")
    print(f"{'recipe':24}{'runs':>6}{'mean':>10}{'std between runs':>20}")
    for name, scored in zip(names, runs):
        print(f"{name:24}{len(scored):>6}{show.score(scored.mean()):>10}"
              f"{show.se(scored.std(ddof=1)):>20}")
    least = (1 + (len(runs[0]) == len(runs[1]))) / comb(len(x), len(runs[0]))
    print(f"\n{names[1]} - {names[0]}: {show.gap(gap)} {show.gap_name}, 95 % interval "
          f"{show.gap_interval(low, high)}\nexact permutation p {p_text(p)}, with so few runs "
          f"never below {least:.2g}")
    clear = low > 0 or high < 0
    if clear != (p < 0.05):
        print("\nBorderline: only the", "interval" if clear else "test", "tells the recipes apart.")
    else:
        print("\nOver training runs the recipes are", "different." if clear else "not told apart.")


if __name__ == "__main__":
    from load import arguments, one_line, read_results
    with one_line():
        parser = arguments(__doc__, cluster=True)
        parser.add_argument("--runs", metavar="COL", help="the column that names the recipe of "
                            "a training run; FILE has a row per run")
        args = parser.parse_args()
        if args.runs:
            print_runs(args)
        elif args.cluster:
            print_clusters(read_results(args, models=1))
        elif args.file:
            parser.error(f"{args.file}: which column holds the clusters? --cluster COL")
        else:
            print_made_up()
