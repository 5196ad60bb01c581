"""Runs the checks on one submission and decides: `python -I judge.py < JOB.json > VERDICTS.json`.

The checks run here, under pytest, exactly as a learner runs them; but config.lesson_function is
a stand-in whose calls go to another process (worker.py). This process never reads, imports or
unpickles anything of the student's: it gets numbers back, or a reason why there are none.
"""
import base64
import contextlib
import hashlib
import io
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CLASSROOM = Path(__file__).resolve().parent
TESTS = CLASSROOM.parent / "tests"
sys.path[:0] = [str(CLASSROOM), str(TESTS)]

import isolation  # noqa: E402
import pytest  # noqa: E402
import wire  # noqa: E402
from checking import Outcome  # noqa: E402
from tasks import TASKS  # noqa: E402

STRIKES = 2                  # a function that ran out of time this often is not called again
REASONS = ("wrong", "not started", "crashed", "out of memory")   # that a worker may give
LOOK = 0.2                   # seconds between two looks at a call that takes long


class GraderError(BaseException):
    """Something of ours failed: never the student's fault, never the student's marks.

    No Exception, so that no check takes it for an exception of the function that it calls.
    """


class Died(Exception):
    """The student's process gave no answer. kind and text as in an Outcome."""

    def __init__(self, kind, text=""):
        self.kind, self.text = kind, text


class Worker:
    """The process that runs the student's code, in a scratch folder of its own."""

    def __init__(self, job):
        self.job = job
        self.folder = tempfile.mkdtemp(prefix="w-", dir=job["scratch"])
        for name, data in job["files"].items():
            (Path(self.folder) / name).write_bytes(base64.b64decode(data))
        if job["account"] is not None:
            os.chown(self.folder, job["account"], job["account"])
        self.channel, theirs = socket.socketpair()
        environment = {
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": self.folder, "TMPDIR": self.folder,
            "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
            **{k: v for k, v in os.environ.items() if k == "LD_LIBRARY_PATH"}}
        # What it prints goes nowhere: there is no file to fill.
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(CLASSROOM / "worker.py"), str(theirs.fileno())],
            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=environment, cwd=self.folder, start_new_session=True)
        theirs.close()
        self.reached = None                  # what it says of its isolation
        self.buffer = b""
        self.channel.sendall(wire.frame({
            "tests": str(TESTS), "folder": self.folder, "memory": job["memory"],
            "cpu": int(job["total"]) + 60, "account": job["account"], "parent": os.getpid(),
            "hidden": job["hidden"], "depth": job["depth"]}))

    def ready(self):
        """What keeps each promise of isolation, as the worker says before it runs their code."""
        if self.reached is None:
            try:
                self.reached = self.receive(60)["reached"]
            except (Died, KeyError):
                raise GraderError("the student's process did not start") from None
        return self.reached

    def ask(self, question, seconds):
        """The answer, or Died; Died.importing says whether that was while a module ran."""
        end = time.monotonic() + seconds
        importing = False
        try:
            self.channel.settimeout(seconds)
            self.channel.sendall(wire.frame(question))
            while True:
                said = self.receive(end - time.monotonic())
                if set(said) != {"importing"}:
                    break
                importing = said["importing"] is True
        except TimeoutError:
            raise Died("timed out") from None
        except OSError:
            raise self.death() from None
        except Died as died:
            died.importing = importing
            raise
        if said.get("id") != question["id"]:
            raise Died("refused answer", "an answer to another question")
        return said

    def receive(self, seconds):
        """One message; Died when none comes in time, the process ends or uses too much."""
        end = time.monotonic() + seconds
        while True:
            try:
                message, self.buffer = wire.unframe(self.buffer)
            except wire.Refused as refused:
                raise Died("refused answer", str(refused)) from None
            if message is not None:
                return message
            left = end - time.monotonic()
            if left <= 0:
                raise Died("timed out")
            if select.select([self.channel], [], [], min(LOOK, left))[0]:
                try:
                    chunk = self.channel.recv(1 << 20)
                except ConnectionError:
                    chunk = b""
                if not chunk:
                    raise self.death()
                self.buffer += chunk
            elif self.process.poll() is not None:
                raise self.death()
            elif over := isolation.excess(self.job["memory"], self.folder):
                raise Died(*over)

    def death(self):
        """Why the process ended, as a Died."""
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return Died("crashed", "the code closed the grader's connection")
        if code >= 0:
            return Died("crashed", f"the code ended the whole process (exit code {code})")
        name = signal.Signals(-code).name
        if name == "SIGKILL":                # not from us: the kernel is out of memory
            return Died("out of memory")
        if name == "SIGXCPU":
            return Died("timed out")
        return Died("crashed", f"the process ended by {name}")

    def stop(self):
        self.channel.close()
        isolation.sweep(self.process.pid)
        self.process.poll()
        shutil.rmtree(self.folder, ignore_errors=True)
        if os.path.exists(self.folder):      # nested deeper than Python can walk
            subprocess.run(["rm", "-rf", self.folder], check=False)


class Session:
    """A submission under the checks, and pytest's plugin that watches them report."""

    def __init__(self, job):
        self.job = job
        self.worker = Worker(job)
        self.reached = None
        self.left = job["total"]             # seconds for the whole submission
        self.asked = 0
        self.strikes = {}                    # function: times it ran out of time
        self.broken = {}                     # module: how importing it killed the process
        self.verdicts = {}

    # ---- calls ----

    def function(self, folder, module, name):
        return Remote(self, module, name)

    def call(self, module, name, args, kwargs):
        try:
            question = {"module": module, "name": name, "args": [wire.ask(x) for x in args],
                        "kwargs": {key: wire.ask(x) for key, x in kwargs.items()}}
        except TypeError as error:
            raise GraderError(str(error)) from None
        self.calls += 1
        self.asked += 1
        question["id"] = self.asked
        question["luck"] = self.luck()
        if module in self.broken:
            raise self.broken[module]
        if self.strikes.get(name, 0) >= STRIKES:
            raise Died("timed out", f"not run: {STRIKES} checks of {name} had run out of time")
        seconds = min(self.seconds, self.left)
        if seconds <= 0:
            raise Died("timed out", f"{self.job['timeout']:g} s are what a check may take"
                       if self.left > 0 else "the submission's whole time is used up")
        if self.worker is None:
            self.worker = Worker(self.job)
        self.reached = self.worker.ready()
        start = time.monotonic()
        try:
            said = self.worker.ask(question, seconds)
        except Died as died:
            self.end_worker()
            if died.kind == "timed out":
                self.strikes[name] = self.strikes.get(name, 0) + 1
                died.text = f"no answer within {self.job['timeout']:g} s: an endless loop?"
            if getattr(died, "importing", False):
                self.broken[module] = died
            raise
        finally:
            used = time.monotonic() - start
            self.seconds -= used
            self.left -= used
        self.answers += 1
        return said

    def luck(self):
        """A seed for the global generators that tells nothing about the seed of the data."""
        text = f"{self.job['seed']}/{self.check}/{self.calls}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:4], "big")

    def end_worker(self):
        if self.worker is not None:
            self.worker.stop()
            self.worker = None

    # ---- pytest ----

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        config.lesson_function = self.function

    def pytest_sessionstart(self, session):
        # Nothing is ever imported from the folder under test in this process; it is empty, too.
        folder = str(session.config.workbook)
        sys.path[:] = [p for p in sys.path if p != folder]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session, config, items):
        from conftest import function_of  # pytest has loaded it by now
        wanted = {f for task in self.job["tasks"]
                  for f in TASKS[task].functions}
        items[:] = [item for item in items if function_of(item.name) in wanted]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        self.check, self.seconds = item.name, self.job["timeout"]
        self.calls = self.answers = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        """Note how a check ended. What broke after an answer came back is the answer's fault."""
        check = f"{item.path.name}::{item.name}"
        if call.excinfo is None:
            if call.when == "call":
                self.verdicts[check] = {"kind": "passed", "likely": "", "detail": ""}
            return
        error = getattr(item, "outcome", None) or call.excinfo.value
        kind, likely, detail = "grader error", "", f"{type(error).__name__}: {error}"
        if isinstance(error, Outcome):
            kind, likely = "crashed" if error.kind == "died" else error.kind, error.likely
            detail = error.got if kind == "crashed" else ""
        elif self.answers and not isinstance(error, GraderError) and call.when == "call":
            kind, detail = "wrong", ""
        self.verdicts[check] = {"kind": kind, "likely": likely, "detail": detail}


class Remote:
    """A lesson's function that runs in the student's process (see checking.Function)."""

    def __init__(self, session, module, name):
        self.session, self.module, self.name = session, module, name

    def __call__(self, *args, **kwargs):
        try:
            said = self.session.call(self.module, self.name, args, kwargs)
        except Died as died:
            # "any exception will do" does not mean ending the process: that has its own kind.
            kind, likely, got = died.kind, died.text, ""
            if kind == "crashed":
                kind, likely, got = "died", "", died.text
            raise Outcome(kind, self.name, got=got, likely=likely) from None
        kind = said.get("kind")
        if kind in REASONS:
            got, likely = (str(said.get(part, ""))[:300] for part in ("got", "likely"))
            raise Outcome(kind, self.name, got=got, likely=likely)
        try:
            return wire.answered(said.get("value", {}))
        except wire.Refused as refused:
            raise Outcome("refused answer", self.name, likely=str(refused)) from None


def main():
    job = json.load(sys.stdin)
    if isolation.LINUX:
        isolation.guard(job["parent"])
    session = Session(job)
    empty = Path(tempfile.mkdtemp(prefix="empty-", dir=job["scratch"]))
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = pytest.main(
                [str(TESTS), f"--workbook={empty}", f"--seed={job['seed']}", "-c",
                 str(CLASSROOM.parent / "pyproject.toml"), "-p", "no:cacheprovider", "-p",
                 "no:terminal", "-p", "no:faulthandler", f"--basetemp={empty}/tmp"],
                plugins=[session])
        if session.reached is None:          # nothing was called
            session.reached = session.worker.ready()
    finally:
        session.end_worker()
        shutil.rmtree(empty, ignore_errors=True)
    json.dump({"verdicts": session.verdicts, "reached": session.reached, "exit": int(code),
               "printed": printed.getvalue()[-2000:]}, sys.stdout)


if __name__ == "__main__":
    main()
