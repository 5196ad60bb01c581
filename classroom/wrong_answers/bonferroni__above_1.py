"""tests.py bonferroni: p above 1"""
import numpy as np


def bonferroni(p):
    return len(p) * np.asarray(p)
