"""What travels between the checks and a student's code: frames of JSON, and nothing that runs.

A frame is a length of four bytes and that much JSON. Questions (`ask`, `asked`) carry a check's
arguments to the student's process; answers (`answer`, `answered`) carry back what the function
returned. `answered` runs in the process that decides and trusts nothing: it rebuilds plain
numbers, text, tuples, lists and arrays, or raises Refused.
"""
import base64
import json
import math
import struct
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import checking
import numpy as np

LIMIT = 8 << 20              # bytes of an answer; 200,000 pairs of scores take 4 MB
DIGITS = 400                 # of an int: a float has at most 309 before the point
DEPTH = 8


class Refused(Exception):
    """An answer that is not plain data."""


class Other:
    """Stands for a returned value that is no number: a dict, a function, ..."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"a {self.name}"


def frame(message):
    data = json.dumps(message).encode()
    return struct.pack(">I", len(data)) + data


def unframe(buffer):
    """(message or None while bytes are missing, the rest). Refuses what is too long or no JSON."""
    if len(buffer) < 4:
        return None, buffer
    size, = struct.unpack(">I", buffer[:4])
    if size > LIMIT:
        raise Refused(f"an answer of {size / 2**20:,.0f} MB; {LIMIT >> 20} MB is the most")
    if len(buffer) < 4 + size:
        return None, buffer
    try:
        message = json.loads(buffer[4:4 + size], parse_int=small_int)
    except (ValueError, RecursionError):
        raise Refused("an answer that is not JSON") from None
    if not isinstance(message, dict):
        raise Refused("an answer that is not an object")
    return message, buffer[4 + size:]


def small_int(digits):
    if len(digits) > DIGITS:
        raise ValueError("a number with too many digits")
    return int(digits)


# ---- questions: written by the checks, read in the student's process ----


def ask(value):
    """An argument of a check as JSON. TypeError for what cannot travel."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [ask(v) for v in value]}
    if isinstance(value, np.generic):
        return {"scalar": value.item(), "dtype": value.dtype.str}
    if isinstance(value, np.ndarray):
        return {"array": value.ravel().tolist(), "dtype": value.dtype.str,
                "shape": list(value.shape)}
    if isinstance(value, np.random.Generator):
        return {"rng": value.bit_generator.state}
    if isinstance(value, Path):
        data = base64.b64encode(value.read_bytes()).decode() if value.is_file() else None
        return {"file": value.name, "data": data}
    name = getattr(value, "__name__", "")
    for home in (np, checking):              # np.median, or a metric of the checks
        if name and getattr(home, name, None) is value:
            return {"function": name, "of": home.__name__}
    raise TypeError(f"{value!r} cannot travel to another process")


def asked(data, folder):
    """The argument again. Files are written into `folder`."""
    if not isinstance(data, dict):
        return data
    if "tuple" in data:
        return tuple(asked(v, folder) for v in data["tuple"])
    if "list" in data:
        return [asked(v, folder) for v in data["list"]]
    if "scalar" in data:
        return np.dtype(data["dtype"]).type(data["scalar"])
    if "array" in data:
        return np.array(data["array"], dtype=data["dtype"]).reshape(data["shape"])
    if "rng" in data:
        bits = getattr(np.random, data["rng"]["bit_generator"])(0)
        bits.state = data["rng"]
        return np.random.Generator(bits)
    if "file" in data:
        path = Path(folder) / data["file"]
        if data["data"] is not None:
            path.write_bytes(base64.b64decode(data["data"]))
        return path
    return getattr({"numpy": np, "checking": checking}[data["of"]], data["function"])


# ---- answers: written in the student's process, read by the checks ----


def answer(value):
    """What a function returned as JSON; only its type where it is not made of plain numbers.

    A dict, say, is a mistake; a number with methods of its own ("strange") is an attempt.
    """
    kind = type(value)
    if value is None or kind in (bool, str, float):
        return value
    if kind is int:
        return value if value.bit_length() < 3 * DIGITS else {"other": "huge int"}
    if kind in (Fraction, Decimal):
        return float(value)
    if isinstance(value, np.generic) and kind.__module__ == "numpy" and value.dtype.kind in "biufU":
        return float(value) if value.dtype.kind == "f" else value.item()
    if kind is np.ndarray and value.dtype.kind in "biufU":
        flat = value.astype(float) if value.dtype.kind == "f" else value
        return {"array": flat.ravel().tolist(), "dtype": value.dtype.kind,
                "shape": list(value.shape)}
    if kind is np.ndarray and value.dtype.kind == "O":
        return {"list": [answer(v) for v in value.tolist()]}
    if isinstance(value, (tuple, list)):         # also a namedtuple: its items count
        return {"tuple" if isinstance(value, tuple) else "list": [answer(v) for v in value]}
    return {"other" if kind.__module__ == "builtins" else "strange": kind.__name__}


DTYPES = {"b": bool, "i": np.int64, "u": np.uint64, "f": float, "U": str}


def answered(data, depth=0):
    """The returned value, rebuilt from JSON that may be forged."""
    if data is None or isinstance(data, (bool, int, float, str)):
        return data
    if depth > DEPTH:
        raise Refused("an answer nested too deeply")
    if isinstance(data, dict):
        if set(data) == {"array", "dtype", "shape"}:
            return array_of(**data)
        for name, kind in (("tuple", tuple), ("list", list)):
            if set(data) == {name} and isinstance(data[name], list):
                return kind(answered(v, depth + 1) for v in data[name])
        if set(data) == {"other"}:
            return Other(str(data["other"])[:40])
        if set(data) == {"strange"}:
            raise Refused(f"a {str(data['strange'])[:40]} is returned: return plain numbers")
    raise Refused("an answer that is not plain data")


def array_of(array, dtype, shape):
    sized = (isinstance(array, list) and isinstance(shape, list) and len(shape) <= DEPTH
             and all(type(n) is int and n >= 0 for n in shape) and math.prod(shape) == len(array))
    if not sized or not isinstance(dtype, str) or dtype not in DTYPES:
        raise Refused("an array that is not what it says")
    plain = str if dtype == "U" else (int, float)
    if not all(isinstance(v, plain) for v in array):
        raise Refused("an array of things that are not numbers")
    try:
        return np.array(array, dtype=DTYPES[dtype]).reshape(shape)
    except (ValueError, OverflowError):
        raise Refused("an array that is not what it says") from None
