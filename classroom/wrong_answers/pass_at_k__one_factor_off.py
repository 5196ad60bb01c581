"""structure.py pass_at_k: the product is one factor off"""
import numpy as np


def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    return 1 - np.prod(1 - k / np.arange(n - c + 1, n))
