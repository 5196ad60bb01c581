"""t2 - Two models, one set of questions: compare them question by question.

Hard questions are hard for both models. Subtracting the scores of each question removes
what the two share, so the same data give an interval several times narrower.

Uses load, ci. Next: tests.py asks whether luck alone could make the gap.
"""
import numpy as np

from ci import bootstrap_ci, clt_ci, middle, resampled


def unpaired_diff_ci(a, b, z=1.96):
    """Gap b - a and its interval as if the two models had answered different questions.

    a, b: shapes (n,) and (m,), scores. Returns (gap, low, high) in score units.
    se = sqrt(se_a^2 + se_b^2) with each se = std(ddof=1) / sqrt(n). The right formula for
    two separate sets of questions; on the same set it drops the covariance and is too wide. For
    few questions and accuracies near 0 or 1 it covers 92 to 100 % (n 10).
    """
    gap = np.mean(b) - np.mean(a)
    se = np.sqrt(np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b))
    return gap, gap - z * se, gap + z * se


def paired_diff_ci(a, b, z=1.96):
    """Gap b - a and its interval from the differences question by question.

    a, b: shape (n,), scores of the same n questions in the same order.
    Returns (gap, low, high) in score units (0.026 is 2.6 points).
    se = std(b - a, ddof=1) / sqrt(n); Miller 2024. Needs questions drawn independently (for
    clusters see structure.paired_clustered_ci) and more than a few disagreements: with none
    it has no width (see bonett_price_ci), and with 4 of 10 it covers 89 %.
    """
    return clt_ci(b - a, z)


def paired_bootstrap_ci(a, b, metric=np.mean, B=10_000, seed=0):
    """95 % percentile bootstrap interval of metric(b) - metric(a), pairs kept together.

    a, b: shape (n,) or (n, k), rows are the same questions; metric takes such rows. Every
    round draws one set of questions and scores both models on it. Returns (low, high). Needs
    some ten disagreements: with five of 100 it covers 92 %, with one of 100 53 %.

    Any metric of rows works. F1 over rows of (predicted, true), here on 8 questions:

    >>> def f1(rows):
    ...     predicted, true = rows.T
    ...     return 2 * np.sum(predicted * true) / max(1, np.sum(predicted + true))
    >>> true = np.array([1, 1, 1, 1, 0, 0, 0, 1])
    >>> a = np.column_stack([[1, 0, 1, 0, 1, 0, 0, 1], true])
    >>> b = np.column_stack([[1, 1, 1, 0, 0, 0, 0, 1], true])
    >>> low, high = paired_bootstrap_ci(a, b, f1)
    >>> print(f"F1 {f1(a):.2f} and {f1(b):.2f}, gap {low:+.2f} to {high:+.2f}")
    F1 0.67 and 0.89, gap +0.00 to +0.67
    """
    if metric is np.mean:
        # The mean of b's draws less the mean of a's is the mean of the drawn differences.
        return bootstrap_ci(b - a, B=B, seed=seed)
    rng = np.random.default_rng(seed)
    questions = np.arange(len(a))
    gaps = resampled(questions, lambda drawn: metric(np.take(b, drawn, axis=0))
                     - metric(np.take(a, drawn, axis=0)), B, rng)
    return middle(gaps)


def bonett_price_ci(a, b, z=1.96):
    """Interval of the gap b - a for right/wrong scores that never has zero width.

    a, b: shape (n,), 0/1. Returns (low, high), within -1 and 1. Adds one question to each of
    the two cells where the models disagree, and two to n (Bonett & Price 2012):
    gap* = (n_b - n_a) / (n + 2), var = ((n_a + n_b + 2) / (n + 2) - gap*^2) / (n + 2).
    200 questions without a disagreement leave +-1.37 points. On the safe side where few differ:
    covers 99 % with five disagreements in 100, 97 % with ten.
    """
    n = len(a) + 2
    a_only = np.sum(a > b) + 1
    b_only = np.sum(b > a) + 1
    gap = (b_only - a_only) / n
    half = z * np.sqrt(((a_only + b_only) / n - gap**2) / n)
    return max(gap - half, -1.0), min(gap + half, 1.0)


if __name__ == "__main__":
    from load import arguments, fill, is_right_wrong, one_line, read_results, refuse, unit
    with one_line():
        args = arguments(__doc__).parse_args()
        data = read_results(args)
        a, b = data.scores
        if data.n < 2:
            refuse(f"{data.path}: 1 question; an interval of a gap needs at least 2")
        show = unit(a, b)
        unpaired, paired = unpaired_diff_ci(a, b), paired_diff_ci(a, b)
        show = show.apart(*((x, 0) for x in paired if abs(x) > 1e-9))   # 0.0 is for 0 alone
        rows = [("unpaired", *unpaired), ("paired", *paired),
                ("paired bootstrap", paired[0], *paired_bootstrap_ci(a, b))]
        if is_right_wrong(a, b):
            rows.append(("paired, Bonett-Price", paired[0], *bonett_price_ci(a, b)))
        print(f"{data.title}, in {show.gap_name}:")
        print(fill(f"{data.names[1]} - {data.names[0]}") + "\n")
        print(f"{'':30}{'gap':>8}{'95 % interval':>22}{'width':>10}")
        for name, gap, low, high in rows:
            print(fill(f"{name:30}{show.gap(gap):>8} {show.gap_interval(low, high):>21} "
                       f"{show.score(high - low):>9}"))
        varied = np.ptp(a) > 0 and np.ptp(b) > 0
        together = f"{np.corrcoef(a, b)[0, 1]:.3f}" if varied else "none (one never varies)"
        print(f"\ncorrelation {together}, different on {np.mean(a != b):.1%} "
              f"({np.sum(a != b):,} of {data.n:,} questions)")
        _, low, high = paired
        if np.ptp(b - a) == 0:
            print("Every question has the same difference: a width of 0 is no certainty.")
        elif low <= 0 <= high:
            print("The paired interval includes 0: these questions do not show which is better.")
        else:
            print(fill(f"The paired interval excludes 0: {data.names[int(low > 0)]} is better, by "
                       f"{show.score(min(abs(low), abs(high)))} to "
                       f"{show.score(max(abs(low), abs(high)))} {show.gap_name}."))
