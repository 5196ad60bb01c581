"""t5 - How many questions? Ask before you run.

Power is the chance to see an effect that is there. It hangs on one property of the two
models, how often they disagree, and on the gap squared: half the gap, four times the
questions.

Uses ci. Next: structure.py asks whether the questions were independent at all.
"""
import math
from statistics import NormalDist

import numpy as np

from ci import binomial

NORMAL = NormalDist()


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    """Questions that a paired comparison of right/wrong scores needs, an int, rounded up.

    gap: true difference in accuracy (0.01 is one point); disagree: share of questions on
    which the models differ. n = (z(1 - alpha/2) + z(power))^2 (disagree - gap^2) / gap^2, for
    the paired interval; an exact McNemar test needs a little more. Card et al. 2020.
    With z rounded to 1.96 and 0.84, as in hand calculations, 0.1 % smaller.
    """
    if disagree < abs(gap):
        raise ValueError(f"gap {gap:g} with disagreement {disagree:g}: two models that differ by "
                         "the gap disagree at least that often; raise the disagreement")
    return n_for(disagree - gap**2, gap, alpha, power)


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    """Questions for each model, an int, if the two answer different ones.

    p: accuracy of A; B has p + gap. The variances p (1 - p) of both take the place of
    disagree - gap^2.
    """
    if not (0 <= p <= 1 and 0 <= p + gap <= 1):
        raise ValueError(f"accuracies {p:g} and {p + gap:g} must lie between 0 and 1")
    return n_for(p * (1 - p) + (p + gap) * (1 - p - gap), gap, alpha, power)


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    """Minimum detectable effect: the smallest true gap that n questions show with this power.

    The n of n_paired solved for the gap: z sqrt(disagree / (n + z^2)), z = z(1 - alpha/2) +
    z(power). An answer above `disagree` means that no gap can be shown with so few.
    """
    z = z_sum(alpha, power)
    return z * math.sqrt(disagree / (n + z * z))


def mde_unpaired(n, p, alpha=0.05, power=0.8):
    """Minimum detectable effect with n separate questions for each model, accuracy near p."""
    return z_sum(alpha, power) * math.sqrt(2 * p * (1 - p) / n)


def n_for(variance, gap, alpha=0.05, power=0.8):
    """Questions that show a mean of `gap` when one question's difference has this variance.

    Any scores: with Var(d) 1/9 and gap 0.03 it is Miller's 969 (2024). Returns an int.
    """
    if gap == 0:
        raise ValueError("gap 0: no number of questions shows an effect that is not there")
    return max(1, math.ceil(z_sum(alpha, power) ** 2 * variance / gap**2))


def n_margin(margin, disagree, alpha=0.05, power=0.8):
    """Questions that show two equal models to be equal up to `margin`, an int.

    "No worse by more than the margin": the lower end of the 1 - alpha interval must clear
    -margin. The true gap is taken as 0.
    """
    return n_for(disagree, margin, alpha, power)


def z_sum(alpha, power):
    """What an effect must be in standard errors to be seen this often: 2.80 by default."""
    if not (0 < alpha < 1 and 0 < power < 1):
        raise ValueError(f"alpha {alpha:g} and power {power:g} must lie between 0 and 1")
    return NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf(power)


def power_paired(n, gap, disagree, alpha=0.05):
    """Chance that the 1 - alpha paired interval excludes 0, normal approximation."""
    shift = gap / math.sqrt((disagree - gap**2) / n)
    z = NORMAL.inv_cdf(1 - alpha / 2)
    return NORMAL.cdf(shift - z) + NORMAL.cdf(-shift - z)


def power_mcnemar(n, gap, disagree, alpha=0.05):
    """Chance that the exact McNemar test gives p < alpha: an exact sum, no simulation.

    The number of disagreements is Binomial(n, disagree); given m of them, the number that
    favours B is Binomial(m, (disagree + gap) / (2 disagree)).
    """
    total = 0.0
    first, chances = binomial(n, disagree)
    for m, chance in enumerate(chances, first):
        if chance < 1e-15:
            continue
        # The largest losing count that is still significant; the test is symmetric.
        k = critical_count(m, alpha)
        low, favour_b = binomial(m, (disagree + gap) / (2 * disagree))
        losses = np.arange(low, low + len(favour_b))
        total += chance * np.sum(favour_b[(losses <= k) | (losses >= m - k)])
    return float(total)


def critical_count(m, alpha):
    """The largest k for which k against m - k has an exact McNemar p below alpha, or -1."""
    first, coin = binomial(m)
    below = 2 * np.cumsum(coin[: m // 2 - first + 1]) < alpha
    return first + int(np.sum(below)) - 1


if __name__ == "__main__":
    from load import arguments, fill, one_line
    from noise import agreement
    with one_line():
        parser = arguments(__doc__, pair=False)
        for name, default, what in (("--gap", 0.01, "gap to plan for, 0.01 is one point"),
                                    ("--disagree", 0.1, "share of questions that differ"),
                                    ("--p", 0.7, "accuracy, for the unpaired figures"),
                                    ("--alpha", 0.05, "false alarms allowed"),
                                    ("--power", 0.8, "chance to see it")):
            parser.add_argument(name, type=float, default=default, help=f"{what} ({default:g})")
        parser.add_argument("--n", type=int, default=500, help="questions you have (500)")
        parser.add_argument("--margin", type=float, help='"just as good", up to this much')
        args = parser.parse_args()

        if not 1 <= args.n <= 1_000_000:
            parser.error(f"--n {args.n}: from 1 to 1,000,000 questions")
        for name, low, high in (("gap", 1e-4, 0.9999), ("disagree", 1e-4, 1), ("p", 1e-4, 0.9999),
                                ("alpha", 1e-9, 0.9999), ("power", args.alpha, 0.9999),
                                ("margin", 1e-4, 1)):
            value = getattr(args, name)
            if value is not None and not low <= (abs(value) if name == "gap" else value) <= high:
                parser.error(f"--{name} {value:g}: from {low:g} to {high:g}, such as 0.1 for 10 %")

        def points(gap):
            return f"{100 * abs(gap):.4g} point{'s' * (abs(gap) != 0.01)}"

        level = (args.alpha, args.power)
        asked = n_paired(args.gap, args.disagree, *level)       # refuses what cannot be
        rows = []
        for size in sorted({0.005, 0.01, 0.02, 0.05, abs(args.gap)}):
            gap = math.copysign(size, args.gap)
            try:
                need, apart = n_paired(gap, args.disagree, *level), n_unpaired(gap, args.p, *level)
                agreement(args.p, gap, args.disagree)
                rows.append(f"{points(gap):13}{need:>12,}{apart:>14,}"
                            f"{power_paired(args.n, gap, args.disagree, args.alpha):>17.3f}"
                            f"{power_mcnemar(args.n, gap, args.disagree, args.alpha):>17.3f}")
            except ValueError:                                  # no two models are so
                if gap == args.gap:
                    raise
        room = 1 - args.p if args.gap > 0 else args.p           # no accuracy leaves 0 to 100 %
        smallest = [f"{100 * gap:.1f}{unit}" if gap <= most else "none" for gap, most, unit in (
            (mde_paired(args.n, args.disagree, *level),
             min(args.disagree, 2 * room - args.disagree), " points"),
            (mde_unpaired(args.n, args.p, *level), room, ""))]
        equal = args.margin and n_margin(args.margin, args.disagree, *level)
        print(f"{args.disagree:.1%} of questions differ, accuracy {args.p:.0%}, power "
              f"{args.power:.0%}, false alarms {args.alpha:.1%}\n")
        print(f"{'':13}{'questions needed':^26}{f'chance to see it with {args.n:,}':^34}")
        print(f"{'true gap':13}{'paired':>12}{'unpaired':>14}{'interval':>17}{'exact McNemar':>17}")
        print("\n".join(rows) + "\n")
        print(f"smallest gap that {args.n:,} questions show: {smallest[0]} paired, "
              f"{smallest[1]} unpaired" + ": too few" * ("none" in smallest))
        if level == (0.05, 0.8):
            by_hand = 2.8**2 * (args.disagree - args.gap**2) / args.gap**2
            print(f"by hand, with 1.96 and 0.84: {by_hand:,.0f} for {points(args.gap)}")
        if equal:
            print("\n" + fill(f"To show that an equally good model is no worse by "
                              f"{points(args.margin)}, ask {equal:,} questions."))
        print(f"\nTo see a gap of {points(args.gap)}, ask both models the same {asked:,} "
              "questions;\nfor half the gap, four times as many.")
