"""report.py: the verdict, its wording and its numbers, what it refuses and how.

Every input ends in an answer or in one line on stderr with exit code 2: no traceback, no nan,
no warning, no choice unsaid, no line over 80 columns. Files are made in a folder of their own.
"""
import json
import re
import subprocess
import sys
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from running import ROOT, assert_answer, assert_refused, csv, run, write

import load
import report
from ci import wilson_ci

Z = 1.959963984540054


def ids(n):
    return [f"q{i:04d}" for i in range(n)]


def wide(a, b, head="qid,model_a,model_b"):
    return csv(head, zip(ids(len(a)), a, b))


def table(both, a_only, b_only, neither):
    """0/1 scores with these counts, as two lists."""
    cells = [(1, 1)] * both + [(1, 0)] * a_only + [(0, 1)] * b_only + [(0, 0)] * neither
    return [a for a, _ in cells], [b for _, b in cells]


def parsed(done):
    assert done.code in (0, 1) and done.err == "", done.err
    return json.loads(done.out, parse_constant=lambda text: pytest.fail(f"{text} in the JSON"))


def numbers(path, *args):
    return parsed(run("report.py", path, "--json", *args))["comparisons"][0]


@pytest.fixture
def made(tmp_path):
    """A function that writes a file and gives its path."""
    return lambda text, name="data.csv": write(tmp_path, text, name)


# ---- the statement ----


@pytest.fixture(scope="module")
def fake(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fake")
    subprocess.run([sys.executable, ROOT / "make_fake.py"], cwd=folder, check=True,
                   capture_output=True)
    return folder / "results.csv"


def test_fake_pair_gets_the_lessons_statement(fake):
    done = run("report.py", fake)
    text = assert_answer(done)
    for part in ("On 500 questions model_b scored 75.8 % (95 % interval 72.0 to 79.6)",
                 "model_a 73.2 % (69.3 to 77.1)", "question by question",
                 "ahead by 2.6 points (95 % interval +0.8 to +4.4; paired bootstrap +0.8 to +4.4, "
                 "10,000 resamples)", "They differ on 21 questions, 17 in favour of model_b and 4 "
                 "of model_a (exact McNemar p = 0.007)", "not measured", "VERDICT: real."):
        assert part in text, f"{part!r} is not in the statement: {text}"
    assert len(done.out.splitlines()) <= 40


def test_json_has_every_number_of_the_text_under_stable_keys(fake):
    page = parsed(run("report.py", fake, "--json"))
    assert list(page) == ["file", "notes", "unit", "baseline", "comparisons", "answers"]
    (r,) = page["comparisons"]
    assert page["answers"] == [], "each question was answered once"
    assert set(r) == {
        "model", "n", "alpha", "tried", "clusters", "right_wrong",
        "score_a", "score_a_low", "score_a_high", "score_a_method",
        "score_b", "score_b_low", "score_b_high", "score_b_method",
        "gap", "gap_low", "gap_high", "gap_method", "se", "n_a_better", "n_b_better",
        "bootstrap_low", "bootstrap_high", "p", "test", "p_t", "se_naive", "se_unpaired",
        "unpaired_low", "unpaired_high", "design_effect", "effective_n", "worth_unpaired",
        "smallest_gap", "plan_gap", "n_for_plan", "n_for_gap", "missing", "warnings", "dead",
        "verdict", "why"}
    d = np.repeat([1.0, -1, 0], [17, 4, 479])
    se = d.std(ddof=1) / sqrt(500)
    assert (r["n"], r["n_a_better"], r["n_b_better"], r["verdict"]) == (500, 4, 17, "real")
    assert (r["gap"], r["se"]) == (pytest.approx(0.026), pytest.approx(se))
    assert r["p"] == pytest.approx(2 * 7547 / 2**21), "2 x (1 + 21 + 210 + 1330 + 5985) / 2^21"
    need = (Z + 0.8416212335729143) ** 2 * 500 * se**2
    assert r["n_for_plan"] == np.ceil(need / 0.01**2)
    assert r["smallest_gap"] == pytest.approx((Z + 0.8416212335729143) * se)
    assert r["worth_unpaired"] == pytest.approx(500 * (r["se_unpaired"] / se) ** 2)


# ---- the verdict ----


@pytest.mark.parametrize("cells, verdict, why", [
    ((362, 4, 17, 117), "real", "interval excludes 0 and the test agrees"),
    ((5, 0, 5, 0), "borderline", "The interval excludes 0, the test does not call it significant"),
    ((60, 10, 20, 10), "not shown", "interval includes 0 and the test agrees"),
    ((200, 0, 0, 50), "not shown", "one run under two names?")])
def test_verdict_says_which_says_what(cells, verdict, why, made):
    path = made(wide(*table(*cells)))
    text = assert_answer(run("report.py", path))
    assert f"VERDICT: {verdict}." in text and why in text, text
    assert numbers(path)["verdict"] == verdict


def test_verdict_is_real_only_where_interval_and_test_agree():
    """Every table of 14 questions of which any number disagree."""
    for a_only, b_only in product(range(15), repeat=2):
        m = a_only + b_only
        if m > 14:
            continue
        a, b = (np.array(x, dtype=float) for x in table(0, a_only, b_only, 14 - m))
        low, high, *_ = report.gap_ci(a, b, None, 0.05)
        p = report.luck(a, b, None)[0]
        r = {"gap_low": low, "gap_high": high, "p": p, "alpha": 0.05, "tried": 1, "dead": None}
        word, _ = report.verdict(r)
        exact = min(1, 2 * sum(comb(m, i) for i in range(min(a_only, b_only) + 1)) / 2**m)
        clear = low > 0 or high < 0
        assert word == ("real" if clear and exact < 0.05 else
                        "not shown" if not clear and exact >= 0.05 else "borderline")


@pytest.mark.parametrize("n", [10, 30, 100])
def test_equal_models_are_called_different_at_most_once_in_twenty(n):
    """Exact: the chance of every table of disagreements, at rates from 2 to 40 percent."""
    real = np.zeros((n + 1, n + 1))
    for a_only in range(n + 1):
        for b_only in range(a_only + 1, n + 1 - a_only):
            a, b = (np.array(x, float) for x in table(0, a_only, b_only, n - a_only - b_only))
            low, *_ = report.gap_ci(a, b, None, 0.05)
            real[a_only, b_only] = low > 0 and report.luck(a, b, None)[0] < 0.05
    for rate in (0.02, 0.05, 0.1, 0.2, 0.4):
        m = np.add.outer(np.arange(n + 1), np.arange(n + 1))
        chance = np.array([[comb(n, k) * comb(k, i) * (rate / 2) ** k * (1 - rate) ** (n - k)
                            if (k := m[i, j]) <= n else 0 for j in range(n + 1)]
                           for i in range(n + 1)])
        assert chance.sum() == pytest.approx(1)
        alarms = 2 * np.sum(chance * real)
        assert alarms <= 0.05, f"{alarms:.3f} false alarms at {rate:.0%} disagreement"


SIZES = np.array([231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1])


@pytest.mark.parametrize("sizes", [None, SIZES[1:9], np.full(8, 6)])
def test_swapping_names_at_random_is_called_real_at_most_once_in_twenty(sizes):
    """Exact, given the sizes of the differences: every way to swap A and B."""
    rng = np.random.default_rng(3)
    if sizes is None:
        groups, clusters = np.arange(9), None
    else:
        groups = clusters = np.repeat(np.arange(len(sizes)), sizes)
    a = rng.normal(size=len(groups))
    d = rng.exponential(size=groups.max() + 1)[groups] + rng.normal(size=len(groups)) / 9
    calls = []
    for swap in product((1, -1), repeat=groups.max()):          # the first stays: half of all
        b = a + d * np.array((1, *swap))[groups]
        low, high, *_ = report.gap_ci(a, b, clusters, 0.05)
        calls.append((low > 0 or high < 0) and report.luck(a, b, clusters)[0] < 0.05)
    assert 0 < np.mean(calls) <= 0.05, f"{np.mean(calls):.3f} of {len(calls)} swaps called real"


@pytest.mark.prove
@pytest.mark.parametrize("sizes", [np.full(50, 10), SIZES])
def test_clustered_false_alarms_stay_below_5_percent(sizes, monkeypatch):
    """1,000 made-up pairs; 0.05 + 5 standard errors: fails a right answer once in 3 million."""
    monkeypatch.setattr(report, "FLIPS", 999)
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    alarms = 0
    for _ in range(1_000):
        p = rng.beta(2, 1, (2, len(sizes)))[:, clusters]
        a, b = (rng.random(p.shape) < p).astype(float)
        low, high, *_ = report.gap_ci(a, b, clusters, 0.05)
        alarms += (low > 0 or high < 0) and report.luck(a, b, clusters)[0] < 0.05
    assert alarms / 1_000 <= 0.05 + 5 * sqrt(0.05 * 0.95 / 1_000)


def test_advice_names_a_number_that_the_test_can_reach(made):
    # 5 to 0 of 10: six disagreements are the fewest with p < 0.05, so 12 questions, not 11
    text = assert_answer(run("report.py", made(wide(*table(5, 0, 5, 0)))))
    assert "If the gap of 50.0 is true, 12 questions would show it" in text


def test_a_dead_arm_that_is_better_is_no_failed_run(made):
    r = numbers(made(wide([1, 0] * 20, [1] * 40)))
    assert (r["verdict"], r["dead"]) == ("real", None)


# ---- options ----


def test_best_of_many_raises_the_bar(made):
    path = made(wide(*table(362, 4, 17, 117)))
    one, ten = numbers(path), numbers(path, "--tried", 10)
    assert ten["p"] == pytest.approx(10 * one["p"])
    z = 2.8070337683438042                          # of alpha 0.05 / 10
    assert ten["gap_high"] == pytest.approx(0.026 + z * one["se"])
    assert (one["verdict"], ten["verdict"]) == ("real", "borderline"), "p is 0.072 now"
    text = assert_answer(run("report.py", path, "--tried", 10))
    assert "best of 10 tries" in text and "held-out set" in text


def test_alpha_sets_interval_and_test(made):
    path = made(wide(*table(60, 10, 20, 10)))       # p 0.0987
    assert numbers(path)["verdict"] == "not shown"
    r = numbers(path, "--alpha", 0.2)
    assert r["verdict"] == "real"
    assert r["gap_high"] - 0.1 == pytest.approx(1.2815515655446004 * r["se"])
    assert "80 % interval" in assert_answer(run("report.py", path, "--alpha", 0.2))


@pytest.mark.parametrize("args, said", [
    (("--alpha", "0"), "--alpha 0"), (("--alpha", "1"), "--alpha 1"), (("--alpha", "nan"), "nan"),
    (("--alpha", "1e-20"), "--alpha 1e-20"), (("--alpha", "x"), "--alpha"),
    (("--tried", "0"), "--tried 0"), (("--tried", "1" + "0" * 400), "--tried 1000"),
    (("--margin", "-1"), "--margin -1"), (("--margin", "0"), "--margin 0"),
    (("--gap", "0"), "--gap 0"), (("--gap", "inf"), "--gap inf"), (("--gap", "1e-200"), "--gap"),
    (("--k", "0"), "--k 0"), (("--k", "2"), "a row per answer"), (("--nonsense",), "--nonsense"),
    (("--missing", "guess"), "guess"), (("--a", "model_c"), "no column 'model_c'"),
    (("--a", "qid"), "'qid' is not a model"), (("--cluster", "doc"), "no column 'doc'"),
    (("--cluster", "model_a"), "'model_a' is not a model"), (("--id", "x"), "no column 'x'"),
    (("--baseline", "x"), "no column 'x'"),
    (("--baseline", "model_a", "--b", "model_b"), "--a and --b"),
    (("--figure", "gap.pdf"), ".png or an .svg"), (("--figure", "none/such/gap.png"), "none"),
    (("--map", "C=1"), "no column"), (("--map", "1=x"), "CODE=SCORE"),
    (("--map", "1=1,1=0,0=0"), "stands twice")])
def test_option_out_of_range_is_refused_in_one_line(args, said, made):
    if args[0] == "--figure":
        pytest.importorskip("matplotlib")
    assert_refused(run("report.py", made(wide(*table(60, 10, 20, 10))), *args), said)


def test_many_models_against_a_baseline_share_holms_bar(made):
    base, good = table(300, 10, 30, 60)             # p 0.00222
    _, same = table(300, 10, 24, 66)                # p 0.0243
    _, less = table(300, 10, 12, 78)                # p 0.832
    path = made(csv("qid,base,less,good,same", zip(ids(400), base, less, good, same)))
    done = run("report.py", path, "--baseline", "base")
    text = assert_answer(done)
    page = parsed(run("report.py", path, "--baseline", "base", "--json"))["comparisons"]
    assert [r["model"] for r in page] == ["good", "same", "less"], "best first"
    raw = [2 * sum(comb(m, i) for i in range(11)) / 2**m for m in (40, 34, 22)]
    assert [r["p"] for r in page] == pytest.approx([3 * raw[0], 2 * raw[1], raw[2]])
    assert [r["verdict"] for r in page] == ["real", "real", "not shown"]
    assert "better than base: good, same; not told apart from it: 1 of 3" in text
    assert "score it once more on fresh questions" in text
    marks = {line.split()[0]: line[-1] for line in done.out.splitlines() if line[:5].strip() in
             ("good", "same", "less")}
    assert marks["good"] == marks["same"] == "*" and marks["less"].isdigit()


def test_warnings_of_many_models_are_said_once(made):
    head = "qid,doc,base,m1,m2,m3"
    rows = [(q, i % 4, i % 2, i % 3 > 0, i % 5 > 0, i % 7 > 0) for i, q in enumerate(ids(60))]
    rows = [(*row[:3], *map(int, row[3:])) for row in rows]
    text = assert_answer(run("report.py", made(csv(head, rows)), "--baseline", "base",
                             "--cluster", "doc"))
    assert text.count("4 clusters worth") == 1


@pytest.mark.parametrize("margin, verdict", [(5, "no worse by more than the margin"),
                                             (1, "not shown")])
def test_just_as_good_is_decided_by_the_lower_end(margin, verdict, made):
    path = made(wide(*table(700, 12, 10, 278)))
    r = numbers(path, "--margin", margin)
    se = sqrt((0.022 - 0.002**2) / 999)
    assert r["gap_low"] == pytest.approx(-0.002 - Z * se)
    assert r["verdict"] == verdict, "the lower end is -1.1 points"
    text = assert_answer(run("report.py", path, "--margin", margin))
    assert f"VERDICT: {verdict}." in text and f"margin of -{margin} points" in text
    if verdict == "not shown":
        need = np.ceil((Z + 0.8416212335729143) ** 2 * 1000 * se**2 / 0.01**2)
        assert f"If the two are equal, {need:,.0f} questions would show it" in text


def test_missing_policy_counts_what_it_does_in_every_form(made):
    a, b = table(20, 5, 5, 10)
    a[0], b[1] = "", ""
    path = made(wide(a, b))
    assert_refused(run("report.py", path), "row 2, column model_a", "--missing drop")
    assert numbers(path, "--missing", "drop")["n"] == 38
    assert numbers(path, "--missing", "zero")["n"] == 40
    one = made(csv("qid,m", zip(ids(40), a)), "one.csv")
    assert "1 question without a score: left out" in assert_answer(
        run("report.py", one, "--missing", "drop"))
    text = assert_answer(run("report.py", one, "--missing", "zero"))
    assert "40 questions" in text and "1 question without a score: counted as 0" in text
    rows = [(q, m, x) for q, *row in zip(ids(40), a, b) for m, x in zip("AB", row)]
    long = made(csv("qid,model,score", rows), "long.csv")
    assert_refused(run("report.py", long), "column score: blank")
    text = assert_answer(run("report.py", long, "--missing", "drop"))
    assert "1 answer of A blank: left out" in text and "1 answer of B blank: left out" in text
    assert "38 of 40 questions compared" in text
    assert "1 answer of A blank: counted as 0" in assert_answer(
        run("report.py", long, "--missing", "zero"))


def test_preference_codes_need_their_worth_said(made):
    path = made(wide([1, 2, 2, 1.5, 2, 2] * 10, [2, 1, 2, 0, 1, "2.0"] * 10))
    assert_refused(run("report.py", path), "codes of wins and losses", "--map 1=0,2=1")
    r = numbers(path, "--map", "1=0,2=1,0=0.5,1.5=0.5")
    assert r["score_a"] == pytest.approx(4.5 / 6) and r["score_b"] == pytest.approx(3.5 / 6)
    assert_refused(run("report.py", path, "--map", "1=0,2=1"), "no column of")
    assert_refused(run("report.py", path, "--map", "1=0,2=1,1.5=0.5"), "leaves model_b as it is")


def test_codes_in_letters_and_a_count_that_looks_like_a_code(made):
    letters = made(wide(["C", "I", "C", " C"], ["I", "I", "C", "C"]))
    assert numbers(letters, "--map", "C=1,I=0")["score_a"] == 0.75
    counted = made("model_a,model_b,count\n1,2,2\n2,1,1\n2,2,2\n", "c.csv")
    assert numbers(counted, "--map", "1=0,2=1")["n"] == 5, "the counts were taken for codes"


def test_different_questions_are_said_and_compared_only_when_asked(made):
    a, b = [1, 0] * 20, [1, 1, 1, 0] * 10
    rows = [(q, x, "") for q, x in zip(ids(40), a)] + [(f"r{i}", "", x) for i, x in enumerate(b)]
    path = made(csv("qid,model_a,model_b", rows))
    for policy in ("drop", "zero"):
        assert_refused(run("report.py", path, "--missing", policy), "--unpaired")
    page = parsed(run("report.py", path, "--unpaired", "--json"))
    (r,) = page["comparisons"]
    assert (r["n_a"], r["n_b"], r["gap"]) == (40, 40, 0.25)
    # Agresti & Caffo 2000: one right and one wrong more for each, 21/42 and 31/42
    low, high = r["gap_low"], r["gap_high"]
    assert (low + high) / 2 == pytest.approx(31 / 42 - 21 / 42)
    assert 0.02 < low < 0.04 and r["verdict"] == "real" and r["p"] < 0.05
    text = assert_answer(run("report.py", path, "--unpaired"))
    assert "scored 75.0 % on 40 questions, model_a 50.0 % on 40 others" in text
    for args, said in ((("--tried", 3), "--tried"), (("--margin", 1), "--margin"),
                       (("--figure", "x.png"), "--figure"), (("--missing", "zero"), "--missing")):
        assert_refused(run("report.py", path, "--unpaired", *args), said)
    three = made(csv("qid,x,y,z", [(q, 1, 0, 1) for q in ids(9)]), "three.csv")
    assert_refused(run("report.py", three, "--unpaired", "--baseline", "x"), "two models")


def test_few_real_scores_unpaired_get_welchs_t(made):
    drug_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    drug_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    rows = [(f"a{i}", x, "") for i, x in enumerate(drug_1)]
    rows += [(f"b{i}", "", x) for i, x in enumerate(drug_2)]
    (r,) = parsed(run("report.py", made(csv("qid,drug_1,drug_2", rows)), "--unpaired",
                      "--json"))["comparisons"]
    # R, t.test(extra ~ group): p 0.07939, -3.3654832 to 0.2054832 for drug 1 less drug 2
    assert r["p"] == pytest.approx(0.07939, abs=5e-6)
    assert (r["gap_low"], r["gap_high"]) == pytest.approx((-0.2054832, 3.3654832), abs=5e-7)


@pytest.mark.parametrize("b_only, code", [(17, 0), (6, 1)])
def test_exit_code_follows_the_verdict_only_when_asked(b_only, code, made):
    path = made(wide(*table(362, 4, b_only, 117)))
    assert run("report.py", path).code == 0
    assert run("report.py", path, "--fail-unless-real").code == code


def test_a_model_that_is_really_worse_does_not_pass(made):
    path = made(wide(*table(362, 17, 4, 117)))
    done = run("report.py", path, "--fail-unless-real")
    assert "VERDICT: real" in done.out
    assert done.code == 1, "B is worse: a release that waits for an improvement must not go on"


def test_one_model_is_not_shown_to_be_better(made):
    path = made(csv("qid,m", [(q, int(i < 30)) for i, q in enumerate(ids(40))]))
    text = assert_answer(run("report.py", path))
    assert "75.0 %, 40 questions" in text and "VERDICT: not shown. One model" in text
    page = parsed(run("report.py", path, "--json"))
    assert (page["model"], page["n"], page["score"]) == ("m", 40, 0.75)
    assert page["verdict"] == "not shown"
    assert run("report.py", path, "--fail-unless-real").code == 1
    for args in (("--margin", 1), ("--tried", 2), ("--figure", "x.png")):
        assert_refused(run("report.py", path, *args), args[0], "two models")


# ---- files with a row per answer, and files with counts ----


def long(rows, head="qid,model,score,try"):
    return csv(head, rows)


def answers(K=3, n=20):
    rng = np.random.default_rng(8)
    return [(q, m, int(rng.random() < 0.5 + 0.2 * (m == "B")), t)
            for q in ids(n) for m in "AB" for t in range(K)]


def test_question_means_are_the_unit(made):
    rows = answers()
    r = numbers(made(long(rows)))
    means = {m: np.array([np.mean([x for q, who, x, _ in rows if (q, who) == (qid, m)])
                          for qid in ids(20)]) for m in "AB"}
    d = means["B"] - means["A"]
    assert (r["n"], r["gap"]) == (20, pytest.approx(d.mean()))
    assert r["gap_high"] == pytest.approx(d.mean() + 2.093024 * d.std(ddof=1) / sqrt(20), abs=1e-6)
    text = assert_answer(run("report.py", made(long(rows))))
    assert "The mean of several answers to a question is its score." in text
    assert text.count("20 questions x 3 answers") == 2
    assert "id: qid, model: model, score: score, try: try" in text


def test_usual_names_are_recognised_and_others_can_be_given(made):
    rows = answers()
    expected = numbers(made(long(rows)))
    for head in ("item_id,model_id,passed,epoch", "task_id,system,correct,attempt"):
        assert numbers(made(long(rows, head))) == expected
    odd = made(long(rows, "Frage,Wer,Punkte,Nr"))
    assert numbers(odd, "--id", "Frage", "--model", "Wer", "--score", "Punkte",
                   "--try", "Nr") == expected


def test_what_more_answers_buy_follows_from_the_standard_error(made):
    """Twice the questions must divide the printed error by sqrt 2, whatever its parts."""
    for rows in (answers(), [(q, m, int(t == i % 3), t) for i, q in enumerate(ids(20))
                             for m in "AB" for t in range(4)]):
        done = run("report.py", made(long(rows)))
        for error, question in re.findall(r"standard error (\S+)\n.*?twice as many questions (\S+)",
                                          done.out, re.S):
            assert float(question) == pytest.approx(float(error) / sqrt(2), abs=0.011)


@pytest.mark.parametrize("change, args, said", [
    (lambda rows: [r for r in rows if r[:2] != ("q0003", "B")], (), "q0003"),
    (lambda rows: [*rows, rows[0]], (), "row 2 too"),
    (lambda rows: [("", *rows[0][1:]), *rows[1:]], (), "row 2, column qid: blank"),
    (lambda rows: [(rows[0][0], " ", *rows[0][2:]), *rows[1:]], (), "row 2, column model: blank"),
    (lambda rows: [(*rows[0][:2], "yes", 0), *rows[1:]], (), "'yes' is not a finite number"),
    (lambda rows: [*rows, ("q0000", "C", 1, 1)], (), "3 models (A, B, C)"),
    (lambda rows: rows, ("--b", "Z"), "no model 'Z'; it has A, B"),
    (lambda rows: rows, ("--k", 4), "pass@4 needs 4 answers to every question, q0000 has 3"),
    (lambda rows: [*rows[:-1], (*rows[-1][:2], 0.5, rows[-1][3])], ("--k", 2), "right or wrong"),
    (lambda rows: rows, ("--cluster", "model"), "'q0000' stands in two clusters")])
def test_answers_that_do_not_fit_are_refused_with_the_question(change, args, said, made):
    assert_refused(run("report.py", made(long(change(answers()))), *args), said)


def test_json_has_the_two_noises_and_pass_at_k_of_each_model(made):
    page = parsed(run("report.py", made(long(answers())), "--json", "--k", 2))
    assert [found["model"] for found in page["answers"]] == ["A", "B"]
    for found in page["answers"]:
        rows = [[x for q, m, x, _ in answers() if (q, m) == (qid, found["model"])]
                for qid in ids(20)]
        means, every = [np.mean(row) for row in rows], np.ravel(rows)
        assert (found["n"], found["answers"], found["least"], found["most"]) == (20, 60, 3, 3)
        assert found["se"] == pytest.approx(np.std(means, ddof=1) / sqrt(20))
        assert found["se_naive"] == pytest.approx(np.std(every, ddof=1) / sqrt(60))
        assert found["design_effect"] == pytest.approx((found["se"] / found["se_naive"]) ** 2)
        within = np.mean([np.var(row, ddof=1) for row in rows])
        assert found["luck"] == pytest.approx(min(1, within / 3 / np.var(means, ddof=1)))
        # Two of the three answers, all wrong or all right.
        wrong = [(3 - sum(row)) * (2 - sum(row)) / 6 for row in rows]
        right = [sum(row) * (sum(row) - 1) / 6 for row in rows]
        assert found["pass_at_k"] == pytest.approx(1 - np.mean(wrong))
        assert found["pass_hat_k"] == pytest.approx(np.mean(right))
        assert found["pass_at_k_low"] < found["pass_at_k"] < found["pass_at_k_high"]


def test_pass_at_k_near_1_is_as_wide_as_shares_of_its_mean_need():
    each = np.repeat([1.0, 0.5], [28, 2])
    mean, low, high = report.pass_ci(each, None, 0.05)
    # Wilson (1927) for 29 of 30: 0.8333 to 0.9941
    assert (mean, low, high) == pytest.approx((29 / 30, 0.83330, 0.99409), abs=1e-5)
    each = np.repeat([1.0, 0.5, 0.0], [20, 10, 20])
    assert report.pass_ci(each, None, 0.05) == report.score_ci(each, None, 0.05, False)[:3]


def test_k_names_the_short_question_also_when_others_have_none(made):
    rows = [r for r in answers() if r[:2] != ("q0000", "A") and r != ("q0005", "A", r[2], 2)]
    done = run("report.py", made(long(rows)), "--missing", "drop", "--k", 3)
    assert_refused(done, "q0005 has 2")


def test_answers_in_another_order_are_the_same_score(made):
    rows = [(q, m, x, t) for i, q in enumerate(ids(12)) for m in "AB"
            for t, x in enumerate([0.1, 0.2, 0.3 + i / 20][:: 1 if m == "A" else -1])]
    text = assert_answer(run("report.py", made(long(rows))))
    assert "They differ on 0 questions" in text and "one run under two names?" in text


@pytest.mark.parametrize("others, said", [
    ((3,), "note: what the questions may share: c0 (3 values); if they were drawn together say "
           "--cluster c0 On 40"),
    ((3, 40, 5, 1), "c0 (3 values), c2 (5 values); if they were drawn together say --cluster COL"),
    ((2,) * 8, "c0 (2 values), c1 (2 values), c2 (2 values), c3 (2 values), c4 (2 values), "
               "3 others; if they were drawn together say --cluster COL")])
def test_columns_that_group_the_questions_are_named(others, said, made):
    rows = [(q, i % 3 % 2, i % 2, *(f"t{i % m}" for m in others)) for i, q in enumerate(ids(40))]
    head = ",".join(["qid,model_a,model_b", *(f"c{i}" for i in range(len(others)))])
    assert said in assert_answer(run("report.py", made(csv(head, rows))))


def test_clusters_of_answers_are_the_questions_clusters(made):
    rows = [(*r, int(r[0][1:]) // 4) for r in answers()]
    r = numbers(made(long(rows, "qid,model,score,try,doc")), "--cluster", "doc")
    assert (r["clusters"], r["n"], r["test"]) == (5, 20, "sign flip of clusters")


@pytest.mark.parametrize("head, rows, args", [
    ("qid,model,score,try,doc", [(*row, int(row[0][1:]) // 4) for row in answers()],
     ("--cluster", "doc")),
    ("qid,model,score,try", answers(), ("--k", 2)),
    ("qid,model_a,model_b,doc", [(q, i * 7 % 5 / 4, i * 3 % 7 / 6, i // 4) for i, q in
                                 enumerate(ids(40))], ("--cluster", "doc"))])
def test_rows_in_any_order_give_the_same_page(head, rows, args, made):
    shuffled = [rows[i] for i in np.random.default_rng(2).permutation(len(rows))]
    if "model," in head:                        # the model that stands first is A
        shuffled.sort(key=lambda row: row[:2] != rows[0][:2])
    pages = [run("report.py", made(csv(head, some)), *args).out for some in (rows, shuffled)]
    assert pages[0] == pages[1]


COUNTS = "model_a,model_b,count\n1,1,362\n0,0,117\n1,0,4\n0,1,17\n"


def test_counts_say_what_the_long_file_says(fake, made):
    path = made(COUNTS)
    from_rows, from_counts = numbers(fake), numbers(path)
    for key in from_rows:
        if not key.startswith("bootstrap"):
            assert from_counts[key] == pytest.approx(from_rows[key]), key
    assert from_counts["bootstrap_low"] == pytest.approx(from_rows["bootstrap_low"], abs=0.002)
    assert "4 rows stand for 500 questions" in assert_answer(run("report.py", path))


def test_counts_take_clusters_ids_zeros_and_real_scores(made):
    rows = [(a, b, (3 * i + j) % 5, f"d{j}") for i, (a, b) in enumerate(product((0, 1), repeat=2))
            for j in range(7)]
    counted = numbers(made(csv("model_a,model_b,count,doc", rows)), "--cluster", "doc")
    spelt = [(f"{i}-{k}", a, b, doc) for i, (a, b, n, doc) in enumerate(rows) for k in range(n)]
    spelt = numbers(made(csv("qid,model_a,model_b,doc", spelt)), "--cluster", "doc")
    for key in ("n", "gap", "gap_low", "gap_high", "p", "clusters", "design_effect"):
        assert counted[key] == pytest.approx(spelt[key]), key
    assert numbers(made("model_a,model_b,count\n0.5,0.25,3\n1,0.5,0\n0,1,2\n"))["n"] == 5
    words = made("qid,model_a,model_b,count\nq1,1,0,120\nq2,0,1,80\n")
    assert_refused(run("report.py", words), "with ids every row is a question, with count")


@pytest.mark.parametrize("cell, said", [
    ("1.5", "row 5, column count: '1.5' is not a number of questions"), ("-3", "'-3'"),
    ("", "blank"), ("many", "'many'"), ("20000000", "sampling error is under 0.05 points"),
    ("1e90", "sampling error is under 0.05 points")])
def test_counts_that_are_none_are_refused(cell, said, made):
    assert_refused(run("report.py", made(COUNTS.replace(",17", f",{cell}"))), said)


def test_a_count_beside_a_row_per_answer_is_refused(made):
    text = csv("qid,model,score,count", [("x", "A", 1, 5), ("x", "B", 0, 5)])
    assert_refused(run("report.py", made(text)), "a row per answer and a column count")
    assert_refused(run("report.py", made("model_a,model_b,count\n1,0,0\n")), "every count is 0")


# ---- loud about ----


def floats(f):
    return [f(i) for i in range(40)]


@pytest.mark.parametrize("a, b, said", [
    (floats(lambda i: i % 2), [1] * 40, "every score of model_b is 1"),
    (["-0"] * 40, ["-0.0"] * 40, "every score of model_a is 0:"),
    (*table(20, 0, 12, 8), "model_b is never worse on any question: a union"),
    ([1, 0], [0, 1], "2 questions: too few"),
    (floats(lambda i: 0), floats(lambda i: 9 * (i == 3)), "few and skewed differences"),
    ([0.25] * 40, [0.75] * 40, "No interval can be had"),
    (floats(lambda i: i % 7 / 10), floats(lambda i: i % 7 / 10 + 0.05), "No interval can be had"),
    ([0.5] * 30, [0.5] * 30, "no question separates them"),
    (floats(lambda i: -(i % 7)), floats(lambda i: -(i % 5)), "VERDICT")])
def test_odd_scores_are_answered_with_a_warning(a, b, said, made):
    assert said in assert_answer(run("report.py", made(wide(a, b))))


@pytest.mark.parametrize("scale", [1e-99, 1e-9, 1e-4, 1e3, 1e9, 1e50, 1e99, -1e-9, -1e99])
def test_verdict_does_not_depend_on_the_unit(scale, made):
    rng = np.random.default_rng(4)
    a = rng.normal(5, 1, 40)
    b = a + rng.normal(0.5, 1, 40)
    expected = numbers(made(wide(a, b)))
    path = made(wide([repr(float(x * scale)) for x in a], [repr(float(x * scale)) for x in b]))
    r = numbers(path)
    assert r["verdict"] == expected["verdict"]
    assert (r["p"], r["p_t"]) == (pytest.approx(expected["p"]), pytest.approx(expected["p_t"]))
    ends = sorted((r["gap_low"] / scale, r["gap_high"] / scale))
    assert ends == pytest.approx([expected["gap_low"], expected["gap_high"]])
    text = assert_answer(run("report.py", path))
    assert "0.0 to 0.0" not in text and "+0.00 to +0.00" not in text


@pytest.mark.parametrize("scores, value, text", [
    ([0, 1], 0.758, "75.8"), ([0.2, 0.7], 0.5, "50.0"), ([0, 0], 0, "0.0"),
    ([2e-6, 4e-6], 2.5e-6, "0.00000250"), ([3, 9], 4.5678, "4.57"), ([-1, 1], 0.5, "0.50"),
    ([100, 900], 234.56, "235"), ([4e9, 8e9], 5.4321e9, "5.43e+09"),
    ([7e50, 7e50], 7e50, "7.00e+50"), ([1e-60, -3e-60], 2e-60, "2.00e-60")])
def test_scores_print_as_percent_or_with_three_figures_of_their_spread(scores, value, text):
    assert load.unit(np.array(scores, dtype=float)).score(value) == text


@pytest.mark.parametrize("offset", [1e8, 1e12, -1e16])
def test_large_offsets_stay_within_80_columns(offset, made):
    rng = np.random.default_rng(4)
    a = (rng.normal(5, 1, 40) + offset).tolist()
    assert_answer(run("report.py", made(wide(a, [x + i % 3 for i, x in enumerate(a)]))))


@pytest.mark.parametrize("cell", ["1e300", "-1e101", "1e-300", "5e-324"])
def test_scores_whose_squares_leave_the_floats_are_refused(cell, made):
    text = wide([cell, *[1] * 9], [0] * 10)
    assert_refused(run("report.py", made(text)), "row 2, column model_a", "use another unit")


@pytest.mark.parametrize("cell", ["nan", "inf", "1e400", "yes", "1_0", "0x1", "1,5", "\u0661"])
def test_what_is_no_number_is_refused_where_it_stands(cell, made):
    text = wide([0, 1, 0, 1], [1, f'"{cell}"', 0, 1])
    assert_refused(run("report.py", made(text)), "row 3, column model_b")


@pytest.mark.parametrize("a, b, said", [
    (floats(lambda i: i % 2), floats(lambda i: 100 * (i % 3 > 0)), "model_b in 0 to 100"),
    (floats(lambda i: i % 2), floats(lambda i: i), "looks like an id or a counter"),
    (floats(lambda i: 1 + i % 2), floats(lambda i: 1 + i % 3 // 2), "codes of wins and losses")])
def test_columns_that_cannot_be_compared_are_refused(a, b, said, made):
    assert_refused(run("report.py", made(wide(a, b))), said)


@pytest.mark.parametrize("text, said", [
    ("", "empty"), ("qid,model_a,model_b\n", "no questions"), ("x\n1\n0\n", "0 score columns"),
    ("qid,model_a\nq1,1,1\n", "row 2: 3 cells"), ("qid,model_a,model_a\nq,1,1\n", "'model_a'"),
    ('qid,model_a,model_b\nq1,"1,0\n', "quotes"), ("qid,model_a,model_b\n,1,0\n", "id is blank"),
    ("qid,a_id,b_run\nq,1,0\nr,0,1\n", "0 score columns")])
def test_broken_files_are_refused(text, said, made):
    assert_refused(run("report.py", made(text)), said)


def test_columns_that_are_left_out_are_named(made):
    rows = [(q, i % 2, int(i % 3 > 0), "err" if i == 9 else 1, i % 2, "x")
            for i, q in enumerate(ids(30))]
    path = made(csv("qid,x,y,z,first_try,repo", rows))
    text = assert_answer(run("report.py", path, "--baseline", "x"))
    assert "not compared: z, first_try" in text


def test_clusters_are_counted_in_every_figure(made):
    rng = np.random.default_rng(1)
    doc = np.repeat(np.arange(10), 8)
    a = (rng.random(80) < rng.random(10)[doc]).astype(int)
    b = (rng.random(80) < rng.random(10)[doc]).astype(int)
    r = numbers(made(csv("qid,model_a,model_b,doc", zip(ids(80), a, b, doc))), "--cluster", "doc")

    def se(x):
        sums = np.bincount(doc, x - x.mean())
        return sqrt(np.sum(sums**2)) / 80 * sqrt(10 / 9)

    t = 2.262157                        # 9 degrees of freedom
    assert r["se"] == pytest.approx(se(b - a))
    assert r["gap_high"] - r["gap"] == pytest.approx(t * se(b - a), abs=1e-6)
    assert r["score_b_high"] - r["score_b"] == pytest.approx(t * se(b), abs=1e-6)
    assert r["se_unpaired"] == pytest.approx(np.hypot(se(a), se(b)))
    naive = np.std(b - a, ddof=1) / sqrt(80)
    assert r["design_effect"] == pytest.approx((se(b - a) / naive) ** 2)
    assert r["effective_n"] == pytest.approx(80 / r["design_effect"])
    assert r["test"] == "sign flip of clusters"


@pytest.mark.parametrize("a, b, low", [
    ([0] * 40, [1] * 40, 0.428), ([1] * 40, [0] * 40, -1),
    (floats(lambda i: i // 8 % 2), None, -0.277)])
def test_clusters_without_spread_are_not_certain(a, b, low, made):
    """Eight clusters of five with one difference throughout: Bonett-Price over the eight."""
    rows = zip(ids(40), a, b or a, [i % 8 for i in range(40)])
    path = made(csv("qid,model_a,model_b,doc", rows))
    r = numbers(path, "--cluster", "doc")
    assert r["gap_low"] == pytest.approx(low, abs=5e-4)
    assert r["gap_low"] <= r["gap"] <= r["gap_high"] and r["gap_low"] < r["gap_high"]
    assert_answer(run("report.py", path, "--cluster", "doc"))


def test_sums_of_clusters_that_cancel_on_paper_are_no_evidence(made):
    rows = [(q, a, b, i // 3) for i, (q, a, b) in
            enumerate(zip(ids(24), [0, 0, 0.3] * 8, [0.1, 0.2, 0] * 8))]
    r = numbers(made(csv("qid,model_a,model_b,doc", rows)), "--cluster", "doc")
    assert (r["gap"], r["p"], r["verdict"]) == (0, 1, "not shown"), "0.1 + 0.2 - 0.3 is not 0"


def test_a_handful_of_disagreements_in_clusters_is_no_narrower_than_without(made):
    """3 questions of 500 that only A has right: the clusters' spread alone says -1.3 to +0.1."""
    a, b = table(400, 3, 0, 97)
    rows = zip(ids(500), a, b, [i % 50 for i in range(500)])
    r = numbers(made(csv("qid,model_a,model_b,doc", rows)), "--cluster", "doc")
    # Bonett & Price: 4 and 1 of 502
    gap = -3 / 502
    half = Z * sqrt((5 / 502 - gap**2) / 502)
    assert r["gap_low"] == pytest.approx(gap - half) and r["gap_high"] == pytest.approx(gap + half)


def test_clusters_that_are_all_alike_give_no_interval_instead_of_an_empty_one(made):
    rows = [(*row.split(","), doc) for row in COUNTS.split()[1:] for doc in "uvwxyz"]
    path = made(csv("model_a,model_b,count,doc", rows))
    text = assert_answer(run("report.py", path, "--cluster", "doc"))
    assert "+2.6 - none: clusters alike" in text and "VERDICT: borderline" in text
    r = numbers(path, "--cluster", "doc")
    assert (r["gap_low"], r["design_effect"], r["smallest_gap"]) == (None, None, None)
    assert r["score_a_low"] == pytest.approx(wilson_ci(0.732 * 6, 6, Z)[0])


@pytest.mark.parametrize("names", [
    ['"m,1"', '"m ""2"""'], ["模型甲", "модель"], ["x" * 300, "y" * 300], ['"a\nb"', "c"],
    ["$x_{", "$y$"], ["-m", "--b"], ["été 2", "%s {}"]])
def test_names_of_every_kind_keep_the_lines_short(names, made):
    done = run("report.py", made(wide(*table(20, 5, 9, 6), head=f"qid,{names[0]},{names[1]}")))
    assert_answer(done)
    assert len(done.out.splitlines()) <= 40


def test_level_beyond_the_sign_flips_is_said(made):
    a = [i % 7 / 7 for i in range(60)]
    path = made(wide(a, [x + 0.1 + i % 5 / 50 for i, x in enumerate(a)]))
    assert "too coarse for a level of 1e-06" in assert_answer(
        run("report.py", path, "--alpha", "1e-6"))


# ---- figure, pipes, workbooks ----


@pytest.mark.parametrize("kind, start", [("png", b"\x89PNG\r\n"), ("svg", b"<?xml")])
def test_figure_is_written_whole(kind, start, made, tmp_path):
    pytest.importorskip("matplotlib")
    for name, text in (("plain", wide(*table(362, 4, 17, 117))),
                       ("dollar", wide(*table(20, 5, 9, 6), head="qid,$x_{,$y$")),
                       ("constant", wide([0.5] * 30, [i % 3 / 3 for i in range(30)])),
                       ("huge", wide([f"{i % 5}e90" for i in range(30)], ["1e90"] * 30))):
        figure = tmp_path / f"{name}.{kind}"
        assert_answer(run("report.py", made(text), "--figure", figure))
        drawn = figure.read_bytes()
        assert drawn.startswith(start) and len(drawn) > 5000
        assert drawn.rstrip().endswith(b"IEND\xaeB`\x82" if kind == "png" else b"</svg>")
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("text, said", [
    (wide([0.5] * 30, [0.5] * 30), "no interval to draw"),
    (wide(*table(20, 5, 9, 6), head="qid,模型甲,b"), "choose other names"),
    (csv("qid,a,b,c", [(q, 1, 0, i % 2) for i, q in enumerate(ids(9))]), "one comparison")])
def test_a_figure_that_fails_leaves_nothing(text, said, made, tmp_path):
    pytest.importorskip("matplotlib")
    figure = tmp_path / "gap.png"
    args = ("--baseline", "a") if "qid,a,b,c" in text else ()
    assert_refused(run("report.py", made(text), "--figure", figure, *args), said)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv"]


def test_without_matplotlib_one_line_says_how_to_get_it(made, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert_refused(run("report.py", made(COUNTS), "--figure", tmp_path / "gap.png"),
                   "python -m pip install matplotlib")


@pytest.mark.parametrize("args", [[], ["--json"]])
def test_a_reader_that_stops_early_hears_no_complaint(args, fake):
    command = " ".join([f"'{sys.executable}'", f"'{ROOT / 'report.py'}'", f"'{fake}'", *args])
    done = subprocess.run(["bash", "-c", f"{command} | head -1; echo ${{PIPESTATUS[0]}}"],
                          text=True, capture_output=True)
    assert done.stderr == "" and done.stdout.splitlines()[1] == "0"


@pytest.mark.parametrize("file, function, task", [
    ("ci.py", "clt_ci", "t1"), ("paired.py", "paired_bootstrap_ci", "t2"),
    ("tests.py", "mcnemar_exact", "t3")])
def test_half_filled_workbook_says_which_task_it_waits_for(file, function, task, fake, tmp_path):
    for path in ROOT.glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    text = (tmp_path / file).read_text(encoding="utf-8")
    stub = re.sub(rf'(def {function}\(.*?\):\n    """.*?"""\n)',
                  rf'\1    raise NotImplementedError("{task} {function}")\n', text, flags=re.S)
    assert stub != text
    (tmp_path / file).write_text(stub, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "report.py", fake], text=True,
                          capture_output=True)
    assert (done.stdout, done.stderr) == ("", f"not started: {task} {function}\n")
    assert done.returncode == 1


# ---- anything else ----


@pytest.mark.prove
def test_any_file_ends_in_an_answer_or_in_one_line(tmp_path):
    """Hundreds of files of every form, broken in every way, with options at random."""
    hypothesis = pytest.importorskip("hypothesis")
    st = hypothesis.strategies
    odd = st.sampled_from(["", "1", "0", "0.5", "-1", "nan", "-0", "True", "x", "1,5", '"', "1e99",
                           "1e-99", "100", "2", "C", "\u2028", "\x00", "0.1", "é"])
    score = st.one_of(st.sampled_from("01"), st.floats(0, 1).map(repr), odd)
    heads = st.sampled_from(["qid,model_a,model_b", "qid,x,y,doc", "qid,model,score,try",
                             "item_id,passed", "model_a,model_b,count", "qid,base,m1,m2",
                             "id;model_a;model_b", "qid,m"])
    options = st.lists(st.sampled_from([
        ("--json",), ("--cluster", "doc"), ("--missing", "drop"), ("--missing", "zero"),
        ("--unpaired",), ("--baseline", "base"), ("--a", "x"), ("--tried", "3"),
        ("--alpha", "0.5"), ("--alpha", "1e-6"), ("--margin", "1"), ("--gap", "2"), ("--k", "2"),
        ("--map", "1=1,0=0,C=1"), ("--id", "x"), ("--fail-unless-real",)]), max_size=3)

    @hypothesis.settings(max_examples=400, deadline=None, derandomize=True, database=None,
                         suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(st.data(), heads, options, st.integers(0, 30))
    def check(data, head, options, n):
        sep = ";" if ";" in head else ","
        width = head.count(sep) + 1
        plain = data.draw(st.booleans())
        cell = st.sampled_from("01") if plain else score
        rows = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=n,
                                  max_size=n))
        if data.draw(st.booleans()):
            for i, row in enumerate(rows):
                row[0] = f"q{i // 2 if 'score' in head or 'passed' in head else i}"
                if "model," in head:
                    row[1] = "AB"[i % 2]
        text = "\n".join([head, *map(sep.join, rows)]) + "\n"
        args = [word for option in options for word in option]
        done = run("report.py", write(tmp_path, text), *args)
        if done.code == 2:
            assert_refused(done)
        elif "--json" in args:
            assert done.code in (0, 1)
            parsed(done)
        else:
            assert done.code == 0 or (done.code == 1 and "--fail-unless-real" in args)
            assert_answer(done._replace(code=0))

    check()


# ---- what looks like something else ----


def test_fail_unless_real_fails_where_b_is_worse_on_other_questions(made):
    rows = [*((f"a{i}", int(i < 270), "") for i in range(300)),
            *((f"b{i}", "", int(i < 150)) for i in range(300))]
    path = made(csv("qid,model_a,model_b", rows))
    for more in ((), ("--json",)):
        assert run("report.py", path, "--unpaired", "--fail-unless-real", *more).code == 1
    swapped = ("--a", "model_b", "--b", "model_a")
    done = run("report.py", path, "--unpaired", "--fail-unless-real", *swapped)
    assert done.code == 0 and "VERDICT: real" in done.out
    r = numbers(path, "--unpaired")
    assert 0 < r["p"] < 1e-15 and "p < 1e-300" not in run("report.py", path, "--unpaired").out


@pytest.mark.parametrize("head, rows, said", [
    ("model,task,doc_id,score", [(m, t, i, i % 2) for m in "AB" for t in "xyz" for i in range(8)],
     "'0' has 3 rows that differ in task; if these are tries say --try task"),
    ("qid,model,filter,score", [(f"q{i}", m, f, i % 2) for i in range(9) for m in "AB"
                                for f in ("strict", "loose")], "2 rows that differ in filter"),
    ("qid,model,score", [("q1", "A", 1), ("q2", "A", 0), ("q2", "A", 1), ("q3", "A", 1),
                         ("q1", "B", 0), ("q2", "B", 0), ("q3", "B", 1)],
     "row 4, column qid: 'q2' stands in row 3 too, most questions only once")])
def test_rows_that_need_not_be_tries_are_not_averaged(head, rows, said, made):
    assert_refused(run("report.py", made(csv(head, rows))), said)


def test_tries_without_a_number_are_tries(made):
    rows = [(q, m, x, f"text {i}") for i, (q, m, x, _) in enumerate(answers())]
    text = assert_answer(run("report.py", made(csv("qid,model,score,reply", rows))))
    assert "20 questions x 3 answers" in text
    seeds = [(q, m, x, t) for q, m, x, t in answers()]
    path = made(csv("qid,model,score,temperature seed", seeds))
    assert_refused(run("report.py", path), "say --try temperature seed")
    assert "20 questions x 3" in assert_answer(run("report.py", path, "--try", "temperature seed"))


def test_a_column_of_clusters_is_no_column_of_ids(made):
    rows = [(f"e{i}", f"d{i % 11}", int(i % 3 > 0)) for i in range(30)]
    path = made(csv("example,doc_id,correct", rows))
    for args in ((), ("--cluster", "doc_id")):
        assert "correct: 66.7 %, 30 questions" in assert_answer(run("report.py", path, *args))


@pytest.mark.parametrize("name", ["year", "cluster", "Chapter", "n_tokens", "page"])
def test_what_describes_a_question_is_no_model(name, made):
    rows = [(q, 2001 + i % 7, i % 2, i % 3 % 2) for i, q in enumerate(ids(30))]
    text = assert_answer(run("report.py", made(csv(f"qid,{name},gpt,llama", rows))))
    assert "llama scored" in text and f"not compared: {name} (ids, counters" in text
    assert_refused(run("report.py", made(csv("qid,level,gpt", [row[:3] for row in rows]))),
                   "gpt lies in 0 to 1 and level in 2001 to 2007; bring both to one scale, or name")
    many = assert_answer(run("report.py", made(csv("qid,level,gpt,llama", rows)), "--baseline",
                             "gpt"))
    assert "not compared: level" in many


def test_scales_a_few_times_apart_are_refused(made):
    rows = [(q, i % 10 / 10, i % 10) for i, q in enumerate(ids(40))]
    assert_refused(run("report.py", made(csv("qid,model_a,model_b", rows))),
                   "model_a lies in 0 to 0.9 and model_b in 0 to 9; bring both to one scale")


def test_commas_that_may_be_thousands_are_refused(made):
    text = "qid\told\tnew\nq1\t987\t1,204\nq2\t1,100\t850\n"
    assert_refused(run("report.py", made(text), "--a", "old", "--b", "new"),
                   "row 3, column old: '1,100' can be thousands or a decimal; write it without")
    text = assert_answer(run("report.py", made("qid;gpt;llama\nq1;0,5;0,7\nq2;0,1;n/a\n"
                                               "q3;0,250;0,3\n")))
    assert "gpt: 28.3 %" in text and "not compared: llama" in text


def test_blanks_can_be_codes_and_clusters_may_carry_blanks(made):
    rows = [("q1", 1, 0, "a b"), ("q2", 0, 1, "a b "), ("q3", "N/A", 1, "c"), ("q4", 1, 1, " c")]
    path = made(csv("qid,model_a,model_b,doc", rows))
    assert_refused(run("report.py", path), "'N/A' is not a finite number")
    r = numbers(path, "--map", "1=1,0=0,N/A=", "--missing", "drop", "--cluster", "doc")
    assert (r["n"], r["clusters"]) == (3, 2)


@pytest.mark.parametrize("text, args, said", [
    ("model_a,model_b\n1,0\n0,1\n", (), "there is no column of ids; add one, such as qid"),
    ("qid,x,y\nq1,1,0\nq2,0,1\n", ("--a", "x", "--b", "x"), "--a and --b both name x"),
    ("qid,x,y\nq1,1,0\nq2,0,1\n", ("--a", "x", "--b", "y", "--figure", "no/f.svg"),
     "--figure no/f.svg: there is no folder no"),
    ("qid,model_a,model_b\nq1,1,0\nq2,0,2\nq3,1,1\nq4,1,1\n", (), "model_b holds 0, 1, 2: codes")])
def test_what_cannot_be_meant_is_refused_by_its_name(text, args, said, made):
    assert_refused(run("report.py", made(text), *args), said)


def test_b_alone_is_compared_with_another_model(made):
    text = assert_answer(run("report.py", made(long(answers())), "--b", "A"))
    assert "questions A scored" in text and ", B " in text.partition("Both answered")[0]


# ---- words and numbers that must agree ----


def clustered_rows(groups, size=8):
    rng = np.random.default_rng(groups)
    return [(f"q{i:04}", int(rng.random() < 0.5), int(rng.random() < 0.6), f"g{i % groups}")
            for i in range(groups * size)]


def test_few_clusters_show_no_gap_four_times_in_five(made):
    path = made(csv("qid,model_a,model_b,doc", clustered_rows(5)))
    r = numbers(path, "--cluster", "doc")
    assert r["smallest_gap"] is None, "5 coins that fall alike have p 0.0625"
    assert r["n_for_plan"] >= 48, "6 clusters of 8 at least"
    assert "four times in five: none, it has too few clusters." in assert_answer(
        run("report.py", path, "--cluster", "doc"))
    r = numbers(made(csv("qid,model_a,model_b,doc", clustered_rows(12))), "--cluster", "doc")
    # Student's t on 11 degrees of freedom: 2.2010 and 0.8755
    assert r["smallest_gap"] == pytest.approx((2.200985 + 0.875530) * r["se"], rel=1e-5)
    half = (r["unpaired_high"] - r["unpaired_low"]) / 2
    assert half == pytest.approx(2.200985 * r["se_unpaired"], rel=1e-5)


def test_an_interval_that_excludes_0_does_not_end_in_0(made):
    text = assert_answer(run("report.py", made(wide(*table(60, 8, 18, 114)))))
    assert "+0.0 to" not in text and "The interval excludes 0" in text and "+0.04 to +9.96" in text


def test_darwins_interval_does_not_end_in_0(made):
    maize = ("23.5 17.375,12 20.375,21 20,22 20,19.125 18.375,21.5 18.625,22.125 18.625,20.375 "
             "15.25,18.25 16.5,21.625 18,23.25 16.25,21 18,22.125 12.75,23 15.5,12 18")
    rows = [(i, *pair.split()) for i, pair in enumerate(maize.split(","))]
    text = assert_answer(run("report.py", made(csv("pair,cross,self", rows))))
    assert "-5.229 to -0.004" in text, "R, t.test(paired = TRUE): 0.00390 to 5.22943 inches"


@pytest.mark.parametrize("cells, n", [((600, 7, 9, 384), 1_000), ((1_400, 17, 6, 577), 2_000)])
def test_a_margin_is_not_cleared_by_its_own_figure(cells, n, made):
    text = assert_answer(run("report.py", made(wide(*table(*cells))), "--margin", 1))
    low = re.search(r"the lower end of the interval, (-\d\.\d+),", text)[1]
    assert float(low) != -1 and ("clears" in text) == (float(low) > -1)
    need = re.search(r"equal, ([\d,]+) questions", text)
    assert not need or int(need[1].replace(",", "")) > n


def test_many_models_show_the_baseline_and_name_the_borderline(made):
    rng = np.random.default_rng(0)
    a = rng.random(60) < 0.5
    rows = [(q, int(x), int(x or i < 6), int(rng.random() < 0.95))
            for i, (q, x) in enumerate(zip(ids(60), a))]
    done = run("report.py", made(csv("qid,base,near,far", rows)), "--baseline", "base")
    text = assert_answer(done)
    assert re.search(rf"^base +60 +{100 * a.mean():.1f}  baseline$", done.out, re.M)
    marks = dict(re.findall(r"^(near|far) .*?([*?]?)$", done.out, re.M))
    assert marks["far"] == "*" and "better than base: far" in text
    assert (marks["near"] == "?") == ("borderline: near" in text)


def test_long_names_stay_apart(made):
    names = [f"meta-llama/Llama-3.1-8B-step{i}000-temp0.7-run-final" for i in (1, 2)]
    rows = [(q, i % 2, i % 3 % 2) for i, q in enumerate(ids(40))]
    done = run("report.py", made(csv(",".join(["qid", *names]), rows)))
    assert "~2000-temp0.7-run-final scored" in assert_answer(done)
    assert re.search(r"^~1000-temp0.7-run-final +50.0", done.out, re.M)


def test_no_gap_of_shares_lies_beyond_one(made):
    rows = [("q1", 0.1, 0.9, "d"), ("q2", 0.9, 0.1, "e"), ("q3", 0.4, 0.5, "d")]
    r = numbers(made(csv("qid,model_a,model_b,doc", rows)), "--cluster", "doc")
    assert (r["gap_low"], r["gap_high"]) == (-1, 1)
    assert (r["unpaired_low"], r["unpaired_high"]) == (-1, 1)


def test_a_gap_of_one_is_no_plan_for_prices(made):
    rows = [(q, i % 7 * 1e-5, i % 5 * 1e-5) for i, q in enumerate(ids(40))]
    path = made(csv("qid,model_a,model_b", rows))
    assert "For a gap of" not in assert_answer(run("report.py", path))
    assert numbers(path)["n_for_plan"] is None
    assert "For a gap of 1e-05, ask" in assert_answer(run("report.py", path, "--gap", "1e-5"))


def test_an_end_that_is_0_needs_no_decimals():
    show, r = report.unit(np.array([0.0, 1.0])), {"gap_low": 0.0, "gap": 0.02, "gap_high": 0.04}
    assert report.sharpened(show, [r], None).form == ".1f"
    assert report.sharpened(show, [r | {"gap_low": 0.0004}], None).form == ".2f"
    assert report.sharpened(show, [r | {"gap_low": 1e-9}] * 2, None).form == ".2f"
    assert report.sharpened(show, [r | {"gap_low": 1e-9}], None).form == ".5f"
    assert report.sharpened(show, [r | {"gap_low": -0.01004}], 0.01).form == ".3f"
