"""measure.md in a learner's folder: predictions, "yours" against the learner's own code, the text.

A check per task: rows that are not filled in are not started, a row that the code contradicts
is wrong; all such rows are shown. Tolerances are those of the "mine" numbers (test_measure.py),
and those of PRINTED.
"""
import re

import numpy as np
import pytest
from checking import Outcome, crash_text, monte_carlo, short
from mine import fits, numbers, readings, rows, uneven
from test_break_it import LINES, printed
from test_measure import RECIPES, T, lessons  # noqa: F401  (lessons is a fixture)

SHEET = "measure.md"
TASKS = ("t0", "t1", "t2", "t3", "t4", "t5", "t6", "break it",
         pytest.param("t7", marks=pytest.mark.t7))
# Where a script prints a draw of what the recipe gives exactly, or a learner computes with
# printed figures, which are rounded: how far that may lie off.
PRINTED = {
    "no gap: exact McNemar p < 0.05, share": monte_carlo(0.037, T),
    "gap of 2 points: exact McNemar p < 0.05, share": monte_carlo(0.25, T),
    "sliders at 0.7, 3 points, 1,000: the paired interval excludes 0, share":
        monte_carlo(0.78, 1_000),
    "sliders at 0.7, 3 points, 1,000: the bars do not overlap, share": monte_carlo(0.01, 1_000),
    "sliders at 0.7, no gap, 500: B ahead by 0.8 points or more, share": monte_carlo(0.33, 1_000),
    "share of 500 questions that a resample leaves out, %": 0.1,            # 1 / e
    "width of the paired interval / width of the unpaired one": 0.008,      # 3.6 / 10.8
    "part of the unpaired variance that pairing leaves, %": 0.5,            # its square
    "two different sets of 500 near 70 %: half width of the gap, points": 0.08,
    "5 answers each are worth so many times the questions": 0.2,            # (2.0 / 1.3)^2
}

pytestmark = pytest.mark.measure


@pytest.fixture
def sheet(request):
    return request.config.workbook / SHEET


def rows_of(sheet, task):
    there(sheet)
    found = [row for row in rows(sheet) if row.task == task]
    if not found:
        raise Outcome("not started", SHEET, likely=f"{task} has no table")
    return found


def there(sheet):
    if not sheet.is_file():
        raise Outcome("not started", SHEET, likely=f"{SHEET} is missing")


def all_filled(task, cells, column):
    """cells: {quantity: text}."""
    empty = [quantity for quantity, cell in cells.items() if not re.search(r"\w", cell)]
    if empty:
        raise Outcome("not started", SHEET, likely=f"{task} {column}: {len(empty)} of "
                      f"{len(cells)} rows are empty, first: {empty[0]}")


@pytest.mark.parametrize("task", TASKS)
def test_prediction_is_written_before_the_run(task, sheet):
    all_filled(task, {row.quantity: row.prediction for row in rows_of(sheet, task)}, "prediction")


@pytest.mark.parametrize("task", TASKS)
def test_yours_is_what_your_code_gives(task, sheet, request, tmp_path):
    found, bad, waits = rows_of(sheet, task), uneven(sheet, task), []
    for row in found:
        if re.search(r"\w", row.yours) and (row.quantity in RECIPES or row.quantity in LINES):
            try:
                bad += compare(row, *from_code(row.quantity, request, tmp_path))
            except Outcome as outcome:
                waits.append(outcome.likely)
            except Exception as error:
                bad.append(f"{row.quantity}: {crash_text(error)}")
    if bad:
        raise Outcome("wrong", SHEET, got="\n            ".join(bad),
                      likely=f"{task} yours: {len(bad)} row{'s' * (len(bad) > 1)} off")
    if waits:
        raise Outcome("not started", SHEET, likely=f"{task} yours: {waits[0]}")
    all_filled(task, {row.quantity: row.yours for row in found}, "yours")


def compare(row, expected, tolerance):
    """[] if the row has what is expected, else [what is wrong with it, in a line]."""
    share = max(expected) <= 1
    if fits(row.yours, expected, tolerance) or (
            share and "%" in row.yours and fits(row.yours, expected, tolerance, 0.01)):
        return []
    text = ", ".join(map(short, expected.tolist())) + f" +- {tolerance:.2g}" * (tolerance > 0)
    if max(len(numbers(reading)) for reading in readings(row.yours)) < len(expected):
        why = f"write {len(expected)} numbers" if len(expected) > 1 else "write one number"
    elif fits(row.yours, expected, tolerance + 0.06, 100):
        why = "in percent or points, not as a proportion"
    elif share and fits(row.yours, expected, tolerance, 0.01):
        why = "as a proportion, or with its % sign"
    else:
        why = f"expected {text}"
    return [f"{row.quantity}: {row.yours}: {why}"]


def from_code(quantity, request, folder):
    """(numbers that the learner's code gives for a row, tolerance)."""
    if quantity in LINES:
        return line_of_demo(quantity, request, folder)
    recipe, tolerance = RECIPES[quantity]
    try:
        expected = np.ravel(recipe(request.getfixturevalue("lessons"))).astype(float)
    except NotImplementedError as stub:
        raise Outcome("not started", SHEET, likely=f"fill in {stub}") from None
    return expected, max(tolerance, PRINTED.get(quantity, 0))


def line_of_demo(quantity, request, folder):
    start, places = LINES[quantity]
    demo = {"wrong unit": "wrong_unit", "tune": "tune_on_test"}.get(*[quantity.split(":")[0]] * 2)
    text = printed(request.config, demo, folder)
    line = next(line for line in text.splitlines() if line.startswith(start))
    found = numbers(line.replace("500 answers", "500").replace("p < 0.05", "p 0.05"))
    return np.array([found[i] for i in places]), 0.0


# What a careful reader looks for in the paragraph, and words that give it.
PARTS = {
    "how many questions": r"\d[^.\d]{0,20}(question|item|task|problem|example)|\bn\s*=\s*\d",
    "intervals": r"interval|\bCI\b|±|\+-|\d to [+-]?\d",
    "the gap": r"gap|differen|points|better|worse|ahead|behind",
    "the disagreements or the test": r"disagree|differ |McNemar|\bp\b|\btest",
    "a verdict": r"better|worse|ahead|behind|real|luck|cannot|can not|equal|as good|shown|evidence"
                 r"|excludes|includes|tell|clear",
    "what was not measured": r"\bnot?\b|never|one run|seed",
}


@pytest.mark.t8
def test_statement_stands_in_a_paragraph(sheet):
    there(sheet)
    text = sheet.read_text(encoding="utf-8").partition("\n## t8")[2].partition("\n## ")[0]
    quoted = [line.lstrip("> ") for line in text.splitlines() if line.startswith(">")]
    paragraph = " ".join(" ".join(quoted).split())
    if not paragraph:
        raise Outcome("not started", SHEET,
                      likely="t8: the paragraph is empty: begin each of its lines with >")
    missing = [part for part, words in PARTS.items() if not re.search(words, paragraph, re.I)]
    if len(numbers(paragraph)) < 10:
        missing.insert(0, "numbers: n, both scores and the gap, each with its interval")
    if missing:
        raise Outcome("wrong", SHEET, got=paragraph[:60] + "..." * (len(paragraph) > 60),
                      expected=f"besides {'; '.join(missing)}",
                      likely="t8 paragraph: a part is missing, or a line without its >")
