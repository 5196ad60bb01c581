"""measure.md in a learner's folder: predictions, "yours" against the learner's own code, the text.

A check per task: rows that are not filled in are not started, a row that the code contradicts
is wrong. Tolerances are those of the "mine" numbers (test_measure.py).
"""
import re

import numpy as np
import pytest
from checking import Outcome, crash_text, short
from mine import half_unit, numbers, rows
from test_break_it import LINES, printed
from test_measure import RECIPES, lessons  # noqa: F401  (lessons is a fixture)

SHEET = "measure.md"
TASKS = ("t0", "t1", "t2", "t3", "t4", "t5", "t6", "break it", "t7")

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
    found = rows_of(sheet, task)
    for row in found:
        if re.search(r"\w", row.yours) and (row.quantity in RECIPES or row.quantity in LINES):
            compare(row, request, tmp_path)
    all_filled(task, {row.quantity: row.yours for row in found}, "yours")


def compare(row, request, folder):
    def wrong(expected, likely):
        raise Outcome("wrong", SHEET, got=f"{row.quantity}: {row.yours}", expected=expected,
                      likely=f"{row.task} yours: {likely}")

    expected, tolerance = from_code(row.quantity, request, folder)
    got = numbers(row.yours)
    if len(got) != len(expected):
        wrong(f"{len(expected)} numbers, such as {short(tuple(expected))}",
              "a row holds other numbers than it asks for")
    off = np.max(np.abs(np.array(got) - expected))
    if off > tolerance + half_unit(row.yours) * 1.001:
        likely = "it is not what your code gives, run the script again"
        if np.allclose(100 * np.array(got), expected, atol=tolerance + 0.06):
            likely = "in percent or points, not as a proportion"
        wrong(f"{short(tuple(expected))}: what your code gives"
              + f", to {tolerance:.2g}" * (tolerance > 0), likely)


def from_code(quantity, request, folder):
    """(numbers that the learner's code gives for a row, tolerance)."""
    if quantity in LINES:
        return line_of_demo(quantity, request, folder)
    recipe, tolerance = RECIPES[quantity]
    try:
        return np.ravel(recipe(request.getfixturevalue("lessons"))).astype(float), tolerance
    except NotImplementedError as stub:
        raise Outcome("not started", SHEET, likely=f"{stub}") from None
    except Outcome as outcome:
        raise Outcome(outcome.kind, SHEET, likely=outcome.likely) from None
    except Exception as error:
        raise Outcome("crashed", SHEET, quantity, crash_text(error)) from None


def line_of_demo(quantity, request, folder):
    start, places = LINES[quantity]
    demo = {"wrong unit": "wrong_unit", "tune": "tune_on_test"}.get(*[quantity.split(":")[0]] * 2)
    text = printed(request.config, demo, folder)
    line = next(line for line in text.splitlines() if line.startswith(start))
    found = numbers(line.replace("500 answers", "500").replace("p < 0.05", "p 0.05"))
    return np.array([found[i] for i in places]), 0.0


def test_statement_stands_in_a_paragraph(sheet):
    there(sheet)
    text = sheet.read_text(encoding="utf-8").partition("\n## t8")[2].partition("\n## ")[0]
    paragraph = " ".join(line.lstrip("> ") for line in text.splitlines() if line.startswith(">"))
    words, figures = len(paragraph.split()), len(numbers(paragraph))
    if not words:
        raise Outcome("not started", SHEET, likely="t8: the paragraph is empty")
    if words < 40 or figures < 6:
        raise Outcome("wrong", SHEET, "", f"{words} words, {figures} numbers",
                      "a paragraph with each score and its interval, the gap and its interval, "
                      "the disagreements, and the noise that was not measured",
                      "t8 paragraph: a part is missing")
