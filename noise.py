"""t4 - How often do identical models "win"? And two kinds of noise.

Make two models whose truth we know, compare them thousands of times, and count. With no
gap at all, 500 questions put one of them ahead by 0.8 points in six of ten comparisons.
Then split a score's noise into which questions were asked and which answer was sampled.

Uses load, ci, paired, tests. Next: power.py turns it around: how many questions?
"""
import numpy as np


def fake_pair(n, p, gap, disagree, rng):
    """Right/wrong scores of two models on n questions, with a known truth.

    p: accuracy of A; gap: accuracy of B less that of A; disagree: share of questions on which
    they differ; rng: a numpy Generator. Returns (a, b), shape (n,) each, 0/1. Questions are
    independent. Raises ValueError if no two models can be so.
    """
    cell = rng.choice(4, size=n, p=agreement(p, gap, disagree))
    return np.isin(cell, (0, 1)).astype(int), np.isin(cell, (0, 2)).astype(int)


def how_often(n=500, p=0.7, gap=0.0, disagree=0.10, threshold=0.008, T=20_000, seed=0):
    """How often B comes out ahead, over T comparisons of n questions with a known gap.

    Returns (share with mean(b) - mean(a) >= threshold, share where the 95 % paired interval
    excludes 0); Monte Carlo error sqrt(share (1 - share) / T). Only the two counts of
    disagreements matter, so each comparison is one draw of them.
    """
    a_only, b_only = disagreements(n, p, gap, disagree, T, seed)
    gaps = (b_only - a_only) / n
    se = np.sqrt(((a_only + b_only) / n - gaps**2) / (n - 1))   # std(ddof=1) / sqrt(n) of d
    return np.mean(gaps >= threshold), np.mean(np.abs(gaps) > 1.96 * se)


def agreement(p, gap, disagree):
    """Probabilities of (both right, only A, only B, neither), shape (4,)."""
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    cells = np.array([p - a_only, a_only, b_only, 1 - p - b_only])
    if min(cells) < -1e-12:
        raise ValueError(f"no two models have accuracy {p:g}, gap {gap:g} and disagreement "
                         f"{disagree:g}: a share would be {min(cells):.3g}; "
                         "raise disagree above |gap|, or lower it")
    return np.maximum(cells, 0)


def disagreements(n, p, gap, disagree, T, seed=0):
    """Counts (only A right, only B right) of T comparisons, shape (T,) each."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(n, agreement(p, gap, disagree), size=T).T[1:3]


def variance_split(answers):
    """What moves a mean score: which questions were asked, which answers were sampled.

    answers: shape (n, K), K >= 2 answers to each of n questions; a list of n arrays if K
    differs. Returns (question_var, sampling_var, se), both variances of a single score:
    sampling_var estimates mean p_i (1 - p_i) without bias (ddof=1 within a question),
    question_var estimates Var(p_i), cut at 0; se is that of the mean, from the n question
    means: about sqrt((question_var + sampling_var / K) / n). Miller 2024.
    """
    means = np.array([np.mean(row) for row in answers])
    within = np.array([np.var(row, ddof=1) for row in answers])
    carried = np.mean([v / len(row) for v, row in zip(within, answers)])
    between = np.var(means, ddof=1)
    return max(between - carried, 0.0), np.mean(within), np.sqrt(between / len(means))


def se_with_answers(n, K, question_var, sampling_var):
    """Standard error of a mean score over n questions with K answers each (Miller 2024)."""
    return np.sqrt((question_var + sampling_var / K) / n)


def fake_answers(n, K, rng, accuracy=0.7, question_var=0.05):
    """0/1 answers, shape (n, K): question i is answered right with p_i ~ Beta."""
    a_plus_b = accuracy * (1 - accuracy) / question_var - 1
    p = rng.beta(accuracy * a_plus_b, (1 - accuracy) * a_plus_b, size=n)
    return (rng.random((n, K)) < p[:, None]).astype(int)


if __name__ == "__main__":
    from load import arguments, fill, one_line
    from tests import mcnemar_exact
    with one_line():
        parser = arguments(__doc__, pair=False)
        for name, default, what in (("--n", 500, "questions"), ("--T", 20_000, "comparisons")):
            parser.add_argument(name, type=int, default=default, help=f"{what} ({default:,})")
        for name, default, what in (("--p", 0.7, "accuracy of A"), ("--gap", 0.02, "true gap"),
                                    ("--disagree", 0.1, "share of questions that differ"),
                                    ("--threshold", 0.008, "what counts as a win")):
            parser.add_argument(name, type=float, default=default, help=f"{what} ({default:g})")
        args = parser.parse_args()
        for name, low, high in (("n", 2, 1_000_000), ("T", 1, 1_000_000), ("p", 0, 1),
                                ("gap", -1, 1), ("disagree", 0, 1), ("threshold", -1, 1)):
            value = getattr(args, name)
            if not low <= value <= high:
                parser.error(f"--{name} {value}: from {low:,} to {high:,}, such as "
                             f"{parser.get_default(name):,}")

        def shares(gap):
            setting = (args.n, args.p, gap, args.disagree)
            ahead, excludes = how_often(*setting, args.threshold, args.T)
            a_only, b_only = disagreements(*setting, args.T)
            either = np.mean(np.abs(b_only - a_only) / args.n >= args.threshold)
            tables, times = np.unique(np.array([a_only, b_only]), axis=1, return_counts=True)
            only_a = [np.repeat([1, 0], table) for table in tables.T]     # 1: A right, B wrong
            fires = np.array([mcnemar_exact(a, 1 - a)[2] < 0.05 for a in only_a])
            return ahead, either, excludes, fires @ times / args.T

        none, some = shares(0), shares(args.gap)
        print(f"{args.n:,} questions, accuracy {args.p:.0%}, {args.disagree:.0%} differ; "
              f"{args.T:,} comparisons\n")
        print(f"{'share of comparisons (+- is Monte Carlo)':44}{'no gap':>16}"
              f"{f'gap {100 * args.gap:+.3g} points':>20}")
        win = f"{100 * args.threshold:g} points or more"
        names = (f"B ahead by {win}", f"either ahead by {win}",
                 "95 % paired interval excludes 0", "exact McNemar p < 0.05")
        for name, *row in zip(names, none, some):
            cells = [f"{x:.3f} +- {np.sqrt(x * (1 - x) / args.T):.3f}" for x in row]
            print(f"{name:44}{cells[0]:>16}{cells[1]:>20}")
        print("\nstandard error of one score, in points, if Var(p) = 0.05 and mean p(1-p) = 0.16:")
        print("  " + ", ".join(
            f"{100 * se_with_answers(args.n, K, 0.05, 0.16):.1f} with {K} answer{'s' * (K > 1)}"
            for K in (1, 5))
            + f", {100 * se_with_answers(args.n, np.inf, 0.05, 0.16):.1f} with ever more")
        print("\n" + fill(f"Two equal models: one of them leads by {win} in {none[1]:.0%} of "
                          "comparisons."))
