"""Wrong and right answers against the checks: python classroom/corpus.py [NAME ...] [--seed N]

wrong_answers/: each file replaces one function of the reference; its first line names the
lesson, the function and words of the slip that a check must name. right_answers/: each
replaces some functions in another style; its first line names the lesson.
A wrong answer is seen when a check of its function fails and says those words.
"""
import argparse
import ast
import os
import shutil
import sys
import tempfile
import time
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import numpy  # noqa: F401  imported once, before the processes fork
import pytest
from tasks import TASKS, task_of

ROOT = Path(__file__).resolve().parents[1]
LESSONS = tuple(task.file for task in TASKS.values())


class Answer(NamedTuple):
    path: Path
    lesson: str              # file
    functions: tuple         # those it replaces
    slip: str                # words that a check must say; "" for a right answer


class Check(NamedTuple):
    name: str
    kind: str                # passed, wrong, crashed, ...
    likely: str


def answers(folder):
    return [read(path) for path in sorted((ROOT / "classroom" / folder).glob("*.py"))]


def read(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    head, _, slip = ast.get_docstring(tree).split("\n")[0].partition(": ")
    lesson, *named = head.split()
    functions = named or [node.name for node in tree.body if isinstance(node, ast.FunctionDef)
                          and task_of(node.name)]
    return Answer(path, lesson, tuple(functions), slip if named else "")


def merged(reference, answer):
    """The reference with the answer in the place of the functions that it defines."""
    mine = {node.name for node in ast.parse(answer).body if isinstance(node, ast.FunctionDef)}
    lines = reference.splitlines()
    theirs = [node for node in ast.parse(reference).body
              if isinstance(node, ast.FunctionDef) and node.name in mine]
    for node in reversed(theirs):
        lines[node.lineno - 1:node.end_lineno] = answer.splitlines() if node is theirs[0] else []
    return "\n".join(lines) + "\n"


def folder_with(answer_list, folder):
    """A folder of lessons: the reference, with these answers in it."""
    for name in LESSONS:
        shutil.copy(ROOT / name, folder / name)
    for answer in answer_list:
        path = folder / answer.lesson
        path.write_text(merged(path.read_text(encoding="utf-8"),
                               answer.path.read_text(encoding="utf-8")), encoding="utf-8")


def checked(answer, seed=0):
    """(answer, its Checks): only those of the functions that it replaces."""
    with tempfile.TemporaryDirectory() as folder:
        folder_with([answer], Path(folder))
        return answer, run_checks(folder, answer.functions, seed)


def run_checks(folder, functions, seed):
    """The checks of these functions on a folder, in this process: lessons stay imported."""
    found = []

    class Listen:
        def pytest_runtest_logreport(self, report):
            if report.when == "call" or report.failed:
                found.append(Check(report.nodeid.split("::")[-1],
                                   "passed" if report.passed else getattr(report, "kind", "error"),
                                   getattr(report, "likely", "") or report.longreprtext))

    files = sorted({str(ROOT / "tests" / f"test_{TASKS[task_of(f)].file}") for f in functions})
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
    pytest.main([*files, f"--workbook={folder}", "-k", " or ".join(f"test_{f}_" for f in functions),
                 f"--seed={seed}", f"--rootdir={ROOT}", "-q", "-p", "no:cacheprovider",
                 "-p", "no:hypothesispytest"], plugins=[Listen()])
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    return found


def all_checked(answer_list, seed=0):
    """(answer, Checks) of each answer, in a process of its own, two at a time."""
    with Pool(2, maxtasksperchild=1) as pool:
        yield from pool.imap(partial(checked, seed=seed), answer_list)


def verdict(answer, checks):
    """What is the matter with an answer, or "" if it got what it must get."""
    failed = [check for check in checks if check.kind != "passed"]
    if not checks:
        return "no check ran"
    if not answer.slip:
        return "".join(f"{c.name} says {c.kind}: {c.likely}; " for c in failed)
    if not failed:
        return "passes every check"
    if any(check.kind in ("error", "not started") for check in failed):
        return f"{failed[0].name}: {failed[0].kind} {failed[0].likely}"
    if not any(answer.slip in check.likely for check in failed):
        return f"slip not named ({answer.slip}); said: " + "; ".join(
            f"{c.name}: {c.likely or c.kind}" for c in failed)
    return ""


def main():
    parser = argparse.ArgumentParser(description="Run the wrong and the right answers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of file names (all)")
    parser.add_argument("--seed", type=int, default=0, help="data of the checks (0)")
    args = parser.parse_args()
    start = time.perf_counter()
    bad = 0
    for folder, good in (("wrong_answers", "fail with their slip named"),
                         ("right_answers", "pass")):
        chosen = [a for a in answers(folder)
                  if not args.names or any(name in a.path.stem for name in args.names)]
        faults = [(a, fault) for a, checks in all_checked(chosen, args.seed)
                  if (fault := verdict(a, checks))]
        for answer, fault in faults:
            print(f"{folder}/{answer.path.name}: {fault}")
        bad += len(faults)
        print(f"{folder}: {len(chosen) - len(faults)} of {len(chosen)} {good}")
    print(f"{time.perf_counter() - start:.0f} s")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
