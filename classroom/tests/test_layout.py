"""The house rules that can be read off the files."""
import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# In reading order: a lesson may import those before it.
LADDER = ("load", "ci", "paired", "tests", "noise", "power", "structure", "join", "report")
LESSONS = ("make_fake", *LADDER, "make_real")
EXTRAS = {"matplotlib"}                  # a feature each, imported where it is used
TOP = {"README.md", "measure.md", "play.html", "Makefile", "pyproject.toml", "break_it", "tests",
       "classroom", "bench", *(f"{name}.py" for name in LESSONS)}
MADE = ("results*.csv", "answers_real.csv", "runs_real.csv", "*.png", "*.json", "*.zip",
        "__pycache__", "*.egg-info", "wb", "mutants")


def tree(name):
    return ast.parse((ROOT / f"{name}.py").read_text(encoding="utf-8"))


def imports(node):
    """Top-level names of all modules imported anywhere below a node."""
    return {name.split(".")[0] for inner in ast.walk(node)
            for name in ([a.name for a in inner.names] if isinstance(inner, ast.Import) else
                         [inner.module] if isinstance(inner, ast.ImportFrom) else [])}


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_imports_only_lessons_above_it(name):
    above = LADDER[:LADDER.index(name)] if name in LADDER else ("load",)
    strange = imports(tree(name)) - {"numpy", *above} - set(sys.stdlib_module_names)
    assert strange <= EXTRAS, f"{name}.py imports {', '.join(sorted(strange - EXTRAS))}"
    at_the_top = {n for node in tree(name).body if isinstance(node, (ast.Import, ast.ImportFrom))
                  for n in imports(node)}
    assert not at_the_top & EXTRAS, f"{name}.py needs an extra before it is asked for it"


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_knows_nothing_of_its_checks(name):
    text = (ROOT / f"{name}.py").read_text(encoding="utf-8")
    for word in ("classroom", "bench/", "pytest", "checking"):
        assert word not in text, f"{name}.py mentions {word}"


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_only_defines_things_before_its_main_guard(name):
    *body, guard = tree(name).body
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef,
               ast.ClassDef)
    for node in body:
        words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        assert words or isinstance(node, allowed), f"{name}.py, line {node.lineno}, runs at import"
    assert isinstance(guard, ast.If) and ast.unparse(guard.test) == "__name__ == '__main__'"


def test_importing_every_lesson_prints_nothing_and_writes_nothing(tmp_path):
    run = subprocess.run([sys.executable, "-B", "-c",
                          f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
                          f"import {', '.join(LESSONS)}; assert tests.sign_flip_p"],
                         cwd=tmp_path, text=True, capture_output=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_tests_py_lives_beside_tests(pytestconfig):
    assert (ROOT / "tests.py").is_file()
    for folder in ("tests", "classroom", "classroom/tests", "break_it"):
        assert not (ROOT / folder / "__init__.py").exists(), (
            f"{folder}/__init__.py would hide tests.py or the checks' modules")
    assert pytestconfig.getoption("importmode") == "prepend"


def test_checks_and_own_tests_have_names_of_their_own():
    names = [path.name for folder in ("tests", "classroom/tests")
             for path in (ROOT / folder).glob("test_*.py")]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, f"{twice}: pytest imports both under one name"


def test_checks_need_nothing_but_pytest_and_numpy():
    for path in (ROOT / "tests").glob("*.py"):
        own = {p.stem for p in (ROOT / "tests").glob("*.py")}
        strange = imports(ast.parse(path.read_text(encoding="utf-8"))) - own - {
            "numpy", "pytest"} - set(sys.stdlib_module_names)
        assert not strange, f"tests/{path.name} imports {strange}"


def test_nothing_else_stands_at_the_top():
    there = {path.name for path in ROOT.iterdir()
             if path.name[0] != "." and not any(path.match(pattern) for pattern in MADE)}
    assert there <= TOP, f"{there - TOP} at the top level"
