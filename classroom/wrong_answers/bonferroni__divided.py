"""tests.py bonferroni: the threshold is divided"""
import numpy as np


def bonferroni(p):
    return np.asarray(p) / len(p)
