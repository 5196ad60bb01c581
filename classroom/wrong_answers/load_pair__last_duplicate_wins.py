"""load.py load_pair: a duplicate id goes through"""
import csv

import numpy as np


def load_pair(path, col_a="model_a", col_b="model_b", id_col=None):
    with open(path) as f:
        rows = {row["qid"]: row for row in csv.DictReader(f)}
    qids = sorted(rows)
    return (qids, np.array([float(rows[q][col_a]) for q in qids]),
            np.array([float(rows[q][col_b]) for q in qids]))
