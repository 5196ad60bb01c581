"""The one table of tasks: what stands in which file, what it is called, what it is worth.

The board, the workbook maker, the grader and the README's lesson table all read it.
"""
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parent.parent


class Task(NamedTuple):
    """What a learner fills in. Every function that is not named here is given, or goes with the
    solution it served. report.py and two demos wait for optional ones and say so."""
    file: str
    title: str
    points: dict             # function of the lesson -> points; a learner gets a stub of it
    stretch: tuple = ()      # optional: a stub too, checked, without points
    given: tuple = ()        # written already, since a script prints what it gives; checked too

    @property
    def functions(self):
        """Every function that has checks."""
        return (*self.points, *self.stretch, *self.given)


TASKS = {
    "t0": Task("load.py", "results in", {"load_pair": 1}),
    "t1": Task("ci.py", "how far one score can move", {"clt_ci": 2, "bootstrap_ci": 3},
               given=("wilson_ci",)),
    "t2": Task("paired.py", "the gap, question by question",
               {"unpaired_diff_ci": 1, "paired_diff_ci": 2, "paired_bootstrap_ci": 3},
               given=("bonett_price_ci",)),
    "t3": Task("tests.py", "could luck alone do this", {"mcnemar_exact": 3, "sign_flip_p": 3},
               ("coin_p", "bonferroni", "holm"), ("mcnemar_chi2", "mcnemar_midp")),
    "t4": Task("noise.py", 'how often identical models "win"', {"fake_pair": 2, "how_often": 3},
               ("variance_split",)),
    "t5": Task("power.py", "how many questions",
               {"n_paired": 2, "n_unpaired": 1, "mde_paired": 2},
               ("n_for", "n_margin"), ("mde_unpaired",)),
    "t6": Task("structure.py", "what was drawn independently",
               {"clustered_se": 2, "cluster_bootstrap_ci": 3, "pass_at_k": 2},
               ("pass_hat_k",), ("design_effect",)),
}


LESSONS = tuple(Path(task.file).stem for task in TASKS.values())


def function_of(test):
    """The lesson's function that test_<function>_<claim> checks, or None."""
    names = [f for task in TASKS.values() for f in task.functions if test.startswith(f"test_{f}_")]
    return max(names, key=len, default=None)


def task_of(function):
    """The task that a function of the lesson belongs to, or None."""
    return next((name for name, task in TASKS.items() if function in task.functions), None)


# pytest --hint
HINTS = {
    "load_pair": "csv.DictReader gives rows as dicts; sort the rows, then take the columns.",
    "clt_ci": "se = np.std(x, ddof=1) / np.sqrt(len(x)); go z of them to each side of the mean.",
    "bootstrap_ci": "rng = np.random.default_rng(seed); in a loop of B rounds rng.integers(n, "
                    "size=n) draws which rows; keep stat of x[drawn]. At the end "
                    "np.quantile(kept, [alpha / 2, 1 - alpha / 2]).",
    "wilson_ci": "The middle is (k + z^2 / 2) / (n + z^2), not k / n; set k = 0 to see why.",
    "unpaired_diff_ci": "Each model has its own standard error; their squares add.",
    "paired_diff_ci": "Subtract first: d = b - a is one score per question, and t1 knows the rest.",
    "paired_bootstrap_ci": "Draw the indices once per round and use them for both models; the "
                           "metric is taken of each model's scores, then subtracted.",
    "bonett_price_ci": "Count the two kinds of disagreement, add 1 to each and 2 to n, then use "
                       "the paired formula for counts.",
    "mcnemar_exact": "Only the m questions where they differ count. Sum math.comb(m, i) for i up "
                     "to the smaller count, divide by 2**m, double it, stop at 1.",
    "sign_flip_p": "A sign per question: rng.choice([-1, 1], size=n). Compare abs(mean), with >= "
                   "and a little room for rounding.",
    "coin_p": "The p of mcnemar_exact from its two counts alone; mcnemar_exact can call it.",
    "mcnemar_chi2": "(|b - c| - 1)^2 / (b + c), not below 0; math.erfc(sqrt(chi2 / 2)) is its p.",
    "mcnemar_midp": "The exact p, less the probability of just the observed count.",
    "bonferroni": "As many times as there are p-values, and never above 1.",
    "holm": "Sort; multiply the smallest by m, the next by m - 1; a later one is never smaller.",
    "fake_pair": "One draw per question decides both scores: it falls into one of four cells.",
    "how_often": "Call fake_pair T times, with one generator made before the loop.",
    "variance_split": "Variance within each question first, with ddof=1; its share in the variance "
                      "of the question means is 1 / K.",
    "n_paired": "statistics.NormalDist().inv_cdf gives both z; Var(d) is disagree - gap^2.",
    "n_unpaired": "The same formula; Var(d) becomes p (1 - p) of one model plus that of the other, "
                  "whose accuracy is p + gap.",
    "mde_paired": "Set n = z^2 (disagree - g^2) / g^2 and solve for g; g stands on both sides.",
    "mde_unpaired": "n = z^2 2 p (1 - p) / g^2, solved for g.",
    "n_for": "n_paired without its variance: let n_paired and n_unpaired call it.",
    "n_margin": "Equal models differ by 0 on average; the margin stands where the gap stood.",
    "clustered_se": "Subtract the overall mean, sum within each cluster, square those sums.",
    "cluster_bootstrap_ci": "Draw cluster names with replacement; a cluster drawn twice brings its "
                            "questions twice; then the mean over all questions drawn.",
    "pass_at_k": "math.comb gives whole numbers of any size; divide at the end.",
    "pass_hat_k": "All k tries right: count the sets of k among the c right answers.",
    "design_effect": "(clustered se with sqrt(C / (C - 1)), over std(ddof=1) / sqrt(n)), squared.",
}
