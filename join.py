"""t7 - Two real runs of the same questions -> results.csv, joined on question id.

A harness writes one file per run, in completion order, with retries, filters,
blanks and ids of its own. Side by side, row 7 of one file is not row 7 of the
other: the gap survives that, its interval does not. So rows meet by id; what is
doubtful is refused, not guessed; and every choice that was made is printed.

    python join.py RUN_A RUN_B -o results.csv --score exact_match

Told apart by content: CSV and TSV, JSON lines, JSON lists, the logs of
lm-evaluation-harness (--log_samples), Inspect AI (.json, .eval) and HELM
(per_instance_stats.json), the output of trec_eval -q, SWE-bench reports, and one
JSON object with a record for each id.
A key may be a path into a record, scores.choice.value. --id, --score and a
--where KEY are given once for all runs, or once for each in their order.

Uses load. Next: report.py says what the joined file shows.
"""
import csv
import json
import os
import re
import sys
import zipfile
import zlib
from array import array
from collections import Counter, defaultdict
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from load import NOT_A_MODEL, THOUSANDS, arguments, clip_apart, one_line, to_number

PEEK = 50                                        # records looked at before fields are chosen
LINE = 2**26                                     # bytes of a first line that are looked at
IDS = "qid question_id item_id instance_id doc_id sample_id task_id id query".split()
SCORES = "score correct is_correct resolved".split()
TRIES = "epoch try attempt train_trial_index".split()
WITNESSES = "doc_hash,target_hash,target,question,input"
VARIANTS = {"lm-eval samples": "filter", "HELM stats": "split"}   # each scores a question anew
TABLES = {",": "CSV", ";": "CSV with ;", "\t": "TSV"}
NESTED = (list, dict)
UNFIT = re.compile("[\0\ud800-\udfff]")          # what no UTF-8 table can carry
number = lru_cache(maxsize=4096)(to_number)      # a run repeats few scores many times


# ---- reading: every format becomes an iterator of records, a dict per question and try ----


def open_run(path, submitted=None):
    """(name of the format, iterator of records). submitted: a file of ids, for SWE-bench."""
    with open(path, "rb") as f:
        f.seek(3 if f.read(3) == b"\xef\xbb\xbf" else 0)
        lines = iter(lambda: f.readline(LINE), b"")
        line = next(filter(None, map(bytes.strip, lines)), b"").decode("utf-8", "replace")
    if not line:
        raise ValueError(f"{path}: the file is empty; it needs a record per question")
    if line[0] in "[{":
        form, records = open_json(path, line, submitted)
    elif line.startswith("PK\3\4"):
        form, records = "Inspect log", inspect_members(path)
    elif (cells := re.match(r"([^\s,;]+)\s+[^\s,;]+\s+(.+)", line)) and (
            cells[1] == "runid" or number(cells[2]) is not None):
        form, records = "trec_eval -q", trec_queries(path)
    else:
        separator = max(",;\t", key=line.count)
        form, records = TABLES[separator], table_rows(path, separator)
    return form, undamaged(path, form, records)


def undamaged(path, form, records):
    """The records; whatever a damaged file can raise becomes one line."""
    try:
        yield from records
    except NotImplementedError:                  # zstd, which zipfile reads from Python 3.14 on
        raise ValueError(f"{path}: packed in a way this Python cannot read (zstd needs 3.14); run: "
                         f"inspect log dump {path} > log.json, and join log.json") from None
    except (AttributeError, EOFError, LookupError, RuntimeError, TypeError, UnicodeError,
            csv.Error, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path}: damaged, or no {form} after all ({type(error).__name__}: "
                         f"{shown(str(error))}); check its end, its quotes, its encoding (UTF-8)"
                         ) from None


def open_json(path, line, submitted):
    """open_run for JSON: lines of records, a list of them, or one object that is a whole log."""
    first = parse(line, f"{path}, line 1") if line[0] == "{" and line[-1] == "}" else None
    form, records = "JSON lines", json_lines(path)
    if first is None or open_log(path, first, submitted) or (
            all_dicts(first) and len(list(islice(json_lines(path), 2))) == 1):
        document = parse_file(path)
        if isinstance(document, dict):
            if log := open_log(path, document, submitted):
                return log
            if not all_dicts(document) or not alike(document.values()):
                raise ValueError(f"{path}: one JSON object ({some(document)}), no record per "
                                 "question; give the harness's log of samples, JSON lines, or a "
                                 "JSON list")
            document = [{"id": qid, **record} for qid, record in document.items()]
        form, records, first = "JSON list", dicts(path, document), document[0] if document else None
        if isinstance(first, str):
            return "SWE-bench ids", swe_bench(path, document, None, submitted)
    keys = first.keys() if isinstance(first, dict) else set()
    if {"instance_id", "stats"} <= keys:
        return "HELM stats", chain.from_iterable(map(helm_splits, records))
    return "lm-eval samples" if "doc_id" in keys and {"metrics", "filter"} & keys else form, records


def open_log(path, log, submitted):
    """(format, records) of one JSON object that is a harness's whole log; None for another."""
    if {"eval", "samples"} <= log.keys():
        return "Inspect log", dicts(path, log["samples"] or [])
    solved = log.get("resolved_ids", log.get("resolved"))
    if isinstance(solved, list):
        return "SWE-bench report", swe_bench(path, solved, log.get("submitted_ids"), submitted)
    return None


def all_dicts(log):
    return all(isinstance(record, dict) for record in log.values())


def alike(records):
    """Whether most records have a key in common, as results do and parts of a summary do not."""
    keys = Counter(chain.from_iterable(records))
    return 2 * max(keys.values(), default=1) > len(records)


def unique_keys(pairs):
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("an object with one key twice")
    return record


decode = json.JSONDecoder(object_pairs_hook=unique_keys).decode


def parse(source, place):
    try:
        return decode(source)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place}: not readable as JSON ({error}); is the file whole?") from None


def parse_file(path):
    with open(path, "rb") as f:
        try:
            return parse(f.read().decode("utf-8-sig"), path)
        except UnicodeDecodeError:
            raise ValueError(f"{path}: not UTF-8 text; save it as UTF-8") from None


def json_lines(path):
    """Lines end in \\n only: U+2028 and its like stand inside strings."""
    with open(path, encoding="utf-8-sig", newline="\n") as f:
        for index, line in enumerate(f, 1):
            if not line.isspace():
                yield from dicts(f"{path}, line {index}", [parse(line, f"{path}, line {index}")])


def dicts(path, items):
    for item in items:
        if not isinstance(item, dict):
            raise ValueError(f"{path}: {shown(item)} where a record with keys should stand")
        yield item


def inspect_members(path):
    """The samples of a zipped Inspect log: one member each, samples/ID_epoch_N.json."""
    try:
        with zipfile.ZipFile(path) as log:
            members = [m for m in log.infolist() if re.match(r"samples/.*\.json$", m.filename)]
            if not members:
                raise ValueError("a zip without samples/*.json; give an .eval log with samples")
            for member in members:
                name = shown(member.filename)
                yield from dicts(name, [parse(log.read(member).decode(), name)])
    except (OSError, ValueError) as error:       # zipfile raises both for wrong offsets
        raise ValueError(f"{path}: not readable as a zipped log: {error}") from None


def helm_splits(instance):
    """One record per split; a statistic that was never taken (count 0) is left out."""
    splits = {}
    for stat in instance["stats"]:
        name, split = stat["name"]["name"], stat["name"]["split"]
        record = splits.setdefault(split, {
            "instance_id": instance["instance_id"], "split": split,
            "train_trial_index": instance.get("train_trial_index", 0),
            "perturbation": (instance.get("perturbation") or {}).get("name", "none")})
        if stat["count"] and record.setdefault(name, stat["mean"]) != stat["mean"]:
            raise KeyError(name)
    return splits.values()


def trec_queries(path):
    """One record per query: measure -> value. The rows `all` are averages, not questions."""
    queries = defaultdict(dict)
    with open(path, encoding="utf-8-sig") as f:
        for index, line in enumerate(f, 1):
            cells = line.split(None, 2)
            if not cells or cells[1:2] == ["all"]:
                continue
            if len(cells) < 3 or cells[0] in queries[cells[1]]:
                raise ValueError(f"{path}, line {index}: {shown(line.strip())} is no measure, query"
                                 " and value, or stands twice; give the whole output of one run")
            queries[cells[1]][cells[0]] = cells[2].strip()
    if not queries:
        raise ValueError(f"{path}: only the averages over all queries; run trec_eval with -q")
    for query, values in queries.items():
        yield {"query": query, **values}


def swe_bench(path, solved, asked, submitted):
    """1 for an id that was resolved, 0 for one that was submitted and not resolved."""
    if asked is None and not submitted:
        raise ValueError(f"{path}: solved ids without those that were tried and not solved; add "
                         "--submitted FILE, a JSON list of every id that was submitted")
    asked = parse_file(submitted) if asked is None else asked
    asked = asked.get("submitted_ids") if isinstance(asked, dict) else asked
    for ids in (solved, asked):
        if not isinstance(ids, list) or not all(isinstance(qid, str) for qid in ids):
            raise ValueError(f"{path}: {shown(ids)} where a list of ids should stand")
    solved = set(solved)
    if strangers := sorted(solved.difference(asked)):
        raise ValueError(f"{path}: resolved but never submitted: {some(strangers)}; give the list "
                         "of submitted ids that belongs to this run")
    for qid in asked:
        yield {"instance_id": qid, "resolved": qid in solved}


def table_rows(path, separator):
    """The rows of a table as records of text; strict as load.read_table, but one at a time."""
    csv.field_size_limit(2**31 - 1)              # whole answers of models stand in cells
    with open(path, encoding="utf-8-sig", newline="") as f:
        rows = csv.reader(f, delimiter=separator, strict=True)
        names = [name.strip() for name in next(rows)]
        if not names or "" in names or len(set(names)) < len(names):
            raise ValueError(f"{path}, row 1: a blank header, or two alike; name each column")
        for index, row in enumerate(rows, 2):
            if not row and not any(rows):        # blank lines at the end
                return
            if len(row) != len(names):
                raise ValueError(f"{path}, row {index}: {len(row)} cells where the header has "
                                 f"{len(names)}; mend or delete the row")
            yield dict(zip(names, row))


# ---- fields: ids, scores and names as they stand in a record ----


def lookup(record, key):
    """record["a"]["b"] for the key a.b, unless a field has that very name. None if absent."""
    if key in record:
        return record[key]
    for dot in re.finditer(r"\.", key):
        inner = record.get(key[:dot.start()])
        if isinstance(inner, dict) and (value := lookup(inner, key[dot.end():])) is not None:
            return value
    return None


def leaves(record, path=""):
    """(dotted key, value) of whatever in a record is not itself an object."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def text(value):
    """A field as text, as JSON writes it: the number 7 and the cell 7 are one id, 007 another."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def shown(value):
    """Anything in a message: short, and on one line."""
    plain = value if isinstance(value, str) else repr(value)
    if not plain.isprintable() or plain.strip() != plain or not plain:
        plain = ascii(plain)
    return plain if len(plain) <= 40 else plain[:37] + "..."


def some(items, limit=5):
    """The first few of many, for a message."""
    items = list(islice(items, limit + 1))
    return ", ".join(map(shown, items[:limit])) + ", ..." * (len(items) > limit)


def name_in(record, key):
    """A field as text that can name something."""
    value = lookup(record, key)
    cell = text(value)
    if not cell or cell.isspace():
        raise ValueError(f"{key} is blank or missing; every record needs one")
    if isinstance(value, NESTED) or (not cell.isprintable() and UNFIT.search(cell)):
        raise ValueError(f"{key} is {shown(cell)}; it must be a text or a number")
    return cell


def witness_in(record, key):
    """A code of a field's text, 0 for none: messages in a list carry ids of their own, no text."""
    value = lookup(record, key)
    return 0 if isinstance(value, NESTED) else hash(text(value))      # hash("") is 0


def id_in(record, keys):
    """The question's id. Several fields are joined by "/"; quotes keep a/b + c from a + b/c."""
    if len(keys) == 1:
        return name_in(record, keys[0])
    parts = [name_in(record, key) for key in keys]
    return "/".join(json.dumps(part, ensure_ascii=False) if re.search('[/"]', part) else part
                    for part in parts)


def score_in(record, keys):
    """(field, value) of the score: the one of `keys`, else of its `metrics`, that a record has."""
    if len(keys) == 1:
        return keys[0], lookup(record, keys[0])
    names = keys or record.get("metrics")
    names = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    found = [(name, value) for name in names if (value := lookup(record, name)) is not None]
    if len(found) > 1:
        raise ValueError(f"{len(found)} scores ({some(names)}); choose with --score "
                         "(A,B: whichever of the two a record has)")
    return found[0] if found else ("", None)


def to_score(value, codes=None, comma=False):
    """A score as a float, nan for a blank, None for what is no score. comma: 0,5 may be one."""
    if value is None or (isinstance(value, str) and (not value or value.isspace())):
        return np.nan
    if codes:
        code = code_of(text(value))
        if code in codes or any(isinstance(known, float) for known in codes):
            return codes.get(code)
    if isinstance(value, str):
        value = number(value, comma and "," in value)
    if isinstance(value, (int, float)) and (value == 0 or 1e-100 <= abs(value) <= 1e100):
        return float(value)                      # the sizes load takes; nan and inf have none
    return None


def to_code(value, codes):
    """A score as to_score has it, of what is one of the codes or blank."""
    cell = text(value)
    return codes.get(code_of(cell)) if cell.strip() else np.nan


@lru_cache(maxsize=4096)
def code_of(cell):
    """What --map compares: 2 and 2.0 are one code, nan and NaN too, C and c are two."""
    cell, known = cell.strip(), number(cell)
    if re.fullmatch("nan|-?inf(inity)?", cell, re.IGNORECASE):
        return cell.lower().replace("inity", "")
    return cell if known is None else known


def read_codes(option):
    codes = {}
    for part in option.split(",") if option else []:
        code, _, score = part.rpartition("=")
        codes[code_of(code)] = to_number(score, blank=np.nan)
        if not code or codes[code_of(code)] is None:
            raise ValueError(f"--map: {part!r} is no CODE=SCORE; write C=1,I=0 (N/A= is a blank)")
    return codes


def usual_ids(first, found):
    """The usual names of an id that stand in the first records, the best one first."""
    usual = [key for key in IDS if key in found]
    return sorted(usual, key=lambda key: 2 if key == "query" else names_nothing(first, key))


def names_nothing(first, key):
    """Whether a field only counts the rows, or never changes."""
    cells = [text(lookup(record, key)) for record in first]
    values = list(map(number, cells))
    return len(set(cells)) == 1 or (None not in values and bool(np.all(np.diff(values) == 1)))


def id_fields(path, form, found, usual, asked, before):
    """The fields that make the question's id. usual: usual_ids; before: the first run, if read."""
    if asked:
        keys = [asked] if asked in found else asked.split(",")
    elif form == "lm-eval samples" and "task" in found:
        keys = ["task", "doc_id"]                # doc_id begins again in every task
    else:
        keys = usual[:1] or list(found)[:1] * (form in TABLES.values())
        shared = [key for key in usual if before and key in before.usual]
        if shared and len(before.ids) == 1:
            if keys[0] not in shared or before.ids[0] not in shared:
                names = dict.fromkeys([*shared, keys[0], *before.ids])
                raise ValueError(f"{path}: the id could be {some(names)}, and only "
                                 f"{some(shared)} is in {before.path} too; choose with --id "
                                 f"{shared[0]}, or --id {before.ids[0]} --id {keys[0]}")
            keys = before.ids
    if not keys or not set(keys) <= found.keys():
        raise ValueError(f"{path}: {f'no field {asked}' if asked else 'no usual id'}; name the "
                         f"question's id with --id: {some(found, 30)}")
    return keys


def score_fields(path, form, first, found, others, asked, codes):
    """The fields that may hold the score; [] if each record names its own in `metrics`."""
    if asked:
        return [asked] if asked in found else asked.split(",")
    if form == "lm-eval samples" and "metrics" in found:
        return []
    free = [key for key in found if key not in others]
    if form == "Inspect log":
        free = [key for key in free if re.match(r"scores\..+\.value(\.|$)", key)]
    coded = fields_of(first, others, lambda value: to_code(value, codes)) if codes else []
    free = [key for key in coded if key in free] or free
    keys = free if form == "Inspect log" else (
        [key for key in free if key in SCORES]
        or [key for key in numeric_fields(form, first, others, codes) if key in free] or free)
    if len(keys) != 1:
        raise ValueError(f"{path}: the score could be {some(keys, 30) or 'in no field'}; "
                         "name its field with --score, once for all runs or once for each")
    if number(keys[0]) is not None:
        raise ValueError(f"{path}: the score would be called {keys[0]}, so row 1 looks like data; "
                         "put a row of names above it")
    return keys


def numeric_fields(form, first, others, codes=None):
    return fields_of(first, others, lambda value: to_score(value, codes, comma=form != "CSV"))


def fields_of(first, others, score):
    """Fields with a score or a blank in each of the first records, and not with blanks alone."""
    values = defaultdict(list)
    for key, value in chain.from_iterable(map(leaves, first)):
        values[key].append(score(value))
    return [key for key, column in values.items()
            if None not in column and not np.isnan(column).all()
            and key not in others and not NOT_A_MODEL.fullmatch(key)]


# ---- one run, reduced to what a join needs ----


class Run(NamedTuple):
    """One file. Arrays have shape (records used,); questions are numbered over all files."""
    path: str
    form: str
    ids: list                # the fields that make the id
    usual: list              # those that could
    scores: list             # the fields that scores were found in
    coded: bool              # was a score one of the codes of --map
    rows: int                # records in the file
    question: np.ndarray     # number of the question
    score: np.ndarray        # nan where blank
    tries: list              # what tells tries apart; [] where their order does
    codes: dict              # field on which runs must agree -> code of its text, 0 if blank


def read_run(path, args, turn, questions, clusters, before=None):
    """The Run in a file. questions, clusters: text -> number, one for all runs, added to."""
    form, records = open_run(path, args.submitted)
    first = list(islice(records, PEEK))
    found = {key: value for record in first for key, value in leaves(record) if value is not None}
    if not found:
        raise ValueError(f"{path}: no results in it; it needs a record per question")
    where, map_codes = conditions(args, turn), read_codes(args.map)
    usual, asked = usual_ids(first, found), for_run(args, args.id, turn, "--id")
    usual = [key for key in usual if key not in (args.cluster, *where)] or usual
    ids = id_fields(path, form, found, usual, asked, before)
    rivals = [] if asked or args.witness != WITNESSES else [
        key for key in usual if key not in ids and not names_nothing(first, key)]
    others = [*ids, *rivals, *where, args.cluster]
    fields = score_fields(path, form, first, found, others,
                          for_run(args, args.score, turn, "--score"), map_codes)
    trial = [key for key in TRIES if args.tries and key in first[0]][:1]
    same = dict.fromkeys(key for key in [args.cluster, *args.witness.split(","), *rivals]
                         if key in found)
    variant, coded = VARIANTS.get(form), False
    table, comma = form in TABLES.values(), form in ("CSV with ;", "TSV")
    thousands = None                             # where 1,204 stands; False after a plain 0,5
    question, score, tries = array("q"), array("d"), []
    codes = {key: array("q") for key in same}
    used, marks, variants = set(), set(), set()
    for index, record in enumerate(chain(first, records), 1 + table):
        if where and any(text(lookup(record, key)) != value for key, value in where.items()):
            continue
        try:
            question.append(questions.setdefault(id_in(record, ids), len(questions)))
            field, value = score_in(record, fields)
            point = to_score(value, map_codes, comma)
            if point is None:
                raise ValueError(f"{field} is {shown(value)}, not a finite number (1e-100 to "
                                 "1e100); choose another --score, or give codes: --map C=1,I=0 "
                                 "(N/A= makes a blank)")
            score.append(point)
            if map_codes and not coded:
                coded = code_of(text(value)) in map_codes
            if comma and value:
                marks.update({",", "."} & set(value))
                if len(marks) > 1:
                    raise ValueError(f"{field} is {value}, an earlier one has the other decimal "
                                     "mark; use the comma in all or the point in all")
                if thousands is not False and "," in value:
                    thousands = bool(THOUSANDS.fullmatch(value.strip())) and (
                        thousands or (index, field, value.strip()))
            for key in trial:
                tries.append(name_in(record, key))
            for key in same:
                codes[key].append(clusters.setdefault(name_in(record, key), len(clusters) + 1)
                                  if key == args.cluster else witness_in(record, key))
        except ValueError as error:
            raise ValueError(f"{path}, {'row' if table else 'record'} {index}: {error}") from None
        if value is not None:
            used.add(field)
        if variant:
            variants.add(text(lookup(record, variant)))
    if not question:
        values = (f"{key} is {some(sorted({text(lookup(record, key)) for record in first}))}"
                  for key in where)
        raise ValueError(f"{path}: no record is as --where asks; {'; '.join(values)}")
    if not used:
        raise ValueError(f"{path}: no record has a score in {' or '.join(fields) or 'its metrics'};"
                         f" numbers stand in: {some(numeric_fields(form, first, others), 30)}")
    if thousands:
        row, field, cell = thousands
        raise ValueError(f"{path}, row {row}: {field} is {cell!r}, thousands or decimals? write "
                         f"{cell.replace(',', '')} or {cell.replace(',', '.')}, in all rows")
    if len(variants) > 1 and variant not in ids:
        raise ValueError(f"{path}: {variant} is {some(sorted(variants))}, each with scores of its "
                         f"own; choose one, such as --where {variant}={min(variants)}")
    return Run(path, form, ids, usual, sorted(used), coded, index - table, np.array(question),
               np.array(score), tries, {key: np.array(column) for key, column in codes.items()})


def for_run(args, values, turn, option):
    """An option stands once for all runs, or once for each in their order."""
    if values and len(values) not in (1, len(args.runs)):
        raise ValueError(f"{option} stands {len(values)} times for {len(args.runs)} runs; give it "
                         "once for all, or once for each")
    return values[turn % len(values)] if values else None


def conditions(args, turn):
    """{key: value} of the --where that hold for one run."""
    values = defaultdict(list)
    for condition in args.where:
        key, _, value = condition.partition("=")
        values[key].append(value)
    return {key: for_run(args, values[key], turn, f"--where {key}") for key in values}


# ---- the join: every run as an array over all n questions ----


class Joined(NamedTuple):
    """Arrays have shape (runs, n) or (n,), n questions in the order of `names`."""
    names: list              # ids of the questions
    models: list             # names of the runs
    counts: np.ndarray       # records of each question
    scores: np.ndarray       # the mean over its tries: nan if one is blank, 0 if there is none
    shared: np.ndarray       # is the question in every run
    blank: np.ndarray        # is it, and has it a blank score in one
    kept: np.ndarray         # is it joined


def join_runs(args, runs, names):
    counts = np.array([times_asked(run, names, args.tries) for run in runs])
    shared = (counts > 0).all(axis=0)
    scores, blank = np.empty(counts.shape), np.zeros(len(names), bool)
    for run, count, score in zip(runs, counts, scores):
        blank[run.question[np.isnan(run.score)]] = True
        values = np.nan_to_num(run.score) if args.missing == "zero" else run.score
        score[:] = np.bincount(run.question, values, len(names)) / np.maximum(count, 1)
    blank &= shared
    kept = shared & ~blank if args.missing == "drop" else shared
    return Joined(names, model_names(args, runs), counts, scores, shared, blank, kept)


def times_asked(run, names, tries):
    """How many records each question has, shape (n,). Several are refused unless they are tries."""
    count = np.bincount(run.question, minlength=len(names))
    if run.tries:
        answers = Counter(zip(run.question.tolist(), run.tries))
        twice = list(dict.fromkeys(q for (q, _), times in answers.items() if times > 1))
    else:
        twice = [] if tries else np.flatnonzero(count > 1)
    if len(twice):
        again = some((f"{shown(names[q])} appears {count[q]} times" for q in twice), 3)
        raise ValueError(f"{run.path}: ids that stand more than once: {len(twice):,} ({again}); "
                         "choose with --where KEY=VALUE, widen the id (--id task,doc_id), or keep "
                         "them as tries (--tries mean or long)")
    return count


def agreed(runs, field, names, cluster):
    """The code of `field` for each question, 0 where no run has one. Two codes are refused."""
    codes = np.zeros(len(names), np.int64)
    for run in runs:
        if field in run.codes:
            known = run.codes[field] != 0
            question, code = run.question[known], run.codes[field][known]
            before = codes[question]
            codes[question] = code
            clash = (codes[question] != code) | (before != 0) & (before != code)
            if clash.any():
                ids = dict.fromkeys(names[q] for q in question[clash])
                key = ",".join(run.ids)
                advice = f"leave those out with --id {key},{field}"
                if field in IDS:
                    advice = f"choose the id: --id {key} or --id {field}"
                elif field != cluster:
                    advice += f", or {field} unchecked: --witness none"
                raise ValueError(f"{run.path}: ids that name two questions, by their {field}: "
                                 f"{len(ids):,} ({some(ids)}); {advice}")
    return codes


def check_scale(models, scores):
    """Refuses a run that stays within 0..1 beside one whose usual score is three times larger."""
    usual = [np.abs(x[x != 0]).mean() if x.any() else np.nan for x in scores]
    for small, x, low in zip(models, scores, usual):
        for large, y, high in zip(models, scores, usual):
            if x.min() >= 0 and x.max() <= 1 < y.max() and high >= 3 * low:
                raise ValueError(f"{small} scores from {x.min():g} to {x.max():g} and {large} from "
                                 f"{y.min():g} to {y.max():g}; bring them to one scale first")


def model_names(args, runs):
    """Column names: --names, else the first that tells all runs apart: files, folders, options."""
    def fit(name):
        name = re.sub(r'[\x00-\x1f\ud800-\udfff",;]', "_", name).strip()
        taken = name in ("", "qid", args.cluster) or NOT_A_MODEL.fullmatch(name)
        return f"{name} scores" if taken else name

    stems = [os.path.splitext(os.path.basename(run.path))[0] for run in runs]
    folders = [os.path.basename(os.path.dirname(os.path.abspath(run.path))) for run in runs]
    choices = [re.split(r"\s*,\s*", args.names.strip())] if args.names else [
        stems, [f"{folder}/{stem}" for folder, stem in zip(folders, stems)],
        ["+".join(conditions(args, turn).values()) for turn in range(len(runs))],
        ["+".join(run.scores) for run in runs],
        [f"{stem}_{turn}" for turn, stem in enumerate(stems, 1)]]
    for choice in choices:
        names = list(map(fit, choice))
        if len(set(names)) == len(names) == len(runs) and (names == choice or not args.names):
            return names
    raise ValueError(f"--names {args.names}: {len(runs)} runs need as many different names; qid, "
                     "words for an id, and the cluster's name are taken")


def many(n):
    return f"{n:,} question{'s' * (n != 1)}"


def account(args, runs, joined):
    """Prints what was read, matched, left out and chosen, within 80 columns."""
    def say(head, line):
        print(f"{head:<11}{line if len(line) <= 69 else line[:66] + '...'}")

    def questions(which):
        ids = [joined.names[q] for q in np.flatnonzero(which)]
        return many(len(ids)) + f" ({some(ids)})" * bool(ids)

    print(f"{'run':<20}{'format':<16}{'rows':>9}{'questions':>11}{'blank':>7}{'joined':>9}"
          f"{'mean':>8}")
    models = list(map(shown, clip_apart(joined.models, 19)))
    for run, model, count, score in zip(runs, models, joined.counts, joined.scores):
        score = score[joined.kept & ~np.isnan(score)]
        print(f"{model:<20}{run.form:<16}{run.rows:>9,}{(count > 0).sum():>11,}"
              f"{np.isnan(run.score).sum():>7,}{joined.kept.sum():>9,}"
              f"{f'{score.mean():.4g}' if len(score) else '-':>8}")
    print()
    say("id", " | ".join(dict.fromkeys(",".join(run.ids) for run in runs)))
    say("score", " | ".join(dict.fromkeys(",".join(run.scores) for run in runs)))
    say("cluster", args.cluster or "none (--cluster KEY)")
    both = [key for key in dict.fromkeys([*args.witness.split(","), *IDS])
            if sum(key in run.codes for run in runs) > 1]
    say("witness", ", ".join(both) or "none: no second field stands in two runs")
    for model, count in zip(models, joined.counts):
        say("only in" if len(runs) == 2 else "left out",
            f"{model}: {questions((count > 0) & ~joined.shared)}")
    say("blanks", f"--missing {args.missing}: {questions(joined.blank)}")
    if args.tries:
        say("tries", f"--tries {args.tries}: " + ", ".join(
            f"{count[count > 0].min()} to {count.max()}" for count in joined.counts))


def check_joined(args, runs, joined):
    """Refuses a join that nobody should use; returns the cluster's code of each question."""
    if args.map and not any(run.coded for run in runs):
        fields = dict.fromkeys(chain.from_iterable(run.scores for run in runs))
        raise ValueError(f"--map {args.map}: no score of {some(dict.fromkeys(args.runs))} "
                         f"({some(fields)}) is one of these codes; name the field that has them "
                         "with --score, or leave --map out")
    if joined.blank.any() and not joined.kept.any():
        raise ValueError("no question is left to join: --missing drop leaves out all that the runs "
                         f"share ({joined.blank.sum():,}), each blank in some run; count blanks as "
                         "0 with --missing zero, or name another --score")
    if not joined.kept.any():
        samples = (f"{run.path} has {some(joined.names[q] for q in np.flatnonzero(count)[:3])}"
                   for run, count in zip(runs, joined.counts))
        raise ValueError(f"no question is left to join: {'; '.join(samples)}; the runs must name "
                         "(--id) and score the same questions")
    fields = dict.fromkeys(chain.from_iterable(run.codes for run in runs))
    codes = {field: agreed(runs, field, joined.names, args.cluster) for field in fields}
    if args.cluster and args.cluster not in codes:
        raise ValueError(f"no run has a field {args.cluster} to take clusters from")
    if args.missing == "refuse" and joined.blank.any():
        ids = [joined.names[q] for q in np.flatnonzero(joined.blank)]
        raise ValueError(f"questions with a blank score: {len(ids):,} ({some(ids)}); --missing drop"
                         " leaves them out of every run, --missing zero counts blanks as 0")
    check_scale(joined.models, joined.scores[:, joined.kept])
    return codes.get(args.cluster)


# ---- results.csv ----


@lru_cache(maxsize=4096)
def written(x):
    """A score as text that reads back as the same float: 1, 0.5."""
    return str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(float(x))


def wide_rows(order, joined, labels):
    """qid, the cluster if any, a score per model; in slices, so that a million rows stay small."""
    for start in range(0, len(order), 10_000):
        part = order[start:start + 10_000]
        yield from zip(*([texts[q] for q in part] for texts in (joined.names, *labels)),
                       *(map(written, score[part].tolist()) for score in joined.scores))


def long_rows(order, joined, labels, runs):
    """qid, model, score, try, the cluster if any; tries in the order of what tells them apart."""
    rows = []
    for run in runs:
        rows.append(defaultdict(dict))
        for row, q in enumerate(run.question.tolist()):
            again = rows[-1][q]
            again[run.tries[row] if run.tries else str(len(again) + 1)] = run.score[row]
    for q in order:
        for model, answers in zip(joined.models, rows):
            for label in sorted(answers[q], key=lambda text: (len(text), text)):
                score = np.nan_to_num(answers[q][label])         # blank, and --missing zero
                yield joined.names[q], model, written(score), label, *(name[q] for name in labels)


def write_whole(path, header, rows):
    """The file appears complete or not at all."""
    path = os.path.realpath(path)                # through a link, not in its place
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "w", newline="", encoding="utf-8") as f:
            table = csv.writer(f)
            table.writerow(header)
            table.writerows(rows)
        os.replace(part, path)
    finally:
        with suppress(FileNotFoundError):
            os.remove(part)


def read_arguments(argv):
    parser = arguments(__doc__, pair=False)
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="result files of two or more runs")
    add("-o", "--output", required=True, metavar="FILE", help="the CSV file to write")
    add("--id", action="append", metavar="KEY", help="field(s) of the question's id: task,doc_id")
    add("--score", action="append", metavar="KEY", help="field of the score")
    add("--where", action="append", default=[], metavar="KEY=VALUE", help="only these records")
    add("--cluster", metavar="KEY", help="what questions share: a document, a repository")
    add("--names", metavar="A,B", help="names of the models (default: from the file names)")
    add("--map", metavar="C=1,I=0", help="scores of letters and codes; N/A= makes a blank")
    add("--missing", choices=["refuse", "drop", "zero"], default="refuse",
        help="questions with a blank score: refuse, leave out of every run, or count as 0")
    add("--tries", choices=["mean", "long"], help="several answers per question: average, or keep")
    add("--submitted", metavar="FILE", help="SWE-bench: every id that was submitted")
    add("--witness", default=WITNESSES, metavar="KEYS",
        help="fields that must agree where two runs have them (default: %(default)s)")
    args = parser.parse_args(argv)
    if len(args.runs) < 2:
        raise ValueError(f"one run ({args.runs[0]}); give two or more to join")
    for condition in args.where:
        if "=" not in condition:
            raise ValueError(f"--where {condition}: write KEY=VALUE")
    place = os.path.realpath(args.output)
    if os.path.isdir(place) or not os.path.isdir(os.path.dirname(place)):
        raise ValueError(f"-o {args.output}: no file can be written there; name one in a folder "
                         "that exists")
    for path in filter(None, [*args.runs, args.submitted]):
        if os.path.exists(path) and os.path.exists(place) and os.path.samefile(path, place):
            raise ValueError(f"-o {args.output}: that is the input {path}; write to another file")
    return args


def main(argv=None):
    """The command; a refusal is one line on stderr and exit code 2."""
    with one_line():
        args = read_arguments(argv)
        questions, clusters, runs = {}, {}, []
        try:
            for turn, path in enumerate(args.runs):
                runs.append(read_run(path, args, turn, questions, clusters, *runs[:1]))
        except RecursionError:
            raise ValueError("a file holds objects nested far too deep; no harness writes "
                             "that") from None
        names = list(questions)
        questions.clear()                        # the largest thing held, and not needed any more
        joined = join_runs(args, runs, names)
        code = check_joined(args, runs, joined)

        order = sorted(np.flatnonzero(joined.kept).tolist(), key=joined.names.__getitem__)
        labels, head = [], []
        if args.cluster:
            texts = ["", *clusters]
            labels = [[texts[i] for i in code.tolist()]]
            # Numbers under any other name than an id's would pass for a model's scores.
            numeric = None not in map(number, clusters) and not NOT_A_MODEL.fullmatch(args.cluster)
            taken = args.cluster in ("qid", "model", "score", "try")
            head = [args.cluster + "_id" * (numeric or taken)]
        if args.tries == "long":
            write_whole(args.output, ["qid", "model", "score", "try", *head],
                        long_rows(order, joined, labels, runs))
        else:
            write_whole(args.output, ["qid", *head, *joined.models],
                        wide_rows(order, joined, labels))
        account(args, runs, joined)
        lesson = "paired" if len(runs) == 2 and not head and args.tries != "long" else "report"
        one = len(order) == 1
        print(f"\n{many(len(order))}, matched on {'its id, stands' if one else 'their ids, stand'} "
              f"in {args.output}; next:\n"
              f"python {lesson}.py {args.output}" + "".join(f" --cluster {name}" for name in head))


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")    # ids in any script, on any terminal
    main()
