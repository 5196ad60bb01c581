"""load.py load_pair: each column is sorted by itself"""
import csv

import numpy as np


def load_pair(path, col_a="model_a", col_b="model_b", id_col=None):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    qids = sorted(row["qid"] for row in rows)
    assert len(set(qids)) == len(qids)
    return (qids, np.sort([float(row[col_a]) for row in rows]),
            np.sort([float(row[col_b]) for row in rows]))
