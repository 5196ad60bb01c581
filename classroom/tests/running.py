"""Run a script in this process, in milliseconds: what it printed and how it ended."""
import contextlib
import io
import re
import runpy
import sys
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


def run(script, *args):
    """`python SCRIPT ARGS`, in this process. A traceback or a warning is raised here."""
    out, err = io.StringIO(), io.StringIO()
    argv, sys.argv = sys.argv, [script, *map(str, args)]
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                warnings.catch_warnings():
            warnings.simplefilter("error")
            runpy.run_path(str(ROOT / script), run_name="__main__")
    except SystemExit as end:
        code = end.code or 0
        if isinstance(code, str):               # what Python itself does with a text
            err.write(code + "\n")
            code = 1
    finally:
        sys.argv = argv
    return Done(code, out.getvalue(), err.getvalue())


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
