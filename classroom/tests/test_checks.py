"""The checks are checked: every wrong answer fails with its slip named, every right one passes.

`python classroom/corpus.py` prints the same in numbers.
"""
import re
import subprocess
import sys
import time
from pathlib import Path

import corpus
import pytest
import start
from board import bar
from tasks import HINTS, TASKS

ROOT = Path(__file__).resolve().parents[2]
WRONG, RIGHT = corpus.answers("wrong_answers"), corpus.answers("right_answers")
# One of each kind: a value, an input changed, a distribution, a tie, an order, three styles.
SAMPLE = {"clt_ci__ddof_0", "clt_ci__in_place", "paired_bootstrap_ci__separately",
          "sign_flip_p__no_tolerance", "load_pair__file_order",
          "tests_plus_one", "power_rounded_z", "load_lesson_page"}
SLOW = ("load_dict_of_rows", "ci_plain_loops", "paired_plain_loops", "tests_plain_loops",
        "noise_plain_loops", "power_search", "structure_plain_loops")


def faults(answers, seed=0):
    found = [(answer, corpus.verdict(answer, checks))
             for answer, checks in corpus.all_checked(answers, seed)]
    return [f"{answer.path.name}: {fault}" for answer, fault in found if fault]


def checks(folder, *args, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "pytest", str(ROOT / "tests"), f"--workbook={folder}", "-p",
         "no:cacheprovider", *args], cwd=cwd, text=True, capture_output=True)


def test_a_sample_of_answers_gets_its_verdicts():
    chosen = [answer for answer in WRONG + RIGHT if answer.path.stem in SAMPLE]
    assert len(chosen) == len(SAMPLE)
    assert not faults(chosen)


def test_the_corpora_are_large_and_cover_every_function():
    assert len(WRONG) >= 80 and len(RIGHT) >= 25
    every = {f for task in TASKS.values() for f in task.functions}
    assert {f for answer in WRONG for f in answer.functions} == every
    lesson = {f for task in TASKS.values() for f in task.points}
    assert lesson <= {f for answer in RIGHT for f in answer.functions}


def test_every_function_has_checks_and_a_hint():
    names = [line for path in (ROOT / "tests").glob("test_*.py")
             for line in path.read_text(encoding="utf-8").splitlines()]
    for task in TASKS.values():
        for function in task.functions:
            assert any(line.startswith(f"def test_{function}_") for line in names), function
            assert HINTS[function]
    assert set(HINTS) == {f for t in TASKS.values() for f in t.functions}


# ---- the board ----


class Report:
    def __init__(self, passed, kind=""):
        self.passed, self.kind = passed, kind


def test_the_bar_shows_every_state_that_occurs():
    right, wrong, unstarted = Report(True), Report(False, "wrong"), Report(False, "not started")
    assert bar([right] * 40 + [wrong] + [unstarted], 8) == "######x."
    assert bar([right] * 3, 8) == "########"
    assert bar([wrong, unstarted, unstarted, unstarted], 4) == "x..."


@pytest.fixture
def half(tmp_path):
    """A folder with one right, one wrong and one missing function in t1, and no paired.py."""
    files = start.workbook(stubs=start.STUBS - {"clt_ci"})
    for name in start.LESSONS:
        (tmp_path / name).write_bytes(files[name])
    (tmp_path / "load.py").write_bytes(files["load.py"])
    (tmp_path / "paired.py").unlink()
    path = tmp_path / "ci.py"
    wrong = '    return x.min(), x.max()\n'
    path.write_text(path.read_text().replace(
        "else centre - half)", "else centre)").replace(
        '    raise NotImplementedError("t1 bootstrap_ci")\n', wrong))
    return tmp_path


def test_the_board_tells_wrong_from_not_started(half):
    done = checks(half, "-m", "t1 or t2", "--hint", "--color=yes")
    assert done.returncode == 1
    assert "\x1b[31m" in done.stdout and "\x1b[33m" in done.stdout, "red and yellow when asked"
    text = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)
    lines = {line[:2]: line for line in text.splitlines()
             if line[:3] in ("t1 ", "t2 ") and "/" in line}
    assert "###xxxxx" in lines["t1"] and " 3/8 " in lines["t1"] and " 2/5 " in lines["t1"]
    assert " bootstrap_ci: " in lines["t1"] and lines["t2"].endswith("not started")
    assert "optional: 1 wrong, 1 not started\n  wilson_ci: " in text
    hints = text.partition(" hints ")[2]
    assert "bootstrap_ci: " in hints and "unpaired_diff_ci: " in hints and "clt_ci" not in hints
    assert "____ test_unpaired_diff_ci" not in text, "no failure for what is missing"
    assert max(map(len, text.partition(" board ")[2].partition(" hints ")[0]
                   .splitlines()[1:])) <= 80


@pytest.mark.prove
@pytest.mark.parametrize("body", ["raise ValueError", "return None"])
def test_a_function_that_never_answers_passes_no_check(body, tmp_path):
    every = {f for task in TASKS.values() for f in task.functions}
    lessons = {name: (ROOT / name).read_text(encoding="utf-8") for name in corpus.LESSONS}
    for name, text in start.emptied(lessons, {}, frozenset(every)).items():
        text = re.sub(r"raise NotImplementedError\(.*\)", body, text)
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = checks(tmp_path, "-q", "--ignore=tests/test_yours.py")
    scores = re.findall(r"^t\d .* (\d+)/\d+ ", done.stdout, re.M)
    assert scores == ["0"] * len(TASKS), done.stdout
    optional = sum(len(task.functions) - len(task.points) for task in TASKS.values())
    assert f"optional: {optional} wrong" in done.stdout


@pytest.mark.prove
def test_x_stops_at_the_first_wrong_answer_not_at_a_stub(half):
    (half / "load.py").unlink()
    done = checks(half, "-x", "-q")
    assert "1 failed" in done.stdout and "test_bootstrap_ci_takes" in done.stdout


# ---- all of it ----


@pytest.mark.prove
def test_every_wrong_answer_fails_and_its_slip_is_named():
    assert not faults(WRONG)


@pytest.mark.prove
def test_every_right_answer_passes():
    assert not faults(RIGHT)


@pytest.mark.prove
def test_other_data_give_the_same_verdicts():
    quick = [a for a in WRONG[::5] + RIGHT if "ignored" not in a.path.stem]
    assert not faults(quick, seed=1)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(1, 6))
def test_the_reference_passes_on_other_data(seed):
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           f"--seed={seed}", "-k", "not mine and not demo", "tests"],
                          cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.prove
def test_a_folder_of_plain_loops_passes_in_two_minutes(tmp_path):
    corpus.folder_with([a for a in RIGHT if a.path.stem in SLOW], tmp_path)
    begin = time.process_time(), time.perf_counter()
    done = checks(tmp_path, "--ignore=tests/test_yours.py", "--durations=5")
    print(done.stdout, f"{time.perf_counter() - begin[1]:.0f} s")
    assert done.returncode == 0, done.stdout
    assert time.perf_counter() - begin[1] < 120
