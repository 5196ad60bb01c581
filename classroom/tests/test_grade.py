"""The grader, without its attacks: what travels, what is read, what is written, one small class."""
import csv
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import numpy as np
import pytest

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "classroom"), str(HOME / "classroom" / "attacks"), str(HOME / "tests")]

import checking  # noqa: E402
import gradebook  # noqa: E402
import isolation  # noqa: E402
import submissions  # noqa: E402
import table  # noqa: E402
import wire  # noqa: E402

LINUX = pytest.mark.skipif(sys.platform == "win32", reason="the grader needs POSIX")


def grade(*args):
    return subprocess.run([sys.executable, str(HOME / "classroom" / "grade.py"), *map(str, args)],
                          capture_output=True, text=True)


# ---- what travels ----


@pytest.mark.parametrize("value", [
    None, True, 3, -0.0, 1e-300, "text", (1, (2.5, [3])), np.arange(6.0).reshape(2, 3),
    np.array(["a", "b"]), np.array([], dtype=int), np.array([True, False]), np.float64(0.1),
    np.int64(3), [np.zeros(2), np.ones(3)]], ids=repr)
def test_an_argument_arrives_as_it_was(value, tmp_path):
    there = wire.asked(json.loads(json.dumps(wire.ask(value))), tmp_path)
    assert type(there) is type(value), f"{value!r} became {there!r}"
    if isinstance(value, np.ndarray):
        assert there.dtype == value.dtype and np.array_equal(there, value)
    elif not isinstance(value, list):
        assert there == value


def test_generators_files_and_functions_travel_by_state_content_and_name(tmp_path):
    def there(value):
        return wire.asked(json.loads(json.dumps(wire.ask(value))), tmp_path)

    rng = np.random.default_rng(5)
    rng.random(3)
    copy = there(rng)
    assert copy.random() == rng.random(), "the generator goes on where it was"
    for function in (np.median, checking.every_resample):
        assert there(function) is function
    source = tmp_path / "deep" / "some.csv"
    source.parent.mkdir()
    source.write_bytes(b"\xffqid\n")
    assert there(source) == tmp_path / "some.csv" and there(source).read_bytes() == b"\xffqid\n"
    with pytest.raises(TypeError):
        wire.ask(lambda x: x)


@pytest.mark.parametrize("value, arrives", [
    ((0.5, np.float64(0.25), np.int64(2)), (0.5, 0.25, 2)),
    (np.float32(0.5), 0.5), ([1, None], [1, None]), (np.array([[1, 2]]), np.array([[1, 2]])),
    (float("inf"), float("inf"))], ids=repr)
def test_an_answer_is_rebuilt_from_plain_data(value, arrives):
    back = wire.answered(json.loads(json.dumps(wire.answer(value))))
    assert type(back) is type(arrives) and np.array_equal(back, arrives), f"{back!r}"


class Close(float):
    pass


@pytest.mark.parametrize("value", [Close(1), np.ones(2).view(np.matrix), np.complex128(1j),
                                   np.ma.array([1.0])], ids=lambda v: type(v).__name__)
def test_a_number_of_a_kind_of_its_own_is_refused(value):
    with pytest.raises(wire.Refused):
        wire.answered(json.loads(json.dumps(wire.answer(value))))


@pytest.mark.parametrize("value", [{1: 2}, {1}, object(), 1j, 10**5000, len, b"x", "text"],
                         ids=lambda v: type(v).__name__)
def test_what_is_no_number_is_as_wrong_as_in_plain_pytest(value):
    there = wire.answered(json.loads(json.dumps(wire.answer(value))))
    with pytest.raises(checking.Outcome, match="plain numbers"):
        checking.as_floats(there, 0.0, "clt_ci")


@pytest.mark.parametrize("forged", [
    {"array": [1, 2], "dtype": "f", "shape": [3]}, {"array": [1], "dtype": "O", "shape": [1]},
    {"array": [[1]], "dtype": "f", "shape": [1]}, {"array": ["1"], "dtype": "f", "shape": [1]},
    {"array": [1], "dtype": "f", "shape": [-1, -1]}, {"array": 1, "dtype": "f", "shape": []},
    {"array": [2**70], "dtype": "i", "shape": [1]}, {"array": [1], "dtype": ["f"], "shape": [1]},
    {"tuple": {"a": 1}}, {"list": "abc"}, {"file": "x", "data": ""}, {"function": "exit"}, {},
    {"rng": {}}, {"tuple": [], "list": []},
    {"list": [{"list": [{"list": [{"list": [{"list": [{"list": [{"list": [{"list": [{"list": [
        {"list": []}]}]}]}]}]}]}]}]}]}], ids=repr)
def test_a_forged_answer_is_refused(forged):
    with pytest.raises(wire.Refused):
        wire.answered(forged)


@pytest.mark.parametrize("data", [
    b"not json", b"[1]", b"\xff\xfe", b'{"id": ' + b"[" * 100_000, b'{"id": ' + b"9" * 5000 + b"}"],
    ids=lambda d: repr(d[:12]))
def test_a_frame_that_is_not_a_plain_object_is_refused(data):
    with pytest.raises(wire.Refused):
        wire.unframe(len(data).to_bytes(4, "big") + data)
    with pytest.raises(wire.Refused):
        wire.unframe((wire.LIMIT + 1).to_bytes(4, "big"))


def test_frames_are_taken_one_by_one():
    two = wire.frame({"id": 1}) + wire.frame({"id": 2})
    first, rest = wire.unframe(two)
    assert first == {"id": 1} and wire.unframe(rest) == ({"id": 2}, b"")
    assert wire.unframe(two[:5]) == (None, two[:5])


# ---- what is read ----


def test_a_submission_is_found_at_any_depth_and_named_by_the_top(tmp_path):
    table.write(tmp_path / "ann")
    table.write(tmp_path / "ben" / "week 3" / "evalstats")
    table.zipped(tmp_path / "cy")
    (tmp_path / "notes.txt").write_text("no submission")
    (tmp_path / ".hidden").mkdir()
    found = submissions.find(tmp_path)
    assert list(found) == ["ann", "ben", "cy"]
    for name, path in found.items():
        files, notes = submissions.read(path)
        assert set(files) == set(table.LESSONS) and notes == [], f"{name}: {notes}"


def test_a_folder_and_a_zip_of_one_name_are_two_submissions(tmp_path):
    table.write(tmp_path / "ann")
    table.zipped(tmp_path / "ann")
    assert list(submissions.find(tmp_path)) == ["ann", "ann.zip"]


def test_the_lesson_folder_nearest_to_the_top_counts(tmp_path):
    table.write(tmp_path / "ann" / "new", ci=b"new")
    table.write(tmp_path / "ann" / "a" / "old", ci=b"old")
    files, _ = submissions.read(tmp_path / "ann")
    assert files["ci.py"] == b"new"


def test_a_zip_never_writes_where_it_names(tmp_path):
    (tmp_path / "in").mkdir()
    table.zip_slip(tmp_path / "in" / "slip")
    before = sorted(tmp_path.rglob("*"))
    files, _ = submissions.read(tmp_path / "in" / "slip.zip")
    assert set(files) == set(table.LESSONS) and sorted(tmp_path.rglob("*")) == before


def test_worksheet_counts_our_rows_and_takes_the_paragraph():
    ours = (HOME / "measure.md").read_bytes()
    sheet = submissions.worksheet(ours)
    assert sheet["predictions"] == sheet["yours"] == 0 < sheet["rows"] and not sheet["paragraph"]
    filled = ours.replace(b"| questions in results.csv | | 500 | |",
                          b"| questions in results.csv | 400 | 500 | 500 |").replace(
        b"\n> \n", "\n> B gains 2.6 points\n> (0.8 to 4.4) – é.\n".encode())
    sheet = submissions.worksheet(filled + b"\n| one of mine | 1 | 2 | 3 |\n")
    assert (sheet["predictions"], sheet["yours"]) == (1, 1)
    assert sheet["paragraph"] == "B gains 2.6 points (0.8 to 4.4) – é."
    assert submissions.worksheet(b"\xff\xfe\0")["predictions"] == 0


# ---- marks ----

PLAN = [gradebook.Check(f"test_ci.py::test_{function}_{claim}", function, "t1")
        for function, claim in (("clt_ci", "one"), ("clt_ci", "two"), ("bootstrap_ci", "three"),
                                ("wilson_ci", "four"))]


def record(*kinds, name="ann", likely="slip"):
    verdicts = {check.id: {"kind": kind, "likely": "" if kind == "passed" else likely,
                           "detail": ""} for check, kind in zip(PLAN, kinds) if kind}
    return {"name": name, "seed": 1, "notes": [], "verdicts": verdicts,
            "measure": {"rows": 9, "predictions": 1, "yours": 0, "paragraph": ""}}


def test_points_are_the_share_of_checks_and_no_report_counts_nothing():
    assert gradebook.marks(record("passed", "passed", "passed", "wrong"), PLAN) == {"t1": 5}
    assert gradebook.marks(record("passed", "wrong", "passed", "passed"), PLAN) == {"t1": 4}
    assert gradebook.marks(record("passed", None, None, None), PLAN) == {"t1": 1}
    assert gradebook.possible(PLAN) == 5


def test_an_error_of_the_grader_is_no_mark_at_all():
    broken = record("passed", "grader error", "passed", "passed")
    assert gradebook.total(gradebook.marks(broken, PLAN)) is None
    text = gradebook.grades([broken], PLAN)
    assert next(csv.DictReader(io.StringIO(text[1:])))["total"] == ""
    assert "Not graded" in gradebook.summary([broken], PLAN, {})


# ---- what is written ----


@pytest.mark.parametrize("name", table.NAMES)
def test_a_name_is_safe_in_every_file(name, tmp_path):
    mine = record("passed", "wrong", "crashed", "passed", name=submissions.printable(name),
                  likely="=HYPERLINK(\"x\")\n<b> ]]> \x00 \ud800")
    gradebook.export(tmp_path, [mine, record("passed", name="other")], PLAN, {"seed": "1"})
    for file in ("grades.csv", "items.csv"):
        for row in csv.reader(io.StringIO((tmp_path / file).read_text("utf-8-sig"))):
            assert all(cell[:1] not in tuple("=+-@\t\r") and "\n" not in cell for cell in row), row
    suites = ET.parse(tmp_path / "junit.xml").getroot()
    assert len(suites) == 2 and suites[0].get("failures") == "2"
    for folder in ("feedback", "gradescope"):
        written = list((tmp_path / folder).iterdir())
        assert len(written) == 2, f"{name!r}: {written}"
        assert all(len(os.fsencode(path.name)) < 255 and path.name[0] != "-" for path in written)
    page = (tmp_path / "feedback" / f"{gradebook.file_name(mine['name'])}.md").read_text("utf-8")
    assert "<b>" not in page and "<script>" not in page


def test_names_that_differ_get_files_that_differ():
    names = [*map(submissions.printable, table.NAMES), "a_b", "a/b", "a?b", "a:b", "x" * 121]
    files = [gradebook.file_name(name).casefold() for name in names]
    assert len(set(files)) == len(names)


def test_feedback_shows_no_value_of_the_checks():
    mine = record("wrong", "crashed", "not started", "passed")
    page = gradebook.feedback(mine, PLAN)
    assert "expected" not in page and "  - wrong: one - slip\n" in page, page
    assert "- `clt_ci`: 0 of 2 checks pass\n" in page, page
    assert "- `bootstrap_ci`: not started\n" in page, page
    assert "- `wilson_ci` (optional): 1 of 1 checks pass\n" in page, page


def test_a_write_that_fails_leaves_the_old_file_whole(tmp_path):
    gradebook.write(tmp_path / "x", "old")
    with pytest.raises(UnicodeEncodeError):
        gradebook.write(tmp_path / "x", "new \ud800")
    assert (tmp_path / "x").read_text() == "old" and len(list(tmp_path.iterdir())) == 1


# ---- the command ----


@LINUX
@pytest.mark.parametrize("args, says", [
    (["missing", "--out", "o"], "no such folder"), (["class", "--out", "class/o"], "lies in"),
    (["class/ann", "--out", "o"], "is a submission itself"),
    (["class", "--out", "o", "--tasks", "t1,t9"], "'t9'"),
    (["class", "--out", "o", "--jobs", "0"], "--jobs 0"),
    (["class", "--out", "o", "--timeout", "0"], "--timeout 0"),
    (["class", "--out", "o", "--jobs", "two"], "--jobs"), (["class"], "--out"),
    (["nobody", "--out", "o"], "no folder and no .zip"),
    (["class", "--out", "afile"], "Not a directory|File exists")], ids=lambda a: str(a)[:40])
def test_arguments_that_make_no_sense_are_refused_in_one_line(args, says, tmp_path):
    table.write(tmp_path / "class" / "ann")
    (tmp_path / "nobody").mkdir()
    (tmp_path / "afile").touch()
    run = subprocess.run([sys.executable, str(HOME / "classroom" / "grade.py"), *args],
                         capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 2 and run.stdout == "", run.stdout
    assert run.stderr.count("\n") == 1 and run.stderr.startswith("error: "), run.stderr
    assert any(part in run.stderr for part in says.split("|")), run.stderr
    assert not (tmp_path / "o").exists(), "nothing may be written"


@LINUX
def test_a_small_class_is_graded_once_and_again_only_where_something_changed(tmp_path):
    table.write(tmp_path / "class" / "ann")
    table.write(tmp_path / "class" / "ben", load=b"def load_pair(path): ...\n")
    command = (tmp_path / "class", "--out", tmp_path / "out", "--tasks", "t0")
    first = grade(*command)
    assert first.returncode == 0, first.stderr
    rows = list(csv.DictReader(open(tmp_path / "out" / "grades.csv", encoding="utf-8-sig")))
    assert [(row["name"], row["total"]) for row in rows] == [("ann", "1"), ("ben", "0")]
    assert rows[1]["not started"] != "0" and rows[0]["seed"] != rows[1]["seed"]

    with zipfile.ZipFile(tmp_path / "class" / "cy.zip", "w") as archive:
        archive.writestr("load.py", "def load_pair(*_):\n    return 1 / 0\n")
    (tmp_path / "class" / "ben" / "load.py").write_bytes((HOME / "load.py").read_bytes())
    again = grade(*command)
    assert "1 of 3 graded before and unchanged" in again.stdout, again.stdout + again.stderr
    rows = list(csv.DictReader(open(tmp_path / "out" / "grades.csv", encoding="utf-8-sig")))
    assert [row["total"] for row in rows[:2]] == ["1", "1"]
    assert rows[2]["name"] == "cy" and int(rows[2]["crashed"]) > 0


@pytest.mark.skipif(not isolation.LINUX, reason="the kernel's own numbers")
def test_numbers_of_system_calls_are_those_of_the_kernel():
    header = Path("/usr/include/asm-generic/unistd.h")
    if not header.is_file():
        pytest.skip("no kernel headers here")
    known = {line.split()[1]: line.split()[2] for line in header.read_text().splitlines()
             if line.startswith(("#define __NR_", "#define __NR3264_")) and len(line.split()) == 3}
    for call, (_, arm) in isolation.DENIED.items():
        theirs = known.get(f"__NR_{call}")
        assert theirs is None or arm == int(theirs), f"{call}: {arm} here, {theirs} in the kernel"


@LINUX
def test_an_error_of_the_grader_is_never_taken_for_one_of_the_student(tmp_path):
    import judge

    class Broken:
        def call(self, *_):
            raise judge.GraderError("the student's process did not start")

    with pytest.raises(judge.GraderError):
        checking.run(judge.Remote(Broken(), "ci", "clt_ci"), np.ones(3))


@LINUX
@pytest.mark.prove
def test_the_autograder_script_leaves_results_where_they_are_looked_for(tmp_path):
    table.write(tmp_path / "submission" / "evalstats", load=b"def load_pair(*_): ...\n")
    (tmp_path / "source").symlink_to(HOME)
    for tasks, score in (("t0", 0), ("t9", 0)):
        done = subprocess.run([str(HOME / "classroom" / "autograder" / "run_autograder"), "--tasks",
                               tasks], capture_output=True, text=True, env={
            **os.environ, "AUTOGRADER": str(tmp_path), "PYTHON": sys.executable})
        results = json.loads((tmp_path / "results" / "results.json").read_text())
        assert results["score"] == score, done.stdout + done.stderr
        assert ("tests" in results) == (tasks == "t0"), "without marks it says whom to tell"
