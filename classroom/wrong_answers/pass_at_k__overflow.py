"""structure.py pass_at_k: float overflow"""
import math


def pass_at_k(n, c, k):
    def ways(n, k):
        return math.factorial(n) / (math.factorial(k) * math.factorial(n - k))
    return 1.0 if n - c < k else 1 - ways(n - c, k) / ways(n, k)
