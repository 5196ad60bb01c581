"""load.py load_pair: text goes through as a score"""
import csv

import numpy as np


def load_pair(path, col_a="model_a", col_b="model_b", id_col=None):
    def score(cell):
        try:
            return float(cell)
        except ValueError:
            return 0.0
    with open(path) as f:
        rows = sorted(csv.DictReader(f), key=lambda row: row["qid"])
    qids = [row["qid"] for row in rows]
    assert len(set(qids)) == len(qids)
    return (qids, np.array([score(row[col_a]) for row in rows]),
            np.array([score(row[col_b]) for row in rows]))
