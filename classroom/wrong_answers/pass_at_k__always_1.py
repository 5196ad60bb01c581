"""structure.py pass_at_k: c = 0 gives 1"""
import math


def pass_at_k(n, c, k):
    return 1 - math.comb(n - c, k) / math.comb(n, k) if c else 1.0
