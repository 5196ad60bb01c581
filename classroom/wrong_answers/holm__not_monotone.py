"""tests.py holm: a later p falls below an earlier one"""
import numpy as np


def holm(p):
    order = np.argsort(p)
    adjusted = np.empty(len(p))
    adjusted[order] = p[order] * np.arange(len(p), 0, -1)
    return np.minimum(1.0, adjusted)
