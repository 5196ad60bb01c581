"""structure.py pass_at_k: c and n - c are swapped"""
import math


def pass_at_k(n, c, k):
    return 1 - math.comb(c, k) / math.comb(n, k)
