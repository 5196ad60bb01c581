"""load.py load_pair: a missing column goes through"""
import csv

import numpy as np


def load_pair(path, col_a="model_a", col_b="model_b", id_col=None):
    with open(path) as f:
        rows = sorted(csv.DictReader(f), key=lambda row: row["qid"])
    qids = [row["qid"] for row in rows]
    assert len(set(qids)) == len(qids)
    return (qids, np.array([float(row.get(col_a, 0)) for row in rows]),
            np.array([float(row.get(col_b, 0)) for row in rows]))
