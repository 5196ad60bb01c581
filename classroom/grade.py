"""Grade a class: `python classroom/grade.py SUBMISSIONS --out DIR`.

Each folder or zip in SUBMISSIONS is one submission. Its code runs in a process of its own that may
do next to nothing (isolation.py, worker.py); another one, which never touches that code, runs the
checks and decides (judge.py). This file finds what there is to do, keeps --jobs of them going, and
writes what came out. It can be stopped and started again at any moment.
"""
import argparse
import base64
import hashlib
import json
import os
import platform
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

CLASSROOM = Path(__file__).resolve().parent
HOME = CLASSROOM.parent
sys.path[:0] = [str(CLASSROOM), str(HOME / "tests")]

try:
    import isolation
except ImportError:                          # there is no `resource` on Windows
    sys.exit("error: grade.py needs Linux or macOS; on Windows run it in WSL")
import gradebook  # noqa: E402
import submissions  # noqa: E402
from tasks import TASKS, task_of  # noqa: E402

TIMES = 20                   # a whole submission may take so many times what a check may
PATIENCE = 90                # seconds beyond that before a judge counts as hung
TRIES = 2                    # for a submission that meets an error of the grader


class Refused(Exception):
    """Cannot grade like this: one line, exit code 2."""


def refuse(message):
    raise Refused(message)


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)    # as Ctrl-C: clean up, then end
    try:
        args = arguments()
        todo = find(args)
        with locked(args.out):
            return grade(args, todo)
    except Refused as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        return 130


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0],
                                     epilog=__doc__.split("\n", 1)[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = refuse
    add = parser.add_argument
    add("submissions", metavar="SUBMISSIONS", type=Path, help="a folder of folders and zips")
    add("--out", metavar="DIR", type=Path, required=True, help="where the gradebook goes")
    add("--tasks", metavar="t1,t2", default=",".join(TASKS), help="only these (default: all)")
    add("--seed", metavar="N", type=int, help="draw the data as in the run that printed this seed")
    add("--jobs", metavar="N", type=int, default=cores(), help="at a time (default: one a core)")
    add("--timeout", metavar="S", type=float, default=30.0,
        help=f"seconds a check may take (30); a submission may take {TIMES} times that")
    add("--memory", metavar="MB", type=int, default=1024,
        help="memory of a student's code (1024)")
    add("--isolation", choices=("full", "seccomp", "process"), default="full",
        help="use no more than this of what the machine has (default: full)")
    add("--require-isolation", action="store_true", help="refuse to grade with less than full")
    return parser.parse_args()


def cores():
    return len(os.sched_getaffinity(0)) if isolation.LINUX else os.cpu_count() or 1


def grade(args, todo):
    with Run(args) as run:
        run.rehearse()
        for submission in todo:
            submission.load(run)
        work = [s for s in todo if s.record is None]
        if len(work) < len(todo):
            print(f"{len(todo) - len(work)} of {len(todo)} graded before and unchanged")
        run.work_on(work)
    records = [s.record for s in todo]
    gradebook.export(args.out, records, run.plan, run.facts())
    again = [f"{r['name']} ({why})" for r in records if (why := grader_error(r))]
    print(f"{len(records)} submissions -> {args.out}: grades.csv, items.csv, summary.md, "
          "paragraphs.md, junit.xml, feedback/, gradescope/")
    if again:
        print(f"error: {len(again)} not graded by an error of the grader, such as {again[0]}; "
              "run the same command again", file=sys.stderr)
    return 1 if again else 0


def find(args):
    """The Submissions to grade; refuses arguments that make no sense."""
    folder, out = args.submissions, args.out
    if not folder.is_dir():
        raise Refused(f"{folder}: there is no such folder of submissions")
    if isolation.is_inside(out, folder):
        raise Refused(f"--out {out} lies in {folder}: results must lie outside the submissions")
    if any((folder / name).is_file() for name in submissions.LESSONS):
        raise Refused(f"{folder} is a submission itself: give the folder above it (one folder "
                      f"that you trust: pytest --workbook={folder})")
    unknown = [task for task in args.tasks.split(",") if task not in TASKS]
    if unknown:
        raise Refused(f"--tasks {args.tasks}: there is no task {unknown[0]!r}; "
                      f"there are {', '.join(TASKS)}")
    for option, least in (("jobs", 1), ("timeout", 0.1), ("memory", 64), ("seed", 0)):
        value = getattr(args, option)
        if value is not None and value < least:
            raise Refused(f"--{option} {value}: must be at least {least}")
    found = submissions.find(folder)
    if not found:
        raise Refused(f"{folder}: no folder and no .zip in it; each student's goes there")
    return [Submission(name, path) for name, path in found.items()]


@contextmanager
def locked(out):
    """One grader at a time in a folder of results."""
    import fcntl
    try:
        out.mkdir(parents=True, exist_ok=True)
        with open(out / ".lock", "w") as f:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
    except BlockingIOError:
        raise Refused(f"{out}: another grader is at work there") from None
    except OSError as error:
        if error.filename is None or not str(error.filename).startswith(str(out)):
            raise
        raise Refused(f"--out {out}: {error.strerror}") from None


def grader_error(record):
    """What went wrong on our side, or ""."""
    return next((gradebook.clean(v["detail"])[:200] or "unknown"
                 for v in record["verdicts"].values() if v["kind"] == "grader error"), "")


class Submission:
    """What a student handed in, and the record of its verdicts once there is one."""

    def __init__(self, name, path):
        self.name, self.path, self.record, self.tries = name, path, None, 0

    def load(self, run):
        """The files, read now; an earlier record if nothing that matters has changed since."""
        files, self.notes = submissions.read(self.path)
        self.seed = derived(run.seed, self.name)
        self.measure = submissions.worksheet(files.pop("measure.md", b""))
        self.key = digest([self.name, self.seed, self.notes, self.measure, run.setting, {
            name: hashlib.sha256(data).hexdigest() for name, data in files.items()}])
        self.place = run.args.out / "records" / f"{gradebook.file_name(self.name)}.json"
        try:
            record = json.loads(self.place.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return files
        if record.get("key") == self.key and not grader_error(record):
            self.record = record
        return files

    def finish(self, verdicts):
        self.record = {"name": self.name, "key": self.key, "seed": self.seed,
                       "notes": self.notes, "measure": self.measure, "verdicts": verdicts}
        gradebook.write(self.place, json.dumps(self.record, indent=1))


def derived(seed, name):
    """The seed of a submission's data: nobody who does not know the run's seed can guess it."""
    return int(digest([seed, name])[:12], 16) % 10**12


def digest(what):
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


class Job:
    """A judge at work on one submission."""

    def __init__(self, run, slot, files, seed):
        self.folder = Path(tempfile.mkdtemp(prefix=f"job{slot}-", dir=run.scratch))
        self.folder.chmod(0o711)             # the worker's account must get to its own folder
        self.started = time.monotonic()
        question = {
            "files": {name: base64.b64encode(data).decode() for name, data in files.items()},
            "seed": seed, "tasks": run.tasks, "timeout": run.args.timeout,
            "total": TIMES * run.args.timeout, "memory": run.args.memory,
            "depth": run.args.isolation, "scratch": str(self.folder), "parent": os.getpid(),
            "account": isolation.account(slot), "hidden": run.hidden}
        # Files without a name: there is no path by which a student's code could reach them.
        self.said, self.errors = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        with tempfile.TemporaryFile("w+") as asked:
            json.dump(question, asked)
            asked.seek(0)
            self.process = subprocess.Popen(
                [sys.executable, "-I", str(CLASSROOM / "judge.py")], stdin=asked,
                stdout=self.said, stderr=self.errors, cwd=self.folder, start_new_session=True,
                env={**{k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH")},
                     "LANG": "C.UTF-8", "TMPDIR": str(self.folder), "OPENBLAS_NUM_THREADS": "1",
                     "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
        self.limit = TIMES * run.args.timeout + PATIENCE

    def done(self):
        if time.monotonic() - self.started > self.limit:
            self.process.kill()
            self.process.wait()
        return self.process.poll() is not None

    def result(self):
        """(verdicts, what isolation was reached), or (None, why there are none)."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with self.said, self.errors:
            self.said.seek(0)
            self.errors.seek(0)
            try:
                said = json.load(self.said)
                if said["exit"] in (0, 1):       # pytest came to the end: all passed, or some
                    return said["verdicts"], said["reached"]
                return None, f"pytest ended with {said['exit']}: {said['printed'].strip()}"
            except (ValueError, KeyError):
                last = self.errors.read().strip().rpartition("\n")[2]
                return None, f"judge ended with {self.process.returncode}: {last}"


class Run:
    """All that the jobs of one command share."""

    def __init__(self, args):
        self.args = args
        self.tasks = [task for task in TASKS if task in args.tasks.split(",")]
        self.hidden = [str(p.resolve()) for p in (HOME, args.out, args.submissions, Path.home())]

    def __enter__(self):
        # Records of an earlier run in this folder are of use only with its seed. Its scratch
        # folder is left over if it was killed.
        self.memory = self.args.out / "run.json"
        try:
            before = json.loads(self.memory.read_text())
            if os.path.basename(before["scratch"]).startswith("evalstats-"):
                shutil.rmtree(before["scratch"], ignore_errors=True)
        except (OSError, ValueError, KeyError):
            before = {}
        self.seed = self.args.seed
        if self.seed is None:
            self.seed = before.get("seed", secrets.randbelow(10**9))
        self.scratch = tempfile.mkdtemp(prefix="evalstats-")
        os.chmod(self.scratch, 0o711)
        gradebook.write(self.memory, json.dumps({"seed": self.seed, "scratch": self.scratch}))
        os.chmod(self.memory, 0o600)
        if isolation.LINUX:                  # what a killed judge leaves behind comes to us
            isolation.prctl(isolation.CHILD_SUBREAPER, 1)
        return self

    def __exit__(self, *_):
        isolation.sweep()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def rehearse(self):
        """Grade the reference as if it were a student's: the plan, and what isolation there is."""
        files = {name: (HOME / name).read_bytes() for name in submissions.LESSONS}
        job = Job(self, 0, files, derived(self.seed, ""))
        while not job.done():
            time.sleep(0.02)
        verdicts, self.reached = job.result()
        if verdicts is None:
            raise Refused(f"the checks do not run: {self.reached}")
        from conftest import function_of
        self.plan = [gradebook.Check(id, function := function_of(id.partition("::")[2]),
                                     task_of(function)) for id in verdicts]
        order = [f for task in TASKS.values() for f in task.functions]
        self.plan.sort(key=lambda check: order.index(check.function))
        for check in self.plan:
            said = verdicts[check.id]
            if said["kind"] != "passed":
                raise Refused(f"the reference solution fails {check.id}: {gradebook.words(said)}; "
                              "mend that first")
        full = self.reached["files"].startswith("Landlock") and all(
            self.reached[p] == "seccomp" for p in ("network", "processes"))
        keeps = ", ".join(f"{promise} by {self.reached[promise]}" if self.reached[promise] else
                          f"{promise} OPEN" for promise in isolation.PROMISES)
        self.isolation = f"{'full' if full else 'not full'} ({keeps})"
        print(f"isolation: {self.isolation}")
        if self.args.require_isolation and not full:
            raise Refused(f"--require-isolation: this machine gives less ({keeps})")
        sources = sorted([*(HOME / "tests").glob("*.py"), *CLASSROOM.glob("*.py")])
        import numpy
        self.setting = [self.tasks, self.args.timeout, self.args.memory, self.reached,
                        platform.python_version(), numpy.__version__,
                        [hashlib.sha256(p.read_bytes()).hexdigest() for p in sources]]

    def work_on(self, work):
        """Keep the slots busy until every submission has a record."""
        queue, running, free = list(reversed(work)), {}, list(range(self.args.jobs))
        bar = Bar(len(work))
        while queue or running:
            while queue and free:
                submission, slot = queue.pop(), free.pop()
                submission.tries += 1
                running[slot] = submission, Job(self, slot, submission.load(self), submission.seed)
            for slot, (submission, job) in list(running.items()):
                if not job.done():
                    continue
                del running[slot]
                free.append(slot)
                verdicts, reached = job.result()
                if verdicts is None or reached != self.reached:
                    why = reached if verdicts is None else "isolation differs from the rehearsal's"
                    verdicts = {c.id: {"kind": "grader error", "likely": "", "detail": why}
                                for c in self.plan}
                submission.finish(verdicts)
                if grader_error(submission.record) and submission.tries < TRIES:
                    queue.append(submission)
                else:
                    bar.finished(submission.name)
            bar.show([submission.name for submission, _ in running.values()])
            time.sleep(0.02)
        bar.end()

    def facts(self):
        limits = (f"{self.args.timeout:g} s a check, {TIMES * self.args.timeout:g} s a submission,"
                  f" {self.args.memory} MB")
        return {"tasks": ", ".join(self.tasks), "isolation": self.isolation, "limits": limits,
                "seed of the run": f"{self.seed} (grade.py --seed {self.seed} draws the same data; "
                "the seed of a submission stands in grades.csv: pytest --seed=...)"}


class Bar:
    """Progress on stderr: a line that moves on a terminal, else a line per submission."""

    def __init__(self, count):
        self.count, self.done, self.start = count, 0, time.monotonic()
        self.moves = sys.stderr.isatty()
        self.shown = 0.0

    def finished(self, name):
        self.done += 1
        if not self.moves:
            print(f"{self.done}/{self.count} {gradebook.clean(name)}", file=sys.stderr)

    def show(self, names):
        now = time.monotonic()
        if not self.moves or now - self.shown < 0.2 or not self.count:
            return
        self.shown = now
        full = 20 * self.done // self.count
        left = "" if not self.done else ", {}:{:02d} left".format(*divmod(
            round((now - self.start) / self.done * (self.count - self.done)), 60))
        line = (f"[{'#' * full}{'.' * (20 - full)}] {self.done}/{self.count}{left}  "
                + ", ".join(map(gradebook.clean, names)))
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{line[:width]:{width}}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.moves:
            print("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r", end="",
                  file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
