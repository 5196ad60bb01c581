"""tests.py coin_p: one-sided p"""
import math


def coin_p(heads, tails):
    m, k = heads + tails, min(heads, tails)
    return sum(math.comb(m, i) for i in range(k + 1)) / 2**m
