"""The attack table, carried out: as root and as another user, with and without the kernel's help.

Every attack gets its outcome, the others in the class keep their marks, nothing survives and
nothing outside --out changes. Minutes, so it runs with `make prove`.
"""
import atexit
import csv
import functools
import hashlib
import json
import os
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "classroom"), str(HOME / "classroom" / "attacks"), str(HOME / "tests")]

import gradebook  # noqa: E402
import table  # noqa: E402

pytestmark = [pytest.mark.prove,
              pytest.mark.skipif(sys.platform != "linux", reason="attacks the Linux kernel's part")]

GRADE = str(HOME / "classroom" / "grade.py")
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65_534
HARD = {"fork_bomb", "thread_bomb", "memory_bomb", "disk_bomb", "endless_loop_that_catches_all",
        "exit_in_call", "becomes_another_user", "looks_into_the_grader", "outlives_the_grader",
        "reads_the_reference", "reads_another_submission", "reads_the_results", "network",
        "forged_passed", "deletes_its_folder", "writes_a_file_of_others", "changes_a_mode",
        "stops_itself"}


def outcome_at(attack, level):
    """What the table says for a level of isolation; "-" where it is not tried."""
    return attack.process or attack.clt_ci if level == "process" else attack.clt_ci


def grade(base, *args, user=None, python=sys.executable):
    """Run the grader on base/class as root or as nobody."""
    command = [str(python), GRADE, str(base / "class"), "--out", str(base / "out"), *args]
    (base / "tmp").mkdir(exist_ok=True)
    (base / "tmp").chmod(0o777)
    keep = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TMPDIR": str(base / "tmp"),
            "LD_LIBRARY_PATH": str(Path(python).parent.parent / "lib")}
    return subprocess.run(command, capture_output=True, text=True, user=user, group=user,
                          extra_groups=[] if user else None, env=keep)


@functools.cache
def readable_python():
    """A Python that other accounts may run: this one, or a copy of its needed parts."""
    import numpy
    ours = [Path(p).resolve() for p in (sys.executable, os.__file__, numpy.__file__)]
    if all(folder.stat().st_mode & 1 for path in ours for folder in path.parents):
        return sys.executable
    home = Path(tempfile.mkdtemp(prefix="python-"))
    home.chmod(0o755)
    library = Path(os.__file__).parent
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    shutil.copytree(library, home / "lib" / version, ignore=shutil.ignore_patterns(
        "site-packages", "test", "tests", "idlelib", "config-*", "ensurepip"))
    packages = home / "lib" / version / "site-packages"
    for folder in map(Path, site.getsitepackages()):
        for name in ("numpy", "numpy.libs", "pytest", "_pytest", "pluggy", "iniconfig",
                     "packaging", "pygments", "exceptiongroup", "tomli", "py.py",
                     "typing_extensions.py"):
            if (folder / name).is_dir():
                shutil.copytree(folder / name, packages / name)
            elif (folder / name).is_file():
                shutil.copy(folder / name, packages / name)
    for shared in library.parent.glob("libpython*.so*"):
        shutil.copy(shared, home / "lib" / shared.name)
    (home / "bin").mkdir()
    shutil.copy(Path(sys.executable).resolve(), home / "bin" / "python3")
    subprocess.run(["chmod", "-R", "a+rX", str(home)], check=True)
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return home / "bin" / "python3"


def fingerprint(*folders):
    """Everything that can be seen of the files in some folders, but for Python's caches."""
    seen = {}
    for path in (p for folder in folders for p in [folder, *folder.rglob("*")]):
        if "__pycache__" in path.parts or ".git" in path.parts or ".venv" in path.parts:
            continue
        facts = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        # A folder's own size and links change with a cache in it; its files stand for themselves.
        seen[str(path)] = (facts.st_mode, facts.st_uid, not path.is_dir() and (
            facts.st_nlink, facts.st_size, facts.st_mtime_ns, hashlib.sha256(content).hexdigest()))
    return seen


def survivors(base):
    """Processes that came out of a grader: they have its scratch folder in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.fsencode(base) in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


RUNS = {
    "as we are, full": SimpleNamespace(level="full", nobody=False, other=False, which=None),
    "as we are, process": SimpleNamespace(level="process", nobody=False, other=False, which=None),
    "root with accounts, process": SimpleNamespace(level="process", nobody=False, other=True,
                                                   which=HARD),
    "nobody, full": SimpleNamespace(level="full", nobody=True, other=True, which=HARD),
    "nobody, seccomp": SimpleNamespace(level="seccomp", nobody=True, other=True,
                                       which=HARD - {"writes_a_file_of_others"}),
    "nobody, process": SimpleNamespace(level="process", nobody=True, other=True, which=HARD),
}


def attacks_of(run):
    """Files that need no code to be wrong are read before any isolation: once is enough."""
    return [a for a in table.ATTACKS if outcome_at(a, run.level) != "-"
            and (run.which is None or a.name in run.which)
            and (run.level == "full" or a.code)]


def carried_out(label):
    """The class of a run, graded once; everything the claims below look at."""
    if RUNS[label].other and not ROOT:
        pytest.skip("only root can become somebody else")
    result, error = carry_out(label)
    assert error is None, error
    return result


@functools.cache
def carry_out(label):
    """(what came of it, None) or (None, what went wrong)."""
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        try:
            return carry_out_in(Path(folder), RUNS[label]), None
        except AssertionError as error:
            return None, f"{label}: {error}"


def carry_out_in(base, run):
    base.chmod(0o755)
    (base / "class").mkdir()
    (base / "beside").mkdir()
    (base / "beside" / "canary").write_text("alive")
    all_attacks, table.ATTACKS = table.ATTACKS, attacks_of(run)
    try:
        table.place(base / "class", base / "out", base / "beside" / "canary",
                    table.NAMES if run.which is None else table.NAMES[:2])
    finally:
        table.ATTACKS = all_attacks
    if run.nobody:
        for path in [base, *base.rglob("*")]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    watched = (base / "class", base / "beside", HOME / "tests", HOME / "classroom" / "attacks")
    before = fingerprint(*watched)
    start = time.monotonic()
    # More jobs than cores: most attacks that never end sleep, and so they wait side by side.
    done = grade(base, "--tasks", "t0,t1", "--timeout", "8", "--jobs", "4",
                 "--isolation", run.level,
                 user=NOBODY if run.nobody else None,
                 python=readable_python() if run.other else sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr
    print(f"\n{time.monotonic() - start:.0f} s, {'nobody' if run.nobody else 'as we are'}, "
          + done.stdout.splitlines()[0])
    records = {}
    for path in (base / "out" / "records").iterdir():
        record = json.loads(path.read_text(encoding="utf-8"))
        records[record["name"]] = record
    result = SimpleNamespace(run=run, said=done.stdout, records=records, alive=survivors(base),
                             before=before, after=fingerprint(*watched),
                             left=list((base / "tmp").iterdir()))
    return result


def ended(record, function):
    return {v["kind"] for check, v in record["verdicts"].items() if f"::test_{function}_" in check}


EACH = [(label, attack) for label, run in RUNS.items() for attack in attacks_of(run)]


@pytest.mark.parametrize("label, attack", EACH, ids=[f"{label}-{a.name}" for label, a in EACH])
def test_an_attack_gets_its_outcome(label, attack):
    graded = carried_out(label)
    record = graded.records[attack.name]
    if label == "root with accounts, process" and attack.name == "reads_the_results":
        return                               # --out is open to read, and the account may read it
    for function, due in (("clt_ci", outcome_at(attack, graded.run.level)),
                          ("load_pair", attack.load)):
        got = ended(record, function)
        if graded.run.level == "seccomp" and "reads" in attack.name:
            due = "passed"                   # files are open without Landlock, as the report says
        assert got and got <= set(due.split("|")), (
            f"{attack.name}: {function} ended {got}, the table says {due}: "
            f"{list(record['verdicts'].values())[:8]}")
    assert not attack.note or any(attack.note in note for note in record["notes"]), record["notes"]


@pytest.mark.parametrize("label", RUNS)
def test_the_others_in_the_class_keep_their_marks(label):
    records = carried_out(label).records
    attacks = {attack.name for attack in table.ATTACKS}
    honest = {name: record for name, record in records.items() if name not in attacks}
    assert len(honest) >= 4, f"there should be others: {list(records)}"
    for name, record in honest.items():
        wrong = {check for check, v in record["verdicts"].items() if v["kind"] != "passed"}
        assert wrong == ({c for c in record["verdicts"] if "::test_clt_ci_" in c}
                         if name == "wrong" else set()), f"{name}: {wrong}"


@pytest.mark.parametrize("label", RUNS)
def test_no_process_survives(label):
    assert carried_out(label).alive == []


@pytest.mark.parametrize("label", RUNS)
def test_nothing_outside_the_results_changes(label):
    graded = carried_out(label)
    changed = {path for path in graded.before.keys() | graded.after.keys()
               if graded.before.get(path) != graded.after.get(path)}
    assert not changed, f"changed: {sorted(changed)[:5]}"
    assert not Path("/tmp/evalstats-canary").exists(), "a zip wrote where it named"
    assert not graded.left, f"left in the temporary folder: {graded.left}"


@pytest.mark.parametrize("label", RUNS)
def test_the_report_says_how_deep_the_isolation_was(label):
    graded = carried_out(label)
    full = graded.run.level == "full"
    assert ("isolation: full" in graded.said) == full, graded.said
    assert ("OPEN" in graded.said) == (not full), graded.said


def test_less_than_full_isolation_is_refused_on_request(tmp_path):
    table.write(tmp_path / "class" / "ann")
    done = grade(tmp_path, "--tasks", "t0", "--isolation", "seccomp", "--require-isolation")
    assert done.returncode == 2 and "--require-isolation" in done.stderr, done.stdout + done.stderr
    assert not (tmp_path / "out" / "grades.csv").exists()


# ---- stopping and starting ----


def exported(out):
    """Every file of the gradebook, whole."""
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*")
            if path.is_file() and path.name not in ("run.json", ".lock")}


def test_a_grader_killed_half_way_goes_on_to_the_same_gradebook(tmp_path):
    def lay(base):
        for name in ("ann", "ben", "cy", "dee"):
            table.write(base / "class" / name)
        table.write(base / "class" / "loops",
                    ci=table.RIGHT + table.call("while True:\n    pass").encode())
        table.write(base / "class" / "wrong", ci=table.WRONG)

    args = ("--tasks", "t0,t1", "--timeout", "4", "--seed", "11", "--jobs", "2")
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    lay(whole)
    assert grade(whole, *args).returncode == 0
    lay(stopped)
    for kill in (signal.SIGKILL, signal.SIGTERM):
        (stopped / "tmp").mkdir(exist_ok=True)
        process = subprocess.Popen([sys.executable, GRADE, str(stopped / "class"), "--out",
                                    str(stopped / "out"), *args], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL,
                                   env={**os.environ, "TMPDIR": str(stopped / "tmp")})
        records = stopped / "out" / "records"
        before, end = len(list(records.glob("*.json"))), time.monotonic() + 120
        while len(list(records.glob("*.json"))) <= before and time.monotonic() < end:
            time.sleep(0.02)
        assert process.poll() is None, "it should be stopped half way"
        process.send_signal(kill)
        process.wait()
        time.sleep(0.5)
        assert survivors(stopped) == [], "a stopped grader leaves no process"
        for path in records.glob("*.json"):
            json.loads(path.read_text(encoding="utf-8"))
        assert not (stopped / "out" / "grades.csv").exists(), "it was not finished"
    done = grade(stopped, *args)
    assert "graded before" in done.stdout, done.stdout + done.stderr
    assert exported(whole / "out") == exported(stopped / "out")
    assert not list((stopped / "tmp").iterdir()), "scratch folders are left"


def test_the_seed_of_the_gradebook_repeats_the_marks(tmp_path):
    table.write(tmp_path / "class" / "ann")
    table.write(tmp_path / "class" / "wrong", ci=table.WRONG)
    assert grade(tmp_path, "--tasks", "t1").returncode == 0
    first = exported(tmp_path / "out")
    seed = first["summary.md"].decode().partition("--seed ")[2].partition(" ")[0]
    shutil.rmtree(tmp_path / "out")
    assert grade(tmp_path, "--tasks", "t1", "--seed", seed).returncode == 0
    assert exported(tmp_path / "out") == first
    assert grade(tmp_path, "--tasks", "t1", "--seed", "1").returncode == 0
    assert exported(tmp_path / "out")["grades.csv"] != first["grades.csv"], "other data, other seed"


# ---- the same verdicts as in plain pytest ----


def plain(folder, seed, checks=("",)):
    """{check: (kind, slip)} of pytest in one process, as a learner runs it."""
    code = """
import json, sys, pytest
sys.path.insert(0, sys.argv[1])
class Watch:
    said = {}
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        if call.when == "call":
            outcome = getattr(item, "outcome", None)
            kind = getattr(outcome, "kind", "wrong" if call.excinfo else "passed")
            self.said[f"{item.path.name}::{item.name}"] = kind, getattr(outcome, "likely", "")
watch = Watch()
pytest.main([*(f"{sys.argv[1]}/{check}" for check in sys.argv[4:]), "-q", "-p",
             "no:cacheprovider", f"--workbook={sys.argv[2]}", f"--seed={sys.argv[3]}"],
            plugins=[watch])
print("\\n" + json.dumps(watch.said))
"""
    done = subprocess.run([sys.executable, "-c", code, str(HOME / "tests"), str(folder), str(seed),
                           *checks], capture_output=True, text=True, cwd=folder)
    return {c: tuple(v) for c, v in json.loads(done.stdout.splitlines()[-1]).items()}


def packed(answers):
    """Lists of answers with no function twice in one, so that few folders hold them all."""
    packs = []
    for answer in answers:
        for pack in packs:
            taken = {f for other in pack for f in other.functions}
            if not taken & set(answer.functions) and (
                    answer.slip or answer.lesson not in {other.lesson for other in pack}):
                pack.append(answer)
                break
        else:
            packs.append([answer])
    return packs


def test_verdicts_on_wrong_and_right_answers_are_those_of_plain_pytest(tmp_path):
    import corpus
    packs = [pack for folder in ("wrong_answers", "right_answers")
             for pack in packed(corpus.answers(folder))]
    for number, pack in enumerate(packs):
        folder = tmp_path / "class" / f"{number:02}"
        folder.mkdir(parents=True)
        corpus.folder_with(pack, folder)
    done = grade(tmp_path, "--timeout", "60", "--seed", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    records = [json.loads((tmp_path / "out" / "records" / f"{number:02}.json").read_text())
               for number in range(len(packs))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        alones = list(pool.map(lambda r: plain(tmp_path / "class" / r["name"], r["seed"]), records))
    differ, compared = [], 0
    for number, (record, alone) in enumerate(zip(records, alones)):
        isolated = {c: (v["kind"], v["likely"]) for c, v in record["verdicts"].items()}
        assert set(alone) >= set(isolated)
        compared += len(isolated)
        for _ in range(5):
            isolated = {c: said for c, said in isolated.items() if alone[c] != said}
            if not isolated:
                break
            # An answer that draws from an unseeded generator may differ from itself: once more.
            alone = plain(tmp_path / "class" / f"{number:02}", record["seed"], isolated)
        differ += [f"{number:02} {check}: plain {alone[check]}, isolated {said}"
                   for check, said in isolated.items()]
    print(f"\n{sum(map(len, packs))} answers in {len(packs)} folders, {compared} verdicts")
    assert not differ, "\n".join(differ)


def names_of(path):
    return [row["name"] for row in csv.DictReader(open(path, encoding="utf-8-sig"))]


def test_every_name_stands_in_the_gradebook(tmp_path):
    (tmp_path / "class").mkdir()
    for name in table.NAMES:
        (tmp_path / "class" / name).mkdir()
    assert grade(tmp_path, "--tasks", "t0").returncode == 0
    shown = names_of(tmp_path / "out" / "grades.csv")
    assert len(set(shown)) == len(table.NAMES)
    assert {gradebook.cell(n) for n in shown} == set(shown), "a cell that a spreadsheet would run"
