"""What stands at the end of a run: a line per task, what is wrong in a few words, the points."""
import textwrap
from collections import defaultdict

from tasks import HINTS, TASKS

COLOURS = {"right": "green", "wrong": "red", "not started": "yellow"}


def state(reports):
    """right, wrong or not started: of checks that belong together."""
    if all(r.passed for r in reports):
        return "right"
    return "not started" if all(r.passed or is_open(r) for r in reports) else "wrong"


def is_open(report):
    return getattr(report, "kind", "") == "not started"


def by_function(reports):
    found = defaultdict(list)
    for report in reports:
        found[report.function].append(report)
    return found


def points(task, reports):
    """Points of each function x the share of its checks that passed, summed."""
    return sum(worth * sum(r.passed for r in mine) / len(mine)
               for function, worth in task.points.items()
               for mine in [by_function(reports)[function]] if mine)


def few_words(reports):
    """What to look at first: a slip before what is not started, one with a name before others."""
    todo = sorted((r for r in reports if not r.passed), key=is_open)
    if not todo:
        return ""
    first = todo[0]
    if not first.function:
        return of_worksheet(first, reports)
    if is_open(first):
        return "not started" + f": {first.function}" * (not all(map(is_open, reports)))
    slips = [getattr(r, "likely", "").split(":")[0] for r in by_function(todo)[first.function]
             if not is_open(r)]
    return f"{first.function}: {next(filter(None, slips), getattr(first, 'kind', 'crashed'))}"


def of_worksheet(first, reports):
    """Its checks name the task and the column themselves."""
    likely = getattr(first, "likely", "")
    if all(map(is_open, reports)) and len({r.likely for r in reports}) > 1:
        return "not started: predictions, yours, paragraph"
    return likely or getattr(first, "kind", "crashed")


def print_board(terminal, reports, hint=False):
    """reports: those of this run that have a task, in the order in which they ran."""
    mine = {name: [r for r in reports if r.task == name] for name in (*TASKS, "measure")}
    mine = {name: rs for name, rs in mine.items() if rs}
    if not mine:
        return
    terminal.ensure_newline()
    terminal.section("board")
    asked = {name: [r for r in rs if name == "measure" or r.function in TASKS[name].points]
             for name, rs in mine.items()}
    width = min(12, max(map(len, asked.values())))
    earned = 0.0
    for name, rs in asked.items():
        if not rs:                                  # only optional ones were run
            continue
        task = TASKS.get(name)
        terminal.write(f"{name} {task.file:13}" if task else f"{'measure.md':16}")
        terminal.write(bar(rs, width), **{COLOURS[state(rs)]: True})
        text = f"{sum(r.passed for r in rs):>4}/{len(rs):<2}"
        if task:
            earned += points(task, rs)
            text += f" {points(task, rs):>4.3g}/{sum(task.points.values())}"
        text = f"{text:{13 if task else 7}} {few_words(rs)}".rstrip()
        room = max(20, terminal._tw.fullwidth - 16 - width)
        terminal.write_line(text if len(text) <= room else text[:room - 3] + "...")
    possible = sum(sum(TASKS[name].points.values()) for name in asked if name in TASKS)
    if possible:
        terminal.write_line(f"{'points':{16 + width + 8}}{earned:>4.3g}/{possible}")
    print_extras(terminal, [r for rs in mine.values() for r in rs
                            if r.function and r.function not in TASKS[r.task].points])
    if hint:
        print_hints(terminal, mine)


def bar(reports, width):
    """###xx....: right, wrong, not started; each that occurs is seen."""
    counts = [sum(r.passed for r in reports), 0, sum(map(is_open, reports))]
    counts[1] = len(reports) - sum(counts)
    cells = [max(count > 0, width * count // len(reports)) for count in counts]
    cells[cells.index(max(cells))] += width - sum(cells)
    return "#" * cells[0] + "x" * cells[1] + "." * cells[2]


def print_extras(terminal, reports):
    found = by_function(reports)
    states = [state(rs) for rs in found.values()]
    wrong = [few_words(rs) for rs in found.values() if state(rs) == "wrong"]
    if found:
        terminal.write_line("optional: " + ", ".join(
            f"{states.count(s)} {s}" for s in COLOURS if s in states)
            + "".join(f"\n  {text}" for text in wrong))


def print_hints(terminal, mine):
    """For the first function of each task that is not right yet."""
    first = [next((r.function for r in sorted(rs, key=is_open) if not r.passed and r.function), "")
             for rs in mine.values()]
    if any(first):
        terminal.section("hints")
    for function in filter(None, first):
        terminal.write_line(textwrap.fill(f"{function}: {HINTS[function]}", 80,
                                          subsequent_indent="  "))
