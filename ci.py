"""t1 - A score is a sample: how far can it move?

Other questions of the same kind would have given another score. The formula says how
far it typically moves; the bootstrap says it for any metric, by drawing the questions
again from the ones we have. With few questions, or a score near 0 or 100 %, both fail
and Wilson's interval does not.

Uses load. Next: paired.py compares two models question by question.
"""
from functools import cache
from statistics import NormalDist

import numpy as np

BLOCK = 1 << 16         # scores resampled at a time: memory stays flat, and in cache
A_COUNT = 30            # counting how often a score turns up costs as much as so many draws


def clt_ci(x, z=1.96):
    """Mean score and its interval by the central limit theorem.

    x: shape (n,), one score per question. Returns (mean, low, high) in score units.
    se = std(x, ddof=1) / sqrt(n); interval mean -+ z se; z = 1.96 for 95 %.
    Assumes questions drawn independently. Too narrow for few questions or 0/1 scores
    near the ends: at n 30 and accuracy 0.95 it covers 78 %, and it can leave [0, 1]. Skewed
    real scores (exponential, lognormal): 81 to 88 % at n 10.
    """
    mean = np.mean(x)
    se = np.std(x, ddof=1) / np.sqrt(len(x))
    return mean, mean - z * se, mean + z * se


def bootstrap_ci(x, stat=np.mean, B=10_000, alpha=0.05, seed=0):
    """Percentile bootstrap interval of any statistic (Efron 1979).

    x: shape (n,) or (n, k), rows are questions; stat takes such rows and returns a number.
    Draws n rows with replacement B times; returns (low, high), the alpha/2 and 1 - alpha/2
    quantiles of stat over the draws. seed: an int or a numpy Generator.
    Where the formula fails for few 0/1 scores this fails too (zero width when all are equal);
    at n 10 it covers 81 % of skewed and 90 % of normal scores.

    >>> seconds = np.array([0.4, 0.5, 0.5, 0.6, 0.7, 0.9, 1.4, 2.5, 8.0])
    >>> low, high = bootstrap_ci(seconds, np.median)
    >>> print(f"median {np.median(seconds)} s, 95 % interval {low} to {high} s")
    median 0.7 s, 95 % interval 0.5 to 2.5 s
    """
    return middle(resampled(x, stat, B, seed), alpha)


def middle(draws, alpha=0.05):
    """(low, high) that hold the middle 1 - alpha of draws: quantiles, linear between neighbours.

    What np.quantile gives. Only the neighbours of the two places are put in order.
    """
    if missing := np.sum(np.isnan(draws)):
        raise ValueError(f"{missing:,} of {len(draws):,} resamples gave no number (NaN): let stat "
                         "return one for every resample")
    places = np.array([alpha / 2, 1 - alpha / 2]) * (len(draws) - 1)
    near = np.unique([np.floor(places), np.ceil(places)]).astype(int)
    low, high = np.interp(places, near, np.partition(draws, near)[near])
    return low, high


def resampled(x, stat=np.mean, B=10_000, seed=0):
    """stat of B resamples of the rows of x: shape (B,), or (B, k) for the mean of (n, k) rows."""
    rng = np.random.default_rng(seed)
    n = len(x)
    if stat is np.mean and np.ndim(x) == 1:
        values, counts = tally(np.asarray(x, dtype=float))
        if len(values) == 2:
            # How many of n draws are right is binomial; how often each number of right ones
            # turns up among B resamples is one multinomial draw.
            first, chances = binomial(n, counts[1] / n)
            right = first + np.arange(len(chances))
            means = (values[0] * (n - right) + values[1] * right) / n
            return rng.permutation(np.repeat(means, rng.multinomial(B, chances)))
        if n > A_COUNT * len(values):
            # How often each score turns up among n draws is one multinomial draw.
            return rng.multinomial(n, counts / n, size=B) @ values / n
    if stat is np.mean and n > BLOCK:
        return resampled_means_of_many(x, B, rng)
    step = max(1, BLOCK // n)
    blocks = (rng.integers(n, size=(min(step, B - done), n)) for done in range(0, B, step))
    if stat is np.mean or (stat is np.median and np.ndim(x) == 1):      # a block in one call
        columns = np.ascontiguousarray(np.transpose(x))
        return np.concatenate([stat(columns.take(drawn, axis=-1), axis=-1).T for drawn in blocks])
    return np.array([stat(np.take(x, drawn, axis=0)) for block in blocks for drawn in block])


def tally(x):
    """Different scores and how often each is there; x itself where nearly all differ.

    Two different scores are found without sorting, many from the first ones.
    """
    values = np.array([np.min(x), np.max(x)])
    counts = np.array([np.count_nonzero(x == value) for value in values])
    if np.sum(counts) == len(x):
        return values, counts
    if len(x) <= A_COUNT * len(np.unique(x[:BLOCK])):
        return x, np.ones(len(x))
    return np.unique(x, return_counts=True)


def resampled_means_of_many(x, B, rng):
    """Means of B resamples of x, piece by piece: drawing from all of it would leave the cache.

    How many of the n draws fall into each piece is one multinomial draw.
    """
    n, columns = len(x), np.ascontiguousarray(np.transpose(x))
    pieces = np.array_split(columns, 1 + 2 * n // BLOCK, axis=-1)
    sizes = [piece.shape[-1] for piece in pieces]
    return np.array([
        sum(piece.take(rng.integers(size, size=count), axis=-1).sum(axis=-1)
            for piece, size, count in zip(pieces, sizes, counts))
        for counts in rng.multinomial(n, np.divide(sizes, n), size=B)]) / n


def binomial(n, share=0.5):
    """Probabilities of Binomial(n, share) around its mode: (first, probabilities).

    probabilities[i] = P(first + i). Neighbours differ by a known factor, so they are built
    outwards from the mode and divided by their sum: no factorial overflows, and a million
    costs milliseconds. Leaves out what lies 40 standard deviations away (below 1e-300).
    """
    mode = min(n, int((n + 1) * share))
    reach = 40 + int(40 * np.sqrt(n * share * (1 - share)))
    up = np.arange(mode, min(n, mode + reach))
    down = np.arange(mode, max(0, mode - reach), -1)
    above = np.cumprod((n - up) * share / ((up + 1) * (1 - share)))
    below = np.cumprod(down * (1 - share) / ((n - down + 1) * share))
    weights = np.concatenate([below[::-1], [1.0], above])
    return mode - len(below), weights / weights.sum()


def wilson_ci(k, n, z=1.96):
    """Interval of an accuracy from k right of n (Wilson 1927).

    Returns (low, high): the accuracies p from which k / n lies within z sqrt(p (1 - p) / n).
    Stays in [0, 1], has width at k = 0 and k = n, and covers 94 % where the formula covers
    78 % (n 30, accuracy 0.95). Dips remain: 90 % at n 10 and accuracy 0.99.
    """
    if not 0 <= k <= n or n < 1:
        raise ValueError(f"{k} right of {n} questions: needs 0 <= k <= n and n >= 1")
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4)
    return (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)


def t_cdf(t, df):
    """P(T <= t) for Student's t with df >= 1 degrees of freedom, to 1e-12."""
    start = min(np.arcsinh(abs(t) / np.sqrt(df)), 300)      # beyond, its square is no number
    tail = t_area(start, df) / t_area(0, df) / 2
    return tail if t < 0 else 1 - tail


def t_area(start, df):
    """Integral of cosh(u)^-df from start to infinity: the tail of t, with t = sqrt(df) sinh(u).

    In u the density is smooth for every df, so Gauss-Legendre quadrature on eight pieces is
    exact to rounding. Past `end` it is below 1e-14 of what it is at the start.
    """
    end = np.arcsinh(np.sqrt(np.expm1(np.log1p(np.sinh(start) ** 2) + 68 / df)))
    nodes, weights = leggauss(20)
    half = (end - start) / 16
    u = start + half * (np.arange(1, 16, 2)[:, None] + nodes)
    return half * np.sum(weights * np.exp(-df / 2 * np.log1p(np.sinh(u) ** 2)))


@cache
def leggauss(degree):
    """Nodes and weights of Gauss-Legendre quadrature; finding them takes longer than the rest."""
    return np.polynomial.legendre.leggauss(degree)


def t_quantile(p, df):
    """The t with P(T <= t) = p, to 1e-10: 1.96's place for few clusters, runs or questions.

    12.71 for one degree of freedom at p = 0.975, 2.57 for five, 1.98 for a hundred; df need
    not be whole. Newton's method from the normal quantile: the cdf bends downwards to the
    right of 0, so that each step climbs towards the answer and none jumps over it.
    """
    if not 0 < p < 1 or df < 1:
        raise ValueError(f"t_quantile(p={p}, df={df}) needs 0 < p < 1 and df >= 1")
    if p < 0.5:
        return -t_quantile(1 - p, df)
    t = NormalDist().inv_cdf(p)
    for _ in range(100):
        density = (1 + t * t / df) ** (-(df + 1) / 2) / (2 * np.sqrt(df) * t_area(0, df))
        step = (p - t_cdf(t, df)) / density
        t += step
        if abs(step) <= 1e-12 * t:
            break
    return t


if __name__ == "__main__":
    from load import arguments, clip, fill, is_right_wrong, one_line, read_results, unit
    with one_line():
        args = arguments(__doc__).parse_args()
        data = read_results(args, models=1)
        half_widths = [clt_ci(x)[2] - x.mean() for x in data.scores if np.ptp(x) > 0]
        show = unit(*data.scores).apart(*((half, 0) for half in half_widths))
        right_wrong = is_right_wrong(*data.scores)
        wide = 16 if right_wrong else 24        # two columns have more room than three

        def row(name, x):
            formula = show.interval(*clt_ci(x)[1:]) if len(x) > 1 else "needs 2"
            wilson = show.interval(*wilson_ci(x.sum(), len(x))) if right_wrong else ""
            return fill(f"{clip(name, 19):20}{show.score(x.mean()):>8} {formula:>{wide}} "
                        f"{show.interval(*bootstrap_ci(x)):>{wide}} {wilson:>16}".rstrip())

        rows = [row(name, x) for name, x in zip(data.names, data.scores)]
        if args.file is None:
            rows.append(row("19 of 20 right", np.repeat([1.0, 0.0], [19, 1])))
        print(f"{data.title}: scores and 95 % intervals, {show.name}\n")
        print(f"{'':20}{'score':>8} {'formula':>{wide}} {'bootstrap':>{wide}}"
              + f"{'Wilson':>17}" * right_wrong)
        print("\n".join(rows))
        if args.file is None:
            sizes = (100, 500, 1000, 14042)
            print("\nhalf width at 70 %, points: " + ", ".join(
                f"{196 * np.sqrt(0.7 * 0.3 / n):#.2g} at {n:,}" for n in sizes))
        print()
        for name, x in zip(data.names, data.scores):
            if np.ptp(x) == 0:
                what = ("all scores are equal, so the formula's SE is 0 by construction; that"
                        if data.n > 1 else "the bootstrap's width of 0")
                print(fill(f"{name}: {what} is no certainty"
                           + (": read Wilson." * right_wrong or ".")))
        if right_wrong or np.ptp(x) > 0:
            low, high = (wilson_ci(x.sum(), data.n) if right_wrong else bootstrap_ci(x))
            others = f"{data.n:,} other questions" if data.n > 1 else "Another question"
            print(fill(f"{others} could have moved {name} by about {show.score((high - low) / 2)} "
                       f"{show.gap_name} either way."))
        else:
            what = "Equal scores" if data.n > 1 else "One question"
            print(fill(f"{what} cannot tell how far {name} could move."))
