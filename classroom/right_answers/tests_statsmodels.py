"""tests.py: statsmodels"""
import numpy as np
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests


def mcnemar_exact(a, b):
    table = [[np.sum((a == 1) & (b == 1)), np.sum((a == 1) & (b == 0))],
             [np.sum((a == 0) & (b == 1)), np.sum((a == 0) & (b == 0))]]
    p = mcnemar(table, exact=True).pvalue if table[0][1] + table[1][0] else 1.0
    return table[0][1], table[1][0], p


def holm(p):
    return multipletests(p, method="holm")[1]


def bonferroni(p):
    return multipletests(p, method="bonferroni")[1]
