"""Results that outgrow one machine: two million rows in Parquet, one GROUP BY, the same numbers."""
import json
import re
import subprocess
import sys

import pytest
from running import ROOT

pytestmark = pytest.mark.prove

ROWS = 2_000_000
MAKE = f"""
COPY (SELECT printf('q%07d', i) AS qid, doc,
             CAST(u < 0.70 AS INTEGER) AS model_a,
             CAST(CASE WHEN v < 0.95 THEN u < 0.701 ELSE w < 0.701 END AS INTEGER) AS model_b
      FROM (SELECT i, i % 400 AS doc, hash(i) / 18446744073709551616 AS u,
                   hash(-i - 1) / 18446744073709551616 AS v,
                   hash(i + 1e9) / 18446744073709551616 AS w FROM range({ROWS}) t(i)))
TO 'results.parquet' (FORMAT parquet)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip(
        "duckdb", reason="needs duckdb: python -m pip install duckdb (or make .venv/dev)")
    where = tmp_path_factory.mktemp("duckdb")
    query, = re.findall(r"```sql\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    clustered = query.replace("count(*)", "doc, count(*)").replace("counts.csv", "clustered.csv")
    # The query names its files without a folder, as it stands in the README.
    code = ("import duckdb, sys\n"
            "for query in sys.argv[1:]:\n"
            "    duckdb.execute(query)\n")
    subprocess.run([sys.executable, "-c", code, MAKE, query, clustered,
                    "COPY (FROM 'results.parquet' ORDER BY qid) TO 'rows.csv' (HEADER)"],
                   cwd=where, check=True)
    return where


def numbers(folder, *args):
    done = subprocess.run([sys.executable, ROOT / "report.py", *args, "--json"], cwd=folder,
                          text=True, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)["comparisons"][0]


@pytest.mark.parametrize("counts, args", [("counts.csv", []),
                                          ("clustered.csv", ["--cluster", "doc"])])
def test_counts_of_two_million_rows_give_the_numbers_of_the_rows(folder, counts, args):
    few, all_rows = numbers(folder, counts, *args), numbers(folder, "rows.csv", *args)
    assert few["n"] == all_rows["n"] == ROWS
    assert 0.0002 < few["gap"] < 0.002 and few["n_a_better"] > 10_000
    for key, value in all_rows.items():
        if key.startswith("bootstrap"):         # drawn: 0.15 standard errors
            if value is not None:
                assert few[key] == pytest.approx(value, abs=0.15 * few["se"]), key
        elif isinstance(value, float):
            assert few[key] == pytest.approx(value, rel=1e-9), key
        else:
            assert few[key] == value, key
    assert (folder / counts).stat().st_size < 40_000
