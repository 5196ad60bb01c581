"""The four demos: what they print, against measure.md, from any folder and in both ways to run."""
import re
import subprocess
import sys

import pytest
from checking import Outcome
from mine import numbers, rows
from tasks import HOME

pytestmark = pytest.mark.break_it

MINE = {row.quantity: numbers(row.mine) for row in rows(HOME / "measure.md")
        if row.task == "break it"}
# quantity: the line of the demo's output that states it, and which number of that line it is
LINES = {
    "misalign: questions that differ, %, before": ("before ", [0]),
    "misalign: questions that differ, %, mean of 1,000 shuffles": ("rows misaligned", [0]),
    "misalign: their spread, sd, points": ("  spread", [0]),
    "misalign: interval of the gap, points": ("rows misaligned", [1, 2]),
    "misalign: McNemar p": ("rows misaligned", [3]),
    "peek: false alarms of one test at 1,000, share": ("before: one McNemar", [1]),
    "peek: false alarms at any of 20 looks, share": ("p < 0.05 at any look", [2]),
    "peek: false alarms of the anytime p, share": ("fix: anytime", [1]),
    "wrong unit: 500 answers as if independent cover, share": ("before: 500 answers", [2]),
    "wrong unit: 100 questions with their answers cover, share": ("fix: 100 questions", [3]),
    "wrong unit: 500 clustered questions as if independent cover, share": (
        "before: 500 questions", [2]),
    "wrong unit: 50 documents cover, share": ("fix: 50 documents", [3]),
    "tune: gain of the best of 20 equal prompts, points": ("gain of the best of 20", [1]),
    "tune: it is 1 point or more, share": ("  share of rounds where it is 1", [1]),
    "tune: 20 independent tests at 5 %, any fires, share": ("    20 independent tests", [-1]),
    "tune: the same prompt on fresh questions, points": ("fix: gain of that prompt", [1]),
    "tune: any prompt survives Bonferroni, share": ("fix: share of rounds", [0]),
}
PRINTED = {}


def printed(config, demo, cwd):
    """The demo's output; each is run once."""
    folder = config.workbook
    if (folder, demo) not in PRINTED:
        path = folder / "break_it" / f"{demo}.py"
        if not path.is_file():
            pytest.skip(f"{path} is not there")
        PRINTED[folder, demo] = subprocess.run([sys.executable, str(path)], cwd=cwd, text=True,
                                               capture_output=True)
    run = PRINTED[folder, demo]
    if run.stderr.startswith("not started"):
        raise Outcome("not started", "clt_ci", likely=run.stderr.strip())
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("quantity", LINES)
def test_demo_prints_the_mine_number(quantity, request, tmp_path):
    start, places = LINES[quantity]
    demo = {"wrong unit": "wrong_unit", "tune": "tune_on_test"}.get(
        quantity.split(":")[0], quantity.split(":")[0])
    lines = [line for line in printed(request.config, demo, tmp_path).splitlines()
             if line.startswith(start)]
    assert len(lines) == 1, f"{demo}.py prints {len(lines)} lines that start with {start!r}"
    found = numbers(lines[0].replace("500 answers", "500").replace("p < 0.05", "p 0.05"))
    assert [found[i] for i in places] == MINE[quantity], f"{demo}.py printed: {lines[0]}"


def test_every_demo_number_of_measure_md_is_checked():
    assert set(LINES) == set(MINE)


@pytest.mark.parametrize("demo", ["misalign", "peek", "wrong_unit", "tune_on_test"])
def test_demo_fits_80_columns_and_ends_in_a_sentence(demo, request, tmp_path):
    text = printed(request.config, demo, tmp_path)
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"\.$", text.strip())


def test_demo_runs_as_a_module_too(request):
    folder = request.config.workbook
    if not (folder / "break_it").is_dir():
        pytest.skip("no break_it in this folder")
    run = subprocess.run([sys.executable, "-m", "break_it.misalign", "--help"], cwd=folder,
                         text=True, capture_output=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("usage")
