"""A learner's folder: what it holds, what it says, and how it turns green."""
import ast
import functools
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import start
from board import few_words
from mine import figures, fits, numbers, uneven
from tasks import TASKS, task_of

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "classroom" / "workbook.md"

# The lesson page's own stubs: other signatures, bodies of dots.
PAGE = {
    "ci.py": '''import numpy as np
from load import load_pair

def clt_ci(x: np.ndarray, z: float = 1.96) -> tuple[float, float, float]:
    """Mean, lower, upper."""
    ...

def bootstrap_ci(x: np.ndarray, stat=np.mean, B: int = 10_000,
                 alpha: float = 0.05, seed: int = 0) -> tuple[float, float]:
    """Percentile bootstrap."""
    ...
''',
    "power.py": '''def n_paired(gap: float, disagree: float, alpha=0.05, power=0.8) -> int: ...
def n_unpaired(gap: float, p: float, alpha=0.05, power=0.8) -> int: ...
def mde_paired(n: int, disagree: float, alpha=0.05, power=0.8) -> float:
    """Smallest gap detectable at this n."""
    ...
''',
}


def run(*command, cwd):
    return subprocess.run([sys.executable, *map(str, command)], cwd=cwd, text=True,
                          capture_output=True)


def checks(*args, cwd):
    return run("-m", "pytest", "-p", "no:cacheprovider", *args, cwd=cwd)


workbook_with = functools.cache(lambda stubs: start.workbook(stubs=stubs))


def filled(folder, stubs):
    """A learner's folder in which only these functions are still stubs."""
    start.write(folder, workbook_with(frozenset(stubs)))
    return folder


def with_helpers(written):
    """These functions, and the optional ones that the reference's solutions of them call."""
    bodies = {name: node for lesson in start.LESSONS
              for name, node in functions((ROOT / lesson).read_text(encoding="utf-8")).items()}
    written = start.STUBS & set(written)
    while more := start.STUBS & {n.id for f in written for n in ast.walk(bodies[f])
                                 if isinstance(n, ast.Name)} - written:
        written |= more
    return written


@pytest.fixture
def workbook(tmp_path):
    return filled(tmp_path / "wb", start.STUBS)


def board(run):
    """{task: (passed, all, what the line says last)} from what pytest printed."""
    lines = re.findall(r"^(t\d|measure)\S*\s+(?:\S+\.py\s+)?[#x.]+\s+(\d+)/(\d+)(.*)$", run.stdout,
                       re.M)
    assert lines, run.stdout + run.stderr
    return {task: (int(passed), int(every), words.strip()) for task, passed, every, words in lines}


# ---- what is in it ----


def test_every_function_of_the_table_is_a_stub_with_its_own_docstring():
    files = start.workbook()
    for name in start.LESSONS:
        ours = functions((ROOT / name).read_text(encoding="utf-8"))
        theirs = functions(files[name].decode())
        for function, node in theirs.items():
            assert ast.unparse(node.args) == ast.unparse(ours[function].args)
            assert ast.get_docstring(node) == ast.get_docstring(ours[function])
            if function in start.STUBS:
                assert ast.unparse(node.body[-1]) == (
                    f"raise NotImplementedError('{task_of(function)} {function}')")
                assert len(node.body) == 1 + (ast.get_docstring(node) is not None)
            else:
                assert ast.unparse(node) == ast.unparse(ours[function])
        wanted = {f for f in start.STUBS if TASKS[task_of(f)].file == name}
        assert wanted <= set(theirs), f"{name} lost {wanted - set(theirs)}"


def functions(source):
    return {node.name: node for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef)}


def test_helpers_and_imports_of_solutions_go_with_them():
    files = {name: files.decode() for name, files in start.workbook().items()
             if name.endswith(".py")}
    for gone in ("def resampled", "A_COUNT", "import resampled", "EIGHT_COINS", "def check_tries"):
        assert not any(gone in files[name] for name in start.LESSONS), gone
    for stays in ("def t_quantile", "def cluster_sums", "def agreement"):   # for what is given
        assert any(stays in files[name] for name in start.LESSONS), stays


def test_lessons_without_stubs_come_out_as_they_are():
    files = start.workbook(stubs=frozenset())
    for name in start.LESSONS:
        assert files[name].decode() == (ROOT / name).read_text(encoding="utf-8")


def test_the_table_names_functions_that_exist():
    for task in TASKS.values():
        there = functions((ROOT / task.file).read_text(encoding="utf-8"))
        assert set(task.functions) <= set(there)


# ---- what it says ----


def test_a_new_folder_is_not_started_and_says_so(workbook):
    done = checks(cwd=workbook)
    assert done.returncode == 1, done.stdout
    found = board(done)
    assert found.pop("t0")[:2] == (5, 5)
    assert set(found) == {"t1", "t2", "t3", "t4", "t5", "t6", "measure"}
    assert found["measure"] == (0, 19, "not started: predictions, yours, paragraph")
    assert all(passed == 0 and "not started" in words for passed, _, words in found.values())
    assert "FAILURES" not in done.stdout and "ERRORS" not in done.stdout
    assert "\x1b[" not in done.stdout, "colours outside a terminal"


@pytest.mark.parametrize("script, says", [
    ("ci", "t1 clt_ci"), ("paired", "t2 unpaired_diff_ci"), ("tests", "t3 mcnemar_exact"),
    ("noise", "t4 how_often"), ("power", "t5 n_paired"), ("structure", "clt_ci")])
def test_a_script_says_in_one_line_what_to_fill_in(workbook, script, says):
    run("make_fake.py", cwd=workbook)
    done = run(f"{script}.py", cwd=workbook)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1 and says in done.stderr, done.stderr


def test_what_is_given_runs(workbook):
    assert run("make_fake.py", cwd=workbook).returncode == 0
    assert "2 columns can be compared" in run("load.py", cwd=workbook).stdout


@pytest.mark.prove
def test_stubs_of_the_lesson_page_are_not_started(workbook):
    for name, text in PAGE.items():
        (workbook / name).write_text(text)
    done = checks("-m", "t1 or t5", cwd=workbook)
    found = board(done)
    assert {task: words.split()[-2:] for task, (_, _, words) in found.items()} == {
        "t1": ["not", "started"], "t5": ["not", "started"]}
    assert "optional: 4 not started" in done.stdout, "the page has no wilson_ci and no n_for"


@pytest.mark.prove
def test_the_worked_case_of_the_readme_is_what_happens(workbook):
    text = README.read_text(encoding="utf-8")
    slip, message, fix, line = re.findall(r"```(?:python|text)\n(.*?)```", text, re.S)
    stub = '    raise NotImplementedError("t1 clt_ci")\n'
    path = workbook / "ci.py"
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace(stub, slip), encoding="utf-8")
    assert message in checks("-m", "t1", cwd=workbook).stdout
    lines = slip.splitlines(keepends=True)
    path.write_text(source.replace(stub, lines[0] + fix + lines[2]), encoding="utf-8")
    assert line in checks("-m", "t1", cwd=workbook).stdout


# ---- writing ----


def test_a_file_that_is_there_is_never_touched(tmp_path):
    folder = tmp_path / "wb"
    folder.mkdir()
    (folder / "paired.py").write_text("mine\n")
    command = ROOT / "classroom" / "start.py", folder
    done = run(*command, cwd=tmp_path)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "paired.py is there already" in done.stderr
    assert [path.name for path in folder.iterdir()] == ["paired.py"]
    done = run(*command, "--add", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (folder / "paired.py").read_text() == "mine\n"
    assert (folder / "tests" / "conftest.py").is_file() and (folder / "ci.py").is_file()


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "wb").write_text("a file")
    done = run(ROOT / "classroom" / "start.py", "wb/inside", cwd=tmp_path)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr


# ---- slower ----


@pytest.mark.prove
def test_filling_in_one_function_at_a_time_turns_it_green(tmp_path):
    order = [f for task in TASKS.values() for f in task.points if f in start.STUBS]
    for step, function in enumerate(order):
        folder = filled(tmp_path / str(step), start.STUBS - with_helpers(order[:step + 1]))
        task = task_of(function)
        found = board(checks("-m", task, cwd=folder))[task]
        done = [f for f in TASKS[task].points if f in order[:step + 1]]
        if len(done) == len(TASKS[task].points):
            assert found[0] == found[1], f"{function}: {found}"
        else:
            assert 0 < found[0] < found[1] and "not started" in found[2], f"{function}: {found}"


@pytest.mark.prove
def test_a_full_folder_passes_and_its_optional_stubs_cost_nothing(tmp_path):
    required = {f for task in TASKS.values() for f in task.points}
    folder = filled(tmp_path / "wb", start.STUBS - with_helpers(required))
    done = checks("--ignore=tests/test_yours.py", cwd=folder)
    assert done.returncode == 0, done.stdout
    assert "not started" in done.stdout and re.search(r"^points +35/35$", done.stdout, re.M)
    assert run("make_fake.py", cwd=folder).returncode == 0
    for script in start.LESSONS:
        shown = run(script, cwd=folder)
        assert (shown.returncode, shown.stderr) == (0, ""), "a lesson waits for no optional one"


@pytest.mark.prove
def test_the_same_results_from_everywhere(tmp_path):
    written = with_helpers({"clt_ci", "paired_diff_ci", "n_paired"})
    folder = filled(tmp_path / "wb", start.STUBS - written)
    here = board(checks(cwd=folder))
    assert here["t1"][:2] == (3, 8)
    script = Path(sys.executable).parent / "pytest"
    ways = {
        "python -m pytest, from elsewhere": checks(folder, cwd=tmp_path),
        "pytest, not python -m": subprocess.run([script], cwd=folder, text=True,
                                                capture_output=True),
        "the repository's checks": checks(f"--workbook={folder}", cwd=ROOT),
        "the repository's checks from elsewhere":
            checks(ROOT / "tests", f"--workbook={folder}", cwd=tmp_path),
        "from its tests folder": checks(cwd=folder / "tests"),
        "quietly": checks("-q", cwd=folder),
    }
    for way, done in ways.items():
        assert board(done) == here, f"{way}:\n{done.stdout}{done.stderr}"
    assert board(checks("tests/test_paired.py", cwd=folder)) == {"t2": here["t2"]}
    assert board(checks("-m", "t5", cwd=folder)) == {"t5": here["t5"]}


@pytest.mark.prove
def test_a_folder_has_no_unused_import_and_no_unknown_name(workbook):
    done = run("-m", "ruff", "check", "--isolated", "--select", "F,I",
               "--line-length=100", *start.LESSONS, cwd=workbook)
    assert done.returncode == 0, done.stdout + done.stderr


# ---- the worksheet ----

PARAGRAPH = """\
> On 500 questions model B scored 75.8 % (95 % interval 72.0 to 79.6), model A 73.2 % (69.3 to
> 77.1). On the same questions B is better by 2.6 points (0.8 to 4.4); they disagreed on 21, B right
> on 17 and A on 4 (exact McNemar p 0.007). One run each, seeds not varied.
"""


def fill_in(sheet, prediction="about 1", yours=None):
    """Fill every row of measure.md: yours(quantity, mine), or mine itself."""
    lines, heads = [], []
    for line in sheet.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells[:1] == ["quantity"]:
            heads = cells
        elif heads and len(cells) == len(heads) and not set(cells[0]) <= set("-: "):
            row = dict(zip(heads, cells))
            mine = row.get("mine", "1")
            row.update(prediction=prediction, yours=yours(row["quantity"], mine) if yours else mine)
            line = f"| {' | '.join(row.values())} |"
        lines.append(PARAGRAPH.rstrip() if line.strip() == ">" else line)
    sheet.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.prove
def test_a_worksheet_is_not_started_until_it_is_filled_in(workbook):
    done = checks("-m", "measure", cwd=workbook)
    assert "not started" in board(done)["measure"][2] and "failed" not in done.stdout
    fill_in(workbook / "measure.md", yours=lambda quantity, mine: "")
    (workbook / "ci.py").unlink()
    done = checks("-m", "measure", "-rs", cwd=workbook)
    passed, every, _ = board(done)["measure"]
    assert (passed, every) == (10, 19), "predictions and the paragraph"
    assert "t0 yours: 5 of 5 rows are empty" in board(done)["measure"][2]
    (workbook / "measure.md").unlink()
    assert board(checks("-m", "measure", cwd=workbook))["measure"][0] == 0


@pytest.mark.prove
def test_yours_is_held_against_the_code(tmp_path):
    folder = filled(tmp_path / "wb", ())
    fill_in(folder / "measure.md")
    done = checks("-m", "measure", cwd=folder)
    assert board(done)["measure"][:2] == (19, 19), done.stdout
    other = {"paired, for 1 point": "32,644", "both models right": "0.362",
             "only A right": "four", "only B right": "17 | rows",
             "paired gap, points: gap, 95 % interval": "0.026, 0.008 to 0.044"}
    fill_in(folder / "measure.md", yours=lambda quantity, mine: other.get(quantity, mine))
    done = checks("-m", "measure", cwd=folder)
    assert board(done)["measure"] == (16, 19, "t0 yours: 3 rows off"), done.stdout
    for line in ("paired, for 1 point: 32,644: expected 7842 +- 10",
                 "row 5 (only B right) has 5 cells, not 4", "only A right: four: write one number",
                 "in percent or points, not as a proportion", "likely    t5 yours: 1 row off"):
        assert line in done.stdout, line


@pytest.mark.prove
def test_yours_takes_what_the_scripts_print_and_what_follows_from_it(tmp_path):
    folder = filled(tmp_path / "wb", ())
    other = {
        "A by the formula, %: score, 95 % interval": "73.2     69.3 to 77.1     69.2 to 77.0",
        "A by the bootstrap, %": "73.2, 69.2-77.0", "19 of 20 right, formula, %": "85.2–104.8",
        "share of 500 questions that a resample leaves out, %": "36.79",
        "unpaired gap, points: gap, 95 % interval": "+2,6, \u22122,8 to +8,0",
        "paired bootstrap, points": "+2.6          +0.8 to +4.4       3.6",
        "share of questions on which they differ, %": "4.2% (21 of 500 questions)",
        "width of the paired interval / width of the unpaired one": "3.6 / 10.8 = .333",
        "part of the unpaired variance that pairing leaves, %": "11.1 %",
        "two different sets of 500 near 70 %: half width of the gap, points": "5.66",
        "McNemar: only A right, only B right, exact p": "4 and 17, p = 0.00720",
        "McNemar's chi-square, corrected": "0.00883  chi2 6.857", "its p": ".00883",
        "sign-flip p, 20,000 flips (+- 0.0006)": "0.00765 +- 0.0006",
        "no gap: B ahead by 0.8 points or more, share": "31.0 %",
        "no gap: either ahead by 0.8 points or more, share": "62%",
        "no gap: exact McNemar p < 0.05, share": "0.036 +- 0.001",
        "gap of 2 points: exact McNemar p < 0.05, share": "0.247 ± 0.003",
        "5 answers each: standard error, points": "1.3 with 5 answers",
        "5 answers each are worth so many times the questions": "2.5",
        "sliders at 0.7, 3 points, 1,000: the paired interval excludes 0, share": "0.74",
        "sliders at 0.7, 3 points, 1,000: the bars do not overlap, share": "1.4\u00a0%",
        "sliders at 0.7, no gap, 500: B ahead by 0.8 points or more, share": "36.1 %",
        "paired, for 1 point": "7 842", "the same by hand, with 1.96 and 0.84": "7832",
        "unpaired, for 1 point, per model": "32'644", "design effect, planned": "2,8",
        "Var(d) = 1/9, a gap of 0.03 (Miller's example)": "968",
        "smallest gap that 500 questions show, points, paired": "3.9 points paired, 8.1 unpaired",
        "the naive 95 % interval covers, share": "0.753 +- 0.010",
        "misalign: interval of the gap, points": "-2.8 – +8.0",
        "tune: gain of the best of 20 equal prompts, points": "2.5 points",
        "peek: false alarms of one test at 1,000, share": "3.6 %",
    }
    fill_in(folder / "measure.md", yours=lambda quantity, mine: other.pop(quantity, mine))
    done = checks("-m", "measure", cwd=folder)
    assert board(done)["measure"][:2] == (19, 19), done.stdout
    assert not other, "no such row"


def test_a_cell_is_read_as_people_write_it():
    assert numbers("\u22122.8 to +8.0, .0088, 7.2e-3") == [-2.8, 8, 0.0088, 0.0072]
    assert numbers("85.2-104.8 +- 3") == [85.2, 104.8] and numbers("4,17,0.0072") == [4, 17, 0.0072]
    assert [round(half, 6) for _, half in figures("73.2, 4, 0.036")] == [0.05, 0.5, 0.0005]
    assert fits("0,036", [0.0364]) and fits("1,955", [1955]) and fits("12 345", [12_345])
    assert not fits("0", [0.4]) and not fits("0,9", [0.31]) and not fits("4", [4, 17])


def test_a_row_with_another_cell_is_named(tmp_path):
    sheet = tmp_path / "measure.md"
    sheet.write_text("## t0 - a\n| quantity | mine | yours |\n|---|---|---|\n| one | 1 | |\n"
                     "| two | 2 | 3 | rows |\n\na | b\n")
    assert uneven(sheet, "t1") == []
    assert [line[:26] for line in uneven(sheet, "t0")] == ["row 2 (two) has 4 cells, n"]


@pytest.mark.prove
@pytest.mark.parametrize("text, says", [
    ("> " + "bla 1 bla 2 " * 25, "how many questions; intervals"),
    ("> B is better.", "numbers: n, both scores"),
    (PARAGRAPH.replace("\n>", "\n"), "a line without its >"),
    (PARAGRAPH.replace(" One run each, seeds not varied.", ""), "besides what was not measured")])
def test_a_paragraph_with_a_part_missing_is_told_which(workbook, text, says):
    sheet = workbook / "measure.md"
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("\n> \n", f"\n{text}\n"),
                     encoding="utf-8")
    assert says in checks("-m", "t8", cwd=workbook).stdout


@pytest.mark.prove
def test_the_last_two_tasks_can_be_asked_for(workbook):
    for task, count in (("t7", 2), ("t8", 1)):
        done = checks("-m", task, cwd=workbook)
        assert board(done)["measure"][:2] == (0, count), done.stdout + done.stderr


def test_the_readme_names_every_optional_function():
    text = README.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for task in TASKS.values() for name in task.stretch)


def test_the_board_takes_the_first_slip_that_has_a_name():
    def report(likely, **more):
        return SimpleNamespace(function="clt_ci", passed=False, kind="wrong", likely=likely, **more)
    assert few_words([report(""), report("z is ignored: use it")]) == "clt_ci: z is ignored"
    assert few_words([report(""), report("")]) == "clt_ci: wrong"
