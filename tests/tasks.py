"""The one table of tasks: what stands in which file, what it is called, what it is worth.

The board, the workbook maker, the grader and the README's lesson table all read it.
"""
from typing import NamedTuple


class Task(NamedTuple):
    file: str
    title: str
    points: dict             # function of the lesson -> points; a learner gets a stub of it
    stretch: tuple = ()      # a stub too, optional, no points; every other function is given


TASKS = {
    "t0": Task("load.py", "results in", {"load_pair": 1}),
    "t1": Task("ci.py", "how far one score can move", {"clt_ci": 2, "bootstrap_ci": 3},
               ("wilson_ci",)),
    "t2": Task("paired.py", "the gap, question by question",
               {"unpaired_diff_ci": 1, "paired_diff_ci": 2, "paired_bootstrap_ci": 3},
               ("bonett_price_ci",)),
    "t3": Task("tests.py", "could luck alone do this", {"mcnemar_exact": 3, "sign_flip_p": 3},
               ("mcnemar_chi2", "mcnemar_midp", "bonferroni", "holm")),
    "t4": Task("noise.py", 'how often identical models "win"', {"fake_pair": 2, "how_often": 3},
               ("variance_split",)),
    "t5": Task("power.py", "how many questions",
               {"n_paired": 2, "n_unpaired": 1, "mde_paired": 2}, ("mde_unpaired",)),
    "t6": Task("structure.py", "what was drawn independently",
               {"clustered_se": 2, "cluster_bootstrap_ci": 3, "pass_at_k": 2},
               ("pass_hat_k", "design_effect")),
}


def task_of(function):
    """The task that a function of the lesson belongs to."""
    return next(name for name, task in TASKS.items()
                if function in task.points or function in task.stretch)
