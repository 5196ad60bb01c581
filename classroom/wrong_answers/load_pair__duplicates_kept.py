"""load.py load_pair: a duplicate id goes through"""
import csv

import numpy as np


def load_pair(path, col_a="model_a", col_b="model_b", id_col=None):
    with open(path) as f:
        rows = sorted(csv.DictReader(f), key=lambda row: row["qid"])
    return ([row["qid"] for row in rows], np.array([float(row[col_a]) for row in rows]),
            np.array([float(row[col_b]) for row in rows]))
