"""structure.py pass_at_k: no try is right"""
import math


def pass_at_k(n, c, k):
    return math.comb(n - c, k) / math.comb(n, k)
