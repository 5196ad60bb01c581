"""structure.py pass_at_k: all tries are right"""
import math


def pass_at_k(n, c, k):
    return math.comb(c, k) / math.comb(n, k)
