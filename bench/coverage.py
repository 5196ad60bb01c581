"""How often every interval covers the truth, and every test and the verdict raise an alarm.

Where scores are right/wrong and independent the answer is an exact sum over all possible
tables (those rarer than 1 in 10,000 at either end left out); else it is simulated, seeded,
and the Monte Carlo error stands in the title. All figures are percentages.

python bench/coverage.py [WORD ...]        only tables whose title has a WORD
"""
import functools
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import binom

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from speed import versions  # noqa: E402

import report  # noqa: E402
import structure  # noqa: E402
from ci import bootstrap_ci, clt_ci, wilson_ci  # noqa: E402
from paired import (  # noqa: E402
    bonett_price_ci,
    paired_bootstrap_ci,
    paired_diff_ci,
    unpaired_diff_ci,
)
from structure import (  # noqa: E402
    cluster_bootstrap_ci,
    clustered_se,
    mean_pass_at_k,
    paired_clustered_ci,
    pass_at_k,
    recipe_gap,
)
from tests import (  # noqa: E402
    anytime_p,
    coin_p,
    mcnemar_chi2,
    mcnemar_exact,
    mcnemar_midp,
    sign_test,
)

SIZES = (10, 30, 100, 500, 2000)
ACCURACIES = (0.5, 0.7, 0.9, 0.95, 0.99)
DISAGREEMENTS = (0.01, 0.02, 0.05, 0.10, 0.20, 0.40)
T = 2_000               # simulated evals: the Monte Carlo error of 5 % is 0.5
RARE = 1e-4
FLIPS = report.FLIPS = 999      # instead of 100,000: p keeps its level, and takes a hundredth
report.t_quantile = structure.t_quantile = functools.cache(structure.t_quantile)


# ---- printing ----


def print_table(title, columns, rows):
    """rows: (name, cells as shares, printed in percent); None stands for what was not computed."""
    width = max(min(9, 46 // len(columns)), 1 + max(map(len, columns)))
    first = min(34, 79 - width * len(columns))
    print(f"\n{title}\n{'':{first}}" + "".join(f"{column:>{width}}" for column in columns))
    for name, cells in rows:
        print(f"{name:{first}}" + "".join(
            f"{'-':>{width}}" if cell is None else f"{100 * cell:>{width}.1f}" for cell in cells),
            flush=True)


def percent(shares):
    return [f"{100 * share:g} %" for share in shares]


# ---- one right/wrong score: exact ----


def intervals_by_count(n, interval):
    """interval of k right of n for every k: shape (2, n + 1)."""
    return np.array([interval(np.repeat([1.0, 0.0], [k, n - k])) for k in range(n + 1)],
                    dtype=float).T


def covers(ends, n, p):
    """P(low <= p <= high), the number right being Binomial(n, p)."""
    low, high = ends
    return binom.pmf(np.arange(n + 1), n, p)[(low <= p) & (p <= high)].sum()


def neighbours(p, n):
    """Accuracies within one standard error of p: what an eval of this size cannot tell apart."""
    se = np.sqrt(p * (1 - p) / n)
    edges = np.linspace(max(p - se, 0), min(p + se, 1), 41)
    return (edges[1:] + edges[:-1]) / 2


def errorbars_score(x):
    """What errorbars' leaderboard prints: Wilson below 30 questions, else the formula."""
    from errorbars.leaderboard import _summarize_mean
    found = _summarize_mean(x.tolist(), 0.95, 30)
    return found.ci_low, found.ci_high


def clopper_pearson(x):
    from scipy.stats import binomtest
    return binomtest(int(x.sum()), len(x)).proportion_ci()


def single_scores():
    chosen = {
        "formula": lambda x: clt_ci(x)[1:],
        "bootstrap": bootstrap_ci,
        "Wilson (evalstats)": lambda x: wilson_ci(int(x.sum()), len(x)),
        "report.py": lambda x: report.score_ci(x, None, 0.05, True)[1:3],
        "errorbars": errorbars_score,
        "scipy (Clopper-Pearson)": clopper_pearson,
    }
    averaged, pointwise = [], []
    for name, interval in chosen.items():
        for n in SIZES:
            if n == 2000 and name == "bootstrap":
                continue
            ends = intervals_by_count(n, interval)
            averaged.append((f"{name}, n {n:,}", [
                np.mean([covers(ends, n, q) for q in neighbours(p, n)]) for p in ACCURACIES]))
            pointwise.append((f"{name}, n {n:,}", [covers(ends, n, p) for p in ACCURACIES]))
    print_table("coverage of one right/wrong score, averaged over accuracies within one standard\n"
                "error of the one named (exact)", percent(ACCURACIES), averaged)
    print_table("the same at exactly this accuracy", percent(ACCURACIES),
                [row for row in pointwise if row[0].startswith(("Wilson", "report", "formula"))])


# ---- the gap of two right/wrong models: exact ----


def tables(n, only_a, only_b):
    """All likely (only A right, only B right) of n questions, and their probabilities."""
    a, b = np.meshgrid(*(np.arange(binom.ppf(RARE, n, p), binom.ppf(1 - RARE, n, p) + 1)
                         for p in (only_a, only_b)), indexing="ij")
    a, b = a.ravel().astype(int), b.ravel().astype(int)
    a, b = a[a + b <= n], b[a + b <= n]
    chance = binom.pmf(a, n, only_a) * binom.pmf(b, n - a, min(1.0, only_b / (1 - only_a)))
    return a, b, chance / chance.sum()


def scores_of(n, a_only, b_only):
    """Two models' scores with these disagreements; on the other questions both are right."""
    counts = [a_only, b_only, n - a_only - b_only]
    return np.repeat([1.0, 0.0, 1.0], counts), np.repeat([0.0, 1.0, 1.0], counts)


def by_table(rule):
    """rule(a, b) of scores as a function of n and arrays of counts, each table computed once."""
    @functools.cache
    def once(n, a_only, b_only):
        return rule(*scores_of(n, a_only, b_only))
    return lambda n, a, b: np.array([once(n, *table) for table in zip(a.tolist(), b.tolist())]).T


def gap_covered(rule, n, disagree, share):
    """Coverage where B wins this share of the disagreements."""
    a, b, chance = tables(n, disagree * (1 - share), disagree * share)
    gap = disagree * (2 * share - 1)
    low, high = rule(n, a, b)
    return chance[(low <= gap + 1e-12) & (gap - 1e-12 <= high)].sum()


def errorbars_gap(a, b):
    from errorbars.compare import paired_compare
    found = paired_compare(b, a)
    return found.ci_low, found.ci_high


def gaps():
    import errorbars.compare as compare
    compare.t_for_confidence = functools.cache(compare.t_for_confidence)    # same, sooner
    chosen = {
        "formula": paired_diff_ci_ends,
        "Bonett-Price (evalstats)": bonett_price_ci,
        "report.py": lambda a, b: report.gap_ci(a, b, None, 0.05)[:2],
        "errorbars": errorbars_gap,
    }
    for share, said in ((0.5, "equal models"), (0.75, "B wins 3 of 4 disagreements"),
                        (1.0, "B is never worse")):
        rows = []
        for name, interval in chosen.items():
            rule = RULES.setdefault(name, by_table(interval))
            for n in SIZES:
                if name != "errorbars" or n <= 100:
                    rows.append((f"{name}, n {n:,}", [gap_covered(rule, n, d, share)
                                                      for d in DISAGREEMENTS]))
        print_table("coverage of the paired gap, right/wrong scores, by disagreement (exact),\n"
                    + said, percent(DISAGREEMENTS), rows)
    rows = []
    for name in ("formula", "report.py"):
        for share in (0.5, 0.75, 1.0):
            rows.append((f"{name}, n 100, B wins {100 * share:g} %", [
                np.mean([gap_covered(RULES[name], 100, q, share) for q in neighbours(d, 100)[::4]])
                for d in DISAGREEMENTS]))
    print_table("the same averaged over disagreements within one standard error",
                percent(DISAGREEMENTS), rows)


RULES = {}


def paired_diff_ci_ends(a, b):
    return paired_diff_ci(a, b)[1:]


def paired_bootstraps():
    rng = np.random.default_rng(1)
    rows = []
    for n in (10, 30, 100, 500):
        cells = []
        for d in DISAGREEMENTS:
            counts = rng.multinomial(n, [d / 4, 3 * d / 4, 1 - d], size=T)[:, :2]
            rule = RULES.setdefault("bootstrap", by_table(paired_bootstrap_ci))
            low, high = rule(n, *counts.T)
            cells.append(np.mean((low <= d / 2 + 1e-12) & (d / 2 - 1e-12 <= high)))
        rows.append((f"paired bootstrap, n {n}", cells))
    print_table("coverage of the paired bootstrap, B wins 3 of 4 disagreements (+- 0.5)",
                percent(DISAGREEMENTS), rows)


def unpaired_gaps():
    """Two sets of questions: an exact sum over both numbers right. One set: simulated."""
    def agresti_caffo(a, b):
        """What report.py --unpaired does."""
        return unpaired_diff_ci(np.append(a, [1.0, 0.0]), np.append(b, [1.0, 0.0]))[1:]
    rows = []
    for name, interval in (("unpaired_diff_ci", lambda a, b: unpaired_diff_ci(a, b)[1:]),
                           ("report.py --unpaired", agresti_caffo)):
        for n in (10, 30, 100, 500):
            x = [np.repeat([1.0, 0.0], [k, n - k]) for k in range(n + 1)]

            @functools.cache
            def once(i, j, x=x, interval=interval):
                return interval(x[i], x[j])
            cells = []
            for p in ACCURACIES:
                k = np.arange(binom.ppf(RARE, n, p), binom.ppf(1 - RARE, n, p) + 1).astype(int)
                chance = binom.pmf(k, n, p)
                low, high = np.array([[once(i, j) for j in k] for i in k]).transpose(2, 0, 1)
                inside = chance @ ((low <= 0) & (high >= 0)) @ chance
                cells.append(inside / chance.sum() ** 2)
            rows.append((f"{name}, n {n}", cells))
    rng = np.random.default_rng(2)
    for n in (100, 500):
        cells = []
        for p in ACCURACIES:
            share = p * (1 - p) * 2 * 0.3               # correlation 0.7
            cell = rng.multinomial(n, [share / 2, share / 2, p - share / 2, 1 - p - share / 2], T)
            inside = 0
            for a_only, b_only, both, neither in cell:
                counts = [a_only, b_only, both, neither]
                _, low, high = unpaired_diff_ci(np.repeat([1.0, 0, 1, 0], counts),
                                                np.repeat([0.0, 1, 1, 0], counts))
                inside += low <= 0 <= high
            cells.append(inside / T)
        rows.append((f"on the same questions, n {n}", cells))
    print_table("coverage of the unpaired gap, right/wrong scores, equal models, by accuracy\n"
                "(exact; same questions with correlation 0.7: +- 0.5)", percent(ACCURACIES), rows)


# ---- real scores: simulated ----

REAL = {                # differences with mean 0; A and B can be exchanged in the first three
    "normal": lambda rng, n: rng.normal(size=n),
    "ties": lambda rng, n: rng.normal(size=n) * (rng.random(n) < 0.1),
    "t3": lambda rng, n: rng.standard_t(3, size=n),
    "exp": lambda rng, n: rng.exponential(size=n) - 1,
    "lognrm": lambda rng, n: rng.lognormal(size=n) - np.exp(0.5),
    "loss": lambda rng, n: np.where(rng.random(n) < 0.1, -0.9, 0.1),
}
COVERS = ("formula, 1.96", "report.py (formula, t)", "bootstrap")
ALARMS = ("sign flip", "paired t", "sign test", "bootstrap excludes 0", "verdict real")


def real_once(rng, d):
    """Whether each interval of the mean holds 0, and each test of it calls an alarm."""
    n, zero = len(d), np.zeros(len(d))
    chosen = report.score_ci(d, None, 0.05, False)[1:3]
    drawn = bootstrap_ci(d, B=1000, seed=rng) if n <= 100 else (np.nan, np.nan)
    p, _ = report.luck(zero, d, None)
    intervals = (clt_ci(d)[1:], (0, 0) if chosen[0] is None else chosen, drawn)
    return ([low <= 0 <= high for low, high in intervals],
            [p < 0.05, report.t_p(d) < 0.05, sign_test(zero, d)[2] < 0.05, excludes(drawn),
             word(report.gap_ci(zero, d, None, 0.05), p) == "real"])


def real_scores():
    covered = {(name, n): [] for n in SIZES for name in COVERS}
    alarmed = {(name, n): [] for n in SIZES for name in ALARMS}
    for n in SIZES:
        for i, draw in enumerate(REAL.values()):
            rng = np.random.default_rng([3, n, i])
            found = [real_once(rng, draw(rng, n)) for _ in range(T if n <= 100 else T // 2)]
            for cells, names, hits in ((covered, COVERS, [inside for inside, _ in found]),
                                       (alarmed, ALARMS, [alarms for _, alarms in found])):
                for name, share in zip(names, np.mean(hits, axis=0)):
                    cells[name, n].append(None if "boot" in name and n > 100 else share)
    for title, cells in (("coverage of a mean of real scores, or of differences of them", covered),
                         ("false alarms, real differences with mean 0: tests, verdict", alarmed)):
        print_table(f"{title}\n(+- 0.5; from n 500: 0.7)", REAL, [
            (f"{name}, n {n:,}", row) for (name, n), row in cells.items()
            if any(cell is not None for cell in row)])
    print("ties: nine of ten differences are 0; t3: Student's t on 3 degrees of freedom; exp,\n"
          "lognrm: exponential, lognormal; loss: -0.9 in one of ten, else +0.1. The last three\n"
          "are skewed: A and B cannot be exchanged. There the sign test asks about the median,\n"
          "and is right to answer.")


# ---- clusters ----


KINDS = {               # sizes of the clusters
    "5x10": [10] * 5, "12x10": [10] * 12, "50x10": [10] * 50, "200x5": [5] * 200,
    "half": [253] + [23] * 11,
    "repos": [231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1],        # SWE-bench Verified's
}
SAID = ("half: one of twelve clusters has half of the questions; repos: the sizes of SWE-bench\n"
        "Verified's twelve repositories, 231 to 1 of 500")


def t_of_count(x, ids):
    """The interval of errorbars and of statsmodels' use_t: C - 1 degrees of freedom."""
    half = structure.t_quantile(0.975, len(np.unique(ids)) - 1) * structure.small_sample_se(x, ids)
    return np.mean(x) - half, np.mean(x) + half


def z_of_clusters(x, ids):
    half = 1.96 * clustered_se(x, ids)
    return np.mean(x) - half, np.mean(x) + half


def cluster_scores():
    """Coverage of one score in clusters, accuracy 0.7, intraclass correlation 0.2."""
    names = ("formula (ignores clusters)", "clustered_se, 1.96", "cluster bootstrap",
             "t on C - 1 (errorbars)", "report.py")
    found = {name: [] for name in names}
    for sizes in KINDS.values():
        rng = np.random.default_rng(4)
        ids = np.repeat(np.arange(len(sizes)), sizes)
        hits = np.zeros(len(names))
        for _ in range(T):
            p = rng.beta(0.7 * 4, 0.3 * 4, size=len(sizes))
            x = (rng.random(len(ids)) < p[ids]).astype(float)
            hits += [low <= 0.7 <= high for low, high in (
                clt_ci(x)[1:], z_of_clusters(x, ids),
                cluster_bootstrap_ci(x, ids, B=1000, seed=rng), t_of_count(x, ids),
                report.score_ci(x, ids, 0.05, True)[1:3])]
        for name, hit in zip(names, hits):
            found[name].append(hit / T)
    print_table("coverage of one right/wrong score in clusters (+- 0.5)", KINDS, found.items())
    print(SAID)


def cluster_pair(rng, sizes, lean=1.0, disagree=0.2, real=False):
    """Scores of two models whose luck differs by cluster; lean 1: they can be exchanged.

    In a cluster B wins a share ~ Beta(lean, 1) of the disagreements. Returns (a, b, ids).
    """
    ids = np.repeat(np.arange(len(sizes)), sizes)
    wins = rng.beta(lean, 1, size=len(sizes))[ids]
    d = (rng.random(len(ids)) < disagree) * np.where(rng.random(len(ids)) < wins, 1.0, -1.0)
    if real:
        return np.zeros(len(ids)), d * rng.exponential(size=len(ids)), ids
    both = rng.random(len(ids)) < 0.7
    return np.where(d == 0, both, d < 0).astype(float), np.where(d == 0, both, d > 0
                                                                 ).astype(float), ids


def cluster_gaps():
    """Coverage, false alarms and power for the gap of two models in clusters."""
    names = ("covers: formula", "covers: clustered_se, 1.96", "covers: cluster bootstrap",
             "covers: t on C - 1 (errorbars)", "covers: paired_clustered_ci", "covers: report.py",
             "alarm: exact McNemar", "alarm: t on C - 1 (errorbars)", "alarm: sign flip of sums",
             "verdict real")
    for lean, times, title in (
            (1, T, "two equal models in clusters: coverage and false alarms (+- 0.5)"),
            (3, T // 2, "B wins 3 of 4 disagreements in clusters: coverage and power (+- 1.6)")):
        gap = 0.2 * (lean - 1) / (lean + 1)
        found = {name: [] for name in names}
        for sizes in KINDS.values():
            rng = np.random.default_rng(5)
            hits = np.zeros(len(names))
            for _ in range(times):
                a, b, ids = cluster_pair(rng, sizes, lean)
                d, by_count, chosen = b - a, t_of_count(b - a, ids), report.gap_ci(a, b, ids, 0.05)
                p, _ = report.luck(a, b, ids)
                intervals = (paired_diff_ci(a, b)[1:], z_of_clusters(d, ids),
                             cluster_bootstrap_ci(d, ids, B=1000, seed=rng), by_count,
                             paired_clustered_ci(a, b, ids)[1:], chosen[:2])
                hits += [*(low is not None and low <= gap <= high for low, high in intervals),
                         mcnemar_exact(a, b)[2] < 0.05, excludes(by_count), p < 0.05,
                         word(chosen, p) == "real"]
            for name, hit in zip(names, hits):
                found[name].append(hit / times)
        print_table(title, KINDS, found.items())


# ---- answers and runs ----


PASS = {k: [pass_at_k(10, c, k) for c in range(11)] for k in (1, 5, 10)}


def answers_and_runs():
    from math import comb
    rows = []
    for problems, times in ((30, T), (164, T // 2)):
        for lean in (0.5, 2):
            covered = []
            for k in (1, 5, 10):
                rng = np.random.default_rng(6)
                # 10 answers to each problem, solved with p ~ Beta(lean, 1): E[(1 - p)^k] is known
                truth = 1 - np.prod([(1 + i) / (1 + lean + i) for i in range(k)])
                hits = np.zeros(2)
                for _ in range(times):
                    right = rng.binomial(10, rng.beta(lean, 1, size=problems)).tolist()
                    each = np.array([PASS[k][c] for c in right])
                    hits += [low is not None and low <= truth <= high for low, high in (
                        mean_pass_at_k([10] * problems, right, k)[1:] if times == T else
                        clt_ci(each)[1:],
                        report.pass_ci(each, None, 0.05)[1:])]
                covered.append(hits / times)
            for name, cells in zip(("mean_pass_at_k", "report.py"), zip(*covered)):
                rows.append((f"{name}, {problems} problems, {lean / (lean + 1):.2f}", cells))
    print_table("coverage of mean pass@k over problems, 10 answers each, mean p as said\n"
                "(+- 0.5; 164 problems: 0.7)", ["k 1", "k 5", "k 10"], rows)
    rows = []
    for runs in ((3, 3), (5, 5), (3, 7)):
        cells = []
        for spread in (1.0, 3.0):
            rng = np.random.default_rng(7)
            hits = alarms = 0
            for _ in range(T):
                _, low, high, p = recipe_gap(rng.normal(size=runs[0]),
                                             spread * rng.normal(size=runs[1]))
                hits, alarms = hits + (low <= 0 <= high), alarms + (p < 0.05)
            cells += [hits / T, alarms / T]
        rows.append((f"{runs[0]} against {runs[1]} runs, {comb(sum(runs), runs[0])} ways", cells))
    print_table("recipe_gap: coverage, and false alarms of its p, equal spread and 3 times the\n"
                "spread (+- 0.5)", ["covers", "p < .05", "covers 3", "p <.05 3"], rows)


# ---- tests: exact for right/wrong scores ----


def alarm(rule, n, disagree, gap):
    a, b, chance = tables(n, (disagree - gap) / 2, (disagree + gap) / 2)
    return chance[rule(n, a, b).astype(bool)].sum()


def coin_tests():
    rules = {"exact McNemar": lambda a, b: mcnemar_exact(a, b)[2] < 0.05,
             "mid-p": lambda a, b: mcnemar_midp(a, b) < 0.05,
             "chi-square": lambda a, b: mcnemar_chi2(a, b)[1] < 0.05,
             "formula excludes 0": lambda a, b: excludes(paired_diff_ci(a, b)[1:]),
             "Bonett-Price excludes 0": lambda a, b: excludes(bonett_price_ci(a, b))}
    rules = {name: by_table(rule) for name, rule in rules.items()}
    rows = [(f"{name}, n {n:,}", [alarm(rule, n, d, 0) for d in DISAGREEMENTS])
            for name, rule in rules.items() for n in SIZES[:4]]
    print_table("false alarms of tests of two equal right/wrong models, by disagreement (exact)",
                percent(DISAGREEMENTS), rows)
    rows = []
    for name, rule in rules.items():
        rows.append((name, [alarm(rule, n, d, gap) for n, d, gap in POWER]))
    print_table("power: n, disagreement and gap in points (exact)",
                [f"{n}/{100 * d:g}/{100 * g:g}" for n, d, g in POWER], rows)


POWER = ((100, 0.10, 0.05), (100, 0.40, 0.10), (500, 0.05, 0.02), (500, 0.10, 0.02),
         (500, 0.10, 0.05))


def excludes(ends):
    return ends[0] > 0 or ends[1] < 0


def peeking():
    """P(p < 0.05 at any look), looking after every disagreement: an exact walk over counts."""
    def ever(rule, m):
        paths, alarmed, shares = np.array([1.0]), 0.0, []
        for step in range(1, m + 1):
            paths = (np.append(paths, 0) + np.append(0, paths)) / 2     # paths[b]: b favour B
            b = np.arange(step + 1)
            out = np.array([rule(step - wins, wins) < 0.05 for wins in b[:step // 2 + 1]])
            out = np.concatenate([out, out[:step + 1 - len(out)][::-1]])
            alarmed += paths[out].sum()
            paths[out] = 0
            if step in MILESTONES:
                shares.append(alarmed)
        return shares
    print_table("false alarms when looking after every disagreement, up to so many (exact)",
                [f"{m}" for m in MILESTONES],
                [("anytime_p", ever(anytime_p, MILESTONES[-1])),
                 ("exact McNemar", ever(coin_p, MILESTONES[-1]))])


MILESTONES = (10, 20, 50, 100, 200)


# ---- the verdict ----


def word(interval, p):
    """The verdict that report.py makes of an interval and a p-value."""
    return report.verdict({"gap_low": interval[0], "gap_high": interval[1], "p": p, "alpha": 0.05,
                           "tried": 1, "dead": None})[0]


def verdict_of(a, b, clusters=None):
    """report.py's verdict without the rest of its work; check_verdict holds the two together."""
    return word(report.gap_ci(a, b, clusters, 0.05), report.luck(a, b, clusters)[0])


def check_verdict():
    rng = np.random.default_rng(9)
    for i in range(60):
        n = int(rng.choice([10, 40, 200]))
        a, b, ids = cluster_pair(rng, [n // 10] * 10, lean=4, real=i % 2 > 0)
        for clusters in (None, ids):
            whole = report.compare(a, b, clusters) | {"dead": None}
            assert report.verdict(whole)[0] == verdict_of(a, b, clusters), (a, b, clusters)


def verdicts():
    check_verdict()
    rule = by_table(lambda a, b: verdict_of(a, b) == "real")
    rows = [(f"right/wrong, n {n:,}", [alarm(rule, n, d, 0) for d in DISAGREEMENTS])
            for n in SIZES]
    print_table("verdict 'real' for two equal right/wrong models, by disagreement (exact)",
                percent(DISAGREEMENTS), rows)
    print_table("verdict 'real': n, disagreement and gap in points (exact)",
                [f"{n}/{100 * d:g}/{100 * g:g}" for n, d, g in POWER],
                [("power", [alarm(rule, n, d, gap) for n, d, gap in POWER])])
    rows = []
    for kind in ("50x10", "half", "repos"):
        for real in (False, True):
            cells = []
            for d in (0.02, 0.10, 0.40):
                rng = np.random.default_rng(11)
                cells.append(np.mean([verdict_of(*cluster_pair(
                    rng, KINDS[kind], disagree=d, real=real)) == "real" for _ in range(T)]))
            rows.append((f"{kind}, {'real' if real else 'right/wrong'}", cells))
    print_table("verdict 'real' for two equal models in clusters, by disagreement (+- 0.5)",
                percent((0.02, 0.10, 0.40)), rows)


def fake_pair_method():
    a, b = scores_of(500, 4, 17)
    method = report.gap_ci(a, b, None, 0.05)[3]
    print(f"\n4 and 17 disagreements of 500: report.py uses the {method}")


PARTS = {"score": single_scores, "gap": gaps, "bootstrap": paired_bootstraps,
         "unpaired": unpaired_gaps, "real": real_scores, "cluster": cluster_scores,
         "clustergap": cluster_gaps, "answers": answers_and_runs, "tests": coin_tests,
         "peeking": peeking, "verdict": verdicts, "fake": fake_pair_method}


def main():
    print(versions())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, part in PARTS.items():
            if len(sys.argv) < 2 or name in sys.argv[1:]:
                part()


if __name__ == "__main__":
    main()
