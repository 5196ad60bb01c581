"""make_real.py: the model by brute force on a tiny corpus, then the whole thing (prove)."""
import csv
import os
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from running import ROOT, measured

import make_real as real

NAMES = ["results_real.csv", "answers_real.csv", "runs_real.csv"]


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


# ---- the model ----

TEXT = "".join(np.random.default_rng(1).choice(list("aabbcd"), 400))


def brute_force(text, context, character, length=real.CONTEXT):
    """P(character | the last `length` of context) by the formula, one dictionary per question."""
    if length < 0:
        return 1 / real.SYMBOLS
    h = context[len(context) - length:]
    # As in the model, the first CONTEXT characters of a text are context only.
    after = Counter(text[i] for i in range(real.CONTEXT, len(text)) if text[i - length:i] == h)
    lower = brute_force(text, context, character, length - 1)
    if not after:
        return lower
    n, kinds = after.total(), len(after)
    return (after[character] + kinds * lower) / (n + kinds)


def number(context):
    return sum(ord(c) << real.BITS * i for i, c in enumerate(reversed(context)))


@pytest.mark.parametrize("less", [0, 1, 4])
def test_model_equals_the_formula_applied_by_brute_force(less):
    contexts = [TEXT[50:56], TEXT[-6:], "abcdab", "zzzzzz", "zzzzza", "zaaabb"]
    model = real.train(real.ngrams(TEXT))
    table = real.log_probabilities(model[:len(model) - less], np.array(list(map(number, contexts))))
    for row, context in zip(table, contexts):
        for character in "abcdz":
            got = np.exp(row[ord(character)])
            expected = brute_force(TEXT, context, character, real.CONTEXT - less)
            assert got == pytest.approx(expected, rel=1e-12), (
                f"P({character!r} | {context!r}) with {less} less: got {got}, by hand {expected}")
    assert np.exp(table).sum(axis=1) == pytest.approx(1, abs=1e-12), "probabilities must sum to 1"


def test_a_gram_is_its_characters_with_the_last_one_lowest():
    grams = real.ngrams("abcdefg\u20ac")
    assert grams.tolist() == [number("abcdefg"), number("bcdefg?")]
    assert real.ngrams("abc").shape == (0,), "a text shorter than the context has no n-gram"


def test_quantizing_takes_the_nearest_mean_of_equally_filled_bins():
    got = real.quantize(np.array([8.0, 1, 2, 3, 4, 5, 6, 7]), 2)
    assert got.tolist() == [7.5, 1.5, 1.5, 3.5, 3.5, 5.5, 5.5, 7.5], "four bins of two"
    skewed = real.quantize(np.array([0.0, 0, 0, 0, 10, 1000]), 1)
    assert skewed.tolist() == [0, 0, 0, 0, 0, 1010 / 3], (
        "two bins of three have the means 0 and 336.7, and 10 is nearer to 0")
    few = np.array([-1.0, -2.5, -0.5])
    assert real.quantize(few, 8).tolist() == few.tolist(), "three values fit into 256"


@pytest.mark.parametrize("bits", [8, 4, 3, 2])
def test_every_order_keeps_at_most_so_many_numbers(bits):
    model = real.train(real.ngrams(TEXT * 3))
    for order, copy in zip(model, real.quantized(model, bits)):
        assert len(np.unique(copy.logp)) <= 2**bits and len(np.unique(copy.backoff)) <= 2**bits
        assert np.all(np.diff(copy.logp[np.argsort(order.logp)]) >= 0), "rounding keeps the order"
        assert copy.grams is order.grams, "only the stored numbers are rounded"


def test_sampling_follows_the_tempered_probabilities():
    p = np.array([0.5, 0.3, 0.2])
    table = np.full((20_000, real.SYMBOLS), -np.inf)
    table[:, :3] = np.log(p) + 3                    # a rounded model does not sum to 1
    drawn = real.sample(table, np.random.default_rng(0))
    assert drawn.shape == (20_000, real.ANSWERS)
    share = np.bincount(drawn.ravel(), minlength=3) / drawn.size
    expected = p ** (1 / real.TEMPERATURE) / (p ** (1 / real.TEMPERATURE)).sum()
    # 5.5 SE: a right sampler fails once in ten million seeds; this seed is fixed.
    bound = 5.5 * np.sqrt(expected * (1 - expected) / drawn.size)
    assert np.all(abs(share[:3] - expected) < bound), f"got {share[:3]}, expected {expected}"


def test_each_of_the_five_answers_has_its_own_luck():
    table = np.log(np.full((4_000, real.SYMBOLS), 1 / real.SYMBOLS))
    drawn = real.sample(table, np.random.default_rng(0))
    # Equal pairs are Binomial(4000, 1/256): above 50 in 1e-11 of right samplers' seeds.
    assert (drawn[:, 0] == drawn[:, 1]).sum() < 50


# ---- the questions ----


def test_only_importable_library_code_is_read(tmp_path):
    for name in ("b.py", "a/__init__.py", "a/c.py", "test/d.py", "a/tests/e.py", "f.txt",
                 "site-packages/g.py", "_sysconfigdata__linux.py", "config-3.12/h.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes("x = 'caf\u00e9'\r\n".encode())
    (tmp_path / "latin.py").write_bytes(b"x = 'caf\xe9'\n")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    texts = real.read_modules(tmp_path)
    assert list(texts) == ["a", "a.c", "b", "latin"], "sorted, without tests and generated files"
    assert texts["b"] == "x = 'caf\u00e9'\n"
    assert texts["latin"] == "x = 'caf\ufffd'\n"


def tiny_texts(modules=12):
    rng = np.random.default_rng(2)
    words = ["def ", "self", "return ", "None", "\n    ", "if ", "x", "(", ")", ":", "\n"]
    return {f"mod{i:02d}": "".join(rng.choice(words, 900)) for i in range(modules)}


def test_nothing_asked_about_was_learnt_from(monkeypatch):
    monkeypatch.setattr(real, "HELD_OUT", 4)
    rng = np.random.default_rng(3)                  # random letters: no n-gram stands twice
    texts = {f"mod{i:02d}": bytes(letters.tolist()).decode()
             for i, letters in enumerate(rng.integers(32, 127, (12, 2_000)))}
    asked, questions, learnt = real.draw_questions(texts, np.random.default_rng(0))
    assert len(asked) == 4 and asked == sorted(asked)
    assert set(learnt) == set(texts) - set(asked), "every module is either asked about or learnt"
    assert questions.shape == (4 * real.PLACES,)
    for i, name in enumerate(asked):
        mine = questions[i * real.PLACES:(i + 1) * real.PLACES].tolist()
        assert set(mine) <= set(real.ngrams(texts[name]).tolist()), f"{name}: asked of another"
        assert len(set(mine)) == real.PLACES, f"{name}: a place was asked about twice"


def test_too_few_modules_are_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(real, "HELD_OUT", 4)
    with pytest.raises(ValueError, match=r"found 11 modules .* need 12; use a Python"):
        real.draw_questions(tiny_texts(11), np.random.default_rng(0))


def test_copies_and_recipes_are_the_models_their_names_say(monkeypatch):
    monkeypatch.setattr(real, "RUNS", 1)
    learnt = {name: real.ngrams(text) for name, text in tiny_texts().items()}
    questions = learnt.pop("mod11")
    full = real.train(np.concatenate(list(learnt.values())))
    copies = dict(real.copies(full))
    assert list(copies) == ["full", "q8", "q4", "q3", "q2", "short"]
    assert copies["full"] is full and len(copies["short"]) == len(full) - 1 == real.CONTEXT
    for bits in (8, 4, 3, 2):
        distinct = max(len(np.unique(order.logp)) for order in copies[f"q{bits}"])
        assert distinct <= 2**bits, f"q{bits} stores {distinct} different numbers"

    class FirstHalf:
        def permutation(self, names):
            return names

    half = real.train(np.concatenate([learnt[name] for name in list(learnt)[:5]]))
    expected = [
        (f"context{c}-1", f"context{c}", real.right(
            real.log_probabilities(half[:c + 1], questions >> real.BITS), questions).mean())
        for c in (5, 6)]
    assert real.train_again(learnt, questions, FirstHalf()) == expected


def test_the_right_answer_is_the_last_character():
    table = np.zeros((3, real.SYMBOLS))
    table[[0, 1, 2, 2], [ord("g"), ord("x"), ord("f"), ord("g")]] = 1
    grams = np.repeat(real.ngrams("abcdefg"), 3)
    assert real.right(table, grams).tolist() == [1, 0, 0], "of equals the first is taken"


# ---- the script ----


def run(code, folder, **environment):
    return subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
                           + code], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=os.environ | environment)


def tiny_library(folder, order=1):
    folder.mkdir()
    for name, text in list(tiny_texts().items())[::order]:
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


TINY = """
import sysconfig, make_real
sysconfig.get_path = lambda *_: {!r}
make_real.HELD_OUT, make_real.PLACES, make_real.RUNS = 4, 30, 2
make_real.main()
"""


def test_three_files_come_out_as_promised(tmp_path):
    library = tiny_library(tmp_path / "lib")
    done = run(TINY.format(str(library)), tmp_path)
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines()), done.stdout
    assert done.stdout.rstrip().endswith(
        "python report.py results_real.csv --baseline full --cluster module")
    assert f"Python {sys.version.split()[0]}" in done.stdout, "it says which Python made the files"
    results, answers, runs = (read(tmp_path / name) for name in NAMES)

    models = ["full", "q8", "q4", "q3", "q2", "short"]
    assert list(results[0]) == ["qid", "module", *models]
    assert len(results) == 4 * 30 == len({row["qid"] for row in results}), "one row per question"
    assert {row[model] for row in results for model in models} == {"0", "1"}
    python = "py{}.{}".format(*sys.version_info)
    assert all(row["qid"].startswith(f"{python}/{row['module']}/00") for row in results)

    assert list(answers[0]) == ["qid", "module", "model", "score", "try"]
    tries = Counter((row["qid"], row["model"]) for row in answers)
    assert set(tries) == {(row["qid"], model) for row in results for model in ("full", "q4")}
    assert set(tries.values()) == {real.ANSWERS}
    assert {row["score"] for row in answers} == {"0", "1"}

    assert [row["run"] for row in runs] == ["context5-1", "context5-2", "context6-1", "context6-2"]
    assert all(row["run"].startswith(row["recipe"]) for row in runs)
    assert all(0 < float(row["accuracy"]) < 1 for row in runs)


def test_same_python_same_bytes(tmp_path):
    made = []
    for i, order in enumerate((1, -1)):
        folder = tmp_path / str(i)
        folder.mkdir()
        code = TINY.format(str(tiny_library(folder / "lib", order)))
        assert run(code, folder, PYTHONHASHSEED=str(i)).returncode == 0
        made.append([(folder / name).read_bytes() for name in NAMES])
    assert made[0] == made[1], "neither the hash seed nor the order on disk may show in the files"


@pytest.mark.parametrize("library", ["empty", "missing", "few"])
def test_zipped_or_stripped_library_is_one_line_and_nothing_written(tmp_path, library):
    folder = tmp_path / "here"
    folder.mkdir()
    lib = tmp_path / "lib"
    if library == "few":
        tiny_library(lib)
    elif library == "empty":
        lib.mkdir()
    done = run(f"import runpy, sysconfig; sysconfig.get_path = lambda *_: {str(lib)!r}\n"
               f"sys.argv = ['make_real.py']; runpy.run_path({str(ROOT / 'make_real.py')!r}, "
               "run_name='__main__')", folder)
    assert done.returncode == 2, done
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1, done
    assert "standard library as source, need 150" in done.stderr
    assert list(folder.iterdir()) == [], "nothing may be written"


def test_a_stop_while_writing_leaves_the_old_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("first.csv").write_text("old")

    def rows():
        yield 1, 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        real.write_whole({"first.csv": (["a"], [[1]]), "second.csv": (["a", "b"], rows())})
    assert os.listdir() == ["first.csv"] and Path("first.csv").read_text() == "old"


def test_progress_is_for_people_who_wait(monkeypatch, capsys):
    for terminal, waited, shown in ((True, 5, True), (True, 0, False), (False, 5, False)):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setattr(real, "STARTED", time.monotonic() - waited)
        real.progress("training")
        assert ("training" in capsys.readouterr().err) == shown, (terminal, waited)


# ---- the whole thing ----


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(folder with the three files, processor seconds, peak megabytes)."""
    pytest.importorskip("resource", reason="needs POSIX to measure memory")
    folder = tmp_path_factory.mktemp("made")
    seconds, peak = measured(ROOT / "make_real.py", folder=folder)
    assert all((folder / name).exists() for name in NAMES)
    return folder, seconds, peak


@pytest.fixture(scope="module")
def columns(made):
    rows = read(made[0] / "results_real.csv")
    return {name: np.array([row[name] for row in rows]) if name in ("qid", "module")
            else np.array([int(row[name]) for row in rows]) for name in rows[0]}


@pytest.mark.prove
def test_half_a_minute_and_half_a_gigabyte_suffice(made):
    _, seconds, peak = made
    assert seconds < 30 and peak < 500, f"{seconds:.1f} s, {peak:.0f} MB"


@pytest.mark.prove
def test_rounding_hurts_as_it_does_in_real_models(columns):
    # Not random: one Python version gives one set of files. The bounds hold on 3.10 to 3.13.
    full = columns["full"]
    assert 0.6 < full.mean() < 0.75, full.mean()
    flips = {name: (columns[name] != full).mean() for name in ("q8", "q4", "q3", "q2", "short")}
    gap = {name: (columns[name] - full).mean() for name in flips}
    assert flips["q8"] < 0.004 and abs(gap["q8"]) < 0.003, (flips, gap)
    assert flips["q8"] < flips["q4"] < flips["q3"] < flips["q2"] < 0.1, flips
    assert abs(gap["q4"]) < 0.01, gap
    assert gap["q2"] < -0.005 and gap["short"] < -0.004, gap


@pytest.mark.prove
def test_modules_are_real_clusters(columns):
    def design_effect(x, cluster):
        _, of = np.unique(cluster, return_inverse=True)
        d = x - x.mean()
        return (np.bincount(of, d)**2).sum() / (d**2).sum()

    rng = np.random.default_rng(0)
    found = design_effect(columns["full"], columns["module"])
    shuffled = [design_effect(columns["full"], rng.permutation(columns["module"]))
                for _ in range(200)]
    print(f"design effect {found:.2f}; 200 shuffles {min(shuffled):.2f} to {max(shuffled):.2f}")
    assert found > max(shuffled), (found, min(shuffled), max(shuffled))


@pytest.mark.prove
def test_sampling_costs_accuracy_and_shows_the_rounding(made, columns):
    rows = read(made[0] / "answers_real.csv")
    mean = {model: np.mean([int(row["score"]) for row in rows if row["model"] == model])
            for model in real.SAMPLED}
    assert mean["full"] < columns["full"].mean() - 0.02, mean
    assert mean["q4"] < mean["full"] - 0.005, f"a flatter distribution is wrong more often: {mean}"


@pytest.mark.prove
def test_one_more_character_is_worth_more_than_the_luck_of_a_run(made):
    rows = read(made[0] / "runs_real.csv")
    short, long = (sorted(float(row["accuracy"]) for row in rows if row["recipe"] == recipe)
                   for recipe in ("context5", "context6"))
    assert len(short) == len(long) == 5
    assert len(set(short + long)) > 5, "ten halves, ten models: the runs must differ"
    assert np.mean(long) > np.mean(short) + 0.002, (short, long)


@pytest.mark.prove
def test_nearly_every_changed_answer_comes_from_a_tie():
    _, questions, learnt = real.draw_questions(
        real.read_modules(sysconfig.get_path("stdlib")), np.random.default_rng(real.SEED))
    full = real.train(np.concatenate(list(learnt.values())))
    base = real.right(real.log_probabilities(full, questions >> real.BITS), questions)
    for name, model in real.copies(full):
        table = real.log_probabilities(model, questions >> real.BITS)
        changed = real.right(table, questions) != base
        top = np.sort(table[changed], axis=1)[:, -2:]
        ties = (top[:, 0] == top[:, 1]).sum()
        print(f"{name}: {changed.sum()} changed, {ties} by a tie")
        if name.startswith("q"):
            assert ties >= 0.9 * changed.sum(), (name, ties, changed.sum())


@pytest.mark.prove
@pytest.mark.parametrize("command", [
    ["report.py", "results_real.csv", "--baseline", "full", "--cluster", "module"],
    ["report.py", "answers_real.csv", "--cluster", "module"],
    ["structure.py", "runs_real.csv", "--runs", "recipe"]])
def test_the_next_commands_read_the_files(made, command):
    script = ROOT / command[0]
    if not script.exists():
        pytest.skip(f"{command[0]} is not there")
    done = subprocess.run([sys.executable, script, *command[1:]], cwd=made[0],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    assert done.stdout.strip(), f"{' '.join(command)} printed nothing"
