"""Every script as people run it: by itself, from any folder, in 80 columns, to a sentence."""
import ast
import doctest
import importlib
import re
import subprocess
import sys

import pytest
import running
from running import ROOT

LESSONS = ["load", "ci", "paired", "tests", "noise", "power", "structure", "report"]
DEMOS = ["break_it/misalign", "break_it/peek", "break_it/wrong_unit", "break_it/tune_on_test"]
OTHERS = ["make_fake", "make_real", "join"]


def run(script, *args, cwd, module=False):
    how = ["-m", script.replace("/", ".")] if module else [str(ROOT / f"{script}.py")]
    return subprocess.run([sys.executable, *how, *args], cwd=cwd, text=True, capture_output=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that is not the project, with the fake pair in it."""
    where = tmp_path_factory.mktemp("elsewhere")
    assert run("make_fake", cwd=where).returncode == 0
    return where


@pytest.mark.parametrize("script", LESSONS)
def test_lesson_prints_a_table_and_a_sentence_in_80_columns(script, folder):
    done = run(script, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.rstrip().splitlines()
    assert max(map(len, lines)) <= 80, max(lines, key=len)
    assert lines[-1].endswith("."), f"{script}.py ends in {lines[-1]!r}, not in a sentence"
    assert not re.search(r"\bnan\b|\binf\b|None", done.stdout)


@pytest.mark.parametrize("script", LESSONS + DEMOS + OTHERS)
def test_help_says_what_the_script_is_for(script, folder, monkeypatch):
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    done = running.run(f"{script}.py", "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: ")
    assert sorted(folder.iterdir()) == before, "help writes nothing"


@pytest.mark.parametrize("script", ["paired", "break_it/misalign"])
def test_script_runs_as_a_module_from_the_project(script, folder):
    done = run(script, "--help", cwd=ROOT, module=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("script", ["ci", "paired", "tests", "report"])
def test_a_missing_file_says_how_to_make_it(script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = running.run(f"{script}.py")
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: results.csv is not there; run: python make_fake.py\n"


@pytest.mark.parametrize("script", [*LESSONS, *DEMOS, "join"])
def test_an_unknown_option_is_one_line_and_exit_code_2(script, folder, monkeypatch):
    monkeypatch.chdir(folder)
    needed = ["a", "b", "-o", "c"] if script == "join" else []
    running.assert_refused(running.run(f"{script}.py", *needed, "--nonsense"), "--nonsense")


def test_make_fake_does_not_write_over_other_results(tmp_path):
    (tmp_path / "results.csv").write_text("qid,model_a,model_b\nq1,1,0\n")
    done = run("make_fake", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "results.csv").read_text() == "qid,model_a,model_b\nq1,1,0\n"


def test_a_pipe_that_closes_early_is_no_error(folder):
    command = f"'{sys.executable}' '{ROOT / 'power.py'}' | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, capture_output=True)
    assert done.stderr == ""


@pytest.mark.parametrize("lesson", ["ci", "paired"])
def test_the_examples_in_the_docstrings_hold(lesson):
    failed, tried = doctest.testmod(importlib.import_module(lesson))
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("lesson", ["load", "ci", "paired", "tests", "noise", "power", "structure"])
def test_a_lesson_imports_nothing_that_it_does_not_use(lesson, folder):
    """Modules that only another script needs would make every start slower."""
    code = (f"import sys; sys.path.insert(0, {str(ROOT)!r}); import numpy; "
            f"before = set(sys.modules); import {lesson}; print(*set(sys.modules) - before)")
    loaded = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True,
                            check=True, cwd=folder).stdout.split()
    barred = {"argparse", "json", "scipy", "matplotlib", "pandas", "statsmodels", "textwrap",
              "subprocess", "pytest"}
    assert barred.isdisjoint(loaded), barred & set(loaded)


@pytest.mark.parametrize("lesson", LESSONS)
def test_public_functions_say_what_they_return(lesson):
    tree = ast.parse((ROOT / f"{lesson}.py").read_text(encoding="utf-8"))
    sys.path.insert(0, str(ROOT / "tests"))
    from tasks import TASKS
    public = {name for task in TASKS.values() for name in task.functions}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in public:
            text = ast.get_docstring(node) or ""
            assert len(text) > 60, f"{node.name} has no docstring to learn from"
