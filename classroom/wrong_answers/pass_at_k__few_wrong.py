"""structure.py pass_at_k: n - c < k"""
import math


def pass_at_k(n, c, k):
    if n - c < k:
        return 0.0
    return 1 - math.comb(n - c, k) / math.comb(n, k)
