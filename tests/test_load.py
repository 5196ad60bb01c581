"""t0: load.py. The files are written here; what must come back can be read off them."""
import numpy as np
from checking import Outcome, as_floats, call_text, require, run, same

# Ids in no order, the second model's column before the first's, one column too many.
FILE = """\
qid,model_b,topic,model_a
q04,0.25,x,1
q01,1,y,0
q03,0,x,0.5
q02,0.75,y,0.125
"""
QIDS = ["q01", "q02", "q03", "q04"]
A, B = (0, 0.125, 0.5, 1), (1, 0.75, 0, 0.25)


def written(folder, text=FILE, name="some.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def pair(function, *args):
    """The text of the call, the ids as a list of text, the scores as an array (2, 4)."""
    called = call_text(function.name, args, {})
    got = run(function, *args, called=called)
    if not isinstance(got, (tuple, list)) or len(got) != 3:
        raise Outcome("wrong", function.name, called, f"a {type(got).__name__}",
                      "ids, scores of a, scores of b",
                      "wrong shape: return the ids, the scores of a and those of b")
    scores = as_floats([list(got[1]), list(got[2])], np.zeros((2, 4)), function.name, called)
    return called, list(map(str, got[0])), scores


def refused(function, why, likely, path, *args):
    """Any exception will do: which one is a matter of taste. But a good file must be read."""
    pair(function, written(path.parent, name="good.csv"))
    called = call_text(function.name, (path, *args), {})
    try:
        run(function, path, *args, called=called)
    except Outcome as outcome:
        if outcome.kind == "crashed":
            return
        raise
    require(False, function, called, "an answer", f"an error: {why}", likely)


def test_load_pair_puts_rows_in_id_order(load, tmp_path):
    called, qids, scores = pair(load.load_pair, written(tmp_path))
    in_file_order = ((1, 0, 0.5, 0.125), (0.25, 1, 0, 0.75))
    slips = {
        "rows stay in file order: sort whole rows by qid": in_file_order,
        "each column is sorted by itself: sort whole rows by qid": (sorted(A), sorted(B)),
        "the columns are swapped: find them by their names": (B, A),
        "scores are cut to whole numbers: use float": (np.floor(A), np.floor(B)),
    }
    likely = next((text for text, slip in slips.items() if same(scores, slip, 1e-12)), "")
    require(qids == QIDS, load.load_pair, called, qids, QIDS,
            likely or "rows stay in file order: sort whole rows by qid")
    require(same(scores, (A, B), 1e-12), load.load_pair, called, scores.tolist(), [A, B], likely)


def test_load_pair_reads_the_columns_it_is_asked_for(load, tmp_path):
    path = written(tmp_path, FILE.replace("model_a", "new").replace("model_b", "old"))
    called, _, scores = pair(load.load_pair, path, "old", "new")
    require(same(scores, (B, A), 1e-12), load.load_pair, called, scores.tolist(), [B, A],
            "the columns are taken by position: find them by the names given")


def test_load_pair_refuses_an_id_that_stands_twice(load, tmp_path):
    path = written(tmp_path, FILE + "q02,1,y,1\n")
    refused(load.load_pair, "q02 stands in two rows",
            "a duplicate id goes through: the question would count twice", path)


def test_load_pair_refuses_a_column_that_is_not_there(load, tmp_path):
    refused(load.load_pair, "there is no column model_c",
            "a missing column goes through: its scores are made up", written(tmp_path),
            "model_a", "model_c")


def test_load_pair_refuses_a_score_that_is_no_number(load, tmp_path):
    path = written(tmp_path, FILE.replace("q03,0,x,0.5", "q03,0,x,half"))
    refused(load.load_pair, "'half' is not a score",
            "text goes through as a score: let float() refuse it", path)
