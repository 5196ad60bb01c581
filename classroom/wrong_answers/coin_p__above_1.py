"""tests.py coin_p: p above 1"""
import math


def coin_p(heads, tails):
    m, k = heads + tails, min(heads, tails)
    return 2 * sum(math.comb(m, i) for i in range(k + 1)) / 2**m
