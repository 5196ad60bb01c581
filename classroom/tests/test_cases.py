"""Faults that people reported of other tools, each as a small input with its right answer.

c01 and so on number the reports; every input is made here, end to end through the scripts.
"""
import json
from math import sqrt

import numpy as np
import pytest
from running import assert_answer, assert_refused, csv, run, write

import power
import tests as t3
from ci import clt_ci
from load import load_pair
from paired import paired_bootstrap_ci, paired_diff_ci
from structure import clustered_ci, clustered_se, pass_at_k, small_sample_se


def ids(n):
    return [f"q{i:04d}" for i in range(n)]


def wide(a, b, head="qid,model_a,model_b"):
    return csv(head, zip(ids(len(a)), a, b))


def numbers(path, *args):
    """The comparison in report.py --json."""
    done = run("report.py", path, "--json", *args)
    assert done.code == 0, done.err
    return json.loads(done.out)["comparisons"][0]


def counts(both, a_only, b_only, neither):
    a = [1] * both + [1] * a_only + [0] * b_only + [0] * neither
    b = [1] * both + [0] * a_only + [1] * b_only + [0] * neither
    return wide(a, b)


# ---- error bars of one model ----


def test_c01_all_right_is_no_certainty(tmp_path):
    path = write(tmp_path, wide([1] * 25, [1] * 24 + [0]))
    r = numbers(path)
    assert (r["score_a_low"], r["score_a_high"]) == (pytest.approx(0.8668, abs=5e-5), 1)
    assert (r["score_b_low"], r["score_b_high"]) == (
        pytest.approx(0.8046, abs=5e-5), pytest.approx(0.9929, abs=5e-5))
    assert "every score of model_a is 1" in assert_answer(run("report.py", path))
    assert "SE is 0 by construction" in assert_answer(run("ci.py", path))


def test_c01_all_wrong_of_307_still_reaches_one_percent(tmp_path):
    path = write(tmp_path, wide([0] * 307, [0] * 306 + [1]))
    r = numbers(path)
    assert (r["score_a_low"], r["score_a_high"]) == (0, pytest.approx(0.012358, abs=5e-6))


@pytest.mark.parametrize("k, n, error", [(14, 307, 0.011926), (2, 123, 0.011450)])
def test_c02_error_is_not_0_while_the_score_is_not(k, n, error, tmp_path):
    x = np.repeat([1.0, 0.0], [k, n - k])
    assert (clt_ci(x)[2] - k / n) / 1.96 == pytest.approx(error, abs=5e-7)
    low, high = 100 * (k / n - 1.96 * error), 100 * (k / n + 1.96 * error)
    printed = assert_answer(run("ci.py", write(tmp_path, csv("qid,m", zip(ids(n), x)))))
    assert f"{low:.1f} to {high:.1f}" in printed


def test_c04_one_question_has_an_exact_interval_and_no_standard_error(tmp_path):
    path = write(tmp_path, wide([1], [0]))
    r = numbers(path)
    assert r["score_a_low"] == pytest.approx(0.2065, abs=5e-5) and r["score_a_high"] == 1
    assert r["se_naive"] is None and (r["p"], r["verdict"]) == (1, "not shown")
    assert "1 question: too few" in assert_answer(run("report.py", path))
    assert "20.7 to 100.0" in assert_answer(run("ci.py", path))
    assert_refused(run("paired.py", path), "1 question")
    assert_refused(run("report.py", write(tmp_path, wide([0.4], [0.7]))), "1 question")


def test_c13_constant_scores_neither_crash_nor_print_nan(tmp_path):
    path = write(tmp_path, wide([1] * 40, [1] * 40))
    r = numbers(path)
    assert (r["gap"], r["p"], r["n_a_better"], r["n_b_better"]) == (0, 1, 0, 0)
    assert r["score_a_low"] == pytest.approx(0.9124, abs=5e-5)
    assert r["gap_low"] < 0 < r["gap_high"], "two models that agree are not known to be equal"
    assert "no question separates them" in assert_answer(run("report.py", path))
    for script in ("ci.py", "paired.py", "tests.py"):
        assert_answer(run(script, path))


# ---- clusters and several answers ----


def test_c10_copies_of_the_answers_are_no_further_questions(tmp_path):
    a, b = [1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1], [1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1]

    def long(copies):
        return csv("qid,model,score,epoch", [(q, model, x, t) for q, *row in zip(ids(12), a, b)
                                             for model, x in zip("AB", row) for t in range(copies)])

    once = numbers(write(tmp_path, long(1)))
    five = numbers(write(tmp_path, long(5)))
    for key in ("n", "gap", "gap_low", "gap_high", "se", "p", "score_a_low", "n_for_plan"):
        assert five[key] == pytest.approx(once[key]), f"{key}: copies were counted as questions"
    printed = assert_answer(run("report.py", write(tmp_path, long(5))))
    # 12 questions, 60 answers: the naive error is too small by sqrt(5) but for ddof
    naive = 100 * np.repeat(a, 5).std(ddof=1) / sqrt(60)
    assert f"60 answers taken as independent would say {naive:.2f}" in printed


def test_c11_paired_says_real_where_unpaired_does_not(tmp_path):
    # question means over two answers; differences 1/2 eight times, 0 four times, -1/2 once
    a = [0, 0.5, 0.5, 0.5, 0, 0, 0.5, 0.5, 1, 0, 1, 0, 0.5]
    b = [0.5, 1, 1, 1, 0.5, 0.5, 1, 1, 1, 0, 1, 0, 0]
    long = csv("item_id,model_id,score,epoch", [
        (q, model, int(2 * x > t), t) for q, *row in zip(ids(13), a, b)
        for model, x in zip("AB", row) for t in range(2)])
    r = numbers(write(tmp_path, long))
    d = np.subtract(b, a)
    se = d.std(ddof=1) / sqrt(13)
    assert (r["gap"], r["se"]) == (pytest.approx(7 / 26), pytest.approx(se))
    # t quantile for 12 degrees of freedom: 2.178813
    assert r["gap_low"] == pytest.approx(7 / 26 - 2.178813 * se, abs=1e-6)
    # nine differences of one size: |8 - 1| or more of nine coins, 20 / 512
    assert r["p"] == pytest.approx(20 / 512) and r["verdict"] == "real"
    assert r["unpaired_low"] < 0 < r["unpaired_high"]


def test_c23_two_answers_say_nothing_about_five_tries(tmp_path):
    with pytest.raises(ValueError, match="k = 5 tries with 2 answers, 0 right"):
        pass_at_k(2, 0, 5)
    path = write(tmp_path, csv("task_id,passed", [("t1", 0), ("t1", 0), ("t2", 1), ("t2", 1)]))
    assert_refused(run("report.py", path, "--k", 5), "pass@5 needs 5 answers", "t1 has 2")


def test_c26_ragged_answers_weigh_questions_alike(tmp_path):
    rows = [("t1", int(i < 1)) for i in range(10)] + [("t2", int(i < 2)) for i in range(4)]
    path = write(tmp_path, csv("task_id,passed", rows))
    printed = assert_answer(run("report.py", path, "--k", 2))
    assert "30.0 %, 2 questions" in printed and "pass@2 51.7 " in printed
    assert_refused(run("report.py", path, "--k", 5), "t2 has 4")


def test_c26_two_models_ragged_name_the_question_that_is_short(tmp_path):
    rows = [(q, model, 1, t) for q in ("t1", "t2") for model in "AB"
            for t in range(2 if (q, model) == ("t2", "B") else 4)]
    path = write(tmp_path, csv("qid,model,score,try", rows))
    assert_refused(run("report.py", path, "--k", 3), "pass@3", "t2 has 2")


def test_c41_one_cluster_is_refused(tmp_path):
    text = csv("qid,model_a,model_b,doc", [(q, i % 2, 1, "d1") for i, q in enumerate(ids(9))])
    for script in ("report.py", "structure.py"):
        assert_refused(run(script, write(tmp_path, text), "--cluster", "doc"), "1 cluster")


def test_c41_unequal_clusters_get_the_small_sample_factor(tmp_path):
    x = np.array([1.0, 1, 1, 1, 1, 1, 0, 0, 0, 1])
    doc = np.repeat(["01", "1", "x", "10"], [6, 2, 1, 1])
    assert clustered_se(x, doc) == pytest.approx(0.240416, abs=5e-7)
    assert small_sample_se(x, doc) == pytest.approx(0.277609, abs=5e-7)
    assert small_sample_se(x, np.arange(10)) == pytest.approx(x.std(ddof=1) / sqrt(10))
    path = write(tmp_path, csv("qid,model_a,model_b,doc", zip(ids(10), 0 * x, x, doc)))
    r = numbers(path, "--cluster", "doc")
    # worth 100 / 42 equal clusters: t quantile for 1.38095 degrees of freedom is 6.799586
    assert (r["gap"], r["clusters"]) == (pytest.approx(0.7), 4)
    assert r["gap_low"] == pytest.approx(-1), "0.7 - 6.799586 x 0.277609, and no gap is below -1"
    assert clustered_ci(x, doc)[2] == pytest.approx(0.7 + 6.799586 * 0.277609, abs=1e-5)


# ---- two models ----


def test_c12_overlapping_intervals_hide_a_clear_gap(tmp_path):
    r = numbers(write(tmp_path, counts(118, 2, 14, 66)))
    assert r["score_a_high"] > r["score_b_low"], "the two intervals overlap"
    assert r["unpaired_low"] < 0
    assert r["gap"] == pytest.approx(0.06) and r["p"] == pytest.approx(0.004181, abs=5e-7)
    assert r["verdict"] == "real"
    a, b = pairs_of(118, 2, 14, 66)
    assert (paired_diff_ci(a, b)[2] - 0.06) / 1.96 == pytest.approx(0.019594, abs=5e-7)


def pairs_of(*cells):
    rows = np.repeat([[1.0, 1], [1, 0], [0, 1], [0, 0]], cells, axis=0)
    return rows[:, 0], rows[:, 1]


@pytest.mark.parametrize("a", [np.arange(50) % 2, np.arange(50) % 7 / 7])
def test_c15_identical_columns_have_no_bootstrap_spread_and_are_named(a, tmp_path):
    assert paired_bootstrap_ci(a.astype(float), a.astype(float)) == (0, 0)
    path = write(tmp_path, wide(a, a))
    r = numbers(path)
    assert (r["gap"], r["p"], r["verdict"]) == (0, 1, "not shown")
    assert r["gap_low"] != 0, "[0, 0] would claim that the models are equal"
    assert "same score on every question: one run under two names?" in assert_answer(
        run("report.py", path))


def test_c17_ten_equal_gains(tmp_path):
    a = np.arange(10) % 4 / 2
    path = write(tmp_path, wide(a, a + 1))
    assert numbers(path)["p"] == pytest.approx(2 / 1024)
    assert "0.00195" in assert_answer(run("tests.py", path))
    assert t3.sign_flip_p(np.zeros(60), np.ones(60), R=500) == 1 / 501, "never 0 when drawn"


def test_c18_ties_survive_rounding(tmp_path):
    path = write(tmp_path, wide([0.5, 0.5, 0.9, 0.1], [0.4, 0.4, 0.3, 0.8]))
    assert numbers(path)["p"] == 1, "a bare >= on floats gives 0.75"


def test_c20_no_disagreement_divides_nothing_by_0(tmp_path):
    path = write(tmp_path, counts(30, 0, 0, 12))
    r = numbers(path)
    assert (r["p"], r["n_a_better"], r["n_b_better"]) == (1, 0, 0)
    assert_answer(run("tests.py", path))


def test_c21_equal_wins_have_p_1_and_not_more(tmp_path):
    path = write(tmp_path, counts(20, 5, 5, 10))
    assert numbers(path)["p"] == 1
    printed = assert_answer(run("tests.py", path))
    assert "McNemar, exact 1.00" in printed and "McNemar, mid-p 0.877" in printed


def test_c30_an_arm_that_never_ran_is_not_significantly_worse(tmp_path):
    path = write(tmp_path, wide([1, 1, 1, 1, 0] * 5, [0] * 25))
    r = numbers(path)
    assert r["p"] < 0.001 and r["verdict"] == "borderline", "a failed run passed for a result"
    printed = assert_answer(run("report.py", path))
    assert "every score of model_b is 0: a failed run" in printed and "look at it first" in printed


def test_c40_no_effect_has_no_number_of_questions(tmp_path):
    with pytest.raises(ValueError, match="gap 0"):
        power.n_paired(0, 0.1)
    n = power.n_for(1 / 9, 0.03)
    assert n == 969 and isinstance(n, int)
    assert_refused(run("power.py", "--gap", 0), "gap 0")


# ---- rows, ids and files ----


def test_c07_blanks_leave_both_models_or_none(tmp_path):
    a = [1, 1, "", 1, 1, 1, 0, 0, 1, 1]
    b = [1, 0, 1, "", 0, 1, 0, 1, 1, 0]
    path = write(tmp_path, wide(a, b))
    assert_refused(run("report.py", path), "row 4, column model_a: blank", "--missing drop",
                   "--missing zero")
    both = [(x, y) for x, y in zip(a, b) if "" not in (x, y)]
    r = numbers(path, "--missing", "drop")
    assert (r["n"], r["score_a"], r["score_b"]) == (8, 0.75, 0.5)
    d = np.array([y - x for x, y in both], dtype=float)
    assert (r["gap"], d.std(ddof=1) / sqrt(8)) == (-0.25, pytest.approx(0.25))
    r = numbers(path, "--missing", "zero")
    assert (r["n"], r["score_a"], r["score_b"], r["gap"]) == (
        10, 0.7, 0.5, pytest.approx(-0.2))
    printed = assert_answer(run("report.py", path, "--missing", "drop"))
    assert "1 blank in model_a, 1 in model_b: left out, 8 of 10 questions compared" in printed
    printed = assert_answer(run("report.py", path, "--missing", "zero"))
    assert "1 blank in model_a, 1 in model_b: counted as 0" in printed


def test_c33_a_spreadsheets_csv_equals_its_plain_twin(tmp_path):
    rows = [("q1", "0,5", "1,0"), ("q2", "1,0", "0,25"), ("q3", "0,75", "0")]
    excel = "\ufeff" + "\r\n".join(map(";".join, [("qid", "model_a", "model_b"), *rows])) + "\r\n"
    plain = csv("qid,model_a,model_b", [[cell.replace(",", ".") for cell in row] for row in rows])
    twins = [numbers(write(tmp_path, text)) for text in (excel, plain)]
    assert twins[0] == twins[1]
    assert (twins[0]["score_a"], twins[0]["score_b"]) == (0.75, pytest.approx(5 / 12))
    d = np.array([0.5, -0.75, -0.75])
    assert twins[0]["se"] == pytest.approx(d.std(ddof=1) / sqrt(3))


def test_c34_false_is_not_true(tmp_path):
    path = write(tmp_path, wide(["True", "FALSE", "true", "false"], ["False", "TRUE", "0", "1"]))
    _, a, b = load_pair(path)
    assert (a.tolist(), b.tolist()) == ([1, 0, 1, 0], [0, 1, 0, 1])
    r = numbers(path)
    assert (r["score_a"], r["score_b"]) == (0.5, 0.5)


def test_c36_rows_meet_by_id_whatever_their_order(tmp_path):
    score = dict(zip(["1", "2", "3", "10", "11"], [1, 0, 0, 1, 0]))
    rows = ([(q, "A", score[q]) for q in ("1", "2", "3", "10", "11")]
            + [(q, "B", score[q]) for q in ("1", "10", "11", "2", "3")])
    r = numbers(write(tmp_path, csv("qid,model,score", rows)))
    assert (r["n_a_better"], r["n_b_better"]) == (0, 0), "rows were met by position"
    shuffled = wide([1, 0, 1, 1], [0, 0, 1, 1]).splitlines()
    mixed = "\n".join([shuffled[0], *shuffled[:0:-1]]) + "\n"
    for one, other in zip(load_pair(write(tmp_path, mixed)),
                          load_pair(write(tmp_path, "\n".join(shuffled)))):
        assert list(one) == list(other)


def test_c37_an_id_that_stands_twice_is_named(tmp_path):
    path = write(tmp_path, "qid,model_a,model_b\nx,1,0\ny,1,1\nx,0,1\n")
    for script in ("report.py", "ci.py", "paired.py", "tests.py", "load.py"):
        assert_refused(run(script, path), "row 4", "'x' stands in row 2 too")
    text = "qid,model,score,try\nx,A,1,1\nx,B,1,1\nx,A,0,1\n"
    assert_refused(run("report.py", write(tmp_path, text)), "row 4", "row 2 too")
