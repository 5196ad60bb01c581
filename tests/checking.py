"""What every check uses: call a lesson's function, compare, and say which slip it looks like.

A check calls `check(ci.clt_ci, x, expect=(...), slips={"what went wrong: mend it": value})`.
Where the answer is off, the message has the call, what came back, what was expected, and the
slip whose value came back. `ci` and its siblings are fixtures (conftest.py): the functions may
live in this process or, when a class is graded, in another one.

A random answer is compared with its exact distribution. It may lie 5.5 standard deviations
off: a right solution fails such a comparison less than once in ten million. Data are drawn
anew until every slip lies more than 11 off, and away from every other slip, so that none
passes by luck or gets another one's name.
"""
import ast
import importlib
import math
import sys
import traceback
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
from tasks import HOME, LESSONS, TASKS, task_of

SIGMAS = 5.5


class Outcome(Exception):
    """Why a check did not pass. kind: wrong, not started, crashed, refused answer, ..."""

    def __init__(self, kind, function, called="", got="", expected="", likely=""):
        self.kind, self.function, self.likely = kind, function, likely
        self.called, self.got, self.expected = called, got, expected

    def __str__(self):
        task = task_of(self.function)
        lines = [f"{task} {TASKS[task].file}  {self.function}" if task else self.function]
        for label in ("called", "got", "expected", "likely"):
            if getattr(self, label):
                lines.append(f"  {label:9} {getattr(self, label)}")
        return "\n".join(lines)


class Redraw(Exception):
    """By chance a slip gives the right value on these data: draw others."""


class Function:
    """A function of the folder under test, looked up when it is called."""

    def __init__(self, folder, module, name):
        self.folder, self.module, self.name = Path(folder).resolve(), module, name

    def __call__(self, *args, **kwargs):
        missing = started(self.folder / f"{self.module}.py", self.name)
        if missing:
            raise Outcome("not started", self.name, likely=missing)
        only_from(self.folder)
        return getattr(importlib.import_module(self.module), self.name)(*args, **kwargs)


@cache
def only_from(folder):
    """Let lessons come from this folder and no other: a missing file is missing."""
    others = (HOME, Path.cwd())
    sys.path[:] = [str(folder)] + [p for p in sys.path if Path(p or ".").resolve() not in others]
    for name in LESSONS:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file and Path(file).resolve().parent != folder:
            del sys.modules[name]


@cache
def started(path, name):
    """What is missing before the function can be called, or "". Decided on the source."""
    if not path.is_file():
        return f"{path.name} is missing"
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return ""                   # importing it says where
    bodies = [node.body for node in ast.walk(tree)
              if isinstance(node, ast.FunctionDef) and node.name == name]
    if not bodies:                  # an import or an assignment also makes a function
        return "" if name in names_in(tree) else f"{path.name} has no {name}"
    return f"fill in {name}" if all(map(is_stub, bodies[-1])) else ""


def names_in(tree):
    """Names that a module's imports and assignments make."""
    return {n.asname or n.name for node in ast.walk(tree) for n in getattr(node, "names", [])
            if isinstance(n, ast.alias)} | {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def is_stub(statement):
    """A docstring, `...`, `pass` or `raise NotImplementedError`."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        exc = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(exc, ast.Name) and exc.id == "NotImplementedError"
    return isinstance(statement, ast.Pass)


# ---- call a function, and take nothing but numbers ----


def run(function, *args, called="", **kwargs):
    """What the function returns, whatever it is. Inputs must come back unchanged."""
    called = called or call_text(function.name, args, kwargs)
    before = [x.copy() if isinstance(x, np.ndarray) else None for x in args]
    try:
        got = function(*args, **kwargs)
    except Outcome as outcome:
        outcome.called = outcome.called or called
        outcome.function = outcome.function or function.name
        raise
    except NotImplementedError as stub:
        if str(stub) and function.name not in str(stub):        # another one is waited for
            raise Outcome("not started", function.name, called, likely=str(stub)) from None
        raise Outcome("wrong", function.name, called, "NotImplementedError", likely=
                      "the stub's raise is reached: return before it, or delete it") from None
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name in LESSONS:
            raise Outcome("not started", function.name, called,
                          likely=f"{error.name}.py is missing") from None
        large = "float overflow: divide whole numbers, or multiply small factors one by one"
        raise Outcome("crashed", function.name, called, crash_text(error), likely=
                      large if isinstance(error, OverflowError) else "") from None
    for old, new in zip(before, args):
        if old is not None and not np.array_equal(old, new):
            raise Outcome("wrong", function.name, called, "its input array, changed in place",
                          "inputs left as they were",
                          "the input is changed in place: sort, shuffle or add on a copy")
    return got


def call(function, *args, like, called="", expected="", **kwargs):
    """What the function returns, as floats in the shape of `like`; anything else is an Outcome.

    like: a number, a tuple of numbers, or an array.
    """
    called = called or call_text(function.name, args, kwargs)
    got = run(function, *args, called=called, **kwargs)
    return as_floats(got, like, function.name, called, expected)


def as_floats(got, like, name, called="", expected=""):
    """got as a float, a tuple of floats or an array like `like`, or an Outcome."""
    def refuse(likely):
        raise Outcome("wrong", name, called, short(got), expected, likely)

    if got is None:
        refuse("nothing is returned: is there a return statement?")
    try:
        values = np.asarray(got)
        if values.dtype.kind not in "biufO":
            raise TypeError
        values = values.astype(float)
    except (TypeError, ValueError, OverflowError):
        refuse("what is returned is not made of plain numbers")
    if values.shape != np.shape(like):
        shape = np.shape(like)
        refuse("a list or an array is returned: return one number" if shape == () else
               f"wrong shape: return {shape[0]} numbers, in the order the docstring says"
               if len(shape) == 1 else f"wrong shape: return {shape[0]} arrays of {shape[1]}")
    if not np.all(np.isfinite(values)):
        refuse("NaN or infinity: a division by zero, or numbers too large for a float?")
    return float(values) if values.shape == () else (
        tuple(values.tolist()) if isinstance(like, tuple) else values)


# ---- compare, and name the slip ----


def check(function, *args, expect, tol=1e-8, slips=None, why="", also=(), called="", **kwargs):
    """Call the function and compare what it returns with `expect`, to `tol` (absolute).

    expect: a number, a tuple, an array or an Interval; `also` holds other right values.
    slips: {"what went wrong: how to mend it": the value that gives, or a test of the answer, or
    a list of such}.
    why: a few words on where the expected value comes from. Returns what came back.
    """
    right = [as_test(value, tol) for value in (expect, *also)]
    slips = {likely: slip if isinstance(slip, list) else [slip]
             for likely, slip in (slips or {}).items()}
    if isinstance(expect, Interval):
        tol = 0.08 * expect.sd              # of a slip that is not an Interval
    tell_apart(right, slips, tol)
    called = called or call_text(function.name, args, kwargs)
    like = expect.ends if isinstance(expect, Interval) else expect
    expected = short(like) + (f": {why}" if why else "")
    got = call(function, *args, like=like, called=called, expected=expected, **kwargs)
    if any(test(got) for test in right):
        return got
    if not np.allclose(np.asarray(like, dtype=float), 0):
        slips["in percent: return a proportion, 0.026 and not 2.6"] = [
            lambda got: right[0](np.asarray(got) / 100)]
    if np.ndim(like) == 1:
        slips["the numbers come in another order: see the docstring"] = [
            lambda got: same(np.sort(got), np.sort(like), tol) and not same(got, like, tol)]
    if not isinstance(expect, Interval):
        slips["rounded: return it unrounded"] = [lambda got: is_rounded(got, like)]
    likely = next((text for text, values in slips.items()
                   if any(as_test(slip, tol)(got) for slip in values)), "")
    if not likely and isinstance(like, tuple) and len(like) == 3 and like[1] < like[0] < like[2]:
        likely = half_right(got, like, tol)
    digits = next((n for n in (6, 9, 12) if short(got, n) != short(like, n)), 17)
    expected = expected.replace(short(like), short(like, digits), 1)
    raise Outcome("wrong", function.name, called, short(got, digits), expected, likely)


def tell_apart(right, slips, tol):
    """Redraw if a slip gives the right value on these data, or what another slip gives."""
    named = []
    for likely, values in slips.items():
        known = [slip for slip in values if not callable(slip)]
        for value in (slip.ends if isinstance(slip, Interval) else slip for slip in known):
            if any(test(value, 2) for test in right) or any(test(value) for test in named):
                raise Redraw(likely)
        named += [as_test(slip, tol) for slip in known]


def half_right(got, right, tol):
    """What can be said of a (middle, low, high) that no single slip explains."""
    middle, width = same(got[0], right[0], tol), (got[2] - got[1]) / (right[2] - right[1])
    if middle and width > 0 and abs(width - 1) > 0.005:
        return f"the middle is right, the width is not: it is {width:.3g} times what it should be"
    return "the width is right, the middle is not" * (not middle and same(width, 1, 1e-6))


def is_rounded(got, right):
    """Whether got is right with 2 to 8 decimals, and none of it rounded to 0."""
    return any(np.allclose(got, near, rtol=1e-12, atol=1e-14) and np.all((near != 0) == (
        np.asarray(right) != 0)) for near in (np.round(right, n) for n in range(2, 9)))


def as_test(value, tol):
    """A function of (got, how many times the tolerance) that says whether got is `value`."""
    if isinstance(value, Interval):
        return value.holds
    if callable(value):
        return lambda got, times=1: bool(value(got))
    return lambda got, times=1: same(got, value, times * np.asarray(tol))


def require(truth, function, called, got, expected, likely=""):
    """For claims that are not one value: fail with the same message unless `truth` holds."""
    if not truth:
        raise Outcome("wrong", function.name, called, short(got), short(expected), likely)


def same(x, y, tol):
    """Whether two answers agree to `tol`, absolute; a sequence of tolerances goes by place."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    return x.shape == y.shape and bool(np.all(np.abs(x - y) <= tol))


SEED_IGNORED = "seed is ignored: a number stands in the code where seed belongs"
EVERY_RESAMPLE_ALIKE = ("every resample is alike: draw with replacement, anew in every round, "
                        "and score what was drawn")


def check_seed(function, *args, like, exact=None, **kwargs):
    """The same seed gives the same answer, and not every seed the same one.

    exact: the value of a solution that draws nothing. Data must be such that two seeds agree
    in less than one case of fifty: then a right solution fails less than once in a million.
    """
    def called(seed):
        return call_text(function.name, args, {**kwargs, "seed": seed})

    seeds = range(1, 6)
    first, again = ([call(function, *args, like=like, called=called(seed), **kwargs, seed=seed)
                     for seed in seeds] for _ in range(2))
    if exact is not None and same(first, [exact] * len(seeds), 1e-9):
        return
    for seed, one, other in zip(seeds, first, again):
        require(one == other, function, called(seed), f"{short(one)}, then {short(other)}",
                "twice the same", "global random state: make the generator from "
                "seed, inside the function and before its loop")
    require(len(set(first)) > 1, function, called(1), f"{short(first[0])}, as with any other seed",
            "another draw for another seed",
            EVERY_RESAMPLE_ALIKE if no_width(first[0]) else SEED_IGNORED * (first[0] != 1))


def no_width(got):
    """Whether got is an interval whose ends are the same number."""
    return np.ndim(got) == 1 and abs(got[1] - got[0]) <= 1e-9 * abs(got[0])


def around(middle):
    """(middle, low, high) from a half width."""
    return lambda half: (middle, middle - half, middle + half)


def slips_around(middle, se, n, z):
    """What can go wrong in middle -+ z se, where se = std(ddof=1) / sqrt(n)."""
    interval = around(middle)
    std = se * math.sqrt(n)

    def instead(of_se):
        """Another standard error, together with z or with a fixed 1.96."""
        return [interval(z * of_se), interval(1.96 * of_se)]

    return {
        "std divides by n: use ddof=1": instead(se * math.sqrt((n - 1) / n)),
        "sqrt(n - 1) for sqrt(n): with ddof=1 the standard error is std / sqrt(n)":
            instead(se * math.sqrt(n / (n - 1))),
        "no square root of n: the standard error is std / sqrt(n)": instead(std / n),
        "std in place of the standard error: divide it by sqrt(n)": instead(std),
        "variance in place of the standard error: take the square root": instead(se**2),
        "variance over sqrt(n): the standard error is std / sqrt(n)": instead(se * std),
        "z is ignored: 1.96 stands in the code": interval(1.96 * se) if z != 1.96 else [],
        "z is forgotten: go out z standard errors, not one": interval(se),
        "z is used twice: multiply the standard error by it once": interval(z * z * se),
        "z is halved: the interval reaches z standard errors to each side": interval(z * se / 2),
        "half width in place of the ends: return the middle, low and high":
            (middle, z * se, z * se),
    }


class Interval:
    """What a percentile bootstrap gives, when the distribution of its draws is known.

    values, weights: that distribution; levels: which quantiles are the ends; B: how many draws
    the interval is made from. Any rule for percentiles will do: they differ by one draw.
    """

    def __init__(self, values, weights=None, levels=(0.025, 0.975), B=10_000):
        values = np.asarray(values, dtype=float)
        weights = np.full(len(values), 1 / len(values)) if weights is None else weights
        order = np.argsort(values)
        self.values = values[order]
        self.up_to = np.concatenate([[0], np.cumsum(weights[order])])
        self.levels, self.B = levels, B
        self.ends = tuple(float(self.values[np.searchsorted(self.up_to[1:], q - 1e-9)])
                          for q in levels)
        self.mean = weights @ values
        self.sd = math.sqrt(weights @ (values - self.mean) ** 2)

    def holds(self, ends, times=1):
        """Whether these ends could come from B draws: each has about q of them below it."""
        hair = 1e-9 * np.max(np.abs(self.values))
        for end, q in zip(ends, self.levels):
            below = self.up_to[np.searchsorted(self.values, end - hair)]
            up_to = self.up_to[np.searchsorted(self.values, end + hair, side="right")]
            off = monte_carlo(q, self.B, times * SIGMAS)
            if below > q + off or up_to < q - off:
                return False
        return len(ends) == 2


def bootstrap_slips(values, weights, levels, B):
    """What can go wrong with the percentiles of draws that have this distribution."""
    return {
        "wrong unit of percentiles: np.percentile counts to 100, np.quantile to 1":
            Interval(values, weights, [q / 100 for q in levels], B),
        EVERY_RESAMPLE_ALIKE: no_width,
        "5 % is cut off at each end: half of it belongs to each": [
            Interval(values, weights, (0.05, 0.95), B)] * (0.025 in levels and B >= 10_000),
    }


def check_draws(function, *args, draws, B=40, **kwargs):
    """The answer varies with the seed as much as B draws make it vary.

    The end of an interval from 40 draws wobbles by half of the draws' sd, from 10,000 by 0.03.
    Twelve right ones agree to 0.1 sd less than once in a million.
    """
    got = [call(function, *args, B=B, seed=seed, like=(0.0, 0.0)) for seed in range(12)]
    wobble = np.std([high for _, high in got]) / Interval(*draws).sd
    require(wobble > 0.1, function, call_text(function.name, args, {"B": B}) + ", twelve seeds",
            f"upper ends that agree to {wobble:.2f} standard errors",
            "upper ends that differ by half a standard error",
            "B is ignored: 10,000 stands in the code" if wobble > 1e-6 else
            EVERY_RESAMPLE_ALIKE if no_width(got[0]) else SEED_IGNORED)


LAST_NEVER_DRAWN = "the last question is never drawn: rng.integers(n) ends at n - 1 by itself"


@cache
def every_resample(n, of=None):
    """All ways to draw n of the first `of` (n) with replacement: indices, shape (m, n), and
    their probabilities."""
    of = of or n
    index = np.array(list(combinations_with_replacement(range(of), n)))
    counts = (index[:, :, None] == np.arange(of)).sum(axis=1)
    ways = [math.factorial(n) / math.prod(map(math.factorial, row)) for row in counts.tolist()]
    return index, np.array(ways) / of**n


def monte_carlo(share, draws, sigmas=SIGMAS):
    """How far a share of `draws` draws may lie off, with room for another rule of counting."""
    return sigmas * math.sqrt(share * (1 - share) / draws) + 2 / draws


# ---- how things are written in a message ----


def short(value, digits=6):
    """A value in a line: numbers to six figures, arrays as one would type them, long ones cut."""
    if isinstance(value, np.ndarray) and value.size <= 8 and value.ndim == 1:
        text = f"np.array([{', '.join(short(v, digits) for v in value.tolist())}])"
    elif isinstance(value, np.ndarray):
        text = f"[{' x '.join(map(str, value.shape))} numbers]" if value.ndim else repr(value)
    elif isinstance(value, (tuple, list)):
        text = ", ".join(short(v, digits) for v in value[:8])
        text = f"({text}{', ...' * (len(value) > 8)})"
    elif isinstance(value, (float, np.floating)):
        text = f"{value:.{digits}g}"
    elif isinstance(value, np.random.Generator):
        text = "rng"
    elif isinstance(value, Path):
        text = repr(value.name)
    elif callable(value):
        text = f"np.{value.__name__}" if value in (np.mean, np.median) else value.__name__
    else:
        text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


def call_text(name, args, kwargs):
    """The call as one would type it: clt_ci(np.array([0.2, 1.5, 0.7]), z=1.7)."""
    text = [repr(x) if isinstance(x, str) else short(x) for x in args]
    text += [f"{key}={x!r}" if isinstance(x, str) else f"{key}={short(x)}"
             for key, x in kwargs.items()]
    return f"{name}({', '.join(text)})"


SAID = set()            # where a SyntaxError is that one message has told already


def crash_text(error):
    """The last line of the traceback, with the last place in a lesson's file."""
    lessons = {task.file for task in TASKS.values()}
    places = [(Path(frame.filename).name, frame.lineno)
              for frame in traceback.extract_tb(error.__traceback__)]
    where = [f" ({file}, line {line})" for file, line in places if file in lessons][-1:]
    if isinstance(error, SyntaxError):          # says itself where it is
        place = f"{Path(error.filename or '').name}, line {error.lineno}"
        if place in SAID:
            return f"{type(error).__name__}: again the one in {place}"
        SAID.add(place)
        where = [f": {error.text.strip()}"] if error.text else []
    return f"{type(error).__name__}: {error}" + "".join(where)
