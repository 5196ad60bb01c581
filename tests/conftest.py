"""Fixtures, options and the board. The folder under test is --workbook=DIR, else the one above.

Nothing here needs more than pytest and numpy: this folder travels with the learner.
"""
import sys
from pathlib import Path

import numpy as np
import pytest
from checking import Function, Outcome, Redraw
from tasks import TASKS, task_of

HOME = Path(__file__).resolve().parent.parent
LESSONS = tuple(Path(task.file).stem for task in TASKS.values())


def pytest_addoption(parser):
    group = parser.getgroup("workbook")
    group.addoption("--workbook", metavar="DIR", help="check the scripts in DIR (write it with =)")
    group.addoption("--seed", type=int, default=0, help="other data for the checks (default: 0)")
    group.addoption("--hint", action="store_true", help="a hint for what is not right yet")


def pytest_configure(config):
    folder = Path(config.getoption("workbook") or HOME).resolve()
    if not folder.is_dir():
        raise pytest.UsageError(f"--workbook={folder}: there is no such folder")
    config.workbook = folder
    if not hasattr(config, "lesson_function"):      # a grader puts its own in another process
        config.lesson_function = Function
    # Only the folder under test may provide a lesson: a missing file is missing.
    sys.path[:] = [str(folder)] + [p for p in sys.path if Path(p or ".").resolve() != HOME]


class Lesson:
    """Stands for a lesson's module: its attributes can be called, nothing is imported yet."""

    def __init__(self, config, module):
        self.config, self.module = config, module

    def __getattr__(self, name):
        return self.config.lesson_function(self.config.workbook, self.module, name)


def lesson_fixture(module):
    @pytest.fixture(name=module)
    def fixture(request):
        return Lesson(request.config, module)
    return fixture


for _module in LESSONS:
    globals()[f"fixture_{_module}"] = lesson_fixture(_module)


@pytest.fixture
def rng(request):
    """Data of a check: the same for the same --seed and check, whatever else runs."""
    return data_of(request.node.name, request.config.getoption("seed"))


def data_of(name, seed, attempt=0):
    return np.random.default_rng([seed, attempt, *name.encode()])


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a check; where chance hides a slip, run it on other data."""
    args = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    for attempt in range(50):
        if "rng" in args:
            args["rng"] = data_of(pyfuncitem.name, pyfuncitem.config.getoption("seed"), attempt)
        try:
            pyfuncitem.obj(**args)
            return True
        except Redraw as redraw:
            if "rng" not in args:
                raise AssertionError(f"the check cannot see this slip: {redraw}") from None
    raise AssertionError("the check found no data that show every slip")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.function = function_of(item.name)
    if call.excinfo is not None and isinstance(call.excinfo.value, Outcome):
        report.kind, report.likely = call.excinfo.value.kind, call.excinfo.value.likely
        report.longrepr = str(call.excinfo.value)


def function_of(test):
    """The lesson's function that test_<function>_<claim> checks, or None."""
    names = [f for task in TASKS.values() for f in (*task.points, *task.stretch)
             if test.startswith(f"test_{f}_")]
    return max(names, key=len, default=None)


def pytest_report_teststatus(report):
    if getattr(report, "kind", "") == "not started":
        return "not started", "-", "NOT STARTED"


def pytest_terminal_summary(terminalreporter):
    print_board(terminalreporter)


def print_board(terminal):
    """One line a task: bar, passed / all, points, and the first slip in a few words."""
    reports = [r for group in terminal.stats.values() for r in group
               if getattr(r, "when", "") == "call" and getattr(r, "function", None)]
    if not reports:
        return
    terminal.section("board")
    for name, task in TASKS.items():
        mine = [r for r in reports if task_of(r.function) == name]
        if not mine:
            continue
        passed = sum(r.passed for r in mine)
        terminal.write_line(f"{name}  {task.file:14}{passed:>3} / {len(mine)}")
