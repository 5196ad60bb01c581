"""load.py: which columns a script takes from a file that was not made for it, and what it says."""
import pytest
from running import assert_answer, assert_refused, csv, run, write

import load

HEAD, ROWS = "key,topic,new,old", [("q2", "y", 0.25, 1), ("q1", "x", 0.75, 0), ("q3", "x", 0.5, 0)]


def only(*columns):
    """The file above with these columns alone."""
    places = [HEAD.split(",").index(name) for name in columns]
    return csv(",".join(columns), [[row[i] for i in places] for row in ROWS])


# ---- load_pair ----


@pytest.mark.parametrize("columns, new, old", [
    (("key", "topic", "new", "old"), [0.75, 0.25, 0.5], [0, 1, 0]),
    (("key", "old", "new"), [0.75, 0.25, 0.5], [0, 1, 0])])
def test_the_only_two_columns_of_scores_are_the_models(columns, new, old, tmp_path):
    qids, a, b = load.load_pair(write(tmp_path, only(*columns)))
    if columns.index("old") < columns.index("new"):
        a, b = b, a
    assert (qids, a.tolist(), b.tolist()) == (["q1", "q2", "q3"], new, old)


def test_the_id_column_is_no_model(tmp_path):
    path = write(tmp_path, csv("name,9,x,y", [("q1", 7, 1, 0), ("q2", 5, 0, 1), ("q3", 9, 1, 1)]))
    qids, a, b = load.load_pair(path, id_col="9")
    assert (qids, a.tolist(), b.tolist()) == (["5", "7", "9"], [0, 1, 1], [1, 0, 1])


@pytest.mark.parametrize("columns", [("key", "topic", "new"), ("key", "topic")])
def test_one_column_of_scores_is_no_pair(columns, tmp_path):
    with pytest.raises(ValueError, match="no column 'model_a'"):
        load.load_pair(write(tmp_path, only(*columns)))


def test_three_columns_of_scores_are_no_pair(tmp_path):
    path = write(tmp_path, csv("qid,x,y,z", [("q1", 1, 0, 1), ("q2", 0, 0, 1)]))
    with pytest.raises(ValueError, match="no column 'model_a'"):
        load.load_pair(path)


@pytest.mark.parametrize("asked", [("model_a", "other"), ("old", "model_b")])
def test_a_column_that_was_asked_for_is_never_replaced(asked, tmp_path):
    with pytest.raises(ValueError, match="no column"):
        load.load_pair(write(tmp_path, only("key", "new", "old")), *asked)


def test_a_column_of_blanks_is_no_model():
    table = load.Table("x.csv", {"qid": ["a", "b"], "blank": ["", " "], "some": ["", "1"]}, ",")
    assert load.score_columns(table, "qid") == ["some"]


# ---- what the scripts take ----


def test_what_was_not_asked_for_is_said(tmp_path):
    text = assert_answer(run("paired.py", write(tmp_path, only("key", "topic", "new", "old"))))
    assert text.startswith("scores: new and old ids: key (the first column) data.csv, 3 questions")


def test_the_lessons_own_columns_come_first_and_need_no_word(tmp_path):
    path = write(tmp_path, csv("qid,model_b,model_a,other", [
        ("q1", 1, 0, 1), ("q2", 1, 1, 0), ("q3", 0, 0, 1)]))
    assert assert_answer(run("paired.py", path)).startswith("data.csv, 3 questions")


@pytest.mark.parametrize("script, columns, args, said", [
    ("paired.py", "new", (), "1 score column (new); this script needs 2"),
    ("paired.py", "", (), "0 score columns (none); this script needs 2"),
    ("ci.py", "", (), "0 score columns (none); this script needs 1"),
    ("paired.py", "new,old,third", (), "3 score columns (new, old, third); name the models: --a "
     "COL --b COL"),
    ("ci.py", "new,old,third", (), "3 score columns (new, old, third); name the models: --a COL "
     "--b COL"),
    ("paired.py", "new,old", ("--a", "new"), "no column 'model_b'"),
    ("paired.py", "new,old", ("--a", "qid", "--b", "old"), "'qid' is the id column; choose "),
    ("structure.py", "new,old,doc", ("--cluster", "doc", "--a", "doc", "--b", "old"),
     "'doc' is the cluster column; choose another model"),
    ("paired.py", "new,count", ("--a", "new", "--b", "count"), "'count' looks like an id or a "
     "counter, not like scores; choose another, or rename it")])
def test_a_file_without_a_plain_pair_is_refused(script, columns, args, said, tmp_path):
    names = [name for name in columns.split(",") if name]
    rows = [(f"q{i}", *(i * j % 3 / 2 for j in range(1, 1 + len(names)))) for i in range(6)]
    head = ",".join(["qid", *names])
    assert_refused(run(script, write(tmp_path, csv(head, rows)), *args), said)


@pytest.mark.parametrize("args", [(), ("--a", "new")])
def test_one_model_is_enough_for_its_own_score(args, tmp_path):
    columns = ("key", "topic", "new", "old") if args else ("key", "topic", "new")
    text = assert_answer(run("ci.py", write(tmp_path, only(*columns)), *args))
    assert "new 50.0" in text and " old " not in text


def test_clusters_follow_their_questions_and_are_no_models(tmp_path):
    rows = [(f"q{i:02}", i % 7 % 2, i % 5 % 2, i // 4) for i in range(20)]
    pages = {run("structure.py", write(tmp_path, csv("qid,x,y,doc", some)), "--cluster", "doc").out
             for some in (rows, rows[::-1])}
    assert len(pages) == 1
    assert "5 clusters of 4 to 4 questions" in pages.pop()


def test_a_blank_cluster_is_refused_with_its_row(tmp_path):
    path = write(tmp_path, csv("qid,x,y,doc", [("q1", 1, 0, "d"), ("q2", 0, 1, " ")]))
    assert_refused(run("structure.py", path, "--cluster", "doc"),
                   "row 3, column doc: blank; name the question's cluster")


# ---- how numbers are printed ----


def test_errors_and_p_values_have_three_figures():
    percent, plain = load.unit([0.0, 1]), load.unit([12.0, 15, 19])
    assert (percent.se(0.012345), plain.se(0.012345)) == ("1.23", "0.0123")
    assert [load.p_text(p) for p in (1, 0.05, 1e-7, 1e-300, 0)] == [
        "1.00", "0.0500", "1.00e-07", "< 1e-300", "< 1e-300"]


def test_lines_break_before_column_80_and_not_inside_a_name():
    text = "x" * 69 + " y" * 6 + "-" + "z" * 9
    assert [len(line) for line in load.fill(text).splitlines()] == [79, 11]
    assert load.fill(text).endswith("y-zzzzzzzzz")
