"""load.py: arrays and argsort"""
import numpy as np


def load_pair(path, col_a="model_a", col_b="model_b"):
    table = np.genfromtxt(path, delimiter=",", dtype=str)
    names, cells = list(table[0]), table[1:]
    order = np.argsort(cells[:, names.index("qid")])
    qids = cells[order, names.index("qid")]
    if len(np.unique(qids)) < len(qids):
        raise SystemExit("an id stands twice")
    return (qids, cells[order, names.index(col_a)].astype(float),
            cells[order, names.index(col_b)].astype(float))
