"""Reads measure.md, the one place where the "mine" numbers stand."""
import re
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    task: str                # t0 to t7, or "break it"
    quantity: str
    prediction: str
    mine: str                # "" in t7, where only the learner has numbers
    yours: str


def rows(path):
    """Every table row of measure.md, in order, by the heads of its columns; none without a file."""
    found, task, heads = [], "", []
    if not Path(path).is_file():
        return found
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            task = line[3:].split(" - ")[0].split(" (")[0].strip().lower()
        cells = [cell.strip() for cell in line.strip().split("|")[1:-1]]
        if cells[:1] == ["quantity"]:
            heads = cells
        elif cells and len(cells) == len(heads) and set(cells[0]) - set("-: "):
            row = dict(zip(heads, cells))
            found.append(Row(task, *(row.get(key, "") for key in Row._fields[1:])))
    return found


def numbers(cell):
    """The numbers of a cell: "+2.6, -2.8 to +8.0" gives [2.6, -2.8, 8.0]; 7,842 is one number."""
    return [float(n.replace(",", "")) for n in
            re.findall(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?", cell)]


def half_unit(cell):
    """Half of the last digit that a cell states: 0.05 for 73.2, as for "85.2 to 104.8"."""
    decimals = max(len(n) for n in re.findall(r"\d(?:\.(\d+))?(?!\d)", cell) or [""])
    return 0.5 * 10.0**-decimals
