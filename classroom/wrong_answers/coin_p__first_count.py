"""tests.py coin_p: the tail of the first count"""
import math


def coin_p(heads, tails):
    m = heads + tails
    return min(1.0, 2 * sum(math.comb(m, i) for i in range(heads + 1)) / 2**m)
