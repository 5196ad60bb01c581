"""tests.py: log-gamma and a recursion of neighbours"""
import math

import numpy as np


def mcnemar_exact(a, b):
    n_a, n_b = int((a > b).sum()), int((a < b).sum())
    m, k = n_a + n_b, min(n_a, n_b)
    logs = [math.lgamma(m + 1) - math.lgamma(i + 1) - math.lgamma(m - i + 1) - m * math.log(2)
            for i in range(k + 1)]
    return n_a, n_b, min(1.0, 2 * math.fsum(map(math.exp, logs)))


def coin_p(heads, tails):
    m, k = heads + tails, min(heads, tails)
    log_term = np.cumsum(np.log(np.r_[1.0, (m - np.arange(k)) / np.arange(1, k + 1)]))
    return min(1.0, 2 * np.exp(log_term - m * np.log(2)).sum())
