"""From verdicts to marks, and to the files an instructor and a student open.

A record is what grade.py keeps of one submission: name, seed, notes, verdicts, measure. A plan is
the list of all checks, taken once from the reference: a check that is in the plan and has no
verdict did not report, and counts nothing.
"""
import csv
import hashlib
import io
import json
import os
import re
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tasks import TASKS

OUTCOMES = ("passed", "wrong", "not started", "crashed", "timed out", "out of memory",
            "refused answer", "grader error")
NO_REPORT = {"kind": "crashed", "likely": "the check did not report", "detail": ""}


class Check(NamedTuple):
    """A line of the plan."""
    id: str                  # test_ci.py::test_clt_ci_works_on_any_scale
    function: str
    task: str

    @property
    def claim(self):
        """works on any scale"""
        return self.id.rpartition(f"::test_{self.function}_")[2].replace("_", " ")


# ---- marks ----


def verdict(record, check):
    return record["verdicts"].get(check.id, NO_REPORT)


def marks(record, plan):
    """{task: points}; a function's points times the share of its checks that passed.

    None in place of a task's points where an error of the grader kept a check from reporting:
    nobody is charged for that, and nobody is given points for it; it has to be graded again.
    """
    result = {}
    for task in dict.fromkeys(check.task for check in plan):
        earned = 0.0
        for function, worth in TASKS[task].points.items():
            kinds = [verdict(record, c)["kind"] for c in plan if c.function == function]
            if "grader error" in kinds:
                earned = None
                break
            earned += worth * kinds.count("passed") / len(kinds) if kinds else 0
        result[task] = earned
    return result


def total(points):
    return None if None in points.values() else sum(points.values())


def possible(plan):
    """Points that the tasks of the plan are worth."""
    return sum(sum(TASKS[task].points.values()) for task in {check.task for check in plan})


def counts(record, plan):
    """How many of the checks that carry points ended in which way."""
    found = Counter(verdict(record, c)["kind"] for c in plan if carries_points(c))
    return {kind: found[kind] for kind in OUTCOMES}


def carries_points(check):
    return check.function in TASKS[check.task].points


def words(said):
    """A verdict in a few words: the slip, or the last line of a crash, or what happened."""
    return said["likely"] or said["detail"] or said["kind"]


def first_slip(record, plan):
    for check in plan:
        said = verdict(record, check)
        if carries_points(check) and said["kind"] not in ("passed", "not started"):
            return f"{check.function}: {words(said)}"
    return ""


def number(points):
    return "" if points is None else f"{points:.2f}".rstrip("0").rstrip(".")


# ---- text that is safe where it goes ----


def clean(text):
    """Without control characters and half characters, on one line."""
    text = str(text).encode(errors="backslashreplace").decode()
    return "".join(c if c.isprintable() else " " for c in text)


def cell(text):
    """Text for a spreadsheet: what looks like a formula gets an apostrophe in front."""
    text = clean(text)
    return "'" + text if text.lstrip()[:1] in tuple("=+-@＝＋－＠") else text


def markdown(text):
    """Text for a Markdown page, where it cannot make links, tags or headings."""
    return re.sub(r"([\\`*_\[\]<>#|~&$])", r"\\\1", clean(text))


def file_name(name):
    """A file's name for a submission: its own where every system takes it, else with a mark."""
    safe = re.sub(r"[^\w .,()@=+-]", "_", clean(name)).strip(" .")[:60]
    if safe == name and not safe.startswith("-"):
        return safe
    return f"{safe.lstrip('-')}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def write(path, data):
    """A whole file or none: written beside its place, then moved there."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with open(fd, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def csv_text(rows):
    """Spreadsheets take a file for UTF-8 only if it starts with this mark."""
    text = io.StringIO()
    csv.writer(text).writerows([[cell(x) if isinstance(x, str) else x for x in row]
                                for row in rows])
    return "\ufeff" + text.getvalue()


# ---- the files ----


def export(out, records, plan, facts):
    """Write every file of a class. facts: {what: text} for the top of the summary."""
    write(out / "grades.csv", grades(records, plan))
    write(out / "items.csv", items(records, plan))
    write(out / "summary.md", summary(records, plan, facts))
    write(out / "junit.xml", junit(records, plan))
    write(out / "paragraphs.md", paragraphs(records))
    for record in records:
        name = file_name(record["name"])
        write(out / "feedback" / f"{name}.md", feedback(record, plan))
        write(out / "gradescope" / f"{name}.json", gradescope(record, plan))


def grades(records, plan):
    tasks = list(dict.fromkeys(check.task for check in plan))
    rows = [["name", "total", "out of", *tasks, "predictions", "yours", "rows", "words of t8",
             *OUTCOMES, "first slip", "notes", "seed"]]
    for record in records:
        points = marks(record, plan)
        measure = record["measure"]
        rows.append([
            record["name"], number(total(points)), possible(plan),
            *(number(points[task]) for task in tasks), measure["predictions"], measure["yours"],
            measure["rows"], len(measure["paragraph"].split()), *counts(record, plan).values(),
            first_slip(record, plan), "; ".join(record["notes"]), str(record["seed"])])
    return csv_text(rows)


def items(records, plan):
    rows = [["task", "function", "check", "points", "share passed", *OUTCOMES,
             "commonest slip", "times", "second slip", "times", "third slip", "times"]]
    for check in plan:
        said = [verdict(record, check) for record in records]
        kinds = Counter(v["kind"] for v in said)
        slips = Counter(v["likely"] for v in said if v["kind"] == "wrong" and v["likely"])
        top = [x for slip in slips.most_common(3) for x in slip]
        rows.append([check.task, check.function, check.claim,
                     "yes" if carries_points(check) else "optional",
                     f"{kinds['passed'] / max(1, len(records)):.3f}",
                     *(kinds[kind] for kind in OUTCOMES), *top, *[""] * (6 - len(top))])
    return csv_text(rows)


def summary(records, plan, facts):
    n = len(records)
    totals = sorted(t for r in records if (t := total(marks(r, plan))) is not None)
    lines = ["# Summary", "", *(f"- {what}: {clean(text)}" for what, text in facts.items()), ""]
    if totals:
        middle = (totals[(len(totals) - 1) // 2] + totals[len(totals) // 2]) / 2
        lines += [f"{n} submissions, {possible(plan)} points: lowest {number(totals[0])}, "
                  f"median {number(middle)}, highest {number(totals[-1])}.", ""]
    again = [r["name"] for r in records if total(marks(r, plan)) is None]
    if again:
        lines += ["**Not graded, by an error of the grader (run it again): "
                  f"{', '.join(map(markdown, again))}.**", ""]
    lines += ["## What the class can do", "", "Share of the submissions that pass, per function: "
              "all of its checks, and how the others ended.", "", "```",
              f"{'':4}{'function':22}{'all':>5}{'':24}{'wrong':>6}{'not started':>13}{'other':>7}"]
    for function, checks in by_function(plan).items():
        kinds = [[verdict(r, c)["kind"] for c in checks] for r in records]
        whole = sum(set(k) == {"passed"} for k in kinds)
        unstarted = sum("not started" in k for k in kinds)
        wrong = sum("wrong" in k and "not started" not in k for k in kinds)
        share = whole / max(1, n)
        lines.append(f"{checks[0].task:4}{function:22}{share:>5.0%}  {'#' * round(20 * share):20}  "
                     f"{wrong:>6}{unstarted:>13}{n - whole - unstarted - wrong:>7}")
    lines += ["```", "", "## The commonest slips", ""]
    slips = Counter((c.function, v["likely"]) for c in plan for v in
                    {r["name"]: verdict(r, c) for r in records}.values()
                    if v["kind"] == "wrong" and v["likely"])
    lines += [f"- {times} x `{function}`: {clean(slip)}"
              for (function, slip), times in slips.most_common(10)] or ["None was recognised."]
    noted = [r for r in records if r["notes"]]
    if noted:
        lines += ["", "## Notes", ""]
        lines += [f"- {markdown(r['name'])}: {markdown('; '.join(r['notes']))}" for r in noted]
    return "\n".join(lines) + "\n"


def by_function(plan):
    found = {}
    for check in plan:
        found.setdefault(check.function, []).append(check)
    return found


def feedback(record, plan):
    """For the student: what passed and what did not, without the data and values of the checks."""
    points = marks(record, plan)
    lines = [f"# {markdown(record['name'])}", "",
             f"**{number(total(points))} of {possible(plan)} points.**"
             if total(points) is not None else "**Not graded yet, by an error of the grader.**", ""]
    lines += [f"- Note: {markdown(note)}" for note in record["notes"]] + [""] * bool(
        record["notes"])
    for task in points:
        lines += [f"## {task} {TASKS[task].file}: {number(points[task])} of "
                  f"{sum(TASKS[task].points.values())} points", ""]
        for function, checks in by_function([c for c in plan if c.task == task]).items():
            ended = [(check, verdict(record, check)) for check in checks]
            passed = sum(said["kind"] == "passed" for _, said in ended)
            optional = "" if carries_points(checks[0]) else " (optional)"
            if all(said["kind"] == "not started" for _, said in ended):
                lines.append(f"- `{function}`{optional}: not started")
                continue
            lines.append(f"- `{function}`{optional}: {passed} of {len(checks)} checks pass")
            lines += [f"  - {said['kind']}: {check.claim}" + (
                f" - {markdown(words(said))}" if words(said) != said["kind"] else "")
                for check, said in ended if said["kind"] != "passed"]
        lines.append("")
    measure = record["measure"]
    lines += ["## measure.md", "",
              f"- predictions filled in: {measure['predictions']} of {measure['rows']}",
              f"- yours filled in: {measure['yours']} of {measure['rows']}",
              f"- words in the paragraph of t8: {len(measure['paragraph'].split())}", "",
              "`pytest` in your own folder runs the same checks on other data and shows the "
              "numbers; `pytest --hint` helps on."]
    return "\n".join(lines) + "\n"


def paragraphs(records):
    """The statements of t8, for whoever reads and marks them."""
    lines = ["# Statements of t8"]
    for record in records:
        text = markdown(record["measure"]["paragraph"][:3000])
        lines += ["", f"## {markdown(record['name'])}", "", f"> {text or '(none)'}"]
    return "\n".join(lines) + "\n"


def junit(records, plan):
    """A test suite per submission. XML has no place for control characters; clean() drops them."""
    root = ET.Element("testsuites")
    for record in records:
        suite = ET.SubElement(root, "testsuite", name=clean(record["name"]), tests=str(len(plan)))
        number_of = Counter()
        for check in plan:
            said = verdict(record, check)
            case = ET.SubElement(suite, "testcase", classname=f"{check.task}.{check.function}",
                                 name=f"{check.function} {check.claim}")
            tag = {"passed": None, "not started": "skipped", "grader error": "error"}.get(
                said["kind"], "failure")
            if tag:
                ET.SubElement(case, tag, message=clean(f"{said['kind']}: {words(said)}"))
            number_of[tag] += 1
        suite.attrib.update(failures=str(number_of["failure"]), errors=str(number_of["error"]),
                            skipped=str(number_of["skipped"]))
    ET.indent(root)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)


def gradescope(record, plan):
    """results.json as Gradescope's autograder reads it: a test per function."""
    points = marks(record, plan)
    tests = []
    for function, checks in by_function(plan).items():
        worth = TASKS[checks[0].task].points.get(function, 0)
        said = [(c, verdict(record, c)) for c in checks]
        passed = sum(v["kind"] == "passed" for _, v in said)
        tests.append({
            "name": f"{checks[0].task} {function}" + " (optional)" * (not worth),
            "score": round(worth * passed / len(checks), 4), "max_score": worth,
            "status": "passed" if passed == len(checks) else "failed",
            "output": "\n".join(f"{v['kind']}: {c.claim}" + (
                f" ({clean(words(v))})" if v["kind"] not in ("passed", "not started") else "")
                for c, v in said), "output_format": "text"})
    result = {"score": total(points), "tests": tests, "visibility": "visible",
              "stdout_visibility": "hidden",
              "output": "\n".join(clean(note) for note in record["notes"])}
    if result["score"] is None:
        result |= {"score": 0, "output": "Not graded, by an error of the grader: tell your "
                                         "instructor. " + result["output"]}
    return json.dumps(result, indent=1)
