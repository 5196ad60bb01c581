"""load.py: as the lesson page prints it"""
import csv

import numpy as np


def load_pair(path: str, col_a: str = "model_a", col_b: str = "model_b"):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    rows.sort(key=lambda r: r["qid"])
    qids = [r["qid"] for r in rows]
    assert len(set(qids)) == len(qids), "duplicate question IDs"
    a = np.array([float(r[col_a]) for r in rows])
    b = np.array([float(r[col_b]) for r in rows])
    return qids, a, b
