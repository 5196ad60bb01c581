"""Results in: one row per question, one column per model, read strictly.

Most wrong comparisons begin here: rows in another order, a question twice, a blank
taken for a zero. So ids stay text, rows are put in id order, and whatever is not
plainly a score is refused with its row.

Uses numpy. Next: ci.py asks how far one score can move.
"""
import csv
import gc
import os
import re
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

import numpy as np

RESULTS = "results.csv"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
NOT_A_MODEL = re.compile(
    r"(.*[_ ])?(id|idx|index|count|epoch|try|attempt|seed|run|row|line|page|chapter|section|group"
    r"|cluster|fold|year|month|day|date|rank|length|tokens)", re.IGNORECASE)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)


def load_pair(path, col_a="model_a", col_b="model_b", id_col=None):
    """Two models' scores on the same questions.

    Returns (qids, a, b): a list of n ids (text, sorted) and two float arrays of shape
    (n,) in that order. True/False in any case count as 1/0. Ids stand in `id_col`, else
    in `qid`, else in the first column. A file without the two default columns and with just
    two columns of scores is read by those.
    Raises ValueError with file, row, column and value for a missing column, an id that
    stands twice, a blank, and anything that is not a finite number.
    """
    table = read_table(path)
    qids, order = in_id_order(table, id_col or default_id(table))
    if {col_a, col_b} == {"model_a", "model_b"} and table.columns.keys().isdisjoint((col_a, col_b)):
        found = score_columns(table, id_col or default_id(table))
        col_a, col_b = found if len(found) == 2 else (col_a, col_b)
    return qids, scores(table, col_a)[order], scores(table, col_b)[order]


class Table(NamedTuple):
    """A file of results as text: nothing is converted before somebody asks for it."""
    path: str
    columns: dict            # header -> list of cells, in file order
    separator: str

    def column(self, name):
        if name not in self.columns:
            raise ValueError(f"{self.path}: no column {name!r}; it has {', '.join(self.columns)}")
        return self.columns[name]

    def cell(self, index, name):
        """Where a cell stands, for an error message. Row 1 is the header."""
        return f"{self.path}, row {index + 2}, column {name}"


def read_table(path):
    """The file as a Table. Comma, semicolon or tab between cells; UTF-8, with or without BOM."""
    # Rows form no cycles: looking for some among a million of them would triple the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return read_whole(path)
    finally:
        if collecting:
            gc.enable()


def read_whole(path):
    try:
        with open(path, encoding="utf-8-sig", newline="") as f:
            header = f.readline()
            separator = max(",;\t", key=header.count)
            f.seek(0)
            rows = list(csv.reader(f, delimiter=separator, strict=True))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text (byte {error.start}); "
                         "save it as 'CSV UTF-8'") from None
    except csv.Error as error:
        raise ValueError(f"{path}: not readable as CSV ({error}); check its quotes") from None
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise ValueError(f"{path}: the file is empty; it needs a header and a row per question")
    names = [name.strip() for name in rows[0]]
    for number, name in enumerate(names, 1):
        if not name:
            raise ValueError(f"{path}, row 1: column {number} has no name; give it one, "
                             "or leave it out (pandas: to_csv(..., index=False))")
        if names.index(name) != number - 1:
            raise ValueError(f"{path}, row 1: two columns are called {name!r}; rename one")
    if set(map(len, rows)) != {len(names)}:
        number, row = next((i, row) for i, row in enumerate(rows, 1) if len(row) != len(names))
        raise ValueError(f"{path}, row {number}: {len(row)} cells where the header has "
                         f"{len(names)}; mend or delete the row")
    if len(rows) == 1:
        raise ValueError(f"{path}: a header and no questions; add a row per question")
    cells = list(chain.from_iterable(rows))
    return Table(str(path), {name: cells[len(names) + i::len(names)]
                             for i, name in enumerate(names)}, separator)


def default_id(table):
    return "qid" if "qid" in table.columns else next(iter(table.columns))


def in_id_order(table, id_col):
    """(ids sorted as text, the row index of each). Refuses a blank id and an id twice."""
    ids = table.column(id_col)
    order = sorted(range(len(ids)), key=ids.__getitem__)
    qids = [ids[i] for i in order]
    if not qids[0].strip():
        raise ValueError(f"{table.cell(order[0], id_col)}: the id is blank; give it one")
    for first, second, qid in zip(order, order[1:], qids):
        if ids[second] == qid:
            raise ValueError(f"{table.cell(second, id_col)}: {qid!r} stands in row {first + 2} too;"
                             " keep one row per question, or name the ids: --id COL (several "
                             "answers each: see report.py)")
    return qids, order


def scores(table, name, blank=None):
    """One column as floats, shape (n,). Blank cells become `blank`, or are refused."""
    cells = table.column(name)
    # European spreadsheets write 0,5 and put semicolons between the cells.
    distinct = set(cells)
    commas = [cell for cell in distinct if "," in cell] if table.separator != "," else []
    comma = bool(commas)
    if comma and all(THOUSANDS.fullmatch(cell.strip()) for cell in commas):
        index = next(i for i, cell in enumerate(cells) if "," in cell)
        raise ValueError(f"{table.cell(index, name)}: {cells[index]!r} can be thousands or a "
                         "decimal; write it without a comma")
    if not comma and all(map(NUMBER.fullmatch, distinct)):
        number = float                           # most files, and three times as fast
    else:
        value = {cell: to_number(cell, comma, blank) for cell in distinct}
        number = value.__getitem__
        if None in value.values():
            index = next(i for i, cell in enumerate(cells) if value[cell] is None)
            where = table.cell(index, name)
            if not cells[index].strip():
                raise ValueError(f"{where}: blank; fill it in or delete the question")
            point = " (its decimals are commas: write them all so)" if comma else ""
            raise ValueError(f"{where}: {cells[index]!r} is not a finite number{point}; "
                             "write a score such as 1, 0 or 0.5, or nothing")
    column = np.fromiter(map(number, cells), dtype=float, count=len(cells)) + 0.0
    size = np.abs(column)                        # + 0.0 made -0 a plain 0
    far = np.flatnonzero((size > 1e100) | (size < 1e-100) & (size > 0))
    if len(far):
        raise ValueError(f"{table.cell(far[0], name)}: {cells[far[0]]!r} is not within 1e-100 and "
                         "1e100, where its square is a number; use another unit")
    return column


def to_number(cell, comma=False, blank=None):
    """The score in a cell, or None where there is none. float() alone takes nan and 1_0."""
    cell = cell.strip()
    if not cell:
        return blank
    if cell.lower() in ("true", "false"):
        return float(cell.lower() == "true")
    if comma:
        cell = cell.replace(".", "x").replace(",", ".", 1)
    if not NUMBER.fullmatch(cell):
        return None
    number = float(cell)
    return number if abs(number) < np.inf else None


def score_columns(table, *others):
    """Names of the columns that can be models: numbers throughout, no id, not in `others`."""
    def is_model(name):
        try:
            column = scores(table, name, blank=np.nan)
        except ValueError:
            return False
        return not np.all(np.isnan(column)) and not looks_like_id(name, column)
    return [name for name in table.columns if name not in others and is_model(name)]


def looks_like_id(name, column):
    """Whether a column is named like an id or a counter, or counts up by one from row to row."""
    known = np.sort(column[~np.isnan(column)])
    counts_up = len(known) > 2 and bool(np.all(np.diff(known) == 1))
    return counts_up or NOT_A_MODEL.fullmatch(name) is not None


# ---- what the scripts share; imported inside their main guards only ----


def arguments(doc, pair=True, cluster=False):
    """A parser for [FILE] [--a COL] [--b COL] [--id COL] [--cluster COL]."""
    import argparse
    parser = argparse.ArgumentParser(description=doc.split("\n")[0],
                                     epilog=doc.split("\n", 1)[1].strip(),
                                     formatter_class=lambda prog: (
                                         argparse.RawDescriptionHelpFormatter(prog, width=80)))
    parser.error = refuse
    if pair:
        parser.add_argument("file", nargs="?", metavar="FILE",
                            help="one row per question (default: results.csv)")
        parser.add_argument("--a", metavar="COL", help="the first model (default: model_a)")
        parser.add_argument("--b", metavar="COL", help="the second model (default: model_b)")
        parser.add_argument("--id", metavar="COL", help="question ids (default: qid or column 1)")
    if cluster:
        parser.add_argument("--cluster", metavar="COL",
                            help="what the questions share: a document, a repository, a user")
    return parser


def refuse(message):
    raise ValueError(message)


@contextmanager
def one_line():
    """A refused input ends in one line and exit code 2; a bug keeps its traceback."""
    import sys
    try:
        yield
        sys.stdout.flush()
    except NotImplementedError as stub:
        sys.exit(f"not started: {stub}")
    except BrokenPipeError:                      # `python ci.py | head -3`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)
    except FileNotFoundError as error:
        hint = "; run: python make_fake.py" if error.filename == RESULTS else ""
        print(f"error: {error.filename} is not there{hint}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"error: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except ValueError as error:
        import traceback
        last = traceback.extract_tb(error.__traceback__)[-1].line or ""
        if not last.startswith("raise"):         # nobody refused this: it is a bug, show where
            raise
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


class Results(NamedTuple):
    """What a script works on. names: one or two; scores: an array (n,) each, in id order."""
    path: str
    names: list
    scores: list
    qids: list
    clusters: object         # array (n,) of text, or None

    @property
    def n(self):
        return len(self.qids)

    @property
    def title(self):
        return f"{os.path.basename(self.path)}, {self.n:,} question{'s' * (self.n > 1)}"


def read_results(args, models=2):
    """Results from a command's arguments; every choice that was not asked for is said.

    models=1 also takes a file with a single score column.
    """
    table = read_table(args.file or RESULTS)
    said = []
    id_col = args.id or default_id(table)
    cluster = getattr(args, "cluster", None)
    asked = [args.a, args.b]
    names = [args.a or "model_a", args.b or "model_b"]
    if asked == [None, None] and not (set(names) <= set(table.columns)):
        names = score_columns(table, id_col, cluster)
        if len(names) > 2 or len(names) < models:
            need = ("name the models: --a COL --b COL" if len(names) > 2 else
                    f"this script needs {models}")
            raise ValueError(f"{table.path}: {len(names)} score column{'s' * (len(names) != 1)} "
                             f"({', '.join(names) or 'none'}); {need}")
        said.append(f"scores: {' and '.join(names)}")
    elif models == 1 and args.b is None and args.a:
        names = [args.a]
    for name in names:
        if name in (id_col, cluster):
            role = "id" if name == id_col else "cluster"
            raise ValueError(f"{table.path}: {name!r} is the {role} column; choose another model")
    if id_col != (args.id or "qid"):
        said.append(f"ids: {id_col} (the first column)")
    qids, order = in_id_order(table, id_col)
    columns = [scores(table, name)[order] for name in names]
    for name, column in zip(names, columns):
        if looks_like_id(name, column):
            raise ValueError(f"{table.path}: {name!r} looks like an id or a counter, not like "
                             "scores; choose another, or rename it")
    clusters = clusters_of(table, cluster, order)
    for line in said:
        print(fill(line))
    return Results(table.path, names, columns, qids, clusters)


def clusters_of(table, name, order):
    """The cluster of each question as text, shape (n,), or None. A blank one is refused."""
    if name is None:
        return None
    cells = table.column(name)
    for index, cell in enumerate(cells):
        if not cell.strip():
            raise ValueError(f"{table.cell(index, name)}: blank; name the question's cluster")
    return np.char.strip(cells)[order]


class Unit(NamedTuple):
    """How scores are printed: as percentages where all lie in [0, 1], else as they are."""
    factor: float
    form: str                # of a number: ".1f" has one decimal
    name: str                # of a score
    gap_name: str            # of a difference of scores

    def score(self, x):
        return f"{self.factor * x:{self.form}}"

    def gap(self, x):
        return f"{self.factor * x:+{self.form}}" if x else self.score(0)

    def se(self, x):
        return f"{self.factor * x:.2f}" if self.factor == 100 else f"{x:#.3g}"

    def interval(self, low, high):
        return f"{self.score(low)} to {self.score(high)}"

    def gap_interval(self, low, high):
        return f"{self.gap(low)} to {self.gap(high)}"

    def apart(self, *pairs, most=9):
        """This unit, with up to `most` more decimals until no pair of numbers prints alike."""
        for _ in range(most):
            if all(float(self.score(x)) != float(self.score(y)) for x, y in pairs):
                break
            self = self._replace(form=f".{int(self.form[1:-1]) + 1}{self.form[-1]}")
        return self


def unit(*columns):
    """The Unit for these scores: % in [0, 1], else three figures of their standard deviation.

    Scores below 0.01 throughout are prices or seconds: as percentages they would print as 0.0.
    """
    everything = np.concatenate(columns)
    largest = np.abs(everything).max()
    if everything.min() >= 0 and (0.01 <= largest <= 1 or largest == 0):
        return Unit(100, ".1f", "%", "points")
    spread = everything.std() if np.ptp(everything) > 0 else largest
    decimals = int(max(0, 2 - np.floor(np.log10(spread))))
    if decimals > 9 or spread > 1e9:
        form = f".{2 + int(min(12, np.log10(largest / spread)))}e"
    else:
        form = f".{decimals}f"
    return Unit(1, form, "in score units", "score units")


def is_right_wrong(*columns):
    """Whether all scores are 0 or 1: then counts, Wilson and McNemar apply."""
    return all(np.all((x == 0) | (x == 1)) for x in columns)


def p_text(p):
    """A p-value with three figures."""
    return f"{p:#.3g}" if p > 1e-300 else "< 1e-300"


def fill(text):
    """A line of at most 79 columns, or the lines it takes."""
    from textwrap import fill
    return fill(text, 79, break_on_hyphens=False)


def clip(name, width):
    """A name that fits its column; what distinguishes names is mostly at both ends."""
    name = " ".join(name.split())
    return name if len(name) <= width else f"{name[:width // 2]}~{name[-((width - 1) // 2):]}"


def clip_apart(names, width):
    """Names that fit and stay different: where they would not, their common start goes."""
    short = [clip(name, width) for name in names]
    if len(set(short)) < len(set(names)):
        start = len(os.path.commonprefix(names))                # noqa: RUF071  of characters
        short = [clip("~" + name[start:], width) for name in names]
    return short


if __name__ == "__main__":
    with one_line():
        args = arguments(__doc__).parse_args()
        table = read_table(args.file or RESULTS)
        id_col = args.id or default_id(table)
        in_id_order(table, id_col)
        n = len(table.column(id_col))
        print(f"{table.path}, {n:,} question{'s' * (n > 1)}, ids in {id_col}\n")
        print(f"{'column':32}{'blanks':>8}{'mean':>12}{'lowest':>12}{'highest':>12}")
        models = score_columns(table, id_col)
        for name in models:
            column = scores(table, name, blank=np.nan)
            known = column[~np.isnan(column)]
            show = unit(known)
            print(fill(f"{clip(name, 31):32}{n - len(known):>8}" + "".join(
                f" {show.score(x) + ' %' * (show.factor == 100):>11}"
                for x in (known.mean(), known.min(), known.max()))))
        others = [name for name in table.columns if name not in (id_col, *models)]
        for name in others:
            cells = table.column(name)
            blanks = sum(not cell.strip() for cell in cells)
            different = f"{len(set(cells)):>12,} different texts, no scores"
            print(f"{clip(name, 31):32}{blanks:>8}{different}")
        many = f"{len(models)} columns" if len(models) != 1 else "1 column"
        print(f"\n{many} can be compared, every question once.")
