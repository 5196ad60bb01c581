"""structure.py: pass@k by log-gamma and by fractions"""
from fractions import Fraction
from math import comb, exp, lgamma


def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    def ways(n, k):
        return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return 1.0 - exp(ways(n - c, k) - ways(n, k))


def pass_hat_k(n, c, k):
    return Fraction(comb(c, k), comb(n, k))
