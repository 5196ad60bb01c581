"""structure.py pass_hat_k: pass@k"""
import math


def pass_hat_k(n, c, k):
    return 1 - math.comb(n - c, k) / math.comb(n, k)
