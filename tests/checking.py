"""What every check uses: call a lesson's function, compare, and say which slip it looks like.

A check calls `check(ci.clt_ci, x, expect=(...), slips={"what went wrong": value})`. Where the
answer is off, the message has the call, what came back, what was expected, and the slip
whose value came back. `ci` and its siblings are fixtures (conftest.py): the functions may
live in this process or, when a class is graded, in another one.
"""
import ast
import math
import traceback
from pathlib import Path

import numpy as np
from tasks import TASKS, task_of


class Outcome(Exception):
    """Why a check did not pass. kind: wrong, not started, crashed, refused answer, ..."""

    def __init__(self, kind, function, called="", got="", expected="", likely=""):
        self.kind, self.function, self.likely = kind, function, likely
        self.called, self.got, self.expected = called, got, expected

    def __str__(self):
        task = task_of(self.function)
        lines = [f"{task} {TASKS[task].file}  {self.function}"]
        for label in ("called", "got", "expected", "likely"):
            if getattr(self, label):
                lines.append(f"  {label:9} {getattr(self, label)}")
        return "\n".join(lines)


class Redraw(Exception):
    """By chance a slip gives the right value on these data: draw others."""


class Function:
    """A function of the folder under test, looked up when it is called."""

    def __init__(self, folder, module, name):
        self.folder, self.module, self.name = Path(folder), module, name

    def __call__(self, *args, **kwargs):
        import importlib
        import sys
        state = started(self.folder / f"{self.module}.py", self.name)
        if state:
            raise Outcome("not started", self.name, likely=state)
        module = importlib.import_module(self.module)
        if Path(module.__file__).resolve().parent != self.folder.resolve():
            sys.modules.pop(self.module)
            raise Outcome("not started", self.name, likely=f"{self.module}.py is missing")
        return getattr(module, self.name)(*args, **kwargs)


def started(path, name):
    """What is missing before the function can be called, or "". Decided on the source."""
    if not path.is_file():
        return f"{path.name} is missing"
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return ""                   # importing it says where
    bodies = [node.body for node in tree.body
              if isinstance(node, ast.FunctionDef) and node.name == name]
    if not bodies:                  # an import or an assignment also makes a function
        return "" if name in names_in(tree) else f"{path.name} has no {name}"
    return f"fill in {name}" if all(map(is_stub, bodies[-1])) else ""


def names_in(tree):
    return {n.asname or n.name for node in ast.walk(tree) for n in getattr(node, "names", [])
            if isinstance(n, ast.alias)} | {
        n.id for node in ast.walk(tree) if isinstance(node, ast.Assign)
        for n in node.targets if isinstance(n, ast.Name)}


def is_stub(statement):
    """A docstring, `...`, `pass` or `raise NotImplementedError`."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        exc = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(exc, ast.Name) and exc.id == "NotImplementedError"
    return isinstance(statement, ast.Pass)


def call(function, *args, like, called=None, **kwargs):
    """What the function returns, as floats in the shape of `like`; anything else is an Outcome.

    like: a number, a tuple of numbers, or an array. Inputs must come back unchanged.
    """
    called = called or call_text(function.name, args, kwargs)
    before = [np.array(x) if isinstance(x, np.ndarray) else None for x in args]
    try:
        got = function(*args, **kwargs)
    except Outcome as outcome:
        outcome.called = outcome.called or called
        raise
    except NotImplementedError as stub:
        raise Outcome("not started", function.name, called, likely=str(stub)) from None
    except Exception as error:
        raise Outcome("crashed", function.name, called, got=crash_text(error),
                      expected=expected_text(like)) from None
    for old, new in zip(before, args):
        if old is not None and not np.array_equal(old, new, equal_nan=old.dtype.kind == "f"):
            raise Outcome("wrong", function.name, called, "its input array, changed in place",
                          "inputs left as they were",
                          "you sorted, shuffled or added in place: work on a copy")
    return as_floats(got, like, function.name, called)


def as_floats(got, like, name, called):
    """got as a float, a tuple of floats or an array like `like`, or an Outcome."""
    def refuse(likely):
        raise Outcome("wrong", name, called, short(got), expected_text(like), likely)

    if got is None:
        refuse("the function returns nothing: is there a return statement?")
    try:
        values = np.asarray(got, dtype=float)
    except (TypeError, ValueError):
        refuse("the function returns something that is not made of numbers")
    if np.isscalar(like):
        if values.shape != ():
            refuse("return one number, not a list or an array")
        result = float(values)
    elif isinstance(like, tuple):
        if values.shape != (len(like),):
            refuse(f"return {len(like)} numbers: the docstring says which and in which order")
        result = tuple(map(float, values))
    else:
        if values.shape != np.shape(like):
            refuse(f"return an array of shape {np.shape(like)}")
        result = values
    if not np.all(np.isfinite(values)):
        refuse("NaN or infinity: a division by zero, or an empty sum?")
    return result


def check(function, *args, expect, tol=1e-8, slips=None, why="", called=None, **kwargs):
    """Call the function and compare what it returns with `expect`, to `tol` (absolute).

    expect: a number, a tuple or an array. slips: {likely text: the value that slip returns}.
    why: a few words on where the expected value comes from. Returns what came back.
    """
    slips = slips or {}
    for likely, value in slips.items():
        if same(value, expect, tol):
            raise Redraw(likely)
    got = call(function, *args, like=expect, called=called, **kwargs)
    if not same(got, expect, tol):
        found = [likely for likely, value in slips.items() if same(got, value, tol)]
        raise Outcome("wrong", function.name,
                      called or call_text(function.name, args, kwargs), short(got),
                      expected_text(expect) + (f": {why}" if why else ""),
                      found[0] if found else "")
    return got


def require(truth, function, called, got, expected, likely=""):
    """For claims that are not one value: fail with the same message unless `truth` holds."""
    if not truth:
        raise Outcome("wrong", function.name, called,
                      got if isinstance(got, str) else short(got),
                      expected if isinstance(expected, str) else expected_text(expected), likely)


def same(x, y, tol):
    """Whether two answers agree to `tol`, absolute; a sequence of tolerances goes by place."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    return x.shape == y.shape and bool(np.all(np.abs(x - y) <= tol))


def short(value):
    """A value in a line: numbers to six figures, long things cut."""
    if isinstance(value, (bool, str)) or value is None:
        text = repr(value)
    elif np.isscalar(value):
        text = f"{value:.6g}" if isinstance(value, (int, float, np.number)) else repr(value)
    elif isinstance(value, (tuple, list)):
        text = "(" + ", ".join(map(short, value[:8])) + (", ..." * (len(value) > 8)) + ")"
    elif isinstance(value, np.ndarray):
        text = (f"array of shape {value.shape}" if value.size > 8 or value.ndim != 1 else
                "[" + ", ".join(map(short, value.tolist())) + "]")
    elif isinstance(value, np.random.Generator):
        text = "rng"
    elif isinstance(value, Path):
        text = repr(value.name)
    else:
        text = getattr(value, "__name__", None) or repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


def expected_text(like):
    return short(like)


def call_text(name, args, kwargs):
    """The call as one would write it, with arrays by size: clt_ci([12 numbers], z=1)."""
    def text(x):
        if isinstance(x, np.ndarray) and (x.size > 8 or x.ndim != 1):
            return f"[{' x '.join(map(str, x.shape))} numbers]"
        return short(x)
    parts = [text(x) for x in args] + [f"{key}={text(x)}" for key, x in kwargs.items()]
    return f"{name}({', '.join(parts)})"


def crash_text(error):
    """The last line of the traceback, with the place in the learner's file."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = error.lineno if isinstance(error, SyntaxError) else last.lineno
    file = error.filename if isinstance(error, SyntaxError) else last.filename
    return f"{type(error).__name__}: {error} ({Path(file or '?').name}, line {line})"


def monte_carlo(share, draws, sigmas=5.5):
    """How far a share from `draws` draws may lie off: 5.5 sigma fails 1 in 26 million."""
    return sigmas * math.sqrt(share * (1 - share) / draws) + 2 / draws
