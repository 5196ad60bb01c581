"""tests.py holm: the order is lost"""
import numpy as np


def holm(p):
    steps = np.sort(p) * np.arange(len(p), 0, -1)
    return np.minimum(1.0, np.maximum.accumulate(steps))
