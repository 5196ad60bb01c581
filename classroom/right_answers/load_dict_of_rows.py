"""load.py: rows in a dict, everything returned as tuples"""
import csv


def load_pair(path, col_a="model_a", col_b="model_b"):
    found = {}
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            if row["qid"] in found:
                raise KeyError(row["qid"])
            found[row["qid"]] = float(row[col_a]), float(row[col_b])
    a, b = zip(*(found[qid] for qid in sorted(found)))
    return tuple(sorted(found)), a, b
