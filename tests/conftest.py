"""Fixtures, options and the board. The folder under test is --workbook=DIR, else the one above.

Nothing here needs more than pytest and numpy: this folder travels with the learner.
"""
from pathlib import Path

import numpy as np
import pytest
from board import is_open, print_board
from checking import Function, Outcome, Redraw
from tasks import HOME, LESSONS, TASKS, function_of, task_of


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
    for name, task in TASKS.items():
        config.addinivalue_line("markers", f"{name}: {task.file}, {task.title}")
    for name in ("t7: measure.md, a real pair", "t8: measure.md, the paragraph",
                 "measure: measure.md", "break_it: the four demos"):
        config.addinivalue_line("markers", name)


def pytest_ignore_collect(collection_path, config):
    """Here "mine" is checked against the scripts; in a learner's folder "yours" is a task."""
    here = (config.workbook / "classroom").is_dir()
    if collection_path.name in ({"test_yours.py"} if here else
                                {"test_measure.py", "test_break_it.py"}):
        return True


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


# ---- from a check to what is known about it ----


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item):
    function = function_of(item.name)
    if function:
        item.add_marker(task_of(function))          # pytest -m t3


def pytest_collection_modifyitems(items):
    """Checks in the order of the tasks; what belongs to no function stays where it is, last."""
    order = {function: i for i, function in enumerate(
        f for task in TASKS.values() for f in task.functions)}
    items.sort(key=lambda item: order.get(function_of(item.name), len(order)))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a check; where chance hides a slip, run it on other data."""
    args = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    for attempt in range(300):
        if "rng" in args:
            args["rng"] = data_of(pyfuncitem.name, pyfuncitem.config.getoption("seed"), attempt)
        try:
            pyfuncitem.obj(**args)
            return True
        except Redraw as redraw:
            hidden = redraw
            if "rng" not in args:
                break
        except Outcome as outcome:
            pyfuncitem.outcome = outcome
            if outcome.kind == "not started":
                pytest.skip(str(outcome))           # a state of its own: no failure, no -x
            raise
    raise AssertionError(f"the check finds no data that show this slip: {hidden}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when != "call":
        return
    report.function = function_of(item.name)
    report.task = task_of(report.function) if report.function else (
        "measure" if item.path.name == "test_yours.py" else None)
    outcome = getattr(item, "outcome", None)
    if outcome:
        report.kind, report.likely = outcome.kind, outcome.likely or outcome.got.split(":")[0] * (
            outcome.kind == "crashed")
        if report.failed:
            report.longrepr = str(outcome)


def pytest_report_teststatus(report):
    if getattr(report, "kind", "") == "not started":
        return "not started", "-", ("NOT STARTED", {"yellow": True})


def pytest_terminal_summary(terminalreporter, config):
    print_board(terminalreporter, checks_run(terminalreporter), config.getoption("hint"))


def pytest_sessionfinish(session, exitstatus):
    """A task that is not started is no failure to look at, yet the folder is not done."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.OK and terminal and any(
            is_open(r) and (r.task not in TASKS or r.function in TASKS[r.task].points)
            for r in checks_run(terminal)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def checks_run(terminal):
    return [r for group in terminal.stats.values() for r in group if getattr(r, "task", None)]
