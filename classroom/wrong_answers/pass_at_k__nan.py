"""structure.py pass_at_k: NaN or infinity"""
import numpy as np


def pass_at_k(n, c, k):
    def ways(n, k):
        return np.prod(np.arange(n - k + 1, n + 1.0)) / np.prod(np.arange(1.0, k + 1))
    with np.errstate(all="ignore"):
        return 1.0 if n - c < k else 1 - ways(n - c, k) / ways(n, k)
