"""t5: power.py. Exact formulas; z may be exact or rounded, n rounded up or to the nearest."""
import math
from statistics import NormalDist

from checking import check

Z = NormalDist().inv_cdf


def paired_variance(gap, disagree):
    return [disagree - gap**2]


def unpaired_variances(gap, p):
    """p (1 - p) of both models, exactly or taken at A's accuracy for both."""
    return [p * (1 - p) + (p + gap) * (1 - p - gap), 2 * p * (1 - p)]


ALPHA_IS_ONE_SIDED = "alpha is one-sided: half of it belongs to each side, z(1 - alpha / 2)"
NINETY = "z of 90 % power: 80 % needs 0.84, not 1.28"


def z_sums(alpha=0.05, power=0.8):
    """z(1 - alpha / 2) + z(power): exact, and with each rounded to 4, 3 or 2 decimals."""
    return [round(Z(1 - alpha / 2), i) + round(Z(power), j)
            for i in (15, 4, 3, 2) for j in (15, 4, 3, 2)]


Z_SUMS = z_sums()


def fair_setting(rng, gaps, others, variances):
    """(gap, other, [every right n, the exact one first]) where rounding down shows.

    gaps, others: ranges to draw the two arguments from; variances(gap, other): a list of the
    right ones. No way of rounding z and n may give what another one gives by rounding down.
    """
    while True:
        gap, other = share(rng, *gaps), share(rng, *others)
        exact = [z * z * v / gap**2 for v in variances(gap, other) for z in Z_SUMS]
        up, down = [math.ceil(n) for n in exact], [math.floor(n) for n in exact]
        if all(0.55 < n % 1 < 0.99 for n in exact) and not set(up) & set(down):
            return gap, other, up


def share(rng, low, high):
    return round(float(rng.uniform(low, high)), 4)


def near(n):
    """A test for n however it was rounded, with z exact or not."""
    return lambda got: abs(got - n) <= 1 + 0.003 * n


def loosely(n):
    """Room for rounded z and whole n, where another z is to be seen."""
    return 1 + 0.005 * n


def n_of(variance, gap, alpha=0.05, power=0.8, z=None):
    z = Z(1 - alpha / 2) + Z(power) if z is None else z
    return z * z * variance / gap**2


def usual_slips(variance, gap, alpha=0.05, power=0.8):
    """What can go wrong around any variance."""
    z_alpha, z_power = Z(1 - alpha / 2), Z(power)
    return {
        "n is rounded down: with fewer questions the power is missed":
            lambda got: got in {math.floor(z * z * variance / gap**2)
                                for z in z_sums(alpha, power)},
        "n is not whole: round it up":
            lambda got: got % 1 > 0 and near(n_of(variance, gap, alpha, power))(got),
        ALPHA_IS_ONE_SIDED: near(n_of(variance, gap, 2 * alpha, power)),
        "power is forgotten: z(power) is added to z(1 - alpha / 2)":
            near(n_of(variance, gap, z=z_alpha)),
        "the squares of the two z are added: square their sum":
            near(n_of(variance, gap, z=math.hypot(z_alpha, z_power))),
        "the z are not squared: n grows with (z + z)^2":
            near((z_alpha + z_power) * variance / gap**2),
        "gap is not squared: n grows with 1 / gap^2":
            near(n_of(variance, gap, alpha, power) * gap),
        "the gap is halved: it is the whole difference":
            near(4 * n_of(variance, gap, alpha, power)),
        "z(1 - power) is below 0: add z(power)": near(n_of(variance, gap, z=z_alpha - z_power)),
        "the gap is divided by 100: it comes as a share, 0.01 is one point":
            lambda got: abs(got / n_of(variance, gap, alpha, power) / 1e4 - 1) < 0.05,
    }


def test_n_paired_is_z_squared_variance_over_gap_squared(power, rng):
    gap, disagree, (right, *also) = fair_setting(rng, (0.03, 0.05), (0.08, 0.16), paired_variance)
    variance = disagree - gap**2
    check(power.n_paired, gap, disagree, expect=right, also=also, tol=0,
          why="(1.96 + 0.84)^2 (disagree - gap^2) / gap^2, rounded up", slips={
        **usual_slips(variance, gap),
        NINETY: near(n_of(variance, gap, power=0.9)),
        "the unpaired formula: Var(d) is disagree - gap^2":
            lambda got: any(near(n_of(v, gap))(got) for v in (
                2 * disagree * (1 - disagree), 0.42, disagree * (1 - disagree))),
    })


def test_n_paired_takes_the_gap_off_the_variance(power, rng):
    gap, disagree, (right, *also) = fair_setting(rng, (0.09, 0.11), (0.18, 0.24), paired_variance)
    variance = disagree - gap**2
    check(power.n_paired, gap, disagree, expect=right, also=also, tol=0,
          why="Var(d) = disagree - gap^2", slips={
        "gap^2 is not taken off: Var(d) is disagree - gap^2":
            lambda got: abs(got - n_of(disagree, gap)) <= 1.5,
        "gap is taken off, not gap^2: Var(d) is disagree - gap^2":
            lambda got: abs(got - n_of(disagree - gap, gap)) <= 1.5,
        "gap^2 is added: Var(d) is disagree - gap^2":
            lambda got: abs(got - n_of(disagree + gap**2, gap)) <= 1.5,
        **usual_slips(variance, gap),
    })


def test_n_paired_follows_alpha_and_power(power, rng):
    gap, disagree, alpha, aim = share(rng, 0.02, 0.04), share(rng, 0.1, 0.2), 0.01, 0.9
    variance = disagree - gap**2
    right = n_of(variance, gap, alpha, aim)
    check(power.n_paired, gap, disagree, alpha, aim, expect=math.ceil(right), tol=loosely(right),
          why="z(0.995) = 2.576 and z(0.9) = 1.282", slips={
        "alpha and power are ignored: 1.96 and 0.84 stand in the code":
            near(n_of(variance, gap)),
        "alpha is ignored: 1.96 stands in the code": near(n_of(variance, gap, power=aim)),
        "power is ignored: 0.84 stands in the code": near(n_of(variance, gap, alpha)),
        **usual_slips(variance, gap, alpha, aim),
    })


def test_n_unpaired_adds_the_variances_of_both_models(power, rng):
    gap, p, (right, *also) = fair_setting(rng, (0.06, 0.1), (0.55, 0.8), unpaired_variances)
    variances = unpaired_variances(gap, p)
    check(power.n_unpaired, gap, p, expect=right, also=also, tol=0,
          why="(1.96 + 0.84)^2 (p_A (1 - p_A) + p_B (1 - p_B)) / gap^2, rounded up", slips={
        **{likely: [slip, other] for (likely, slip), other in zip(
            usual_slips(variances[0], gap).items(), usual_slips(variances[1], gap).values())},
        NINETY: near(n_of(variances[0], gap, power=0.9)),
        "one model's variance: both scores wobble, so add two": near(n_of(p * (1 - p), gap)),
        "B's variance is taken at p - gap: B's accuracy is p + gap":
            near(n_of(unpaired_variances(-gap, p)[0], gap)),
        "gap^2 is taken off: that belongs to the paired variance":
            near(n_of(variances[0] - gap**2, gap)),
        "both models' questions together: n is for each model": near(2 * right),
        "gap and p are swapped: see the signature": near(n_of(gap * (1 - gap) * 2, p)),
        "p in place of p (1 - p): see the variance of a coin": near(n_of(2 * p, gap)),
    })


def test_n_unpaired_follows_alpha_and_power(power, rng):
    gap, p, alpha, aim = share(rng, 0.006, 0.009), share(rng, 0.45, 0.5), 0.1, 0.95
    variances = unpaired_variances(gap, p)
    right = n_of(variances[0], gap, alpha, aim)
    check(power.n_unpaired, gap, p, alpha, aim, expect=math.ceil(right), tol=loosely(right),
          why="z(0.95) = 1.645 twice", slips={
        "alpha and power are ignored: 1.96 and 0.84 stand in the code":
            near(n_of(variances[0], gap)),
        "alpha is ignored: 1.96 stands in the code": near(n_of(variances[0], gap, power=aim)),
        "power is ignored: 0.84 stands in the code": near(n_of(variances[0], gap, alpha)),
        **usual_slips(variances[0], gap, alpha, aim),
    })


def mde(n, disagree, alpha=0.05, power=0.8, z=None):
    """n g^2 = z^2 (disagree - g^2), solved for g."""
    z = Z(1 - alpha / 2) + Z(power) if z is None else z
    return z * math.sqrt(disagree / (n + z * z))


def mde_slips(n, disagree, alpha=0.05, power=0.8):
    z_alpha, z_power = Z(1 - alpha / 2), Z(power)
    z = z_alpha + z_power
    return {
        "gap^2 is not taken off: it stands on both sides of n gap^2 = z^2 (disagree - gap^2)":
            z * math.sqrt(disagree / n),
        ALPHA_IS_ONE_SIDED: mde(n, disagree, 2 * alpha, power),
        "power is forgotten: z(power) is added to z(1 - alpha / 2)": mde(n, disagree, z=z_alpha),
        "the root is forgotten: the formula gives gap^2":
            [mde(n, disagree, alpha, power) ** 2, z * disagree / (n + z * z)],
        "n + z under the root: it is n + z^2": z * math.sqrt(disagree / (n + z)),
        "z is squared: the root of z^2 is z": z * mde(n, disagree, alpha, power),
        "the unpaired variance: Var(d) is disagree - gap^2":
            z * math.sqrt(2 * disagree * (1 - disagree) / n),
    }


def test_mde_paired_solves_the_formula_for_the_gap(power, rng):
    """0.4 % covers rounded z and a search for the gap."""
    n, disagree = int(rng.integers(30, 60)), share(rng, 0.2, 0.4)
    right = mde(n, disagree)
    check(power.mde_paired, n, disagree, expect=right, tol=0.004 * right,
          why="the gap with n = (1.96 + 0.84)^2 (disagree - gap^2) / gap^2", slips={
        **mde_slips(n, disagree), NINETY: mde(n, disagree, power=0.9)})


def test_mde_paired_follows_alpha_and_power(power, rng):
    n, disagree, alpha, aim = int(rng.integers(60, 90)), share(rng, 0.3, 0.45), 0.01, 0.9
    right = mde(n, disagree, alpha, aim)
    check(power.mde_paired, n, disagree, alpha, aim, expect=right, tol=0.004 * right,
          why="z(0.995) = 2.576 and z(0.9) = 1.282", slips={
        "alpha and power are ignored: 1.96 and 0.84 stand in the code": mde(n, disagree),
        "alpha is ignored: 1.96 stands in the code": mde(n, disagree, power=aim),
        "power is ignored: 0.84 stands in the code": mde(n, disagree, alpha),
        **mde_slips(n, disagree, alpha, aim),
    })


# ---- optional ----


def mde_apart(n, p, alpha=0.05, power=0.8):
    return (Z(1 - alpha / 2) + Z(power)) * math.sqrt(2 * p * (1 - p) / n)


def test_mde_unpaired_adds_two_variances(power, rng):
    n, p = int(rng.integers(800, 1200)), share(rng, 0.6, 0.8)
    right = mde_apart(n, p)
    check(power.mde_unpaired, n, p, expect=right, tol=0.004 * right, slips={
        "one model's variance: both scores wobble, so add two": right / math.sqrt(2),
        ALPHA_IS_ONE_SIDED: mde_apart(n, p, 0.1),
        NINETY: mde_apart(n, p, power=0.9),
        "the root is forgotten: the formula gives gap^2": right**2,
    })


def test_mde_unpaired_follows_alpha_and_power(power, rng):
    n, p, alpha, aim = int(rng.integers(800, 1200)), share(rng, 0.6, 0.8), 0.1, 0.95
    right = mde_apart(n, p, alpha, aim)
    check(power.mde_unpaired, n, p, alpha, aim, expect=right, tol=0.004 * right, slips={
        "alpha and power are ignored: 1.96 and 0.84 stand in the code": mde_apart(n, p),
        "alpha is ignored: 1.96 stands in the code": mde_apart(n, p, power=aim),
        "power is ignored: 0.84 stands in the code": mde_apart(n, p, alpha),
    })


def test_n_margin_takes_equal_models(power, rng):
    margin, disagree, (right, *also) = fair_setting(rng, (0.03, 0.05), (0.08, 0.16),
                                                    lambda margin, disagree: [disagree])
    check(power.n_margin, margin, disagree, expect=right, also=also, tol=0,
          why="(1.96 + 0.84)^2 disagree / margin^2: the true gap is 0", slips={
        "the margin is taken for the true gap: equal models have Var(d) = disagree":
            lambda got: got == math.ceil(n_of(disagree - margin**2, margin)),
        **usual_slips(disagree, margin),
    })


def test_n_for_takes_any_variance(power, rng):
    variance, gap = share(rng, 0.05, 0.2), share(rng, 0.02, 0.04)
    right = n_of(variance, gap, 0.1, 0.9)
    check(power.n_for, variance, gap, 0.1, 0.9, expect=math.ceil(right), tol=loosely(right),
          why="(z(0.95) + z(0.9))^2 variance / gap^2, rounded up", slips={
        "alpha and power are ignored: 1.96 and 0.84 stand in the code":
            near(n_of(variance, gap)),
        **usual_slips(variance, gap, 0.1, 0.9),
    })
