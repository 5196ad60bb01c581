"""Run a script in this process, in milliseconds: what it printed and how it ended."""
import contextlib
import functools
import io
import re
import subprocess
import sys
import types
import warnings
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def words(self):
        """What was printed, as one line: a sentence can be looked for wherever it broke."""
        return " ".join(self.out.split())


@functools.cache
def compiled(path):
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def run(script, *args):
    """`python SCRIPT ARGS`, in this process. A traceback or a warning is raised here."""
    main = types.ModuleType("__main__")
    main.__file__ = str(ROOT / script)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n",
                                 write_through=True) for _ in range(2))
    argv, sys.argv = sys.argv, [script, *map(str, args)]
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(compiled(ROOT / script), vars(main))
    except SystemExit as end:
        code = end.code or 0
        if isinstance(code, str):               # what Python itself does with a text
            err.write(code + "\n")
            code = 1
    finally:
        sys.argv = argv
    return Done(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())


def measured(*argv, folder):
    """(processor seconds, peak MB) of a Python script in a process of its own.

    The process is started from a small one: a child's peak counts from its parent's memory.
    """
    code = ("import resource, subprocess, sys\n"
            "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
            "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
            "peak = used.ru_maxrss / (1e6 if sys.platform == 'darwin' else 1e3)\n"
            "print(done.returncode, used.ru_utime + used.ru_stime, peak)")
    done = subprocess.run([sys.executable, "-c", code, sys.executable, *map(str, argv)], cwd=folder,
                          capture_output=True, text=True, check=True)
    returncode, seconds, megabytes = map(float, done.stdout.split())
    assert returncode == 0, done.stderr
    return seconds, megabytes


def csv(head, rows):
    """A CSV file's text."""
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def write(folder, text, name="data.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def assert_answer(done):
    """An answer: exit code 0, nothing on stderr, 80 columns, no nan; the text in one line."""
    assert (done.code, done.err) == (0, ""), f"exit {done.code}: {done.err}"
    widest = max(done.out.splitlines(), key=len)
    assert len(widest) <= 80, f"{len(widest)} columns: {widest}"
    found = re.search(r"\b(nan|inf|None|NaN|Infinity)\b", done.out)
    assert not found, f"printed {found[0]}:\n{done.out}"
    return done.words


def assert_refused(done, *said):
    """A refusal: exit code 2, exactly one line on stderr, nothing else printed."""
    assert done.code == 2, f"exit {done.code}, not refused:\n{done.out}"
    assert len(done.err.splitlines()) == 1 and done.err.startswith("error: "), done.err
    assert done.out == "", f"printed before the refusal:\n{done.out}"
    for text in said:
        assert text in done.err, f"{text!r} is not in: {done.err}"
