"""t3 - Could luck alone make this gap?

If the two models were equally good, swapping their names on any question would change
nothing. McNemar's test counts the questions on which they disagree, the sign-flip test
swaps names at random: both ask how often luck makes a gap as large as ours.

Uses load, ci. Next: noise.py shows how often identical models "win".
"""
import math

import numpy as np

from ci import binomial

EIGHT_COINS = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)


def mcnemar_exact(a, b):
    """Exact McNemar test of two models' right/wrong scores (McNemar 1947).

    a, b: shape (n,), 0/1, same questions. Returns (n_a_only, n_b_only, p), p two-sided.
    If the models are equally good, each of the m questions on which they disagree is a fair
    coin: p = 2 P(Binomial(m, 1/2) <= min(n_a_only, n_b_only)), at most 1. Questions on which
    they agree do not count. Conservative: at n 500 and 10 % disagreement it raises 3.7 %
    false alarms at the 5 % level. Needs independent questions.
    """
    n_a_only, n_b_only = np.count_nonzero(a > b), np.count_nonzero(b > a)
    return n_a_only, n_b_only, coin_p(n_a_only, n_b_only)


def sign_flip_p(a, b, R=20_000, seed=0):
    """Two-sided p-value of the paired permutation test, for any score.

    a, b: shape (n,). Flips the sign of each difference b - a with a coin and returns how often
    the flipped |mean| is at least the observed one: exactly with up to 16 differences other
    than 0, else (hits + 1) / (R + 1) over R random flips, which is never 0 (Phipson & Smyth
    2010). seed: an int or a numpy Generator. Exact where a and b can be exchanged; skewed
    differences at small n can raise 9 % false alarms at the 5 % level.
    """
    d = b - a
    # Sums that are equal on paper differ by rounding; without this, ties would be lost.
    tolerance = 8 * np.finfo(float).eps * (np.sum(np.abs(a)) + np.sum(np.abs(b)))
    observed = abs(np.sum(d)) - tolerance
    d = np.abs(d[d != 0])           # a question without a difference never changes a flip
    if len(d) <= 16:
        sums = np.zeros(1)
        for size in d:
            sums = np.concatenate([sums + size, sums - size])
        return np.mean(np.abs(sums) >= observed)
    rng = np.random.default_rng(seed)
    sizes, counts = np.unique(d, return_counts=True)
    if len(d) > 100 * len(sizes):
        # Of many equal differences only the number of heads counts: one binomial draw.
        heads = rng.binomial(counts, 0.5, size=(R, len(sizes)))
        sums = (2 * heads - counts) @ sizes
    else:
        sums = np.zeros(R)
        for eight in np.pad(d, (0, -len(d) % 8)).reshape(-1, 8):
            # One random byte tosses eight coins: their 256 outcomes are summed beforehand.
            sums += (EIGHT_COINS @ eight)[rng.integers(256, size=R, dtype=np.uint8)]
    return (np.sum(np.abs(sums) >= observed) + 1) / (R + 1)


def sign_test(a, b):
    """Sign test: who was better on each question, whatever by how much.

    a, b: shape (n,), any scores. Returns (n_a_better, n_b_better, p), p two-sided and exact;
    ties do not count. On right/wrong scores it is McNemar's test.
    """
    return mcnemar_exact(a, b)


def mcnemar_midp(a, b):
    """Mid-p McNemar test: equally extreme tables count half (Fagerland 2013).

    a, b: shape (n,), 0/1. Returns p; 1 if there is no disagreement. Less conservative than
    the exact test; can exceed the 5 % level slightly.
    """
    n_a_only, n_b_only, p = mcnemar_exact(a, b)
    if n_a_only + n_b_only == 0:
        return 1.0
    here = coin_probability(n_a_only, n_b_only)
    return p - (here / 2 if n_a_only == n_b_only else here)


def mcnemar_chi2(a, b):
    """McNemar's chi-square with continuity correction (Edwards 1948).

    a, b: shape (n,), 0/1. Returns (chi2, p): max(|n_a_only - n_b_only| - 1, 0)^2 / m on one
    degree of freedom; (0, 1) if there is no disagreement. Poor below m = 25.
    """
    n_a_only, n_b_only = np.count_nonzero(a > b), np.count_nonzero(b > a)
    if n_a_only + n_b_only == 0:
        return 0.0, 1.0
    chi2 = max(abs(n_a_only - n_b_only) - 1, 0) ** 2 / (n_a_only + n_b_only)
    return chi2, math.erfc(math.sqrt(chi2 / 2))


def anytime_p(n_a_only, n_b_only):
    """p-value that stays valid however often you look at the counts as they come in.

    1 / likelihood ratio of "any coin, uniformly" against "a fair coin", at most 1:
    (m + 1) C(m, n_b_only) / 2^m. By Ville's inequality it falls to 0.05 at any time in at
    most 5 % of runs of equal models. Costs power: for one look, use McNemar.
    """
    m = n_a_only + n_b_only
    return min(1.0, (m + 1) * coin_probability(n_a_only, n_b_only))


def bonferroni(p):
    """p-values adjusted for len(p) tries: len(p) * p, at most 1. Returns shape (len(p),)."""
    return np.minimum(1.0, len(p) * np.asarray(p, dtype=float))


def holm(p):
    """p-values adjusted for len(p) tries, step by step (Holm 1979): never above Bonferroni's.

    The smallest is multiplied by len(p), the next by len(p) - 1, ...; none may fall below the
    one before it. Returns shape (len(p),), in the order given.
    """
    p = np.asarray(p, dtype=float)
    order = np.argsort(p)
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(1.0, adjusted)


def coin_p(heads, tails):
    """Two-sided p-value of a fair coin, exact: 2 P(Binomial(m, 1/2) <= the smaller count)."""
    first, probabilities = binomial(heads + tails)
    return min(1.0, 2 * float(np.sum(probabilities[:max(0, min(heads, tails) - first + 1)])))


def coin_probability(heads, tails):
    """P(just these counts) for a fair coin."""
    first, probabilities = binomial(heads + tails)
    i = min(heads, tails) - first
    return float(probabilities[i]) if i >= 0 else 0.0


if __name__ == "__main__":
    from load import arguments, fill, is_right_wrong, one_line, p_text, read_results, unit
    with one_line():
        args = arguments(__doc__).parse_args()
        data = read_results(args)
        a, b = data.scores
        show = unit(a, b)
        right_wrong = is_right_wrong(a, b)
        n_a_only, n_b_only, p = mcnemar_exact(a, b)
        gap = np.mean(b) - np.mean(a)
        if abs(gap) > 1e-9:
            show = show.apart((gap, 0))         # 0.0 is for 0 alone
        print(f"{data.title}, gap {show.gap(gap)} {show.gap_name}")
        what = "only {} right" if right_wrong else "{} better"
        counts = [(what.format(name), count) for name, count in
                  zip(data.names, (n_a_only, n_b_only))]
        if right_wrong:
            counts += [("both right", np.sum(a * b)), ("both wrong", np.sum((1 - a) * (1 - b)))]
        print(fill(", ".join(f"{name}: {count:,.0f}" for name, count in counts)) + "\n")
        print(f"{'test':34}{'p':>10}")

        def row(name, p, note=""):
            print(f"{name:34}{p_text(p):>10}  {note}".rstrip())

        flip = sign_flip_p(a, b)
        row("McNemar, exact" if right_wrong else "sign test, exact", p)
        if right_wrong:
            chi2, p_chi2 = mcnemar_chi2(a, b)
            row("McNemar, mid-p", mcnemar_midp(a, b))
            row("McNemar, chi-square corrected", p_chi2, f"chi2 {chi2:.3f}")
            row("if you looked as they came in", anytime_p(n_a_only, n_b_only), "anytime-valid")
        exact = np.sum(a != b) <= 16
        row("sign flip", flip, "exact" if exact else
            f"+- {np.sqrt(flip * (1 - flip) / 20_000):.1g}, 20,000 flips")
        decides = p if right_wrong else flip
        times = ("every time" if decides > 0.995 else f"{100 * decides:.2g} times in 100"
                 if decides > 0.0001 else "less than once in 10,000 times")
        print("\n" + fill(f"If both were equally good, luck would make a gap this large {times}."))
