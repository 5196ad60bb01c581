"""tests.py: plain Python loops and the random module"""
import math
import random


def mcnemar_exact(a, b):
    n_a_only = n_b_only = 0
    for x, y in zip(a, b):
        if x == 1 and y == 0:
            n_a_only += 1
        elif x == 0 and y == 1:
            n_b_only += 1
    m, k = n_a_only + n_b_only, min(n_a_only, n_b_only)
    ways = 0
    for i in range(k + 1):
        ways += math.comb(m, i)
    return n_a_only, n_b_only, min(1.0, 2 * ways / 2**m)


def sign_flip_p(a, b, R=20_000, seed=0):
    rng = random.Random(seed)
    d = [float(y) - float(x) for x, y in zip(a, b)]
    observed, hits = abs(sum(d)) / len(d), 0
    for _ in range(R):
        total = 0.0
        for size in d:
            total += size if rng.random() < 0.5 else -size
        if abs(total) / len(d) >= observed - 1e-9:
            hits += 1
    return hits / R


def coin_p(heads, tails):
    m = heads + tails
    return min(1, sum(math.comb(m, i) for i in range(min(heads, tails) + 1)) / 2 ** (m - 1)
               if m else 1)


def mcnemar_chi2(a, b):
    b_, c = sum(x > y for x, y in zip(a, b)), sum(y > x for x, y in zip(a, b))
    if b_ + c == 0:
        return 0, 1
    chi2 = max(0, abs(b_ - c) - 1) ** 2 / (b_ + c)
    return chi2, math.erfc((chi2 / 2) ** 0.5)


def mcnemar_midp(a, b):
    b_, c = sum(x > y for x, y in zip(a, b)), sum(y > x for x, y in zip(a, b))
    m, k = b_ + c, min(b_, c)
    if b_ == c:
        return 1 - math.comb(m, k) / 2 ** (m + 1) if m else 1
    return (2 * sum(math.comb(m, i) for i in range(k)) + math.comb(m, k)) / 2**m


def bonferroni(p):
    return [min(1.0, len(p) * value) for value in p]


def holm(p):
    m, so_far, adjusted = len(p), 0.0, [0.0] * len(p)
    for rank, i in enumerate(sorted(range(m), key=lambda i: p[i])):
        so_far = max(so_far, min(1.0, (m - rank) * p[i]))
        adjusted[i] = so_far
    return adjusted
