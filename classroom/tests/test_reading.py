"""load.py: what it takes from a file that was not made for it, and how it prints numbers."""
import numpy as np
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


def test_qid_holds_the_ids_wherever_it_stands(tmp_path):
    path = write(tmp_path, csv("model_b,qid,model_a", [(0.5, "y", 1), (0.25, "x", 0)]))
    qids, a, b = load.load_pair(path)
    assert (qids, a.tolist(), b.tolist()) == (["x", "y"], [0, 1], [0.25, 0.5])


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


# ---- cells ----


@pytest.mark.parametrize("cell, comma, score", [
    (" 1 ", False, 1), ("TRUE", False, 1), ("false", False, 0), ("-.5e1", False, -5),
    ("0,5", True, 0.5), ("0,5", False, None), ("1.234,5", True, None), ("1.5", True, None),
    ("1,234,5", True, None), ("nan", False, None), ("inf", False, None), ("1e999", False, None),
    ("1_0", False, None), ("0x1", False, None), ("", False, "blank"), (" ", True, "blank")])
def test_a_cell_is_a_score_or_it_is_not(cell, comma, score):
    assert load.to_number(cell, comma, blank="blank") == score
    assert load.to_number("0.5") == 0.5 and load.to_number("0,5") is None


@pytest.mark.parametrize("cell, fits", [("1e100", True), ("1.1e100", False), ("-1e101", False),
                                        ("1e-100", True), ("-0.9e-100", False), ("0", True)])
def test_scores_whose_square_is_no_number_are_refused(cell, fits):
    table = load.Table("x.csv", {"x": ["0.5", cell]}, ",")
    if fits:
        assert load.scores(table, "x").tolist() == [0.5, float(cell)]
    else:
        with pytest.raises(ValueError, match=f"row 3, column x: '{cell}' is not within 1e-100 and"):
            load.scores(table, "x")


def test_minus_nothing_is_nothing_and_decimals_may_be_commas(tmp_path):
    table = load.read_table(write(tmp_path, "\ufeffqid;x;y\r\n b;-0;1\r\na;0,5;2\r\n\r\n\n"))
    assert table.columns == {"qid": [" b", "a"], "x": ["-0", "0,5"], "y": ["1", "2"]}
    assert not np.signbit(load.scores(table, "x")).any()
    assert load.scores(table, "x").tolist() == [0, 0.5]
    with pytest.raises(ValueError, match="its decimals are commas: write them all so"):
        load.scores(load.Table("x.csv", {"x": ["0,5", "1.5"]}, ";"), "x")
    with pytest.raises(ValueError, match=r"row 3, column x: '0,5' is not a finite number; write"):
        load.scores(load.Table("x.csv", {"x": ["1", "0,5"]}, ","), "x")
    with pytest.raises(ValueError, match="row 2, column x: blank; fill it in"):
        load.scores(load.Table("x.csv", {"x": [" ", "z"]}, ","), "x")


@pytest.mark.parametrize("text, said", [
    ("qid,x\na,1\nb\nc,1,1\n", "row 3: 1 cells where the header has 2; mend or delete the row"),
    ('qid,x\na,"1" 2\n', "not readable as CSV"), ("qid,x\n", "a header and no questions"),
    ("", "the file is empty"), ("qid,,x\na,1,1\n", "column 2 has no name; give it one"),
    ("x, x\na,1\n", "two columns are called 'x'")])
def test_a_torn_table_is_refused_with_its_row(text, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        load.read_table(write(tmp_path, text))


@pytest.mark.parametrize("name, column, is_one", [
    ("x", [1, 2, 3], True), ("x", [7, 5, 6], True), ("x", [1, np.nan, 2, 3], True),
    ("x", [1, 2], False), ("x", [1, 3, 5], False), ("x", [0, 1, 1], False),
    ("sample id", [5, 1, 9], True), ("Epoch", [1, 1, 1], True), ("grid", [5, 1, 9], False)])
def test_counters_look_like_ids(name, column, is_one):
    assert load.looks_like_id(name, np.array(column, dtype=float)) is is_one


# ---- what the scripts take ----


def test_what_was_not_asked_for_is_said(tmp_path):
    text = assert_answer(run("paired.py", write(tmp_path, only("key", "topic", "new", "old"))))
    assert text.startswith("scores: new and old ids: key (the first column) data.csv, 3 questions")


def test_ids_may_be_numbers_and_are_no_models(tmp_path):
    path = write(tmp_path, csv("item,x,y", [(17, 1, 0), (5, 0, 1), (99, 1, 1)]))
    assert "data.csv, 3 questions" in assert_answer(run("paired.py", path))


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


@pytest.mark.parametrize("x, shown", [
    ([0.0, 1], ("%", "50.0", "+2.6", "0.0", "40.0 to 60.0", "-1.0 to +0.0")),
    ([0.0, 0], ("%", "50.0", "+2.6", "0.0", "40.0 to 60.0", "-1.0 to +0.0")),
    ([0.0, 0.009], ("in score units", "0.50000", "+0.02600", "0.00000", "0.40000 to 0.60000",
                    "-0.01000 to +0.00010")),
    ([-1.0, 1], ("in score units", "0.50", "+0.03", "0.00", "0.40 to 0.60", "-0.01 to +0.00")),
    ([5.0, 5], ("in score units", "0.50", "+0.03", "0.00", "0.40 to 0.60", "-0.01 to +0.00")),
    ([12.0, 1e4], ("in score units", "0", "+0", "0", "0 to 1", "-0 to +0")),
    ([0.0, 1e10], ("in score units", "5.00e-01", "+2.60e-02", "0.00e+00", "4.00e-01 to 6.00e-01",
                   "-1.00e-02 to +1.00e-04")),
    ([1e-9, 2e-9], ("in score units", "5.00e-01", "+2.60e-02", "0.00e+00", "4.00e-01 to 6.00e-01",
                    "-1.00e-02 to +1.00e-04")),
    ([7e14, 7.0002e14], ("in score units", "5.000000e-01", "+2.600000e-02", "0.000000e+00",
                         "4.000000e-01 to 6.000000e-01", "-1.000000e-02 to +1.000000e-04"))])
def test_scores_are_printed_in_percent_or_with_three_figures_of_their_spread(x, shown):
    show = load.unit(np.array(x))
    assert (show.name, show.score(0.5), show.gap(0.026), show.gap(0), show.interval(0.4, 0.6),
            show.gap_interval(-0.01, 0.0001)) == shown
    assert show.gap_name == ("points" if shown[0] == "%" else "score units")


@pytest.mark.parametrize("name, width, clipped", [
    ("abcdefgh", 8, "abcdefgh"), ("abcdefghi", 8, "abcd~ghi"), ("abcdefghi", 7, "abc~ghi"),
    (" a\n b\tc ", 8, "a b c")])
def test_a_long_name_keeps_both_ends(name, width, clipped):
    assert load.clip(name, width) == clipped


@pytest.mark.parametrize("b_only, gap, low, high", [
    (18, "+5.00", "+0.04", "+9.96"), (19, "+5.5", "+0.5", "+10.5")])
def test_what_is_not_0_is_not_printed_as_0(b_only, gap, low, high, tmp_path):
    pairs = [(1, 0)] * 8 + [(0, 1)] * b_only + [(1, 1)] * (192 - b_only)
    path = write(tmp_path, csv("qid,model_a,model_b", [(f"q{i}", *p) for i, p in enumerate(pairs)]))
    text = assert_answer(run("paired.py", path))
    assert f"paired {gap} {low} to {high} " in text
    assert f"model_b is better, by {low[1:]} to {high[1:]} points." in text


def test_numbers_that_differ_print_apart():
    show = load.unit(np.array([0.0, 1.0]))
    assert show.apart((0.1, 0.1004)).form == ".2f" and show.apart((0.1, 0.101)).form == ".1f"
    assert show.apart((0.1, 0.2), (0, 4e-6)).form == ".4f"
    assert show.apart((0.1, 0.1), most=3).form == ".4f", "equal ones never do"
    assert show.apart() == show


@pytest.mark.parametrize("file, moved", [
    ([0.5, 0.50004] * 150, "0.0002 points"), ([-400.0, -400.04] * 150, "0.0023 score units")])
def test_how_far_a_score_could_move_is_not_printed_as_0(file, moved, tmp_path):
    path = write(tmp_path, csv("qid,m", [(f"q{i}", x) for i, x in enumerate(file)]))
    text = assert_answer(run("ci.py", path))
    assert text.endswith(f"300 other questions could have moved m by about {moved} either way.")


@pytest.mark.parametrize("script", ["paired.py", "tests.py"])
def test_a_small_gap_is_not_printed_as_0(script, tmp_path):
    rows = [(f"q{i}", 1, int(i > 0)) for i in range(5000)]
    assert "-0.02" in assert_answer(run(script, write(tmp_path, csv("qid,x,y", rows))))


# ---- what cannot be told, and what cannot be ----


@pytest.mark.parametrize("scores, said", [
    ([0.5], "m: the bootstrap's width of 0 is no certainty. One question cannot tell how far m "
     "could move."),
    ([0.5] * 3, "so the formula's SE is 0 by construction; that is no certainty. Equal scores "
     "cannot tell how far m could move."),
    ([1], "m: the bootstrap's width of 0 is no certainty: read Wilson. Another question could have "
     "moved m by about 39.7 points either way."),
    ([0.25, 0.75], "2 other questions could have moved m by about 25.0 points either way.")])
def test_scores_without_spread_do_not_tell_how_far_a_score_moves(scores, said, tmp_path):
    path = write(tmp_path, csv("qid,m", [(f"q{i}", x) for i, x in enumerate(scores)]))
    assert assert_answer(run("ci.py", path)).endswith(said)


@pytest.mark.parametrize("args, said", [
    ("--disagree 10", "--disagree 10: from 0.0001 to 1, such as 0.1 for 10 %"),
    ("--disagree 0", "--disagree 0: from 0.0001 to 1"), ("--disagree nan", "--disagree nan: from"),
    ("--gap 0", "--gap 0: from 0.0001 to 0.9999"), ("--gap nan", "--gap nan: from"),
    ("--gap -1", "--gap -1: from"), ("--p 1.2", "--p 1.2: from 0.0001 to 0.9999"),
    ("--p -0.1", "--p -0.1: from"), ("--alpha 0", "--alpha 0: from 1e-09 to 0.9999"),
    ("--alpha 1", "--alpha 1: from"), ("--power 1", "--power 1: from 0.05 to 0.9999"),
    ("--power 0.04", "--power 0.04: from"), ("--margin 0", "--margin 0: from 0.0001 to 1"),
    ("--margin inf", "--margin inf: from"), ("--n 0", "--n 0: from 1 to 1,000,000 questions"),
    ("--n 1000001", "--n 1000001: from"), ("--gap 0.2", "raise the disagreement"),
    ("--gap 0.3 --disagree 0.5 --p 0.8", "accuracies 0.8 and 1.1 must lie between 0 and 1"),
    ("--p 0.99", "no two models have accuracy 0.99, gap 0.01 and disagreement 0.1")])
def test_no_questions_are_planned_for_what_cannot_be(args, said):
    assert_refused(run("power.py", *args.split()), said)


@pytest.mark.parametrize("args, gaps, smallest", [
    ("", "0.5 1 2 5", "3.9 points paired, 8.1 unpaired"),
    ("--n 5", "0.5 1 2 5", "none paired, none unpaired: too few"),
    ("--p 0.93 --n 60", "0.5 1 2", "none paired, none unpaired: too few"),
    ("--p 0.93 --gap -0.03", "0.5 1 2 3 5", "3.9 points paired, 4.5 unpaired"),
    ("--p 0.95 --disagree 0.05 --n 200", "0.5 1 2 5", "4.3 points paired, none unpaired: too few"),
    ("--p 0.5 --disagree 1 --gap 0.0001", "", "")])
def test_only_gaps_that_two_models_can_have_are_planned_for(args, gaps, smallest):
    done = run("power.py", *args.split())
    if not gaps:
        return assert_refused(done, "no two models have accuracy 0.5")
    assert f" questions show: {smallest} by hand" in assert_answer(done)
    table = done.out.split("\n\n")[1].splitlines()[2:]
    assert [line.split()[0] for line in table] == gaps.split()


def test_a_loss_is_planned_for_as_a_loss():
    text = assert_answer(run("power.py", "--gap", -0.2, "--disagree", 0.3, "--p", 0.8,
                             "--margin", 0.02))
    assert " 20 points 52 79 1.000 1.000 " in text            # 0.8 against 0.6, not against 1
    assert "no worse by 2 points, ask 5,887 questions." in text


@pytest.mark.parametrize("args, said", [
    ("--disagree nan", "--disagree nan: from 0 to 1, such as 0.1"),
    ("--disagree inf", "--disagree inf: from"), ("--gap nan", "--gap nan: from -1 to 1, such as"),
    ("--p 1.2", "--p 1.2: from 0 to 1"), ("--threshold nan", "--threshold nan: from -1 to 1"),
    ("--n 1", "--n 1: from 2 to 1,000,000, such as 500"), ("--T 0", "--T 0: from 1 to 1,000,000"),
    ("--p 0.99", "no two models have accuracy 0.99, gap 0 and disagreement 0.1")])
def test_models_that_cannot_be_are_not_compared(args, said):
    assert_refused(run("noise.py", *args.split()), said)


def test_a_long_setting_fits_80_columns():
    text = assert_answer(run("noise.py", "--threshold", -1, "--gap", 0.012345678, "--T", 50))
    assert text.endswith("one of them leads by -100 points or more in 100% of comparisons.")
