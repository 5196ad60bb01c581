"""t8 - Everything at once: is that improvement real?

Reads results, decides how they can be compared, and prints what a careful paper would say:
the statement, the table behind it, and a verdict. The statistics are the lessons'; this
file reads, decides, words and prints. Where interval and test do not agree it says so.

Uses all lessons above. FILE has one row per question and a column per model, or one row
per answer (question, model, score), or one row per combination of scores with its count.
"""
import sys
from math import ceil, floor, fsum, log2
from typing import NamedTuple

import numpy as np

from ci import bootstrap_ci, clt_ci, t_cdf, t_quantile, wilson_ci
from load import (
    RESULTS,
    Table,
    arguments,
    clip,
    clip_apart,
    default_id,
    fill,
    in_id_order,
    is_right_wrong,
    looks_like_id,
    one_line,
    p_text,
    read_table,
    refuse,
    score_columns,
    scores,
    to_number,
    unit,
)
from noise import variance_split
from paired import bonett_price_ci, paired_bootstrap_ci, unpaired_diff_ci
from power import NORMAL, n_for, z_sum
from structure import (
    cluster_sums,
    effective_clusters,
    pass_at_k,
    pass_hat_k,
    small_sample_se,
)
from tests import holm, mcnemar_exact, sign_flip_p, sign_test

LARGE = 10              # right and wrong answers each, for the formula instead of Wilson
BOTH_SIDES = 4          # disagreements each way, for the formula instead of Bonett-Price
FLIPPED = 50_000        # real-valued differences up to which signs are flipped
FLIPS = 100_000         # how often: p = 0.05 is known to 0.0007
DRAWS = 20_000_000      # scores drawn at most for a bootstrap of real-valued scores
MOST = 20_000_000       # questions at most, in a file with counts
NAMES = {               # what the columns of a file with one row per answer are called
    "id": ("qid", "item_id", "question_id", "task_id", "sample_id", "doc_id", "id"),
    "model": ("model", "model_id", "model_name", "system"),
    "score": ("score", "passed", "correct", "is_correct", "acc", "accuracy", "value", "reward"),
    "try": ("try", "epoch", "attempt", "sample", "trial", "repeat"),
}


class Runs(NamedTuple):
    """What was read. scores: an array (n,) for each model, nan where there is none."""
    path: str
    names: list
    scores: list
    qids: object             # list of text, or None where the file has counts
    clusters: object         # shape (n,), codes of the clusters, or None
    answers: object          # for each model a list of n arrays, or None: one answer each
    notes: list              # choices made while reading, to be said


# ---- reading ----


def read_runs(args):
    """Runs from whatever form FILE has; every choice that was not asked for becomes a note."""
    raw = read_table(args.file or RESULTS)
    table = map_codes(raw, args.map)
    role = {key: getattr(args, key) or next((name for name in names if name in table.columns), None)
            for key, names in NAMES.items()}
    if role["id"] == args.cluster and not args.id:
        role["id"] = None               # it says what the questions share, not which they are

    def repeats(name):
        return len(set(table.column(name))) < len(table.column(name))

    long = args.model or args.score or (role["score"] and (role["model"] or (
        role["id"] and repeats(role["id"]) and (args.id or repeats(next(iter(table.columns)))))))
    runs = read_long(table, role, args) if long else read_wide(table, args)
    for name in [role["score"]] if long else runs.names:
        if args.map and table.column(name) is raw.column(name):
            refuse(f"{raw.path}: --map {args.map} leaves {name} as it is: some of its cells are "
                   "not among these codes; give every code")
    if args.cluster and len(set(table.column(args.cluster))) == 1:
        refuse(f"{raw.path}, column {args.cluster}: 1 cluster, so nothing was drawn independently; "
               "an error bar needs 2 and deserves 20")
    return runs


def map_codes(table, text):
    """The table with codes turned into scores: --map 1=0,2=1 makes 2.0 a 1. Whole columns only."""
    if not text:
        return table
    codes = {}
    for part in text.split(","):
        code, equals, score = part.partition("=")
        if not equals or to_number(score, blank="") is None:
            refuse(f"--map {part}: write CODE=SCORE, such as --map C=1,I=0, or CODE= for a blank")
        if plain(code) in codes:
            refuse(f"--map {text}: {code} stands twice; give each code one score")
        codes[plain(code)] = score.strip()
    columns = {}
    for name, cells in table.columns.items():
        known = {cell: codes.get(plain(cell), "") for cell in set(cells)}
        whole = name.lower() != "count" and any(known.values()) and all(
            plain(cell) in codes or not cell.strip() for cell in known)
        columns[name] = [known[cell] for cell in cells] if whole else cells
    if all(columns[name] is table.columns[name] for name in columns):
        refuse(f"--map {text}: no column of {table.path} is made of these codes")
    return Table(table.path, columns, ",")


def plain(code):
    """A code as it is compared: 2 and 2.0 are one code, so are C and " C"."""
    number = to_number(code.replace(",", "."))
    return code.strip() if number is None else number


def read_wide(table, args):
    """One row per question, or per combination of scores with its count."""
    count = next((name for name in table.columns if name.lower() == "count"), None)
    if count and (args.id or "qid" in table.columns):
        refuse(f"{table.path}: with ids every row is a question, with {count} it stands for many; "
               f"leave out one of the two columns")
    id_col = args.id or ("qid" if "qid" in table.columns or not count else None)
    id_col = default_id(table) if id_col == "qid" else id_col
    others = (id_col, args.cluster, count)
    notes = [f"ids: {id_col} (the first column)"] if id_col not in (args.id, "qid", None) else []
    names = choose(table, args, others, notes)
    notes += [] if args.cluster else possible_clusters(table, {*names, *others})
    columns = [read_scores(table, name, args) for name in names]
    if id_col:
        qids, order = in_id_order(table, id_col)
        columns = [column[order] for column in columns]
    else:
        qids, order = None, slice(None)
    clusters = codes_of(table, args.cluster, order)
    if count:
        times = counts(table, count)[order]
        columns = [np.repeat(column, times) for column in columns]
        clusters = None if clusters is None else np.repeat(clusters, times)
        notes.append(f"counts: {count} ({len(times):,} rows stand for {times.sum():,} questions)")
        qids = None
    return Runs(table.path, names, columns, qids, clusters, None, notes)


def possible_clusters(table, used):
    """A note on the columns that could be what the questions share, and are not used."""
    found = {}
    for name, cells in table.columns.items():
        groups = 0 if name in used else len(set(cells))
        if 2 <= groups <= len(cells) / 2 and not score_columns(
                Table(table.path, {name: cells}, table.separator)):
            found[name] = f"{name} ({groups:,} values)"
    if not found:
        return []
    shown = list(found.values())[:5]
    if len(found) > len(shown):
        shown.append(f"{len(found) - len(shown)} others")
    return [f"what the questions may share: {', '.join(shown)}; if they were drawn together say "
            f"--cluster {next(iter(found)) if len(found) == 1 else 'COL'}"]


def choose(table, args, others, notes):
    """The models to compare: those asked for, or the only ones there are."""
    id_col = others[0]
    asked = [args.a or "model_a", args.b or "model_b"]
    pair = args.a or args.b or set(asked) <= set(table.columns)
    found = [] if pair and not args.baseline else one_scale(table, score_columns(table, *others))
    if args.baseline:
        names = [args.baseline] + [name for name in found if name != args.baseline]
    elif pair:
        names = asked
    elif 1 <= len(found) <= 2:
        names = found
        notes.append(f"scores: {' and '.join(names)}")
    else:
        refuse(f"{table.path}: {len(found)} score columns ({', '.join(found) or 'none'}); name "
               "them: --a COL --b COL, or --baseline COL against all others")
    if id_col in names and id_col not in (args.a, args.b, args.baseline):
        refuse(f"{table.path}: there is no column of ids; add one, such as qid, or name it: --id "
               "COL")
    for name in names:
        if name in others:
            refuse(f"{table.path}: {name!r} is not a model here: it holds ids, clusters or counts")
    left = [name for name, cells in table.columns.items() if name not in (*names, *others)
            and any(to_number(cell, comma) is not None for cell in set(cells)
                    for comma in (False, table.separator != ","))]
    if left and not (args.a or args.b):
        why = "say --baseline to compare all" if pair else (
            "ids, counters, another scale, or cells without a score")
        notes.append(f"not compared: {', '.join(left)} ({why})")
    return names


def one_scale(table, names):
    """Without the columns that go beyond 0 to 1 where two others hold right and wrong alone."""
    if len(names) <= 2:
        return names
    ends = {name: (np.nanmin(x), np.nanmax(x), is_right_wrong(x[~np.isnan(x)])) for name, x in
            ((name, scores(table, name, blank=np.nan)) for name in names)}
    if sum(right_wrong for *_, right_wrong in ends.values()) < 2:
        return names
    return [name for name, (low, high, _) in ends.items() if low >= 0 and high <= 1]


def read_scores(table, name, args):
    """A model's scores, nan for blanks if --missing allows them."""
    column = scores(table, name, blank=np.nan)
    blank = np.flatnonzero(np.isnan(column))
    if len(blank) and args.missing == "refuse" and not args.unpaired:
        refuse(f"{table.cell(blank[0], name)}: blank, one of {len(blank):,}; choose --missing drop "
               "(leave the question out) or --missing zero (count it as 0)")
    if looks_like_id(name, column):
        refuse(f"{table.path}: {name!r} looks like an id or a counter, not like scores; "
               "choose another, or rename it")
    return column


def counts(table, name):
    """The count column as integers, each at least 0, at most MOST in all."""
    times = scores(table, name)
    bad = np.flatnonzero((times < 0) | (times != np.floor(times)))
    if len(bad):
        refuse(f"{table.cell(bad[0], name)}: {table.column(name)[bad[0]]!r} is not a number of "
               "questions; write a whole number")
    if times.sum() > MOST:
        refuse(f"{table.path}: {times.sum():,.0f} questions; above {MOST:,} sampling error is "
               "under 0.05 points and not the problem: look for errors all questions share")
    if times.sum() == 0:
        refuse(f"{table.path}, column {name}: no questions in all; every count is 0")
    return times.astype(int)


def codes_of(table, name, order):
    """The clusters as codes 0, 1, ..., shape (n,), or None. A blank one is refused."""
    if name is None:
        return None
    cells = [cell.strip() for cell in table.column(name)]
    known = {}
    codes = np.fromiter((known.setdefault(cell, len(known)) for cell in cells), dtype=int)
    if "" in known:
        refuse(f"{table.cell(cells.index(''), name)}: blank; name the question's cluster")
    return codes[order]


def read_long(table, role, args):
    """One row per answer: question, model, score, perhaps try. Question means are the scores."""
    check_long(table, role)
    said = {key: name for key, name in role.items() if name and getattr(args, key) != name}
    notes = ["a row per answer; " + ", ".join(f"{key}: {name}" for key, name in said.items())]
    notes += [] if args.cluster else possible_clusters(table, set(role.values()))
    models = np.array(table.column(role["model"]) if role["model"] else
                      ["score"] * len(table.column(role["id"])))
    names = choose_long(table, models, args)
    score = read_scores(table, role["score"], args)
    known = {qid: i for i, qid in enumerate(sorted(set(table.column(role["id"]))))}
    question = np.array([known[cell] for cell in table.column(role["id"])])
    qids = list(known)
    columns, answers = [], []
    for name in names:
        here = models == name
        blank = here & np.isnan(score)
        if blank.any():
            zero = args.missing == "zero"
            notes.append(f"{many(int(blank.sum()), 'answer')} of {name} blank: "
                         + ("counted as 0" if zero else "left out"))
            if zero:
                score[blank] = 0
            else:
                here &= ~blank
        order = np.argsort(question[here], kind="stable")
        sizes = np.bincount(question[here], minlength=len(qids))
        answers.append(np.split(score[here][order], np.cumsum(sizes)[:-1]))
        # fsum: the order of the answers must not make a difference of 1e-17
        columns.append(np.array([fsum(x) / len(x) if len(x) else np.nan for x in answers[-1]]))
        if np.any(sizes == 0) and args.missing == "refuse" and not args.unpaired:
            without = many(int(np.sum(sizes == 0)), "question")
            refuse(f"{table.path}: {without} without a score of {name} (first: "
                   f"{qids[np.argmin(sizes)]}); choose --missing drop or --missing zero")
    several = max(len(x) for model in answers for x in model) > 1
    return Runs(table.path, names, columns, qids,
                clusters_of_questions(table, args.cluster, question, qids),
                answers if several else None, notes)


def check_long(table, role):
    """Refuse what a file with one row per answer cannot be: it lacks, doubles or counts."""
    for key in ("id", "score"):
        if role[key] is None:
            refuse(f"{table.path}: a row per answer needs a column for the {key}: --{key} COL")
    for name in table.columns:
        if name.lower() == "count":
            refuse(f"{table.path}: a row per answer and a column {name}; counts need a column per "
                   "model, so repeat the rows or drop the column")
        if name in (role["id"], role["model"]):
            cells = table.column(name)
            for blank in [cell for cell in set(cells) if not cell.strip()]:
                where = table.cell(cells.index(blank), name)
                refuse(f"{where}: blank; fill it in or delete the row")
    seen, twice = {}, {}
    for i, key in enumerate(zip(*(table.column(role[k]) for k in ("id", "model", "try")
                                  if role[k]))):
        if seen.setdefault(key, i) != i:
            twice.setdefault(key, []).append(i)
    if twice and role["try"]:
        i, = next(iter(twice.values()))[:1]
        refuse(f"{table.cell(i, role['try'])}: this question, model and try stand in row "
               f"{seen[next(iter(twice))] + 2} too; delete one")
    if twice:
        check_tries(table, role, seen, twice)


def check_tries(table, role, seen, twice):
    """Refuse rows of one question that need not be tries of it: doubles, tasks, filters."""
    (key, more), rows = next(iter(twice.items())), len(table.column(role["id"]))
    where = table.cell(more[0], role["id"])
    if len(twice) < len(seen) / 2:
        refuse(f"{where}: {key[0]!r} stands in row {seen[key] + 2} too, most questions only once; "
               "delete one, or say which answer is which: --try COL")
    for name, cells in table.columns.items():
        kinds = set(cells)
        if name not in role.values() and 2 <= len(kinds) <= rows / 4 and all(
                len({cells[i] for i in (seen[k], *rest)}) == 1 + len(rest)
                for k, rest in twice.items()):
            refuse(f"{where}: {key[0]!r} has {1 + len(more)} rows that differ in {name}; if these "
                   f"are tries say --try {name}, else keep one or make the ids say which")


def choose_long(table, models, args):
    """The models to compare in a file with one row per answer, the baseline first."""
    names = list(dict.fromkeys(models.tolist()))
    if args.baseline or args.a or args.b:
        first = args.baseline or args.a or next((n for n in names if n != args.b), args.b)
        rest = [args.b] if args.b else [name for name in names if name != first]
        for name in [first, *rest]:
            if name not in names:
                refuse(f"{table.path}: no model {name!r}; it has {', '.join(names)}")
        return [first, *rest]
    if len(names) > 2:
        refuse(f"{table.path}: {len(names)} models ({', '.join(names)}); name them: --a NAME --b "
               "NAME, or --baseline NAME against all others")
    return names


def clusters_of_questions(table, name, question, qids):
    """Each question's cluster, from rows that must agree on it; None without a column."""
    if name is None:
        return None
    of_row = codes_of(table, name, slice(None))
    clusters = np.empty(len(qids), dtype=int)
    clusters[question] = of_row
    torn = np.flatnonzero(clusters[question] != of_row)
    if len(torn):
        refuse(f"{table.cell(torn[0], name)}: question {qids[question[torn[0]]]!r} stands in two "
               "clusters; give it one")
    return clusters


# ---- deciding ----


def flat(spread, *columns):
    """Whether a spread is nothing but the rounding of scores of this size."""
    return spread <= 1e-13 * max(np.max(np.abs(x)) for x in columns)


def clusters_df(clusters):
    """Degrees of freedom of Student's t over these clusters."""
    return max(1, effective_clusters(clusters) - 1)


def score_ci(x, clusters, alpha, right_wrong):
    """(mean, low, high, method) of one model's score; None, None where no error can be had."""
    z, n, mean = NORMAL.inv_cdf(1 - alpha / 2), len(x), np.mean(x)
    low = high = None
    if clusters is not None:
        groups = len(np.unique(clusters))
        se, method = small_sample_se(x, clusters), "clustered, t"
        if not flat(se, x):
            half = t_quantile(1 - alpha / 2, clusters_df(clusters)) * se
            low, high = mean - half, mean + half
        elif right_wrong:           # the clusters all have one and the same score
            low, high = wilson_ci(mean * groups, groups, z)
            method = "Wilson over clusters"
    elif right_wrong:
        right, method = int(np.sum(x)), "formula"
        if min(right, n - right) >= LARGE:
            _, low, high = clt_ci(x, z)
        else:
            low, high = wilson_ci(right, n, z)
            method = "Wilson"
    elif not flat(np.ptp(x), x):
        _, low, high = clt_ci(x, t_quantile(1 - alpha / 2, n - 1))
        method = "formula, t"
    if low is None:
        return mean, None, None, "none: all are equal"
    if np.min(x) >= 0 and np.max(x) <= 1:
        low, high = max(low, 0.0), min(high, 1.0)
    return mean, low, high, method


def gap_ci(a, b, clusters, alpha):
    """(low, high, se, method) of the paired gap; None, None where no error can be had."""
    z, n = NORMAL.inv_cdf(1 - alpha / 2), len(a)
    d = b - a
    right_wrong = is_right_wrong(a, b)
    if clusters is not None:
        groups = len(np.unique(clusters))
        se = small_sample_se(d, clusters)
        if not flat(se, a, b):
            half = t_quantile(1 - alpha / 2, clusters_df(clusters)) * se
            low, high = np.mean(d) - half, np.mean(d) + half
            if not right_wrong or min(np.sum(a > b), np.sum(b > a)) >= BOTH_SIDES:
                return low, high, se, "clustered, t"
            # A handful of disagreements hides how clusters spread: t alone missed 10 %.
            least = bonett_price_ci(a, b, z)
            return min(low, least[0]), max(high, least[1]), se, "t or Bonett-Price"
        if np.ptp(d) > 0:
            return None, None, 0.0, "none: clusters alike"
        a, b, n = np.zeros(groups), np.full(groups, d[0]), groups
    if right_wrong and min(np.sum(a > b), np.sum(b > a)) < BOTH_SIDES:
        low, high = bonett_price_ci(a, b, z)
        method = "Bonett-Price" + "/clusters" * (clusters is not None)
        return low, high, (high - low) / 2 / z, method
    if flat(np.ptp(d), a, b):
        return None, None, 0.0, "none: all are equal"
    factor = z if right_wrong else t_quantile(1 - alpha / 2, n - 1)
    gap, low, high = clt_ci(d, factor)
    return low, high, (high - gap) / factor, "formula" if right_wrong else "formula, t"


def luck(a, b, clusters):
    """(p, name) of the test that decides."""
    if clusters is not None:
        sums, sizes = cluster_sums(b - a, clusters)
        sums[flat(np.abs(sums) / sizes, a, b)] = 0
        return float(sign_flip_p(np.zeros(len(sums)), sums, FLIPS)), "sign flip of clusters"
    if is_right_wrong(a, b):
        return mcnemar_exact(a, b)[2], "exact McNemar"
    if flat(np.ptp(b - a), a, b):
        return sign_test(a, b)[2], "sign test"
    if np.sum(a != b) > FLIPPED:
        return t_p(b - a), "paired t"
    return float(sign_flip_p(a, b, FLIPS)), "sign flip"


def t_p(d):
    """Two-sided p of the paired t test; needs differences that vary."""
    se = np.std(d, ddof=1) / np.sqrt(len(d))
    return 2 * float(t_cdf(-abs(np.mean(d)) / se, len(d) - 1))


def compare(a, b, clusters=None, alpha=0.05, tried=1, plan=0.01):
    """Everything about b against a on the same questions, as a dict: the keys of --json.

    a, b: shape (n,), in score units. n, clusters, clusters_effective; score_a, score_a_low,
    score_a_high, score_a_method, likewise _b; gap (b - a), gap_low, gap_high, gap_method;
    bootstrap_low, _high; unpaired_low, _high; n_a_better, n_b_better; p, test (the one that
    decides; p is multiplied by `tried`), p_t (real scores); se (of the gap), se_naive (without
    clusters), se_unpaired, design_effect, effective_n; worth_unpaired: questions that separate
    sets would take; smallest_gap: seen with 80 % power; plan_gap, n_for_plan, n_for_gap:
    questions for the planned and the observed gap; right_wrong: whether all scores are 0 or 1.
    alpha is the level after the correction for `tried`. None stands where a number cannot be
    had. comparisons adds model, missing (blanks and what was done), warnings, dead (a worse model
    whose scores are all the same), verdict and why.
    """
    level = alpha / tried
    n, right_wrong, same = len(a), is_right_wrong(a, b), flat(np.ptp(b - a), a, b)
    r = {"n": n, "alpha": level, "tried": tried, "clusters": None}
    if clusters is not None:
        r["clusters"] = len(np.unique(clusters))
        r["clusters_effective"] = float(effective_clusters(clusters))
    for key, x in (("a", a), ("b", b)):
        mean, low, high, method = score_ci(x, clusters, alpha, right_wrong)
        r.update({f"score_{key}": mean, f"score_{key}_low": low, f"score_{key}_high": high,
                  f"score_{key}_method": method})
    gap = np.mean(b) - np.mean(a)
    low, high, se, method = gap_ci(a, b, clusters, level)
    low, high = within_reach(low, high, a, b)
    r.update(gap=0.0 if flat(abs(gap), a, b) else gap, gap_low=low, gap_high=high,
             gap_method=method, se=se, n_a_better=int(np.sum(a > b)),
             n_b_better=int(np.sum(b > a)), right_wrong=right_wrong,
             bootstrap_low=None, bootstrap_high=None)
    cheap = right_wrong or n * 10_000 <= DRAWS
    if clusters is None and tried == 1 and cheap and not same:
        r["bootstrap_low"], r["bootstrap_high"] = (
            paired_bootstrap_ci(a, b) if alpha == 0.05 else bootstrap_ci(b - a, alpha=alpha))
    p, r["test"] = luck(a, b, clusters)
    r["p"] = min(1.0, p * tried)
    r["p_t"] = None if right_wrong or clusters is not None or same else t_p(b - a)
    r["se_naive"] = np.std(b - a, ddof=1) / np.sqrt(n) if n > 1 else None
    r.update(if_unpaired(a, b, clusters, alpha, r["gap"]))
    known = clusters is not None and se and not same
    r["design_effect"] = (se / r["se_naive"]) ** 2 if known else None
    r["effective_n"] = n / r["design_effect"] if r["design_effect"] else None
    r["worth_unpaired"] = n * (r["se_unpaired"] / se) ** 2 if se and r["se_unpaired"] else None
    r.update(needed(r, clusters, plan))
    return {key: value.item() if isinstance(value, np.generic) else value
            for key, value in r.items()}


def within_reach(low, high, *columns):
    """The interval of a gap, cut at -1 and 1 where all scores lie within 0 and 1."""
    if low is None or min(x.min() for x in columns) < 0 or max(x.max() for x in columns) > 1:
        return low, high
    return max(low, -1.0), min(high, 1.0)


def if_unpaired(a, b, clusters, alpha, gap):
    """What the gap's interval would be from separate sets of questions: three of compare's keys."""
    z, se, low, high = NORMAL.inv_cdf(1 - alpha / 2), None, None, None
    if clusters is not None:
        z = t_quantile(1 - alpha / 2, clusters_df(clusters))
        se = np.hypot(small_sample_se(a, clusters), small_sample_se(b, clusters))
    elif len(a) > 1:
        se = unpaired_diff_ci(a, b, 1)[2] - gap
    if se is not None and not flat(se, a, b):
        low, high = within_reach(gap - z * se, gap + z * se, a, b)
    return {"unpaired_low": low, "unpaired_high": high, "se_unpaired": se}


def needed(r, clusters, plan):
    """The gap that such a set shows, and questions for the planned and the observed gap."""
    found = {"plan_gap": plan, "smallest_gap": None, "n_for_plan": None, "n_for_gap": None}
    if not r["se"]:
        return found
    # m coins that all fall alike have p = 2^(1 - m): below the level from `least` on.
    least = floor(2 - log2(r["alpha"]))
    tossed = r["clusters"] or r["n_a_better"] + r["n_b_better"]
    shown = r["se"] * (z_sum(r["alpha"], 0.8) if clusters is None else sum(
        t_quantile(q, clusters_df(clusters)) for q in (1 - r["alpha"] / 2, 0.8)))
    if clusters is None or tossed >= least:
        found["smallest_gap"] = shown
    for key, gap in (("n_for_plan", plan), ("n_for_gap", r["gap"])):
        if gap:
            found[key] = max(ceil(r["n"] * (shown / gap) ** 2),
                             ceil(r["n"] * least / max(tossed, 1)))
    return found


def compare_unpaired(a, b, alpha):
    """Model b against a on other questions, as a dict: Welch's t, Agresti & Caffo for 0/1.

    a, b: shapes (n_a,) and (n_b,), in score units. p and low are None where no error can be had.
    """
    r = {"n_a": len(a), "n_b": len(b), "score_a": np.mean(a), "score_b": np.mean(b),
         "gap": np.mean(b) - np.mean(a), "gap_low": None, "gap_high": None, "p": None,
         "test": "Welch's t", "verdict": "not shown"}
    if is_right_wrong(a, b):            # one right and one wrong answer more for each
        a, b = np.append(a, [1.0, 0.0]), np.append(b, [1.0, 0.0])
    centre, _, high = unpaired_diff_ci(a, b, 1)
    se = high - centre
    if flat(se, a, b):
        return r
    df = se**4 / sum(np.var(x, ddof=1) ** 2 / (len(x) ** 2 * (len(x) - 1)) for x in (a, b))
    half = t_quantile(1 - alpha / 2, df) * se
    r["gap_low"], r["gap_high"] = within_reach(centre - half, centre + half, a, b)
    r["p"] = 2 * float(t_cdf(-abs(centre) / se, df))
    r["verdict"] = "real" if r["p"] < alpha else "not shown"
    return r


def verdict(r, margin=None):
    """(verdict, why): real, not shown or borderline; with a margin, no worse or not shown."""
    low, high = r["gap_low"], r["gap_high"]
    if margin is not None:
        ok = low is not None and low > -margin
        return ("no worse by more than the margin" if ok else "not shown"), ""
    significant = r["p"] < r["alpha"] * r["tried"]
    if low is None:
        return ("borderline" if significant else "not shown"), "no interval can be had"
    clear = low > 0 or high < 0
    if clear and significant and r["dead"]:
        return "borderline", (f"interval and test agree, but every score of {r['dead']} is the "
                              "same, as in a run that failed; look at it first")
    if clear and significant:
        return "real", "the interval excludes 0 and the test agrees"
    if not clear and not significant:
        return "not shown", "the interval includes 0 and the test agrees"
    says = "interval excludes 0" if clear else "test alone calls it significant"
    other = "test does not call it significant" if clear else "interval includes 0"
    return "borderline", f"the {says}, the {other}"


def warnings_of(a, b, names, r):
    """What a reader must hear before believing a number."""
    said = []
    for name, x in zip(names, (a, b)):
        if len(x) > 1 and np.ptp(x) == 0:
            said.append(f"every score of {name} is {x[0]:g}: a failed run, or questions that "
                        "cannot tell?")
    if np.array_equal(a, b):
        said.append(f"{names[0]} and {names[1]} have the same score on every question: "
                    + ("one run under two names?" if np.ptp(a) > 0 else
                       "no question separates them"))
    worse, better = sorted((r["n_a_better"], r["n_b_better"]))
    if worse == 0 and better >= 10 and np.ptp(a) > 0 and np.ptp(b) > 0:
        who = names[int(r["n_b_better"] > 0)]
        said.append(f"{who} is never worse on any question: a union or best of several runs "
                    "is not a fair competitor")
    if r["test"].startswith("sign flip") and r["alpha"] <= 2 / FLIPS:
        said.append(f"{FLIPS:,} sign flips show no p below {1 / FLIPS:g}: too coarse for a level "
                    f"of {r['alpha']:.1g}")
    if r["n"] < 30:
        said.append(f"{many(r['n'], 'question')}: too few to trust any error bar far")
    if not r["right_wrong"] and r["clusters"] is None and r["n"] < 100 and r["n"] > 2:
        d = b - a - np.mean(b - a)
        if r["se"] and abs(np.mean(d**3)) > np.mean(d**2) ** 1.5:
            said.append("few and skewed differences: t and sign flip can raise 9 % false alarms "
                        "instead of 5; read the bootstrap beside them")
    if r["clusters"] and r["clusters_effective"] < 20:
        said.append(f"{r['clusters']} clusters worth {r['clusters_effective']:.1f} equal ones: "
                    "with so few, intervals are rough and the sign flip of clusters decides"
                    + ("; it cannot go below p = " + f"{2.0 ** (1 - r['clusters']):.2g}"
                       if r["clusters"] < 7 else ""))
    return said


def refuse_scales(path, names, columns, coded):
    """Scores on different scales, and preference codes, are refused with what to do."""
    values = [x[~np.isnan(x)] for x in columns]
    for name, x in zip(names, values):
        if len(x) == 0:
            refuse(f"{path}, column {name}: every score is blank; choose another")
    # Without counts np.unique loads numpy.ma, which takes longer than all of this.
    distinct = set().union(*(np.unique(x, return_counts=True)[0][:9].tolist() for x in values))
    if not coded and max(distinct) == 2 and distinct <= {0, 1, 1.5, 2} and len(distinct) > 1:
        held = ", ".join(f"{value:g}" for value in sorted(distinct))
        coded = next(name for name, x in zip(names, values) if x.max() == 2)
        refuse(f"{path}: {coded} holds {held}: codes of wins and losses? Say what they are "
               "worth, such as --map 1=0,2=1,0=0.5,1.5=0.5 (or --map 0=0,1=1,2=2 for grades)")
    for small, x in zip(names, values):
        for large, y in zip(names, values):
            # A score that is not 0 is usually three times as large there: percent, or another.
            if x.min() >= 0 and 0 < x.max() <= 1 < y.max() and (
                    np.abs(y[y != 0]).mean() >= 3 * x[x != 0].mean()):
                refuse(f"{path}: {small} lies in {x.min():g} to {x.max():g} and {large} in "
                       f"{y.min():g} to {y.max():g}; bring both to one scale, or name the models")


# ---- wording ----


def statement(names, r, show, answers):
    """The result in sentences that can be pasted into a paper or a message."""
    percent = f"{100 * (1 - r['alpha'] * r['tried']):g} %"
    unit_name = f" {show.name}" if show.factor == 100 else ""

    def interval(key, text, bare=False):
        low, high = r[f"{key}_low"], r[f"{key}_high"]
        ends = "no interval" if low is None else text(low, high)
        return ends if bare or low is None else f"{percent} interval {ends}"

    one = f"{names[1]} scored {show.score(r['score_b'])}{unit_name} ("
    two = f"{names[0]} {show.score(r['score_a'])}{unit_name} ("
    sentences = [
        f"On {many(r['n'], 'question')} {one}{interval('score_b', show.interval)}), "
        f"{two}{interval('score_a', show.interval, True)}).",
        "Both answered the same questions, so the scores are compared question by question: "
        + (f"{names[1]} is {'ahead' if r['gap'] > 0 else 'behind'} by "
           f"{show.score(abs(r['gap']))} {show.gap_name}" if r["gap"] else "the gap is 0")
        + f" ({interval('gap', show.gap_interval)}"
        + (f"; paired bootstrap {show.gap_interval(r['bootstrap_low'], r['bootstrap_high'])}, "
           "10,000 resamples" if r["bootstrap_low"] is not None else "") + ").",
        f"They differ on {many(r['n_a_better'] + r['n_b_better'], 'question')}, "
        f"{r['n_b_better']:,} in "
        f"favour of {names[1]} and {r['n_a_better']:,} of {names[0]} "
        f"({r['test']} p {p_plain(r['p'])}).",
    ]
    if r["tried"] > 1:
        sentences.append(f"It is the best of {r['tried']} tries: interval and p are corrected for "
                         "that (Bonferroni); the honest fix is a held-out set, scored once.")
    if r["clusters"]:
        sentences.append(f"The questions come in {r['clusters']:,} clusters, and these are what "
                         "was drawn: the intervals and the test count clusters.")
    sentences.append(
        ("The mean of several answers to a question is its score. " if answers else "")
        + "The intervals cover the choice of questions and the luck of the answers to them; other "
        "training runs, prompts or graders were not measured.")
    return " ".join(sentences)


def many(n, thing):
    number = f"{n:,}" if n < 10**15 else f"{n:.0e}"
    return f"{number} {thing}{'s' * (n != 1)}"


def p_plain(p):
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def table(names, r, show):
    """The figures behind the statement, as lines of at most 80 columns."""
    ends = f"{100 * (1 - r['alpha'] * r['tried']):g} % interval"
    lines = [f"{'in ' + show.gap_name:26}{'':>9}{ends:>19}  method"]

    def row(name, value, low, high, method, text=show.gap_interval):
        between = "-" if low is None else text(low, high)
        lines.append(f"{name:26}{value:>9} {between:>18}  {method}".rstrip())

    short = clip_apart(names, 25)
    for key, name in (("b", short[1]), ("a", short[0])):
        row(name, show.score(r[f"score_{key}"]), r[f"score_{key}_low"], r[f"score_{key}_high"],
            r[f"score_{key}_method"], show.interval)
    row("gap, paired", show.gap(r["gap"]), r["gap_low"], r["gap_high"], r["gap_method"])
    if r["bootstrap_low"] is not None:
        row("gap, paired bootstrap", show.gap(r["gap"]), r["bootstrap_low"], r["bootstrap_high"],
            "percentile")
    if r["unpaired_low"] is not None:
        row("gap, if unpaired", show.gap(r["gap"]), r["unpaired_low"], r["unpaired_high"],
            "for comparison only")
    lines.append(f"{r['test'] + ' p':26}{p_text(r['p']):>9}" + (
        "" if r["p_t"] is None or r["test"] == "paired t" else
        f"{'paired t p':>19}  {p_text(r['p_t'])}"))
    if r["design_effect"]:
        lines.append(f"{'standard error':26}{show.se(r['se']):>9}{show.se(r['se_naive']):>19}"
                     "  were all independent")
        lines.append(f"{'design effect':26}{r['design_effect']:>9.2f}{r['effective_n']:>19,.0f}"
                     "  questions' worth")
    return lines


def advice(names, r, show):
    """What these questions can show, and how many another answer needs."""
    if not r["se"]:
        return []
    if r["smallest_gap"] is None:
        smallest = "none, it has too few clusters"
    elif show.factor == 100 and r["smallest_gap"] > 1:
        smallest = "none, it is too small"
    else:
        smallest = f"{show.score(r['smallest_gap'])} {show.gap_name}"
    lines = [f"Gap that a set like this shows four times in five: {smallest}."]
    if r["plan_gap"]:
        lines[0] += (f" For a gap of {show.factor * r['plan_gap']:g}, ask "
                     f"{many(r['n_for_plan'], 'question')}.")
    if r["worth_unpaired"] and "Bonett" not in r["gap_method"]:
        separate = many(round(r["worth_unpaired"]), "question")
        lines.append(f"Asked separately it would take {separate} per "
                     "model to know the gap as well.")
    return lines


def conclusion(names, r, show, margin):
    """The verdict, one sentence why, and what would settle it."""
    word, why = verdict(r, margin)
    if margin is not None:
        low = "no interval" if r["gap_low"] is None else show.gap(r["gap_low"])
        text = (f"the lower end of the interval, {low}, "
                + ("clears" if word != "not shown" else "does not clear")
                + f" the margin of -{show.factor * margin:g} {show.gap_name}")
        need = n_for(r["n"] * r["se"] ** 2, margin, r["alpha"]) if r["se"] else None
        settle = (f" If the two are equal, {need:,} questions would show it."
                  if word == "not shown" and need and need > r["n"] else "")
        return f"VERDICT: {word}. For {names[1]}, {text}.{settle}"
    times = 100 * r["p"]
    chance = ("luck alone would make such a gap " + (
        "every time" if times > 99.5 else f"{times:.2g} times in 100" if times >= 0.01 else
        "less than once in 10,000 times"))
    text = f"VERDICT: {word}. {why[0].upper() + why[1:]}; {chance}."
    if word != "real" and r["se"] and not r["dead"]:
        if r["n_for_gap"] and r["n_for_gap"] > r["n"]:
            text += (f" If the gap of {show.score(abs(r['gap']))} is true, "
                     f"{many(r['n_for_gap'], 'question')} would show it; not shown is not equal.")
        else:
            text += " More questions of the same kind would settle it; not shown is not equal."
    return text


def conclusion_of_many(baseline, results, margin):
    """Which models differ from the baseline, by name."""
    shown = [r for r in results if r["verdict"] not in ("not shown", "borderline")]
    if margin is not None:
        names = ", ".join(r["model"] for r in shown) or "none"
        return f"VERDICT: no worse than {baseline} by more than the margin: {names}."
    better = [r["model"] for r in shown if r["gap"] > 0]
    worse = [r["model"] for r in shown if r["gap"] < 0]
    parts = [f"{word} than {baseline}: {', '.join(names)}"
             for word, names in (("better", better), ("worse", worse)) if names]
    open_ = [r["model"] for r in results if r["verdict"] == "borderline"]
    parts += [f"borderline: {', '.join(open_)}"] * bool(open_)
    rest = len(results) - len(shown) - len(open_)
    parts += [f"not told apart from it: {rest} of {len(results)}"] * (rest > 0)
    text = f"VERDICT: {'; '.join(parts)}."
    if better:
        text += (f" The best of {len(results)} looks better than it is: score it once more on "
                 "fresh questions.")
    return text


def answers_of(runs, i, alpha, k=None):
    """What several answers to a question say about model i, as a dict: the keys of --json.

    n (questions), answers (in all), least and most (to one question), se (of the score), se_naive
    (were all answers independent), design_effect, luck (the share of se**2 that is the luck of the
    answers), k, pass_at_k, pass_at_k_low, pass_at_k_high, pass_hat_k (all k right). None stands
    where a number cannot be had.
    """
    asked = np.array([len(row) > 0 for row in runs.answers[i]])
    clusters = None if runs.clusters is None else runs.clusters[asked]
    rows = [row for row in runs.answers[i] if len(row)]
    sizes, every = np.array([len(row) for row in rows]), np.concatenate(rows)
    found = {"model": runs.names[i], "n": len(rows), "answers": len(every),
             "least": int(sizes.min()), "most": int(sizes.max())}
    found.update(dict.fromkeys(("se", "se_naive", "design_effect", "luck", "k", "pass_at_k",
                                "pass_at_k_low", "pass_at_k_high", "pass_hat_k")))
    if k and not is_right_wrong(every):
        refuse(f"{runs.path}: pass@{k} needs answers that are right or wrong; {runs.names[i]} has "
               "scores between, so leave --k out")
    if k and k > sizes.min():
        qid = runs.qids[np.flatnonzero(asked)[np.argmin(sizes)]]
        refuse(f"{runs.path}: pass@{k} needs {k} answers to every question, {qid} has "
               f"{sizes.min()}; sample more or lower --k")
    if len(rows) == 1:
        return found
    means = np.array([row.mean() for row in rows])
    se = (np.std(means, ddof=1) / np.sqrt(len(rows)) if clusters is None else
          small_sample_se(means, clusters))
    naive = np.std(every, ddof=1) / np.sqrt(len(every))
    found.update(se=float(se), se_naive=float(naive))
    if se > 0 and naive > 0:
        found["design_effect"] = float((se / naive) ** 2)
        if sizes.min() > 1 and clusters is None:
            _, sampling_var, _ = variance_split(rows)
            found["luck"] = float(min(1, sampling_var / sizes.mean() / (len(rows) * se**2)))
    tries = k or int(sizes.min())
    if tries > 1 and is_right_wrong(every):
        right = [int(row.sum()) for row in rows]
        each = np.array([pass_at_k(*row, tries) for row in zip(sizes, right)])
        mean, low, high = pass_ci(each, clusters, alpha)
        found.update(k=tries, pass_at_k=float(mean), pass_at_k_low=low, pass_at_k_high=high,
                     pass_hat_k=float(np.mean([pass_hat_k(*row, tries)
                                               for row in zip(sizes, right)])))
    return found


def pass_ci(each, clusters, alpha):
    """(mean, low, high) of pass@k over problems, from the estimate of each.

    With less than LARGE problems' worth of failures, or of passes, Wilson: Student's t covers
    82 % for 30 problems with pass@5 near 1. Wilson is as wide as any shares of this mean need.
    """
    mean, low, high, _ = score_ci(each, clusters, alpha, is_right_wrong(each))
    if clusters is None and min(mean, 1 - mean) * len(each) < LARGE:
        low, high = wilson_ci(mean * len(each), len(each), NORMAL.inv_cdf(1 - alpha / 2))
    return mean, low, high


def answer_lines(found, show):
    """The two noises of several answers, what more of each buys, pass@k and pass^k."""
    span = f"{found['least']}" + f" to {found['most']}" * (found["most"] > found["least"])
    head = f"{clip(found['model'], 30)}: {many(found['n'], 'question')} x {span} answers"
    if found["se"] is None:
        return [head]
    lines = [f"{head}, standard error {show.se(found['se'])}"]
    if found["design_effect"]:
        lines.append(f"  {found['answers']:,} answers taken as independent would say "
                     f"{show.se(found['se_naive'])} (design effect {found['design_effect']:.2f})")
    if found["luck"] is not None:
        half = found["se"] * np.sqrt(1 - found["luck"] / 2)
        lines += [f"  {found['luck']:.0%} of its variance is the luck of the answers: twice as "
                  f"many make it {show.se(half)},",
                  f"  twice as many questions {show.se(found['se'] / np.sqrt(2))}"]
    if found["k"]:
        low, high = found["pass_at_k_low"], found["pass_at_k_high"]
        ends = "no interval" if low is None else show.interval(low, high)
        lines.append(f"  pass@{found['k']} {show.score(found['pass_at_k'])} ({ends}), "
                     f"all {found['k']} right {show.score(found['pass_hat_k'])}")
    return lines


# ---- printing ----


def pair_of(runs, i, args):
    """(a, b, clusters, note) of the baseline and model i, blanks treated as --missing says."""
    a, b, clusters = runs.scores[0], runs.scores[i], runs.clusters
    blank = np.isnan(a), np.isnan(b)
    if not (blank[0] | blank[1]).any():
        return a, b, clusters, ""
    counts = f"{blank[0].sum():,} blank in {runs.names[0]}, {blank[1].sum():,} in {runs.names[i]}"
    both = ~(blank[0] | blank[1])
    if both.any() and args.missing == "zero":
        return np.nan_to_num(a), np.nan_to_num(b), clusters, f"{counts}: counted as 0"
    if not both.any():
        refuse(f"{runs.path}: no question has a score of both {runs.names[0]} and "
               f"{runs.names[i]}; if they answered different questions say --unpaired")
    return (a[both], b[both], None if clusters is None else clusters[both],
            f"{counts}: left out, {both.sum():,} of {len(a):,} questions compared")


def print_one(runs, args):
    """A single model: its score, and nothing to compare it with."""
    x, clusters, notes = runs.scores[0], runs.clusters, list(runs.notes)
    blank = np.isnan(x)
    if blank.any():
        zero = args.missing == "zero"
        notes.append(f"{many(int(blank.sum()), 'question')} without a score: "
                     + ("counted as 0" if zero else "left out"))
        x = np.nan_to_num(x) if zero else x[~blank]
        clusters = clusters if zero or clusters is None else clusters[~blank]
    show = unit(x)
    mean, low, high, method = score_ci(x, clusters, args.alpha, is_right_wrong(x))
    answers = all_answers(runs, args)
    if args.json:
        return print_json(runs.path, notes, show, model=runs.names[0], n=len(x), score=mean,
                          score_low=low, score_high=high, score_method=method, answers=answers,
                          verdict="not shown")
    ends = "no interval: all scores are equal" if low is None else (
        f"{100 * (1 - args.alpha):g} % interval {show.interval(low, high)}, {method}")
    print_notes(notes)
    print(fill(f"{runs.names[0]}: {show.score(mean)} {show.name}, "
               f"{many(len(x), 'question')} ({ends})"))
    print_answers(answers, show)
    print("\n" + fill("VERDICT: not shown. One model has nothing to be compared with: run another "
                      "on the same questions."))


def print_pair(runs, r, show, margin, answers):
    """One comparison: the statement, the table behind it, what it takes, the verdict."""
    names = clip_apart([runs.names[0], r["model"]], 40)
    print_notes(runs.notes + [r["missing"]] * bool(r["missing"]))
    print(fill(statement(names, r, show, answers)) + "\n")
    print("\n".join(map(fill, table(names, r, show))) + "\n")
    print_answers(answers, show)
    for line in advice(names, r, show):
        print(fill(line))
    print_notes(r["warnings"], "WARNING")
    print("\n" + fill(conclusion(names, r, show, margin)))


def print_many(runs, results, show, args):
    """A baseline against each of many models, best first, with Holm's correction."""
    print_notes(runs.notes)
    best = f" and for the best of {args.tried:,}" * (args.tried > 1)
    print(fill(f"{len(results)} models against {clip(runs.names[0], 40)}, in {show.gap_name}; "
               f"p by Holm over {len(results)}{best}") + "\n")
    print(f"{'':25}{'questions':>9}{'score':>8}{'gap':>8}{'95 % interval':>18}{'p':>9}"
          .replace("95", f"{100 * (1 - args.alpha):g}"))
    short = clip_apart([runs.names[0]] + [r["model"] for r in results], 24)
    known = runs.scores[0][~np.isnan(runs.scores[0])]
    print(f"{short[0]:25}{len(known):>9,} {show.score(np.mean(known)):>7}  baseline")
    for name, r in zip(short[1:], results):
        ends = "-" if r["gap_low"] is None else show.gap_interval(r["gap_low"], r["gap_high"])
        mark = {"not shown": "", "borderline": "?"}.get(r["verdict"], "*")
        print(fill(f"{name:25}{r['n']:>9,} {show.score(r['score_b']):>7} "
                   f"{show.gap(r['gap']):>7} {ends:>17} {p_text(r['p']):>8} {mark}".rstrip()))
    if args.margin is None:
        print("\n* real   ? borderline: interval and test do not agree   else not shown")
    else:
        print(f"\n* no worse by more than {args.margin:g} {show.gap_name}   else not shown   "
              "(each interval by itself)")
    for r in results:
        print_notes([f"{r['model']}: {r['missing']}"] * bool(r["missing"]))
    print_notes(dict.fromkeys(text for r in results for text in r["warnings"]), "WARNING")
    print("\n" + fill(conclusion_of_many(runs.names[0], results, args.margin)))


def print_unpaired(runs, args):
    """Two runs on different questions: the only case for the unpaired gap."""
    if len(runs.scores) > 2:
        refuse(f"{runs.path}: --unpaired compares two models; name them: --a NAME --b NAME")
    a, b = (x[~np.isnan(x)] for x in runs.scores)
    if min(len(a), len(b)) < 2:
        refuse(f"{runs.path}: {len(a)} and {len(b)} scores; an unpaired gap needs 2 of each")
    if runs.clusters is not None:
        refuse("--unpaired with --cluster is not built; compare on the same questions instead")
    if args.missing == "zero":
        refuse("--unpaired takes a blank for a question that was not asked; leave --missing out")
    show, r = unit(a, b), compare_unpaired(a, b, args.alpha)
    if r["p"] is None:
        refuse(f"{runs.path}: every score of each model is the same; no error can be had")
    shared = 0 if runs.qids is None else int(np.sum(~np.isnan(runs.scores[0])
                                                    & ~np.isnan(runs.scores[1])))
    notes = list(runs.notes)
    if shared:
        notes.append(f"{shared:,} questions have both scores; leave --unpaired out to compare them")
    if args.json:
        print_json(runs.path, notes, show, baseline=runs.names[0],
                   comparisons=[{"model": runs.names[1], **r}])
    else:
        print_notes(notes)
        names = [clip(name, 40) for name in runs.names]
        percent = " %" * (show.factor == 100)
        print(fill(f"{names[1]} scored {show.score(r['score_b'])}{percent} on "
                   f"{many(r['n_b'], 'question')}, {names[0]} {show.score(r['score_a'])}{percent} "
                   f"on {r['n_a']:,}{'' if shared else ' others'}. Unpaired gap "
                   f"{show.gap(r['gap'])} {show.gap_name} ({100 * (1 - args.alpha):g} % interval "
                   f"{show.gap_interval(r['gap_low'], r['gap_high'])}, p {p_text(r['p'])}, "
                   f"{r['test']})."))
        print("\n" + fill(f"VERDICT: {r['verdict']}. Different questions, so their difficulty is "
                          "in the error too: the same questions for both would need far fewer."))
    return r["verdict"] == "real" and r["gap"] > 0


def print_json(path, notes, show, **more):
    """One object: file, notes, unit, and either comparisons (see compare) or one model's score."""
    import json
    print(json.dumps({"file": path, "notes": notes, "unit": show.name, **more}, indent=1))


def draw(path, names, r, show):
    """The two separate bars over the paired gap against zero: PNG or SVG by the file's name."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        matplotlib.rcParams["text.parse_math"] = False      # a name may hold a dollar
        import matplotlib.pyplot as plt
    except ImportError:
        refuse("--figure needs matplotlib; run: python -m pip install matplotlib")
    if r["gap_low"] is None:
        refuse("--figure: these scores have no interval to draw")
    fig, (top, bottom) = plt.subplots(2, 1, figsize=(7, 3.6), height_ratios=(2, 1.2),
                                      layout="constrained")
    rows = [(top, 1, "a", "0.55"), (top, 0, "b", "0.0")]
    for axes, y, key, colour in rows:
        ends = ("", "", "") if r[f"score_{key}_low"] is None else ("_low", "", "_high")
        low, mean, high = (show.factor * r[f"score_{key}{end}"] for end in ends)
        axes.plot([low, high], [y, y], color=colour, lw=3, solid_capstyle="butt")
        axes.plot(mean, y, "o", color=colour, ms=9)
        axes.annotate(show.score(r[f"score_{key}"]), (mean, y), (0, 9), textcoords="offset points",
                      ha="center", fontsize=12)
    top.set_yticks([0, 1], [clip(names[1], 22), clip(names[0], 22)], fontsize=12)
    top.set_ylim(-0.5, 1.6)
    top.set_xlabel(f"score, {show.name}: each bar by itself")
    low, gap, high = (show.factor * r[key] for key in ("gap_low", "gap", "gap_high"))
    bottom.axvline(0, color="0.4", lw=1.5, ls="--")
    bottom.plot([low, high], [0, 0], color="0.0", lw=3, solid_capstyle="butt")
    bottom.plot(gap, 0, "D", color="0.0", ms=9)
    bottom.annotate(f"{show.gap(r['gap'])}", (gap, 0), (0, 9), textcoords="offset points",
                    ha="center", fontsize=12)
    # One scale for both, so that widths can be compared by eye.
    width = max(np.diff(top.get_xlim())[0], 1.15 * (max(high, 0) - min(low, 0)))
    for axes, ends in ((top, top.get_xlim()), (bottom, (max(high, 0), min(low, 0)))):
        middle = np.mean(ends)
        axes.set_xlim(middle - width / 2, middle + width / 2)
        axes.spines[["left", "top", "right"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    bottom.set_yticks([0], ["paired gap"], fontsize=12)
    bottom.set_ylim(-0.6, 0.9)
    bottom.set_xlabel(f"{clip(names[1], 22)} - {clip(names[0], 22)}, {show.gap_name}; "
                      f"verdict: {r['verdict']}")
    save(path, lambda file, kind: fig.savefig(file, format=kind, dpi=150))


def save(path, write):
    """Write a picture whole or not at all."""
    import os
    import warnings
    kind = os.path.splitext(path)[1].lstrip(".").lower()
    if kind not in ("png", "svg"):
        refuse(f"--figure {path}: name a .png or an .svg file")
    if not os.path.isdir(os.path.dirname(path) or "."):
        refuse(f"--figure {path}: there is no folder {os.path.dirname(path)}")
    part = f"{path}.part"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            write(part, kind)
        os.replace(part, path)
    except UserWarning as warning:      # signs that the font does not have, above all
        refuse(f"--figure {path}: {str(warning).strip()}; choose other names")
    finally:
        if os.path.exists(part):
            os.remove(part)


def parser():
    made = arguments(__doc__, cluster=True)
    add = made.add_argument
    add("--baseline", metavar="COL", help="compare this model with every other")
    add("--unpaired", action="store_true", help="the two answered different questions")
    add("--missing", choices=("refuse", "drop", "zero"), default="refuse",
        help="blank scores: refuse (default), drop the question, count 0")
    add("--map", metavar="C=1,I=0", help="what codes are worth: 1=0,2=1,0=0.5")
    add("--model", metavar="COL", help="a row per answer: the model")
    add("--score", metavar="COL", help="a row per answer: the score")
    add("--try", metavar="COL", help="a row per answer: which try")
    add("--k", type=int, help="a row per answer: tries for pass@k")
    add("--tried", type=int, default=1, metavar="N", help="this is the best of N tries")
    add("--alpha", type=float, default=0.05, help="false alarms allowed (0.05)")
    add("--gap", type=float, metavar="POINTS", help="gap to plan for (1 point)")
    add("--margin", type=float, metavar="POINTS", help='"just as good": no worse by more than this')
    add("--json", action="store_true", help="every number, with its name (see compare, answers_of)")
    add("--figure", metavar="FILE", help="draw the gap to a .png or .svg")
    add("--fail-unless-real", action="store_true", help="exit code 1 unless B is really better")
    return made


def check_numbers(args):
    for name, value, low, high in (("--alpha", args.alpha, 1e-12, 1),
                                   ("--gap", args.gap, 1e-30, 1e30),
                                   ("--margin", args.margin, 1e-30, 1e30)):
        if value is not None and not low < value < high:
            refuse(f"{name} {value:g}: write a number between {low:g} and {high:g}")
    for name, value in (("--tried", args.tried), ("--k", args.k)):
        if value is not None and value < 1:
            refuse(f"{name} {value}: write 1 or more")
    if args.tried > 1e12 * args.alpha:
        refuse(f"--tried {args.tried}: a level of alpha / tried below 1e-12 is past any test")
    if args.a and args.a == args.b:
        refuse(f"--a and --b both name {args.a}; name two models")
    if args.baseline and (args.a or args.b):
        refuse("--baseline compares with every other model; leave --a and --b out")


def check_runs(runs, args):
    """Refuse options that these runs have no use for."""
    refuse_scales(runs.path, runs.names, runs.scores, args.map)
    if args.k and not runs.answers:
        refuse(f"{runs.path}: --k {args.k} needs a row per answer, and several to a question")
    if len(runs.names) == 1 or args.unpaired:
        for option, given in (("figure", args.figure), ("margin", args.margin),
                              ("tried", args.tried > 1)):
            if given:
                refuse(f"--{option} needs two models on the same questions")
    elif len(runs.names) > 2:
        for option, given in (("figure", args.figure), ("k", args.k and not args.json)):
            if given:
                refuse(f"--{option} shows one comparison; name it: --a NAME --b NAME")


def comparisons(runs, args, plan, margin):
    """Each model against the first: compare's dicts with a verdict, largest gap first."""
    results = []
    for i, name in enumerate(runs.names[1:], 1):
        a, b, clusters, note = pair_of(runs, i, args)
        if len(a) == 1 and not is_right_wrong(a, b):
            refuse(f"{runs.path}: 1 question with both scores; an error bar needs at least 2")
        r = {"model": name, **compare(a, b, clusters, args.alpha, args.tried, plan)}
        r["missing"] = note
        r["warnings"] = warnings_of(a, b, [clip(runs.names[0], 40), clip(name, 40)], r)
        # A worse model with one and the same score everywhere may never have run.
        worse, x = (name, b) if r["gap"] < 0 else (runs.names[0], a)
        r["dead"] = worse if len(x) > 1 and np.ptp(x) == 0 else None
        results.append(r)
    if len(results) > 1:
        for r, p in zip(results, holm([r["p"] for r in results])):
            r["p"] = float(p)
        results.sort(key=lambda r: -r["gap"])
    for r in results:
        r["verdict"], r["why"] = verdict(r, margin)
    return results


def main(args):
    """Returns whether every comparison shows what was hoped for: for --fail-unless-real."""
    check_numbers(args)
    runs = read_runs(args)
    check_runs(runs, args)
    if len(runs.names) == 1:
        return print_one(runs, args)
    if args.unpaired:
        return print_unpaired(runs, args)
    show = unit(*(x[~np.isnan(x)] for x in runs.scores))
    margin = None if args.margin is None else args.margin / show.factor
    # A point is a gap to plan for; a unit of seconds or prices may be anything.
    plan = args.gap / show.factor if args.gap else 0.01 if show.factor == 100 else None
    results = comparisons(runs, args, plan, margin)
    show = sharpened(show, results, margin)
    if args.figure:
        draw(args.figure, [runs.names[0], results[0]["model"]], results[0], show)
    if args.json:
        print_json(runs.path, runs.notes, show, baseline=runs.names[0], comparisons=results,
                   answers=all_answers(runs, args))
    elif len(results) > 1:
        print_many(runs, results, show, args)
    else:
        print_pair(runs, results[0], show, margin, all_answers(runs, args))
    return all(r["verdict"] not in ("not shown", "borderline")
               and (margin is not None or r["gap"] > 0) for r in results)


def sharpened(show, results, margin):
    """The unit with more decimals where an end would print as another number does."""
    pairs = [(end, other) for r in results if r["gap_low"] is not None
             for end in (r["gap_low"], r["gap_high"])
             for other in (0.0, r["gap"], *([] if margin is None else [-margin])) if end != other]
    return show.apart(*pairs, most=4 if len(results) == 1 else 1)    # a line of many has less room


def all_answers(runs, args):
    """answers_of each model, [] where each question was answered once."""
    return [answers_of(runs, i, args.alpha, args.k) for i in range(len(runs.names))
            if runs.answers]


def print_answers(answers, show):
    for found in answers:
        for line in answer_lines(found, show):
            print(fill(line))


def print_notes(notes, label="note"):
    for note in notes:
        print(fill(f"{label}: {note}"))


if __name__ == "__main__":
    with one_line():
        args = parser().parse_args()
        real = main(args)
        if args.fail_unless_real and not real:
            sys.exit(1)
