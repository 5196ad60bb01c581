"""tests.py holm: Bonferroni's p"""
import numpy as np


def holm(p):
    return np.minimum(1.0, len(p) * p)
