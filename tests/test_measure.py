"""Every "mine" number of measure.md, against what the scripts in the folder give.

Exact quantities must agree to the last digit shown, random ones to 5.5 Monte Carlo errors
(1 in 26 million fails by chance).
"""
import math
from types import SimpleNamespace

import numpy as np
import pytest
from checking import Outcome, monte_carlo
from mine import figures, rows
from tasks import HOME, LESSONS

ROWS = {row.quantity: row for row in rows(HOME / "measure.md")}
MINE = [row for row in ROWS.values() if row.mine and row.task != "break it"]

# The fake pair by its counts: both right, neither, only A, only B. Order does not matter here.
A = np.repeat([1.0, 0.0, 1.0, 0.0], [362, 117, 4, 17])
B = np.repeat([1.0, 0.0, 0.0, 1.0], [362, 117, 4, 17])
NINETEEN = np.repeat([1.0, 0.0], [19, 1])
T = 20_000
BOOTSTRAP = 0.3              # points: one step of 1 / n and the noise of 10,000 resamples


def half_width(n):
    return 196 * math.sqrt(0.7 * 0.3 / n)


def percent(interval):
    return tuple(100 * end for end in interval)


def loaded(L, folder):
    """(only A, only B, both, neither, n) of the results.csv that make_fake.py writes."""
    import subprocess
    import sys
    subprocess.run([sys.executable, str(L.folder / "make_fake.py")], cwd=folder, check=True,
                   capture_output=True)
    _, a, b = L.load.load_pair(folder / "results.csv")
    a, b = np.asarray(a), np.asarray(b)
    return (np.sum(a > b), np.sum(b > a), np.sum((a == 1) & (b == 1)),
            np.sum((a == 0) & (b == 0)), len(a))


def paired_share(L, gap):
    return L.noise.how_often(500, 0.7, gap, 0.10, 0.008, T)[1]


def either_ahead(L):
    up = L.noise.how_often(500, 0.7, 0.0, 0.10, 0.008, T, 1)[0]
    return up + L.noise.how_often(500, 0.7, 0.0, 0.10, 0.008, T, 2)[0]


def slider_disagree(gap, rho=0.7, p=0.7):
    """How often two models of this correlation differ."""
    a, b = p * (1 - p), (p + gap) * (1 - p - gap)
    return a + b - 2 * rho * math.sqrt(a * b) + gap**2


def bars_apart(L, n=1_000, gap=0.03):
    """Share of comparisons in which the two separate 95 % intervals do not overlap."""
    rng = np.random.default_rng(0)
    a_only, b_only = (slider_disagree(gap) - gap) / 2, (slider_disagree(gap) + gap) / 2
    cells = rng.multinomial(n, [0.7 - a_only, a_only, b_only, 0.3 - b_only], size=T) / n
    a, b = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
    reach = 1.96 * (np.sqrt(a * (1 - a) / (n - 1)) + np.sqrt(b * (1 - b) / (n - 1)))
    return np.mean(np.abs(b - a) > reach)


def coverage(L, clustered):
    """Share of made-up clustered evals whose 95 % interval holds the true accuracy."""
    rng, hits, evals = np.random.default_rng(0), 0, 1_000
    for _ in range(evals):
        p = np.repeat(rng.beta(2.8, 1.2, size=50), 10)     # intraclass correlation 0.2
        x = (rng.random(500) < p).astype(float)
        documents = np.repeat(np.arange(50), 10)
        se = (L.structure.clustered_se(x, documents) if clustered
              else x.std(ddof=1) / math.sqrt(500))
        hits += abs(x.mean() - 0.7) <= 1.96 * se
    return hits / evals


def width(interval):
    return interval[2] - interval[1]


# quantity: (what the code gives, tolerance beyond half of the last digit shown)
RECIPES = {
    "questions in results.csv": (lambda L: loaded(L, L.tmp)[4], 0),
    "both models right": (lambda L: loaded(L, L.tmp)[2], 0),
    "both models wrong": (lambda L: loaded(L, L.tmp)[3], 0),
    "only A right": (lambda L: loaded(L, L.tmp)[0], 0),
    "only B right": (lambda L: loaded(L, L.tmp)[1], 0),
    "A by the formula, %: score, 95 % interval": (lambda L: percent(L.ci.clt_ci(A)), 0),
    "B by the formula, %: score, 95 % interval": (lambda L: percent(L.ci.clt_ci(B)), 0),
    "A by the bootstrap, %": (lambda L: percent(L.ci.bootstrap_ci(A)), BOOTSTRAP),
    "B by the bootstrap, %": (lambda L: percent(L.ci.bootstrap_ci(B)), BOOTSTRAP),
    **{f"half width near 70 %, points, {n:,} questions{note}": (
        lambda L, n=n: half_width(n), 0) for n, note in
        ((100, ""), (500, ""), (1000, ""), (14042, " (all of MMLU)"))},
    "19 of 20 right, formula, %": (lambda L: percent(L.ci.clt_ci(NINETEEN))[1:], 0),
    "19 of 20 right, bootstrap, %": (lambda L: percent(L.ci.bootstrap_ci(NINETEEN)), 0),
    "19 of 20 right, Wilson, %": (lambda L: percent(L.ci.wilson_ci(19, 20)), 0),
    "share of 500 questions that a resample leaves out, %": (
        lambda L: 100 * (1 - 1 / 500) ** 500, 0.02),
    "unpaired gap, points: gap, 95 % interval": (
        lambda L: percent(L.paired.unpaired_diff_ci(A, B)), 0),
    "paired gap, points: gap, 95 % interval": (
        lambda L: percent(L.paired.paired_diff_ci(A, B)), 0),
    "paired bootstrap, points": (lambda L: percent(L.paired.paired_bootstrap_ci(A, B)), BOOTSTRAP),
    "correlation of the two models' scores": (lambda L: np.corrcoef(A, B)[0, 1], 0),
    "share of questions on which they differ, %": (lambda L: 100 * np.mean(A != B), 0),
    "width of the paired interval / width of the unpaired one": (
        lambda L: width(L.paired.paired_diff_ci(A, B)) / width(L.paired.unpaired_diff_ci(A, B)), 0),
    "part of the unpaired variance that pairing leaves, %": (
        lambda L: 100 * (width(L.paired.paired_diff_ci(A, B))
                         / width(L.paired.unpaired_diff_ci(A, B))) ** 2, 0),
    "two different sets of 500 near 70 %: half width of the gap, points": (
        lambda L: half_width(500) * math.sqrt(2), 0),
    "McNemar: only A right, only B right, exact p": (lambda L: L.tests.mcnemar_exact(A, B), 0),
    "McNemar's chi-square, corrected": (lambda L: L.tests.mcnemar_chi2(A, B)[0], 0),
    "its p": (lambda L: L.tests.mcnemar_chi2(A, B)[1], 0),
    "sign-flip p, 20,000 flips (+- 0.0006)": (
        lambda L: L.tests.sign_flip_p(A, B), monte_carlo(0.0072, T)),
    "no gap: B ahead by 0.8 points or more, share": (
        lambda L: L.noise.how_often()[0], monte_carlo(0.31, T)),
    "no gap: either ahead by 0.8 points or more, share": (either_ahead, 2 * monte_carlo(0.31, T)),
    "no gap: the paired interval excludes 0, share": (
        lambda L: paired_share(L, 0.0), monte_carlo(0.049, T)),
    "no gap: exact McNemar p < 0.05, share": (lambda L: L.power.power_mcnemar(500, 0.0, 0.1), 0),
    "gap of 2 points: the paired interval excludes 0, share": (
        lambda L: paired_share(L, 0.02), monte_carlo(0.293, T)),
    "gap of 2 points: exact McNemar p < 0.05, share": (
        lambda L: L.power.power_mcnemar(500, 0.02, 0.1), 0),
    "1 answer each: standard error, points": (lambda L: 100 * math.sqrt((0.05 + 0.16) / 500), 0.05),
    "5 answers each: standard error, points": (
        lambda L: 100 * math.sqrt((0.05 + 0.16 / 5) / 500), 0),
    "ever more answers each: standard error, points": (lambda L: 100 * math.sqrt(0.05 / 500), 0),
    "5 answers each are worth so many times the questions": (
        lambda L: (0.05 + 0.16) / (0.05 + 0.16 / 5), 0),
    "sliders at 0.7, 3 points, 1,000: the paired interval excludes 0, share": (
        lambda L: L.noise.how_often(1_000, 0.7, 0.03, slider_disagree(0.03), 0.008, T)[1],
        monte_carlo(0.78, T)),
    "sliders at 0.7, 3 points, 1,000: the bars do not overlap, share": (
        bars_apart, monte_carlo(0.011, T)),
    "sliders at 0.7, no gap, 500: B ahead by 0.8 points or more, share": (
        lambda L: L.noise.how_often(500, 0.7, 0.0, slider_disagree(0.0), 0.008, T)[0],
        monte_carlo(0.33, T)),
    "paired, for 1 point": (lambda L: L.power.n_paired(0.01, 0.1), 10),     # or 1.96 and 0.84
    "the same by hand, with 1.96 and 0.84": (lambda L: 2.8**2 * (0.1 - 0.01**2) / 0.01**2, 0),
    "unpaired, for 1 point, per model": (
        lambda L: L.power.n_unpaired(0.01, 0.7), 325),                      # or 2 p (1 - p)
    "questions for half a point / for one point": (
        lambda L: L.power.n_paired(0.005, 0.1) / L.power.n_paired(0.01, 0.1), 0),
    "smallest gap that 500 questions show, points, paired": (
        lambda L: 100 * L.power.mde_paired(500, 0.1), 0),
    "chance that 500 questions show 2 points, exact McNemar": (
        lambda L: L.power.power_mcnemar(500, 0.02, 0.1), 0),
    "Var(d) = 1/9, a gap of 0.03 (Miller's example)": (
        lambda L: L.power.n_paired(0.03, 1 / 9 + 0.03**2), 1),
    "design effect, planned": (lambda L: 1 + 9 * 0.2, 0),
    "500 such questions are worth": (lambda L: 500 / (1 + 9 * 0.2), 0.1),
    "the naive 95 % interval covers, share": (
        lambda L: coverage(L, False), monte_carlo(0.75, 1_000)),
    "the clustered 95 % interval covers, share": (
        lambda L: coverage(L, True), monte_carlo(0.94, 1_000)),
    "pass@5 from 3 right of 10": (lambda L: L.structure.pass_at_k(10, 3, 5), 0),
    "the shortcut 1 - (1 - c/n)^5": (lambda L: 1 - (1 - 3 / 10) ** 5, 0),
}


@pytest.fixture
def lessons(request, tmp_path):
    """All lessons in one place, as L.ci and so on."""
    return SimpleNamespace(tmp=tmp_path, folder=request.config.workbook,
                           **{name: request.getfixturevalue(name) for name in LESSONS})


@pytest.mark.measure
@pytest.mark.parametrize("row", [pytest.param(r, marks=getattr(pytest.mark, r.task), id=r.quantity)
                                 for r in MINE])
def test_mine_is_what_the_scripts_give(row, lessons):
    recipe, tolerance = RECIPES[row.quantity]
    expected, half = np.array(figures(row.mine)).T
    got = np.ravel(recipe(lessons))
    assert got.shape == expected.shape, f"{row.quantity}: {got} against mine {row.mine}"
    assert np.all(np.abs(got - expected) <= tolerance + half * 1.001), (
        f"{row.quantity}: measure.md says {row.mine}, the scripts give {got}")


@pytest.mark.measure
def test_every_mine_number_has_a_recipe_and_none_is_left_over():
    assert {row.quantity for row in MINE} == set(RECIPES)


@pytest.mark.measure
def test_every_task_has_a_table_and_eight_questions_are_folded():
    text = (HOME / "measure.md").read_text(encoding="utf-8")
    assert {row.task for row in ROWS.values()} == {*[f"t{i}" for i in range(8)], "break it"}
    assert text.count("<details>") == text.count("</details>") == 8
    assert "## t8" in text


def test_outcomes_name_their_task():
    assert str(Outcome("wrong", "clt_ci", got="1")).startswith("t1 ci.py  clt_ci")
