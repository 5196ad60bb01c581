"""load.py load_pair: the columns are swapped"""
import csv

import numpy as np


def load_pair(path, col_a="model_a", col_b="model_b", id_col=None):
    with open(path) as f:
        rows = sorted(list(csv.reader(f))[1:])
    qids = [row[0] for row in rows]
    assert len(set(qids)) == len(qids)
    return (qids, np.array([float(row[1]) for row in rows]),
            np.array([float(row[3]) for row in rows]))
