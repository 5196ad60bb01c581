"""t7 - Two real runs of the same questions -> results.csv, joined on question id.

A harness writes one file per run, in completion order, with retries, filters, blanks and
ids of its own. Side by side, row 7 of one file is not row 7 of the other: the gap survives
that, its interval does not. So rows meet by id; what is doubtful is refused, not guessed;
and every choice that was made is printed.

    python join.py RUN_A RUN_B -o results.csv --score exact_match

Told apart by content: CSV and TSV, JSON lines, JSON lists, logs of lm-evaluation-harness
(--log_samples), Inspect AI (.json, .eval) and HELM (per_instance_stats.json), the output of
trec_eval -q, and SWE-bench reports. A key may be a path into a record: scores.choice.value.

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

from load import NOT_A_MODEL, arguments, one_line, to_number

PEEK = 100                                       # records looked at before fields are chosen
IDS = "qid id sample_id question_id doc_id instance_id task_id item_id query".split()
SCORES = "score correct is_correct resolved".split()
TRIES = "epoch try attempt train_trial_index".split()
WITNESSES = "doc_hash,target_hash,target,question,input"
VARIANTS = {"lm-eval samples": "filter", "HELM stats": "split"}   # each scores a question anew
TABLES = {",": "CSV", ";": "CSV with ;", "\t": "TSV"}
UNFIT = re.compile("[\0\ud800-\udfff]")          # what no UTF-8 table can carry
number = lru_cache(maxsize=4096)(to_number)      # a run repeats few scores many times


# ---- reading: every format becomes an iterator of records, a dict per question and try ----


def open_run(path, submitted=None):
    """(name of the format, iterator of records). submitted: a file of ids, for SWE-bench."""
    with open(path, "rb") as f:
        f.seek(3 if f.read(3) == b"\xef\xbb\xbf" else 0)
        line = next((line.strip() for line in f if line.strip()), b"").decode("utf-8", "replace")
    if not line:
        raise ValueError(f"{path}: the file is empty; it needs a record per question")
    if line[0] in "[{":
        form, records = open_json(path, line, submitted)
    elif line.startswith("PK\3\4"):
        form, records = "Inspect log", inspect_members(path)
    elif re.match(r"runid\s|[^\s,;]+\s+[^\s,;]+\s+[-+.\d]\S*$", line):
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
                         f"{shown(str(error))}); write it anew, as UTF-8") from None


def open_json(path, line, submitted):
    """open_run for JSON: lines of records, a list of them, or one object that is a whole log."""
    first = parse(line, f"{path}, line 1") if line[0] == "{" and line[-1] == "}" else None
    form, records = "JSON lines", json_lines(path)
    if first is None or open_log(path, first, submitted):
        document = parse_file(path)
        if isinstance(document, dict):
            if log := open_log(path, document, submitted):
                return log
            raise ValueError(f"{path}: one JSON object ({some(document)}), no record per question; "
                             "give the harness's log of samples, JSON lines, or a JSON list")
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
    except (OSError, ValueError) as error:       # zipfile raises both for offsets that are wrong
        raise ValueError(f"{path}: {error}") from None


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
            measure, query, value = line.split(None, 2) if line.split() else ("", "all", "")
            if measure in queries[query] and query != "all":
                raise ValueError(f"{path}, line {index}: {shown(measure)} of query {shown(query)} "
                                 "stands twice; give the output of one run")
            queries[query][measure] = value.strip()
    queries.pop("all", None)
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
    if isinstance(value, list | dict) or UNFIT.search(cell):
        raise ValueError(f"{key} is {shown(cell)}; it must be a text or a number")
    return cell


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
        return number(value, comma and "," in value)
    if isinstance(value, int | float) and abs(value) < 1e308:
        return float(value)
    return None


def code_of(cell):
    """What --map compares: 2 and 2.0 are one code, C and c are two."""
    known = number(cell)
    return cell.strip() if known is None else known


def read_codes(option):
    codes = {}
    for part in option.split(",") if option else []:
        code, _, score = part.rpartition("=")
        codes[code_of(code)] = to_number(score, blank=np.nan)
        if not code or codes[code_of(code)] is None:
            raise ValueError(f"--map: {part!r} is no CODE=SCORE; write C=1,I=0 (N/A= is a blank)")
    return codes


def choose_fields(path, form, first, id_key, score_key, taken):
    """(id fields, score fields, fields that hold numbers), judged by the first records."""
    found = dict(chain.from_iterable(map(leaves, first)))
    plain = [key for key, value in found.items() if not isinstance(value, list)]
    ids = [key for key in IDS if key in found] or plain * (form in TABLES.values())
    ids = ids[:1]
    if id_key:
        ids = [id_key] if id_key in found else id_key.split(",")
    elif form == "lm-eval samples" and "task" in found:
        ids = ["task", "doc_id"]                 # doc_id begins again in every task
    if not ids or not set(ids) <= found.keys():
        raise ValueError(f"{path}: {f'no field {id_key}' if id_key else 'no usual id'}; name the "
                         f"question's id with --id: {some(plain, 30)}")

    def is_numeric(key):
        values = [to_score(lookup(record, key), comma=form != "CSV") for record in first]
        return None not in values and not np.isnan(values).all()

    numeric = [key for key in plain if key not in (*ids, *taken)
               and not NOT_A_MODEL.fullmatch(key) and is_numeric(key)]
    if score_key:
        return ids, [score_key] if score_key in found else score_key.split(","), numeric
    if form == "lm-eval samples" and "metrics" in found:
        return ids, [], numeric                  # every record names its own
    keys = [key for key in numeric if key in SCORES] or numeric
    if form == "Inspect log":
        keys = [key for key in plain if re.match(r"scores\..+\.value(\.|$)", key)]
    if len(keys) != 1:
        raise ValueError(f"{path}: {len(keys)} fields could be the score; name it with --score, "
                         f"once for all runs or once for each: {some(keys or plain, 30)}")
    return ids, keys, numeric


# ---- one run, reduced to what a join needs ----


class Run(NamedTuple):
    """One file. Arrays have shape (records used,); questions are numbered over all files."""
    path: str
    form: str
    ids: list                # the fields that make the id
    scores: list             # the fields that scores were found in
    rows: int                # records in the file
    question: np.ndarray     # number of the question
    score: np.ndarray        # nan where blank
    tries: list              # what tells tries apart; [] where their order does
    codes: dict              # field on which runs must agree -> code of its text, 0 if blank


def read_run(path, args, turn, questions, clusters):
    """The Run in a file. questions, clusters: text -> number, one for all runs, added to."""
    form, records = open_run(path, args.submitted)
    first = list(islice(records, PEEK))
    if not first:
        raise ValueError(f"{path}: no records; it needs one per question")
    where = conditions(args, turn)
    ids, scores, numeric = choose_fields(
        path, form, first, for_run(args, args.id, turn, "--id"),
        for_run(args, args.score, turn, "--score"), [args.cluster, *where])
    map_codes, variant = read_codes(args.map), VARIANTS.get(form)
    table, comma = form in TABLES.values(), form in ("CSV with ;", "TSV")
    trial = [key for key in TRIES if args.tries and key in first[0]][:1]
    codes = {key: array("q") for key in [args.cluster, *args.witness.split(",")]
             if key and any(lookup(record, key) is not None for record in first)}
    question, score, tries = array("q"), array("d"), []
    used, marks, variants = set(), set(), set()
    for index, record in enumerate(chain(first, records), 1 + table):
        if where and any(text(lookup(record, key)) != value for key, value in where.items()):
            continue
        try:
            question.append(questions.setdefault(id_in(record, ids), len(questions)))
            field, value = score_in(record, scores)
            point = to_score(value, map_codes, comma)
            if point is None:
                raise ValueError(f"{field} is {shown(value)}, not a finite number; choose another "
                                 "--score, or give codes: --map C=1,I=0 (N/A= is a blank)")
            score.append(point)
            if comma:
                marks.update({",", "."} & set(value))
                if len(marks) > 1:
                    raise ValueError(f"{field} is {value}, an earlier one has the other decimal "
                                     "mark; use the comma in all or the point in all")
            for key in trial:
                tries.append(name_in(record, key))
            for key, column in codes.items():
                column.append(clusters.setdefault(name_in(record, key), len(clusters) + 1)
                              if key == args.cluster else hash(text(lookup(record, key))))
        except ValueError as error:
            raise ValueError(f"{path}, {'row' if table else 'record'} {index}: {error}") from None
        if value is not None:
            used.add(field)
        if variant:
            variants.add(text(lookup(record, variant)))
    if not question:
        values = [f"{key} is {some(sorted({text(lookup(record, key)) for record in first}))}"
                  for key in where]
        raise ValueError(f"{path}: no record is as --where asks; {'; '.join(values)}")
    if not used:
        raise ValueError(f"{path}: no record has a score in {' or '.join(scores) or 'its metrics'};"
                         f" fields that hold numbers: {some(numeric, 30) or 'none'}")
    if len(variants) > 1 and variant not in ids:
        raise ValueError(f"{path}: {variant} is {some(sorted(variants))}, each with scores of its "
                         f"own; choose one, such as --where {variant}={min(variants)}")
    return Run(path, form, ids, sorted(used), index - table, np.array(question), np.array(score),
               tries, {key: np.array(column) for key, column in codes.items()})


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


# ---- the join: every run as arrays over all n questions ----


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


def agreed(runs, field, names):
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
                raise ValueError(f"{run.path}: {field} differs under one id, in {len(ids):,} "
                                 f"questions ({some(ids)}): an id that names two questions; leave "
                                 f"them out with --id {','.join(run.ids)},{field}, or the field "
                                 "unchecked with --witness")
    return codes


def check_scale(models, columns):
    """Refuses a run that stays within 0..1 beside one whose usual score is three times larger."""
    usual = [np.abs(x[x != 0]).mean() if x.any() else np.nan for x in columns]
    for small, x, low in zip(models, columns, usual):
        for large, y, high in zip(models, columns, usual):
            if x.min() >= 0 and x.max() <= 1 < y.max() and high >= 3 * low:
                raise ValueError(f"{small} scores from {x.min():g} to {x.max():g} and {large} from "
                                 f"{y.min():g} to {y.max():g}; bring them to one scale first")


def model_names(args, runs):
    """Column names: --names, else the first that tells all runs apart: files, folders, choices."""
    def fit(name):
        name = re.sub(r'[\x00-\x1f\ud800-\udfff",;]', "_", name).strip()
        taken = name in ("", "qid", args.cluster) or NOT_A_MODEL.fullmatch(name)
        return f"{name} scores" if taken else name

    def differ(names):
        return len(names) == len(runs) == len(set(names))

    if args.names:
        names = args.names.split(",")
        if not differ(names) or names != list(map(fit, names)):
            raise ValueError(f"--names {args.names}: {len(runs)} runs need as many different names;"
                             " qid, words for an id, and the cluster's name are taken")
        return names
    stems = [os.path.splitext(os.path.basename(run.path))[0] for run in runs]
    folders = [os.path.basename(os.path.dirname(os.path.abspath(run.path))) for run in runs]
    choices = (stems, [f"{folder}/{stem}" for folder, stem in zip(folders, stems)],
               ["+".join(conditions(args, turn).values()) for turn in range(len(runs))],
               ["+".join(run.scores) for run in runs],
               [f"{stem}_{turn}" for turn, stem in enumerate(stems, 1)])
    return next(names for names in (list(map(fit, choice)) for choice in choices) if differ(names))


def account(args, runs, models, names, counts, blanks, columns, shared, blank, joined):
    """Prints what was read, matched, left out and chosen, within 80 columns."""
    def say(head, line):
        print(f"{head:<11}{line if len(line) <= 69 else line[:66] + '...'}")

    def questions(which):
        ids = [names[q] for q in np.flatnonzero(which)]
        return f"{len(ids):,} question{'s' * (len(ids) != 1)}" + f" ({some(ids)})" * bool(ids)

    print(f"{'run':<20}{'format':<16}{'rows':>9}{'questions':>11}{'blank':>7}{'joined':>9}{'mean':>8}")
    for run, model, count, gaps, column in zip(runs, models, counts, blanks, columns):
        scored = column[joined & ~np.isnan(column)]
        mean = f"{scored.mean():.4g}" if len(scored) else "-"
        model = shown(model) if len(model) < 20 else ".." + shown(model[-17:])
        print(f"{model:<20}{run.form:<16}{run.rows:>9,}{(count > 0).sum():>11,}"
              f"{int(gaps.sum()):>7,}{joined.sum():>9,}{mean:>8}")
    print()
    say("id", " | ".join(dict.fromkeys(",".join(run.ids) for run in runs)))
    say("score", " | ".join(dict.fromkeys(",".join(run.scores) for run in runs)))
    say("cluster", args.cluster or "none (--cluster KEY)")
    both = [key for key in args.witness.split(",") if sum(key in run.codes for run in runs) > 1]
    say("witness", ", ".join(both) or "none: no second field stands in two runs")
    for model, count in zip(models, counts):
        say("only in" if len(runs) == 2 else "left out",
            f"{shown(model)[-40:]}: {questions((count > 0) & ~shared)}")
    say("blanks", f"--missing {args.missing}: {questions(blank)}")
    if args.tries:
        say("tries", f"--tries {args.tries}: "
            + ", ".join(f"{count[count > 0].min()} to {count.max()}" for count in counts))


def write_whole(path, header, rows):
    """The file appears complete or not at all."""
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


@lru_cache(maxsize=4096)
def written(x):
    """A score as text that reads back as the same float: 1, 0.5."""
    return str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(x)


def wide_rows(order, names, clusters, columns):
    """qid, cluster if any, one score per model; a slice at a time to stay small."""
    for start in range(0, len(order), 10_000):
        part = order[start:start + 10_000]
        yield from zip([names[q] for q in part], *([label[q] for q in part] for label in clusters),
                       *(map(written, column[part].tolist()) for column in columns))


def long_rows(order, names, clusters, models, runs):
    """qid, model, score, try, cluster if any; tries in the order of their labels."""
    answers = []
    for run in runs:
        rows = defaultdict(list)
        for row, q in enumerate(run.question.tolist()):
            rows[q].append(row)
        answers.append((run.tries, run.score, rows))
    for q in order:
        for model, (tries, score, rows) in zip(models, answers):
            labels = {row: tries[row] if tries else str(i) for i, row in enumerate(rows[q], 1)}
            for row in sorted(labels, key=lambda row: (len(labels[row]), labels[row])):
                yield (names[q], model, written(score[row]), labels[row],
                       *(label[q] for label in clusters))


def read_arguments(argv):
    parser = arguments(__doc__, pair=False)
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="result files of two or more runs")
    add("-o", "--output", required=True, metavar="FILE", help="the CSV file to write")
    add("--id", action="append", metavar="KEY", help="field(s) of the question's id: task,doc_id")
    add("--score", action="append", metavar="KEY", help="field of the score (once, or once a run)")
    add("--where", action="append", default=[], metavar="KEY=VALUE", help="only these records")
    add("--cluster", metavar="KEY", help="what questions share: a document, a repository")
    add("--names", metavar="A,B", help="names of the models (default: from the file names)")
    add("--map", metavar="C=1,I=0", help="scores of letters and codes; N/A= makes a blank")
    add("--missing", choices=["refuse", "drop", "zero"], default="refuse",
        help="questions with a blank score: refuse, leave out of every run, or count as 0")
    add("--tries", choices=["mean", "long"], help="several answers per question: average, or keep")
    add("--submitted", metavar="FILE", help="SWE-bench: the ids that a bare list was drawn from")
    add("--witness", default=WITNESSES, metavar="KEYS",
        help="fields that must agree where two runs have them (default: %(default)s)")
    args = parser.parse_args(argv)
    if len(args.runs) < 2:
        raise ValueError(f"one run ({args.runs[0]}); give two or more to join")
    for condition in args.where:
        if "=" not in condition:
            raise ValueError(f"--where {condition}: write KEY=VALUE")
    args.output = os.path.realpath(args.output)
    if os.path.isdir(args.output) or not os.path.isdir(os.path.dirname(args.output)):
        raise ValueError(f"-o {args.output}: no file can be written there; name one in a folder "
                         "that exists")
    for path in [*args.runs, args.submitted]:
        if path and os.path.exists(path) and os.path.exists(args.output) \
                and os.path.samefile(path, args.output):
            raise ValueError(f"-o {args.output}: that is the input {path}; write to another file")
    return args


def main(argv=None):
    """The command; a refusal is one line on stderr and exit code 2."""
    with one_line():
        args = read_arguments(argv)
        questions, clusters = {}, {}
        runs = [read_run(path, args, turn, questions, clusters)
                for turn, path in enumerate(args.runs)]
        names, models = list(questions), model_names(args, runs)
        counts = np.array([times_asked(run, names, args.tries) for run in runs])
        blanks = [np.bincount(run.question, np.isnan(run.score), len(names)) for run in runs]
        for run in runs:
            run.score[np.isnan(run.score)] = 0 if args.missing == "zero" else np.nan
        columns = np.array([np.bincount(run.question, run.score, len(names)) for run in runs])
        columns /= np.maximum(counts, 1)         # the mean over tries; nan if one is blank
        shared = (counts > 0).all(axis=0)
        blank = shared & np.any(blanks, axis=0)
        joined = shared & ~blank if args.missing == "drop" else shared
        account(args, runs, models, names, counts, blanks, columns, shared, blank, joined)

        if not joined.any():
            samples = (f"{run.path} has {some(names[q] for q in np.flatnonzero(count)[:3])}"
                       for run, count in zip(runs, counts))
            raise ValueError(f"no question is left to join: {'; '.join(samples)}; the runs must "
                             "name (--id) and score the same questions")
        fields = dict.fromkeys(chain.from_iterable(run.codes for run in runs))
        codes = {field: agreed(runs, field, names) for field in fields}
        if args.cluster and args.cluster not in codes:
            raise ValueError(f"no run has a field {args.cluster} to take clusters from")
        if args.missing == "refuse" and blank.any():
            raise ValueError(f"questions with a blank score: {blank.sum():,} "
                             f"({some(names[q] for q in np.flatnonzero(blank))}); --missing drop "
                             "leaves them out of every run, --missing zero counts blanks as 0")
        check_scale(models, columns[:, joined])

        order = sorted(np.flatnonzero(joined).tolist(), key=names.__getitem__)
        head = [args.cluster] if args.cluster else []
        texts = ["", *clusters]
        labels = [[texts[code] for code in codes[key].tolist()] for key in head]
        if args.tries == "long":
            write_whole(args.output, ["qid", "model", "score", "try", *head],
                        long_rows(order, names, labels, models, runs))
        else:
            write_whole(args.output, ["qid", *head, *models],
                        wide_rows(order, names, labels, columns))
        output = os.path.relpath(args.output)
        lesson = "paired" if len(runs) == 2 and args.tries != "long" else "report"
        print(f"\n{len(order):,} questions, matched on their ids, stand in {output}; next:\n"
              f"python {lesson}.py {output}")


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")    # ids in any script, on any terminal
    main()
