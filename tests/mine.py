"""Reads measure.md, the one place where the "mine" numbers stand."""
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Row(NamedTuple):
    task: str                # t0 to t7, or "break it"
    quantity: str
    prediction: str
    mine: str                # "" in t7, where only the learner has numbers
    yours: str


def table_lines(path):
    """(task, heads of the columns, number of the row, cells) of every row; none without a file."""
    task, heads, number = "", [], 0
    text = Path(path).read_text(encoding="utf-8") if Path(path).is_file() else ""
    for line in text.splitlines():
        if line.startswith("## "):
            task = line[3:].split(" - ")[0].split(" (")[0].strip().lower()
        if not line.strip().startswith("|"):
            continue
        cells = line.strip().removeprefix("|").removesuffix("|").split("|")
        cells = [cell.strip() for cell in cells]
        if cells[0] == "quantity":
            heads, number = cells, 0
        elif heads and set(cells[0]) - set("-: "):
            number += 1
            yield task, heads, number, cells


def rows(path):
    """Every table row of measure.md, in order, by the heads of its columns."""
    return [Row(task, *(dict(zip(heads, cells)).get(key, "") for key in Row._fields[1:]))
            for task, heads, _, cells in table_lines(path) if len(cells) == len(heads)]


def uneven(path, task):
    """What is wrong with rows that rows() cannot read: a line each."""
    return [f"row {number} ({cells[0]}) has {len(cells)} cells, not {len(heads)}: write no | in one"
            for name, heads, number, cells in table_lines(path)
            if name == task and len(cells) != len(heads)]


# ---- the numbers of a cell ----

NUMBER = re.compile(r"[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)|\d+|(?<![\d.])(?=\.\d))"
                    r"(?:\.\d+)?(?:e[+-]?\d+)?")


def figures(cell):
    """(number, half of the last digit stated) of each number; what follows +- is none of them."""
    cell = re.sub("[\u2212\u2013]", "-", cell)                    # minus sign, en dash
    cell = re.sub(r"(\+/?-|±)\s*[\d.,]+", " ", cell)
    cell = re.sub(r"(?<=[\d%])-(?=[\d.+-])", " ", cell)         # 85.2-104.8
    found = []
    for text in NUMBER.findall(cell):
        digits, _, power = text.partition("e")
        places = len(digits.partition(".")[2]) - int(power or 0)
        found.append((float(text.replace(",", "")), 0.5 * 10.0**-places))
    return found


def numbers(cell):
    """The numbers of a cell: "+2.6, -2.8 to +8.0" gives [2.6, -2.8, 8.0]; 7,842 is one number."""
    return [number for number, _ in figures(cell)]


def readings(cell):
    """A cell as it stands, with 7 832 as one number, and with 2,8 as one."""
    return (cell, re.sub(r"(?<=\d)[\s'](?=\d{3}(?!\d))", "", cell),
            re.sub(r"(?<=\d),(?=\d)", ".", cell))


def fits(cell, expected, tolerance=0.0, scale=1.0):
    """Whether these numbers stand in the cell one after the other: a whole printed line will do.

    Each to the tolerance and to the digits that are stated, unless those are fewer than one.
    """
    half_most = np.abs(expected) / 16
    for found in map(figures, readings(cell)):
        for i in range(len(found) - len(expected) + 1):
            got, half = np.array(found[i:i + len(expected)]).T * scale
            off = np.abs(got - expected) - tolerance - np.minimum(half, half_most) * 1.001
            if np.all(off <= 1e-12):
                return True
    return False
