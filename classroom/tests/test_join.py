"""join.py on small files of every format it reads, and on every way two runs fail to fit."""
import json
import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
import join  # noqa: E402
import load  # noqa: E402


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def joined(folder, capsys):
    """joined(A, B, *options) -> (header, rows); every line it printed is kept in .account."""
    def run(*argv):
        join.main([*map(str, argv), "-o", "results.csv"])
        run.account = capsys.readouterr().out
        wide = [line for line in run.account.splitlines() if len(line) > 80]
        assert not wide, f"wider than 80 columns: {wide}"
        table = load.read_table("results.csv")
        return list(table.columns), list(zip(*table.columns.values()))
    return run


@pytest.fixture
def refused(folder, capsys):
    """refused(A, B, *options) -> the one line; results.csv must not have appeared."""
    def run(*argv):
        with pytest.raises(SystemExit) as stop:
            join.main([*map(str, argv), "-o", "results.csv"])
        run.account, line = capsys.readouterr()
        assert stop.value.code == 2, f"exit code {stop.value.code}, 2 expected"
        assert line.startswith("error: ") and line.count("\n") == 1, f"not one line: {line!r}"
        assert run.account == "", "refused, yet something was printed before"
        assert not Path("results.csv").exists(), "refused, yet results.csv was written"
        assert not list(Path().glob("*.part")), "a half-written file was left behind"
        return line
    return run


def file(name, content):
    """Writes text, bytes, a list as JSON lines, or a dict as one JSON object; returns the name."""
    if isinstance(content, list):
        content = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in content)
    if isinstance(content, dict):
        content = json.dumps(content)
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def two(a, b, suffix=".csv"):
    return file(f"a{suffix}", a), file(f"b{suffix}", b)


# ---- rows and ids ----


def test_rows_meet_by_id_and_not_by_position(joined):
    header, rows = joined(*two("qid,score\n1,1\n2,0\n10,1\n", "qid,score\n1,1\n10,1\n2,0\n"))
    assert header == ["qid", "a", "b"]
    assert rows == [("1", "1", "1"), ("10", "1", "1"), ("2", "0", "0")]


def test_only_shared_questions_are_joined_and_the_others_are_listed(joined):
    a = "qid,score\n" + "".join(f"q{i},1\n" for i in range(1, 7))
    b = "qid,score\n" + "".join(f"q{i},{int(i in (3, 5, 6))}\n" for i in range(3, 11))
    _, rows = joined(*two(a, b))
    assert [sum(int(row[i]) for row in rows) / len(rows) for i in (1, 2)] == [1.0, 0.75]
    assert "only in    a: 2 questions (q1, q2)" in joined.account
    assert "only in    b: 4 questions (q7, q8, q9, q10)" in joined.account


def test_long_names_and_ids_stay_within_the_screen(joined):
    a, b = (file(f"{c * 90}.csv", "qid,score\nq1,1\n" + "".join(
        f"{c}{i:070},1\n" for i in range(9))) for c in "ab")
    header, _ = joined(a, b, "--score", "score")
    assert header == ["qid", "a" * 90, "b" * 90] and "9 questions (a000" in joined.account


def test_no_shared_id_shows_ids_of_both(refused):
    line = refused(*two("qid,score\nq1,1\nq2,0\n", "qid,score\n1,1\n2,0\n"))
    assert "a.csv has q1, q2" in line and "b.csv has 1, 2" in line


def test_an_id_that_stands_twice_is_refused_with_its_name(refused):
    line = refused(*two("qid,score\nx,1\nx,0\ny,1\n", "qid,score\nx,1\nx,1\ny,0\n"))
    assert "x appears 2 times" in line and "--tries" in line and "--where" in line


def test_ids_are_text_to_the_letter(joined):
    ids = ["007", "7", "7.0", "NA", "nan", "null", "1e3", " 7", "True", "é", "a,b", 'say "x"',
           "q\nz", "q\rz", "q\u2028z", "☃"]
    a = "qid,score\n" + "".join(f'"{q.replace(chr(34), chr(34) * 2)}",1\n' for q in ids)
    _, rows = joined(file("a.csv", a), file("b.jsonl", [{"qid": q, "score": 0} for q in ids]))
    assert [row[0] for row in rows] == sorted(ids)
    assert {row[1:] for row in rows} == {("1", "0")}


def test_a_json_number_is_the_id_of_the_same_digits(joined):
    big = 12345678901234567890
    _, rows = joined(file("a.jsonl", [{"id": 7, "score": 1}, {"id": big, "score": 0}]),
                     file("b.csv", f"id,score\n7,1\n{big},1\n007,0\n"))
    assert rows == [(str(big), "0", "1"), ("7", "1", "1")]


@pytest.mark.parametrize("cell, why", [('""', "blank"), ("  ", "blank"), ("\0", "must be a text")])
def test_an_id_that_names_nothing_is_refused_with_its_row(refused, cell, why):
    line = refused(*two(f"qid,score\nq1,1\n{cell},1\n", "qid,score\nq1,1\n"))
    assert why in line or "NUL" in line, line
    assert "row 3" in line or "NUL" in line, line


@pytest.mark.parametrize("qid, why", [(["q1"], "must be a text"), ("\ud800", "must be a text"),
                                      (None, "blank or missing")])
def test_an_id_that_no_table_can_hold_is_refused(refused, qid, why):
    a = json.dumps({"id": qid, "score": 1}) + "\n"
    line = refused(file("a.jsonl", '{"id": "q1", "score": 1}\n' + a), file("b.jsonl", a))
    assert "record 2" in line and why in line


def test_several_fields_make_one_id_and_never_two_the_same(joined):
    records = [{"task": "a/b", "n": "c", "score": 1}, {"task": "a", "n": "b/c", "score": 0},
               {"task": "a", "n": 1, "score": 1}]
    _, rows = joined(*two(records, records[::-1], ".jsonl"), "--id", "task,n")
    assert rows == [('"a/b"/c', "1", "1"), ('a/"b/c"', "0", "0"), ("a/1", "1", "1")]


def test_id_and_score_may_be_given_once_for_each_run(joined, refused):
    a, b = two("name,points,x\nq1,1,5\nq2,0,5\n", "x,key,hit\n9,q2,1\n9,q1,1\n")
    _, rows = joined(a, b, "--id", "name", "--id", "key", "--score", "points", "--score", "hit")
    assert rows == [("q1", "1", "1"), ("q2", "0", "1")]
    os.remove("results.csv")
    assert "3 times for 2 runs" in refused(a, b, *["--id", "name"] * 3)


def test_an_unknown_id_lists_the_fields(refused):
    a, b = two("name,score\nq1,1\n", "name,score\nq1,1\n")
    line = refused(a, b, "--id", "nmae")
    assert "no field nmae" in line and "name, score" in line


def test_records_without_a_usual_id_are_asked_for_one(refused):
    rows = [{"instruction": "i", "score": 1}]
    line = refused(*two(rows, rows, ".jsonl"))
    assert "--id: instruction, score" in line


def test_a_table_without_a_usual_id_takes_its_first_column_and_says_so(joined):
    _, rows = joined(*two("prompt,mark\np1,1\n", "prompt,mark\np1,0\n"))
    assert rows == [("p1", "1", "0")] and "id         prompt\n" in joined.account


@pytest.mark.parametrize("field", ["doc_hash", "target_hash", "target", "question", "input"])
def test_one_id_for_two_questions_stops_the_join_and_is_listed(refused, joined, field):
    a = [{"id": i, "score": 1, field: f"t{i}"} for i in range(4)]
    b = [{"id": i, "score": 1, field: f"t{i % 3}"} for i in range(4)]
    line = refused(*two(a, b, ".jsonl"))
    assert f"by their {field}: 1 (3)" in line and f"--id id,{field}" in line
    assert line.endswith("--witness none\n")
    assert len(joined("a.jsonl", "b.jsonl", "--witness", "none")[1]) == 4
    assert len(joined("a.jsonl", "b.jsonl", "--id", f"id,{field}")[1]) == 3


def test_a_witness_that_one_run_lacks_or_leaves_blank_stops_nothing(joined):
    a = [{"id": 1, "score": 1, "target": "x"}, {"id": 2, "score": 1, "target": None}]
    b = [{"id": 1, "score": 1, "question": "?"}, {"id": 2, "score": 0, "target": "y"}]
    assert len(joined(*two(a, b, ".jsonl"))[1]) == 2


def test_messages_in_a_list_are_no_witness(joined):
    a, b = ([{"id": 1, "score": 1, "input": [{"id": x, "content": "?"}]}] for x in "mn")
    assert len(joined(*two(a, b, ".jsonl"))[1]) == 1


def test_a_question_id_is_taken_before_an_id_that_counts_the_rows(joined):
    a, b = ("id,question_id,correct\n" + "".join(
        f"{row},q{i},{int(i < 3)}\n" for row, i in enumerate(order))
        for order in (range(6), range(6)[::-1]))
    _, rows = joined(*two(a, b))
    assert rows == [(f"q{i}", *[str(int(i < 3))] * 2) for i in range(6)]
    assert "id         question_id\n" in joined.account


@pytest.mark.parametrize("kind", ["doc_id", "item_id", "sample_id", "instance_id"])
def test_an_id_that_counts_the_rows_never_beats_one_that_is_text(joined, kind):
    a, b = ([{kind: row, "id": f"q{i}", "score": i % 2} for row, i in enumerate(order)]
            for order in ((0, 1, 2), (1, 0, 2)))
    _, rows = joined(*two(a, b, ".jsonl"))
    assert rows == [("q0", "0", "0"), ("q1", "1", "1"), ("q2", "0", "0")]


def test_a_field_that_never_changes_is_no_id(joined):
    rows = [{"task_id": "gsm8k", "id": f"q{i}", "score": 1} for i in range(3)]
    assert [row[0] for row in joined(*two(rows, rows, ".jsonl"))[1]] == ["q0", "q1", "q2"]


def test_two_usual_ids_that_disagree_are_both_named_and_one_is_chosen(joined, refused):
    a, b = ([{"id": f"r{x}", "question_id": f"q{y}", "score": 1} for x, y in pairs]
            for pairs in (((1, 1), (2, 2), (3, 3)), ((1, 2), (2, 1), (3, 3))))
    line = refused(*two(a, b, ".jsonl"))
    assert "by their id: 2 (q2, q1)" in line and "--id question_id or --id id" in line
    for key in ("question_id", "id"):
        assert len(joined("a.jsonl", "b.jsonl", "--id", key)[1]) == 3
    assert len(joined("a.jsonl", "b.jsonl", "--witness", "none")[1]) == 3


def test_two_usual_ids_that_agree_are_witnesses_and_no_scores(joined):
    rows = [{"doc_id": i, "item_id": 7 * i * i, "hit": 1} for i in (2, 0, 1)]
    _, got = joined(*two(rows, rows[::-1], ".jsonl"))
    assert [row[0] for row in got] == ["0", "28", "7"]
    assert "witness    doc_id\n" in joined.account and "score      hit\n" in joined.account


@pytest.mark.parametrize("turned", [False, True])
def test_a_usual_id_that_only_one_run_has_is_not_passed_over(refused, joined, turned):
    a = [{"id": i, "question_id": f"q{i}", "score": 1} for i in range(3)]
    b = [{"id": i, "score": 1} for i in range(3)]
    paths = two(*((b, a) if turned else (a, b)), ".jsonl")
    line = refused(*paths)
    assert line.startswith("error: b.jsonl: the id could be id, question_id")
    assert "only id is in a.jsonl too; choose with --id id" in line
    assert len(joined(*paths, "--id", "id")[1]) == 3


def test_a_field_that_clusters_or_selects_is_not_taken_for_the_id(joined):
    rows = [{"task_id": t, "id": f"q{i}", "score": 1} for i, t in enumerate("xxyy")]
    paths = two(rows, rows, ".jsonl")
    assert [row[:2] for row in joined(*paths, "--cluster", "task_id")[1]] == [
        ("q0", "x"), ("q1", "x"), ("q2", "y"), ("q3", "y")]
    assert [row[0] for row in joined(*paths, "--where", "task_id=x")[1]] == ["q0", "q1"]


def test_two_names_for_the_id_are_one_id(joined):
    a, b = two("qid,score\nq1,1\nq2,0\n", "id,score\nq2,0\nq1,1\n")
    assert joined(a, b)[1] == [("q1", "1", "1"), ("q2", "0", "0")]


# ---- scores ----


@pytest.mark.parametrize("cells, values", [
    ("True,FALSE,true,False", ["1", "0", "1", "0"]),
    ("1,0.5,.25,1e-3", ["1", "0.5", "0.25", "0.001"]),
    ("-3,+2,1.0, 4 ", ["-3", "2", "1", "4"]),
    ("0.1,0.30000000000000004,1e16,-0.0", ["0.1", "0.30000000000000004", "1e+16", "0"])])
def test_numbers_and_true_false_are_scores(joined, cells, values):
    body = "qid,score\n" + "".join(f"q{i},{cell}\n" for i, cell in enumerate(cells.split(",")))
    _, rows = joined(*two(body, body))
    assert [row[1] for row in rows] == values == [row[2] for row in rows]


@pytest.mark.parametrize("value", ["N/A", "nan", "inf", "1_0", "C", "yes", "73%", "1e999", "0x1",
                                   "1e101", "-1e-101"])
def test_text_that_is_no_number_is_refused_and_shown(refused, value):
    line = refused(*two(f"qid,score\nq1,1\nq2,{value}\n", "qid,score\nq1,1\nq2,0\n"))
    assert f"a.csv, row 3: score is {value}, not a finite number" in line and "--map" in line


@pytest.mark.parametrize("json_value, display", [
    ("NaN", "nan"), ("Infinity", "inf"), ("[true, false]", "[True, False]"), ("1e999", "inf"),
    ("1" + "0" * 400, "1000"), ('"N/A"', "N/A")])
def test_json_that_is_no_score_is_refused_and_shown(refused, json_value, display):
    rows = f'{{"id": 1, "score": 1}}\n{{"id": 2, "score": {json_value}}}\n'
    line = refused(*two(rows, rows, ".jsonl"))
    assert "record 2" in line and f"score is {display}" in line


def test_an_object_for_a_score_is_refused(refused):
    rows = [{"id": 1, "score": {"value": {"deep": 1}}}]
    assert "score is {'value'" in refused(*two(rows, rows, ".jsonl"), "--score", "score")


def test_json_booleans_are_scores(joined):
    a, b = ([{"id": i, "is_correct": bool(i % n), "finished_at": 17e8 + i} for i in (1, 2, 3)]
            for n in (2, 3))
    _, rows = joined(*two(a, b, ".jsonl"))
    assert [row[1:] for row in rows] == [("1", "1"), ("0", "1"), ("1", "0")]


def test_letters_become_scores_only_as_the_map_says(joined, refused):
    a, b = two("id,score\n1,C\n2,I\n3,P\n", "id,score\n3,I\n2,C\n1,C\n")
    assert "--map" in refused(a, b)
    assert "score is P" in refused(a, b, "--map", "C=1,I=0")
    _, rows = joined(a, b, "--map", "C=1,I=0,P=0.5")
    assert rows == [("1", "1", "1"), ("2", "0", "1"), ("3", "0.5", "0")]


def test_codes_that_are_numbers_match_however_written_and_all_must_be_given(joined, refused):
    """Win 2, lose 1; a draw is 0 in one file and 1.5 in the other."""
    a, b = two("id,preference\n1,2\n2,1\n3,0\n", "id,preference\n1,2.0\n2,1.5\n3,1.0\n")
    assert "b.csv, row 3: preference is 1.5" in refused(a, b, "--map", "2=1,1=0,0=0.5")
    _, rows = joined(a, b, "--map", "2=1,1=0,0=0.5,1.5=0.5")
    assert [row[1:] for row in rows] == [("1", "1"), ("0", "0.5"), ("0.5", "0")]


VERDICTS = ("id,answer,verdict,latency\n0,abc,fail,0.50\n1,abc,pass,0.60\n2,abc,pass,0.70\n",
            "id,answer,verdict,latency\n0,abc,pass,0.40\n1,abc,pass,0.50\n2,abc,pass,0.60\n")


def test_the_map_finds_the_field_that_holds_its_codes(joined):
    _, rows = joined(*two(*VERDICTS), "--map", "pass=1,fail=0")
    assert rows == [("0", "0", "1"), ("1", "1", "1"), ("2", "1", "1")]
    assert "score      verdict\n" in joined.account


@pytest.mark.parametrize("option", ["pas=1,fail=0", "A=1", "N/A="])
def test_a_map_that_applies_to_no_score_is_refused(refused, option):
    line = refused(*two(*VERDICTS), "--map", option)
    assert line.startswith(f"error: --map {option}: no score of a.csv, b.csv (latency) is one of")


def test_a_map_may_apply_to_one_of_the_runs(joined):
    a, b = two("id,score,cost\n1,C,5\n2,I,5\n", "id,score,cost\n1,1,5\n2,1,5\n")
    assert joined(a, b, "--map", "C=1,I=0")[1] == [("1", "1", "1"), ("2", "0", "1")]


def test_a_blank_of_the_map_does_not_hide_the_score(joined):
    a, b = two("id,note,hit\n1,N/A,N/A\n2,N/A,1\n", "id,note,hit\n1,N/A,1\n2,N/A,0\n")
    assert joined(a, b, "--map", "N/A=", "--missing", "drop")[1] == [("2", "1", "0")]


@pytest.mark.parametrize("code", ["nan", "NaN", "NAN"])
def test_the_map_takes_nan_in_any_case(joined, code):
    rows = '{"id": 1, "score": 1}\n{"id": 2, "score": NaN}\n{"id": 3, "score": -Infinity}\n'
    _, got = joined(*two(rows, rows, ".jsonl"), "--map", f"{code}=,-inf=0", "--missing", "drop")
    assert got == [("1", "1", "1"), ("3", "0", "0")]


@pytest.mark.parametrize("option", ["C", "C=x", "=1", "C=1,I"])
def test_a_map_that_is_no_map_is_refused(refused, option):
    assert "--map" in refused(*two("id,score\n1,C\n", "id,score\n1,C\n"), "--map", option)


def test_the_map_can_declare_a_blank(joined):
    a, b = two("id,score\n1,1\n2,N/A\n", "id,score\n1,0\n2,1\n")
    _, rows = joined(a, b, "--map", "N/A=", "--missing", "drop")
    assert rows == [("1", "1", "0")]


def test_an_unknown_score_lists_the_fields_with_numbers(refused):
    rows = [{"id": i, "acc": 1.0, "deep": {"f1": 0.5}, "note": "fine", "tags": [1]}
            for i in range(3)]
    line = refused(*two(rows, rows, ".jsonl"), "--score", "accuracy")
    assert "no record has a score in accuracy" in line and line.rstrip().endswith("acc, deep.f1")


def test_an_unknown_score_of_a_table_lists_its_columns(refused):
    for separator in ",;\t":
        body = "qid,points,answer\nq1,1,x\n".replace(",", separator)
        assert refused(*two(body, body), "--score", "score").rstrip().endswith("in: points")


def test_several_possible_scores_are_listed_and_none_is_taken(refused):
    body = "qid,a,b,cost\nq1,1,0,0.3\n"
    assert "a, b, cost; name its field with --score" in refused(*two(body, body))


def test_two_columns_of_one_file_are_two_runs(joined):
    path = file("wide.csv", "qid,x,y\nq1,1,0\nq2,0,0\n")
    header, rows = joined(path, path, "--score", "x", "--score", "y")
    assert header == ["qid", "x", "y"] and rows == [("q1", "1", "0"), ("q2", "0", "0")]


@pytest.mark.parametrize("a, b, fits", [
    ((0, 1, 1), (0, 100, 100), False), ((.2, .6, .4), (21, 55.5, 43), False),
    ((0, 1, 1), (1, 5, 4), False), ((0, 0, 0), (0, 100, 100), True),
    ((.3, .9, .8), (.2, .7, 1.9), True), ((12, 90, 3), (30, 100, 0), True),
    ((0, 1, 1), (0, 0, 1), True), ((-1, 0, 1), (-5, 2, 9), True), ((0, 1, 1), (0, 2, 2), True)])
def test_runs_on_two_scales_are_refused(joined, refused, a, b, fits):
    bodies = ["".join(f"q{i},{x}\n" for i, x in enumerate(run)) for run in (a, b)]
    paths = two(*("qid,score\n" + body for body in bodies))
    if fits:
        assert len(joined(*paths)[1]) == 3
    else:
        assert "one scale" in refused(*paths)


# ---- blanks ----

BLANKS = "qid,model_a,model_b\n" + "".join(f"q{i},{a},{b}\n" for i, (a, b) in enumerate(
    [(1, 1), (1, 0), (1, 1), ("", 1), (1, ""), (0, 0), (1, 1), (1, 0), (0, 0), (1, 1)]))
PAIR = ["--score", "model_a", "--score", "model_b"]


def test_blanks_are_refused_with_their_ids(refused):
    path = file("blanks.csv", BLANKS)
    line = refused(path, path, *PAIR)
    assert "blank score: 2 (q3, q4)" in line and "--missing drop" in line


@pytest.mark.parametrize("policy, n, a, b", [("drop", 8, .75, .5), ("zero", 10, .7, .5)])
def test_blanks_leave_both_runs_or_count_as_zero(joined, policy, n, a, b):
    path = file("blanks.csv", BLANKS)
    _, rows = joined(path, path, *PAIR, "--missing", policy)
    means = [sum(float(row[i]) for row in rows) / len(rows) for i in (1, 2)]
    assert (len(rows), *means) == (n, pytest.approx(a), pytest.approx(b))
    assert f"--missing {policy}: 2 questions (q3, q4)" in joined.account
    line = next(line for line in joined.account.splitlines() if line.startswith("model_a"))
    assert line.split() == ["model_a", "CSV", "10", "10", "1", str(n), f"{a:.4g}"]


@pytest.mark.parametrize("cell, options", [("", []), ("N/A", ["--map", "N/A="])])
def test_blanks_that_leave_no_question_are_named_as_the_cause(refused, cell, options):
    a, b = two(f"qid,score\nq1,{cell}\nq2,{cell}\n", "qid,score\nq1,1\nq2,0\nq3,0\n")
    line = refused(a, b, "--missing", "drop", *options)
    assert "leaves out all that the runs share (2), each blank" in line
    assert "--missing zero" in line and "the same questions" not in line


def test_a_blank_outside_the_shared_questions_harms_nobody(joined):
    assert joined(*two("qid,score\nq1,1\nq2,\n", "qid,score\nq1,0\n"))[1] == [("q1", "1", "0")]


def test_a_record_without_its_score_is_a_blank(refused):
    a = [{"id": 1, "score": 1}, {"id": 2, "error": "timeout"}, {"id": 3, "score": None}]
    b = [{"id": i, "score": 1} for i in (1, 2, 3)]
    assert "blank score: 2 (2, 3)" in refused(*two(a, b, ".jsonl"))


# ---- tables ----


def test_a_spreadsheet_s_csv_reads_as_its_plain_twin(joined):
    excel = b"\xef\xbb\xbfqid;model_a;model_b\r\nq1;1,0;0,5\r\nq2;0,25;0,75\r\nq3;1;0\r\n"
    plain = "qid,model_a,model_b\nq1,1.0,0.5\nq2,0.25,0.75\nq3,1,0\n"
    _, rows = joined(*two(excel, plain), *PAIR[:2])
    assert rows == [("q1", "1", "1"), ("q2", "0.25", "0.25"), ("q3", "1", "1")]
    _, rows = joined("a.csv", "b.csv", *PAIR[2:])
    assert rows == [("q1", "0.5", "0.5"), ("q2", "0.75", "0.75"), ("q3", "0", "0")]


def test_points_and_commas_in_one_column_are_refused(refused):
    line = refused(*two("qid;score\nq1;0,5\nq2;1.234\n", "qid,score\nq1,1\nq2,1\n"))
    assert "a.csv, row 3: score is 1.234" in line


@pytest.mark.parametrize("separator", ";\t")
@pytest.mark.parametrize("cells", [["987", "1,204"], ["1,204", "2,000"], ["12", " -1,204 "]])
def test_commas_that_may_be_thousands_are_refused(refused, cells, separator):
    body = "qid,score".replace(",", separator) + "".join(
        f"\nq{i}{separator}{cell}" for i, cell in enumerate(cells))
    line = refused(*two(body, "qid,score\nq0,1\nq1,1\n"))
    assert "1,204', thousands or decimals? write " in line and "1.204" in line and "1204" in line
    assert f"row {2 + [',' in cell for cell in cells].index(True)}: score is" in line


@pytest.mark.parametrize("cells", [["1,204", "0,5"], ["0,333", "0,667"], ["0,5", "1,204", "3"]])
def test_decimal_commas_are_read_where_one_can_be_nothing_else(joined, cells):
    body = "qid;score" + "".join(f"\nq{i};{cell}" for i, cell in enumerate(cells))
    assert [row[1] for row in joined(*two(body, body))[1]] == [
        cell.replace(",", ".") for cell in cells]


def test_tabs_quotes_and_line_ends_inside_cells_are_read(joined):
    a = 'qid\tanswer\tscore\r\nq1\t"first\r\nsecond\ttab"\t1\r\nq2\t"he said ""no"""\t0\r\n\r\n'
    assert joined(file("a.tsv", a), file("b.csv", "qid,score\nq2,1\nq1,1\n"))[1] == [
        ("q1", "1", "1"), ("q2", "0", "1")]


@pytest.mark.parametrize("body, why", [
    ("qid,score\nq1,1\n\nq2,1\n", "row 3: 0 cells"), ("qid,score\nq1,1,1\n", "row 2: 3 cells"),
    (",score\nq1,1\n", "blank header"), ("qid,qid\nq1,1\n", "two alike"),
    ("qid,score\n", "no results in it"), ('qid,score\nq1,"1\n', "quote"), ("", "empty"),
    ("\n \n", "empty"),
    ("q1,1\nq2,0\n", "row 1 looks like data"), (b"qid,score\nq\xff,1\n", "UTF-8"),
    ("qid,score\nq1,1\n".encode("utf-16"), "UTF-8")])
def test_a_table_that_is_not_whole_is_refused(refused, body, why):
    assert why in refused(*two(body, "qid,score\nq1,1\n"))


def test_a_cell_may_hold_a_whole_answer(joined):
    body = "qid,answer,score\nq1," + "x" * 200_000 + ",1\n"
    assert joined(*two(body, body), "--score", "score")[1] == [("q1", "1", "1")]


# ---- JSON ----


def test_json_lines_end_at_newlines_only(joined):
    rows = [{"id": f"q{i}", "score": i, "text": "one\u2028two\x85three\x0bfour"} for i in (0, 1)]
    a = "\ufeff" + "\r\n\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    a = a.replace(', "text"', ',\r"text"')       # white space like any other to JSON
    assert joined(*two(a, rows, ".jsonl"))[1] == [("q0", "0", "0"), ("q1", "1", "1")]


def test_a_json_list_and_dotted_keys_are_read(joined):
    rows = [{"meta": {"key": i}, "scores": {"choice": {"value": i}, "v.2": {"x": 1}}, "a.b": i}
            for i in (0, 1)]
    a, b = two(json.dumps(rows, indent=2), json.dumps(rows), ".json")
    for score in ("scores.choice.value", "a.b", "scores.v.2.x"):
        _, got = joined(a, b, "--id", "meta.key", "--score", score)
        assert [row[1] for row in got] == (["1", "1"] if "v.2" in score else ["0", "1"]), score


@pytest.mark.parametrize("indent", [None, 1])
def test_an_object_with_a_record_for_each_id_is_read_by_its_ids(joined, indent):
    a, b = ({f"a-{i}": {"resolved": i < n, "tests": {"x": [i]}} for i in range(3)} for n in (1, 2))
    del a["a-2"]["resolved"]
    paths = two(*(json.dumps(run, indent=indent) for run in (a, b)), ".json")
    _, rows = joined(*paths, "--missing", "drop")
    assert rows == [("a-0", "1", "1"), ("a-1", "0", "1")]


@pytest.mark.parametrize("indent", [None, 1])
def test_parts_of_a_summary_are_no_records(refused, indent):
    body = json.dumps({"results": {"x": {"acc": 1}}, "config": {"model": "m"}}, indent=indent)
    assert "one JSON object (results, config), no record per question" in refused(
        *two(body, body, ".json"))


def test_lines_of_objects_alone_are_still_records(joined):
    rows = [{"meta": {"key": i}, "out": {"score": i}} for i in (0, 1)]
    assert joined(*two(rows, rows, ".jsonl"), "--id", "meta.key")[1] == [
        ("0", "0", "0"), ("1", "1", "1")]


@pytest.mark.parametrize("body", ["{}", "[]", "{\n}", "[{}]", '{"a": null}\n'])
def test_json_that_holds_nothing_is_said_to_hold_no_results(refused, body):
    assert "a.jsonl: no results in it" in refused(
        *two(body, [{"id": 1, "score": 1}], ".jsonl"))


@pytest.mark.parametrize("body, why", [
    ('{"id": 1, "score": 1}\n{"id": 2, "sco', "line 2: not readable as JSON"),
    ('{"id": 1, "id": 2, "score": 1}\n', "one key twice"), ("[" * 100_000, "not readable as JSON"),
    ('{"a":' * 500 + '{"id": 1}' + "}" * 500 + "\n", ""), ("[]", "no results in it"),
    ("[1, 2]", "1 where a"), ('{"id": 1, "score": 1}\n[2]\n', "line 2: [2] where a record"),
    ("{}", "no results in it"), ('{"accuracy": 0.8,\n"n": 5}', "one JSON object (accuracy, n)"),
    (b'{"id": "\xff", "score": 1}\n', "UTF-8"), ('{"id": 1, "score": 1' + "0" * 5000 + "}\n", "")])
def test_json_that_is_not_whole_is_refused(refused, body, why):
    assert why in refused(*two(body, [{"id": 1, "score": 1}], ".jsonl"))


def test_no_depth_of_nesting_ends_in_a_traceback(refused):
    for depth in (500, 900, 950, 975, 1_500, 3_000, 9_000):
        a = '{"id": 1, "deep": ' + '{"a":' * depth + "1" + "}" * depth + "}\n"
        refused(*two(a, [{"id": 1, "score": 1}], ".jsonl"), "--score", "score")


def test_the_first_record_need_not_have_every_field(joined, refused):
    a = [{"id": 0, "error": "timeout"}] + [{"id": i, "score": 1, "target": i} for i in (1, 2)]
    b = [{"id": i, "score": 0, "target": 3 - i} for i in (0, 1, 2)]
    assert "by their target: 2 (1, 2)" in refused(*two(a, b, ".jsonl"), "--missing", "drop")


def test_conditions_compare_what_json_writes(joined):
    rows = [{"id": i, "score": 1, "hard": i == 1, "n": 3} for i in (1, 2)]
    _, got = joined(*two(rows, rows, ".jsonl"), "--where", "hard=true", "--where", "n=3")
    assert got == [("1", "1", "1")]


def test_records_that_only_hold_samples_are_still_records(joined):
    rows = [{"task_id": i, "samples": [1, 2], "score": 1} for i in range(3)]
    assert len(joined(*two(rows, rows, ".jsonl"))[1]) == 3


# ---- the harnesses ----


def lm_eval(doc_id, score, filter="none", **more):
    return {"doc_id": doc_id, "doc": {"question": f"?{doc_id}"}, "target": "A", "filter": filter,
            "metrics": ["exact_match"], "doc_hash": f"h{doc_id}", "exact_match": score, **more}


def test_lm_eval_takes_the_one_metric_that_the_records_name(joined):
    a, b = ([lm_eval(i, float(i > n)) | {"confidence": 0.5} for i in range(4)] for n in (1, 2))
    _, rows = joined(*two(a, b, ".jsonl"))
    assert [row[1:] for row in rows] == [("0", "0"), ("0", "0"), ("1", "0"), ("1", "1")]
    assert "lm-eval samples" in joined.account and "score      exact_match" in joined.account
    assert "witness    doc_hash, target" in joined.account


def test_two_filters_are_two_scores_of_one_question(joined, refused):
    """Three documents, six rows: strict 1/3, flexible 2/3, and never 3/6."""
    rows = [lm_eval(i, s, f) for f, scores in (("strict-match", (1, 0, 0)), ("flexible", (1, 1, 0)))
            for i, s in enumerate(scores)]
    a, b = two(rows, rows, ".jsonl")
    for options in ([], ["--tries", "mean"], ["--tries", "long"]):
        line = refused(a, b, *options)
        assert "filter is flexible, strict-match" in line and "--where filter=" in line
    for name, right in (("strict-match", 1), ("flexible", 2)):
        _, got = joined(a, b, "--where", f"filter={name}")
        assert (len(got), sum(int(row[1]) for row in got)) == (3, right)
    _, got = joined(a, b, "--where", "filter=strict-match", "--where", "filter=flexible")
    assert [row[1:] for row in got] == [("1", "1"), ("0", "1"), ("0", "0")], "one filter per run"


def test_a_condition_that_nothing_meets_shows_what_there_is(refused):
    rows = [lm_eval(1, 1, "strict-match")]
    line = refused(*two(rows, rows, ".jsonl"), "--where", "filter=strict")
    assert "filter is strict-match" in line
    assert "KEY=VALUE" in refused("a.jsonl", "b.jsonl", "--where", "filter")


def test_doc_id_begins_again_in_every_task(joined, refused):
    rows = [lm_eval(0, s, task=t, doc_hash=t) for t, s in (("x", 1), ("y", 0))]
    _, got = joined(*two(rows, rows[::-1], ".jsonl"))
    assert got == [("x/0", "1", "1"), ("y/0", "0", "0")] and "task,doc_id" in joined.account
    os.remove("results.csv")
    assert "0 appears 2 times" in refused("a.jsonl", "b.jsonl", "--id", "doc_id")
    assert "by their doc_hash" in refused("a.jsonl", "b.jsonl", "--id", "doc_id", "--tries", "mean")


def test_each_record_s_own_metric_is_used_and_said(joined, refused):
    rows = [{"task": "x", "doc_id": 0, "metrics": ["acc"], "acc": 1.0},
            {"task": "y", "doc_id": 0, "metrics": ["acc_norm"], "acc_norm": False}]
    _, got = joined(*two(rows, rows, ".jsonl"))
    assert got == [("x/0", "1", "1"), ("y/0", "0", "0")]
    assert "score      acc,acc_norm" in joined.account
    os.remove("results.csv")
    rows.append({"task": "z", "doc_id": 0, "metrics": ["strict", "loose"], "strict": True,
                 "loose": [True, False]})
    line = refused(*two(rows, rows, ".jsonl"))
    assert "record 3: 2 scores (strict, loose)" in line
    line = refused("a.jsonl", "b.jsonl", "--score", "acc,acc_norm,loose")
    assert "loose is [True, False]" in line
    assert joined("a.jsonl", "b.jsonl", "--score", "acc,acc_norm,strict")[1][2] == ("z/0", "1", "1")


def inspect_log(values, epochs=1):
    samples = [{"id": i, "epoch": epoch, "target": "A", "input": "?", "scores": {
        "choice": {"value": value, "answer": "B"}}}
        for i, tries in enumerate(values, 1) for epoch, value in enumerate(tries, 1)]
    return {"version": 2, "status": "success", "eval": {"model": "m"}, "samples": samples}


def zipped(name, log):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        f.writestr("_journal/start.json", json.dumps({"eval": log["eval"]}))
        for sample in log["samples"]:
            f.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        f.writestr("summaries.json", "[]")
    return name


def test_inspect_logs_are_read_with_a_map_for_their_letters(joined, refused):
    a = file("a.json", json.dumps(inspect_log("CII"), indent=1))
    b = file("b.json", inspect_log("CCCCC"))
    assert "record 1: scores.choice.value is C" in refused(a, b)
    _, rows = joined(a, b, "--map", "C=1,I=0")
    assert rows == [("1", "1", "1"), ("2", "0", "1"), ("3", "0", "1")]
    assert "only in    b: 2 questions (4, 5)" in joined.account
    assert "scores.choice.value" in joined.account and "Inspect log" in joined.account


def test_a_zipped_log_is_the_log_it_zips(joined):
    a, b = inspect_log("CIIC"), inspect_log("CCIC")
    plain = joined(*two(a, b, ".json"), "--map", "C=1,I=0")
    assert plain == joined(zipped("a.eval", a), zipped("b.eval", b), "--map", "C=1,I=0")


def test_a_sample_that_failed_is_a_blank(refused):
    a, b = inspect_log([[1], [0], [1]]), inspect_log([[1], [1], [1]])
    del a["samples"][1]["scores"]
    assert "blank score: 1 (2)" in refused(*two(a, b, ".json"))


def test_two_scorers_are_listed(refused):
    log = inspect_log([[1], [0]])
    for sample in log["samples"]:
        sample["scores"]["judge"] = {"value": {"style": 1, "sense": 0}}
    line = refused(*two(log, log, ".json"))
    assert "scores.choice.value, scores.judge.value.style, scores.judge.value.sense" in line


def test_epochs_are_refused_averaged_or_kept(joined, refused):
    a, b = two(inspect_log([[1, 0, 1, 1], [0, 0, 0, 1]]), inspect_log([[1, 1], [0, 1]]), ".json")
    assert "1 appears 4 times" in refused(a, b)
    assert joined(a, b, "--tries", "mean")[1] == [("1", "0.75", "1"), ("2", "0.25", "0.5")]
    assert "--tries mean: 4 to 4, 2 to 2" in joined.account
    header, rows = joined(a, b, "--tries", "long")
    assert header == ["qid", "model", "score", "try"] and len(rows) == 12
    assert rows[:6] == [("1", "a", "1", "1"), ("1", "a", "0", "2"), ("1", "a", "1", "3"),
                        ("1", "a", "1", "4"), ("1", "b", "1", "1"), ("1", "b", "1", "2")]
    assert "python report.py results.csv" in joined.account


def test_tries_stand_in_the_order_of_their_numbers(joined):
    log = inspect_log([[int(i == 9) for i in range(11)]])
    log["samples"].reverse()
    rows = joined(*two(log, log, ".json"), "--tries", "long")[1][:11]
    assert [row[3] for row in rows] == [str(i) for i in range(1, 12)]
    assert [row[2] for row in rows] == list("00000000010")


def test_tries_of_one_question_must_be_of_one_question(refused):
    a, b = [lm_eval(0, 1), lm_eval(0, 1, doc_hash="another")], [{"doc_id": 0, "score": 1}]
    line = refused(*two(a, b, ".jsonl"), "--tries", "mean",
                   "--score", "exact_match", "--score", "score")
    assert "a.jsonl: ids that name two questions, by their doc_hash: 1 (0)" in line


def test_an_epoch_that_stands_twice_is_no_try(refused):
    log = inspect_log([[1, 0], [0, 1]])
    log["samples"] += log["samples"][:1]
    line = refused(*two(log, inspect_log([[1, 0], [0, 1]]), ".json"), "--tries", "mean")
    assert "1 appears 3 times" in line


def test_tries_without_a_number_are_told_apart_by_their_order(joined):
    a, b = two("qid,score\nq1,1\nq2,0\nq1,0\n", "qid,score\nq1,1\nq2,0\n")
    assert joined(a, b, "--tries", "long")[1] == [
        ("q1", "a", "1", "1"), ("q1", "a", "0", "2"), ("q1", "b", "1", "1"),
        ("q2", "a", "0", "1"), ("q2", "b", "0", "1")]


@pytest.mark.parametrize("policy, rows", [("drop", 2), ("zero", 5)])
def test_a_blank_try_is_a_blank_question(joined, policy, rows):
    a, b = two("qid,score\nq1,1\nq2,0\nq1,\n", "qid,score\nq1,1\nq2,0\n")
    got = joined(a, b, "--tries", "long", "--missing", policy)[1]
    assert len(got) == rows
    assert (("q1", "a", "0", "2") in got) == (policy == "zero")


def test_members_packed_with_zstd_say_how_to_unpack_them(refused):
    name = zipped("a.eval", inspect_log("CI"))
    body = bytearray(Path(name).read_bytes())
    for mark, offset in ((b"PK\3\4", 8), (b"PK\1\2", 10)):      # the method, in both headers
        at = body.find(mark)
        while at >= 0:
            body[at + offset:at + offset + 2] = struct.pack("<H", 99)
            at = body.find(mark, at + 4)
    line = refused(file("a.eval", bytes(body)), zipped("b.eval", inspect_log("CI")))
    assert "inspect log dump a.eval > log.json" in line


def test_a_zip_of_something_else_is_refused(refused):
    with zipfile.ZipFile("a.xlsx", "w") as f:
        f.writestr("xl/workbook.xml", "<x/>")
    assert "without samples/*.json" in refused("a.xlsx", "a.xlsx")


def helm(instance, split, **values):
    stats = [{"name": {"name": name, "split": split}, "count": 1, "mean": value}
             for name, value in values.items()]
    return {"instance_id": instance, "train_trial_index": 0,
            "stats": [*stats, {"name": {"name": "co2", "split": split}, "count": 0}]}


def test_helm_statistics_become_one_record_per_instance(joined, refused):
    a, b = (json.dumps([helm(f"id{i}", "test", exact_match=float(i > n), f1=0.5) for i in range(4)])
            for n in (0, 2))
    paths = two(a, b, ".json")
    assert "exact_match, f1; name its field" in refused(*paths)
    assert "numbers stand in: exact_match, f1" in refused(*paths, "--score", "co2")
    _, rows = joined(*paths, "--score", "exact_match")
    assert [row[1:] for row in rows] == [("0", "0"), ("1", "0"), ("1", "0"), ("1", "1")]


def test_helm_splits_are_never_mixed(joined, refused):
    run = json.dumps([helm("id1", "test", em=1.0), helm("id2", "valid", em=0.0),
                      helm("id3", "test", em=0.0)])
    paths = two(run, run, ".json")
    assert "split is test, valid" in refused(*paths)
    assert joined(*paths, "--where", "split=test")[1] == [("id1", "1", "1"), ("id3", "0", "0")]


def test_helm_perturbations_are_other_questions(joined, refused):
    run = json.dumps([helm("id1", "test", em=1.0), helm("id1", "test", em=0.0)
                      | {"perturbation": {"name": "typos"}}])
    paths = two(run, run, ".json")
    assert "id1 appears 2 times" in refused(*paths)
    assert joined(*paths, "--where", "perturbation=none")[1] == [("id1", "1", "1")]


def trec(values):
    lines = [f"{measure:<22}\t{query}\t{value}" for query, row in values.items()
             for measure, value in row.items()]
    return "\n".join([*lines, f"{'runid':<22}\tall\tmy run", f"{'map':<22}\tall\t0.9999"]) + "\n"


def test_trec_eval_is_read_by_query_without_its_averages(joined, refused):
    paths = two(*(trec({q: {"num_ret": 9, "map": x, "relstring": "'01'"} for q, x in run})
                  for run in ([(301, ".25"), (302, ".5")], [(302, "0.0"), (301, ".75")])), ".txt")
    assert "num_ret, map; name its field" in refused(*paths)
    assert joined(*paths, "--score", "map")[1] == [("301", "0.25", "0.75"), ("302", "0.5", "0")]


@pytest.mark.parametrize("body, why", [
    ("runid                 \tall\tx\nmap                   \tall\t0.2\n", "with -q"),
    ("map                   \t301\t0.2\nmap                   \t301\t0.3\n", "twice"),
    ("map                   \t301\t0.2\nmap                   \t30", "no measure")])
def test_trec_output_that_is_not_one_run_by_query_is_refused(refused, body, why):
    assert why in refused(*two(body, "map                   \t301\t0.2\n", ".txt"))


@pytest.mark.parametrize("header", ["qid\tGPT 4\tGPT 5", "qid,GPT 4,GPT 5", "qid\tmodel\t4o-mini"])
def test_a_header_with_digits_is_not_trec_output(joined, header):
    cells = header.replace("\t", ",").split(",")
    body = header + "\nq1\t1\t0\n".replace("\t", "," if "," in header else "\t")
    header, rows = joined(*two(body, body), "--score", cells[1], "--score", cells[2])
    assert rows == [("q1", "1", "0")]


def swe(solved, submitted):
    return {"total_instances": 9, "submitted_ids": submitted, "resolved_ids": solved}


def test_a_swe_bench_report_scores_what_was_submitted(joined):
    a, b = swe(["x-1"], ["x-1", "x-2", "x-3"]), swe(["x-3", "x-2"], ["x-3", "x-2", "x-4"])
    _, rows = joined(*two(a, json.dumps(b, indent=2), ".json"))
    assert rows == [("x-2", "0", "1"), ("x-3", "0", "1")]


def test_a_bare_list_of_solved_ids_needs_those_submitted(joined, refused):
    a, b = two('["x-1", "x-3"]', json.dumps({"resolved": ["x-2"], "no_logs": []}), ".json")
    assert "--submitted FILE" in refused(a, b)
    for ids in ('["x-1", "x-2", "x-3"]', json.dumps(swe([], ["x-1", "x-2", "x-3"]))):
        _, rows = joined(a, b, "--submitted", file("ids.json", ids))
        assert rows == [("x-1", "1", "0"), ("x-2", "0", "1"), ("x-3", "1", "0")]
    os.remove("results.csv")
    file("ids.json", '["x-1", "x-2"]')
    assert "never submitted: x-3" in refused(a, b, "--submitted", "ids.json")
    assert "not there" in refused(a, b, "--submitted", "nowhere.json")
    assert "a list of ids" in refused(a, b, "--submitted", file("ids.json", '{"x": 1}'))


# ---- what is written ----


def test_a_cluster_is_taken_from_whichever_run_has_it(joined, refused):
    a, b = two("qid,score,repo\nq2,1,django\nq1,0,flask\n", "qid,score\nq1,1\nq2,1\n")
    header, rows = joined(a, b, "--cluster", "repo")
    assert header == ["qid", "repo", "a", "b"]
    assert rows == [("q1", "flask", "0", "1"), ("q2", "django", "1", "1")]
    assert "python report.py results.csv --cluster repo" in joined.account
    os.remove("results.csv")
    assert "no run has a field org" in refused(a, b, "--cluster", "org")
    file("b.csv", "qid,score,repo\nq1,1,flask\nq2,1,numpy\n")
    assert "by their repo: 1 (q2)" in refused(a, b, "--cluster", "repo")
    file("b.csv", "qid,score,repo\nq1,1,flask\nq2,1,\n")
    assert "b.csv, row 3: repo is blank" in refused(a, b, "--cluster", "repo")


def test_a_witness_may_be_the_cluster(joined):
    rows = [{"id": i, "score": 1, "target": "AB"[i % 2]} for i in range(4)]
    header, got = joined(*two(rows, rows, ".jsonl"), "--cluster", "target")
    assert header == ["qid", "target", "a", "b"] and [row[1] for row in got] == list("ABAB")


def test_clusters_that_are_numbers_do_not_pass_for_a_model(joined):
    body = "qid,score,team\nq1,1,10\nq2,0,10\nq3,1,20\n"
    header, _ = joined(*two(body, body.replace("q3,1", "q3,0")), "--cluster", "team")
    assert header == ["qid", "team_id", "a", "b"]
    assert load.score_columns(load.read_table("results.csv"), "qid") == ["a", "b"]
    body = body.replace("team", "model").replace(",10", ",x").replace(",20", ",y")
    assert joined(*two(body, body), "--cluster", "model", "--tries", "long")[0][-1] == "model_id"


def test_long_names_that_begin_and_end_alike_are_told_apart(joined):
    body = "qid,score\nq1,1\n"
    a, b = (file(f"lm_eval_leaderboard_limit1_Qwen3-{size}_2026-11-30T10-00-00.csv", body)
            for size in ("8B", "4B"))
    joined(a, b)
    for head in ("~8B_2026", "only in    ~8B_2026", "~4B_2026", "only in    ~4B_2026"):
        assert f"\n{head}" in joined.account, joined.account


def test_one_question_is_one_question(joined):
    joined(*two("qid,score\nq1,1\n", "qid,score\nq1,1\n"))
    assert "\n1 question, matched on its id, stands in results.csv" in joined.account
    assert "1 questions" not in joined.account


def test_names_come_from_the_files_or_the_option(joined, refused):
    body = "qid,score\nq1,1\n"
    for folder in ("old", "new"):
        Path(folder).mkdir()
        file(f"{folder}/run.csv", body)
    for paths, names in ((("old/run.csv", "new/run.csv"), ["old/run", "new/run"]),
                         ((file("x,1.csv", body), file("run.csv", body)), ["x_1", "run scores"]),
                         ((file("qid.csv", body), "x,1.csv"), ["qid scores", "x_1"]),
                         (("x,1.csv", "x,1.csv"), ["x_1_1", "x_1_2"])):
        header = joined(*paths)[0][1:]
        assert header == names and not any(map(load.NOT_A_MODEL.fullmatch, header)), header
    assert joined("old/run.csv", "new/run.csv", "--names", "v1,v 2")[0] == ["qid", "v1", "v 2"]
    os.remove("results.csv")
    for names in ("a", "a,a", "a,qid", "a,", "a,run", "a,b,c"):
        assert "--names" in refused("old/run.csv", "new/run.csv", "--names", names)


def test_more_than_two_runs_keep_only_what_all_have(joined):
    paths = [file(f"{name}.csv", f"qid,score\nq1,1\nq2,0\n{extra},1\n")
             for name, extra in (("x", "q3"), ("y", "q3"), ("z", "q4"))]
    header, rows = joined(*paths)
    assert header == ["qid", "x", "y", "z"] and [row[0] for row in rows] == ["q1", "q2"]
    assert "left out   x: 1 question (q3)" in joined.account


def test_no_input_is_ever_written_over(folder, capsys):
    body = "qid,score\nq1,1\n"
    a, b = two(body, body)
    os.symlink("a.csv", "link.csv")
    os.link("b.csv", "hard.csv")
    for output in ("a.csv", "./b.csv", "link.csv", "hard.csv"):
        with pytest.raises(SystemExit) as stop:
            join.main([a, b, "-o", output])
        assert stop.value.code == 2 and "that is the input" in capsys.readouterr().err
        assert Path(a).read_text() == Path(b).read_text() == body


def test_a_link_for_an_output_is_written_through(folder, capsys):
    a, b = two("qid,score\nq1,1\n", "qid,score\nq1,1\n")
    file("kept.csv", "old")
    os.symlink("kept.csv", "link.csv")
    join.main([a, b, "-o", "link.csv"])
    assert os.path.islink("link.csv") and Path("kept.csv").read_text().startswith("qid")


def test_results_that_stood_there_survive_a_refusal(folder, capsys):
    a, b = two("qid,score\nq1,1\n", "qid,score\nq1,oops\n")
    file("results.csv", "earlier work")
    with pytest.raises(SystemExit):
        join.main([a, b, "-o", "results.csv"])
    assert Path("results.csv").read_text() == "earlier work"


def test_a_failure_while_writing_leaves_nothing_half_done(folder, monkeypatch):
    file("results.csv", "earlier work")

    def broken():
        yield "q1", 1
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        join.write_whole("results.csv", ["qid", "a"], broken())
    assert [path.name for path in folder.iterdir()] == ["results.csv"]
    assert Path("results.csv").read_text() == "earlier work"


@pytest.mark.parametrize("options, why", [
    (["-o", "nowhere/r.csv"], "folder"), (["-o", "."], "no file can be written"), ([], "--output"),
    (["-o", "r.csv", "--missing", "maybe"], "--missing"), (["-o", "r.csv", "--colour"], "colour")])
def test_a_wrong_option_is_one_line(folder, capsys, options, why):
    with pytest.raises(SystemExit) as stop:
        join.main([*two("qid,score\nq1,1\n", "qid,score\nq1,1\n"), *options])
    line = capsys.readouterr().err
    assert stop.value.code == 2 and line.count("\n") == 1 and why in line, line


def test_one_file_is_too_few_and_a_missing_one_is_named(refused):
    a = file("a.csv", "qid,score\nq1,1\n")
    assert "give two or more" in refused(a)
    assert "nowhere.csv is not there" in refused(a, "nowhere.csv")
    assert refused(a, ".")


def test_what_was_written_is_read_by_the_lessons_with_no_flags(folder):
    rows = [{"id": f"q{i:02d}", "score": (i * 7) % 3 > 0, "doc": f"d{i % 5}"} for i in range(40)]
    a, b = two(rows, [row | {"score": i % 4 > 0} for i, row in enumerate(rows)][::-1], ".jsonl")

    def command(*argv):
        return subprocess.run([sys.executable, *argv], capture_output=True, text=True, cwd=folder)
    for names in ([], ["--names", "model_a,model_b"]):
        done = command(ROOT / "join.py", a, b, "-o", "results.csv", *names)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        for lesson in ("paired.py", "report.py"):
            done = command(ROOT / lesson, "results.csv")
            assert (done.returncode, done.stderr) == (0, ""), f"{lesson}: {done.stderr}"
            assert "40" in done.stdout
    qids, scores, _ = load.load_pair(folder / "results.csv")
    assert qids == [row["id"] for row in rows]
    assert scores.tolist() == [row["score"] for row in rows]
    done = command(ROOT / "join.py", a, b, "-o", "results.csv", "--cluster", "doc")
    done = command(ROOT / "report.py", "results.csv", "--cluster", "doc")
    assert (done.returncode, done.stderr) == (0, "") and "5" in done.stdout


def test_long_results_are_read_by_the_report_with_no_flags(folder):
    logs = two(inspect_log([[i % 2, i % 3 > 0, 1] for i in range(30)]),
               inspect_log([[1, i % 3 > 0, 1] for i in range(30)]), ".json")
    for argv in (["join.py", *logs, "-o", "results.csv", "--tries", "long"],
                 ["report.py", "results.csv"]):
        done = subprocess.run([sys.executable, ROOT / argv[0], *argv[1:]], capture_output=True,
                              text=True, cwd=folder)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "30" in done.stdout


def test_ids_in_any_script_print_on_any_terminal(folder):
    a, b = two("qid,score\nвопрос,1\nq2,1\n", "qid,score\n問題,1\nq2,1\n")
    done = subprocess.run([sys.executable, ROOT / "join.py", a, b, "-o", "results.csv"], cwd=folder,
                          capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    assert rb"\u0432" in done.stdout
