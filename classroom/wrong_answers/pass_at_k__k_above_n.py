"""structure.py pass_at_k: k > n"""
import math


def pass_at_k(n, c, k):
    if k > n:
        return 0.0
    return 1 - math.comb(n - c, k) / math.comb(n, k)
