"""paired.py: plain Python loops and the random module"""
import math
import random


def variance(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def unpaired_diff_ci(a, b, z=1.96):
    gap = sum(b) / len(b) - sum(a) / len(a)
    se = math.sqrt(variance(a) / len(a) + variance(b) / len(b))
    return gap, gap - z * se, gap + z * se


def paired_diff_ci(a, b, z=1.96):
    d = [y - x for x, y in zip(a, b)]
    gap = sum(d) / len(d)
    se = math.sqrt(variance(d) / len(d))
    return gap, gap - z * se, gap + z * se


def paired_bootstrap_ci(a, b, metric=lambda v: sum(v) / len(v), B=10_000, seed=0):
    rng = random.Random(seed)
    n, gaps = len(a), []
    for _ in range(B):
        drawn = [rng.randrange(n) for _ in range(n)]
        gaps.append(metric([b[i] for i in drawn]) - metric([a[i] for i in drawn]))
    gaps.sort()
    return gaps[int(0.025 * B)], gaps[int(0.975 * B)]


def bonett_price_ci(a, b, z=1.96):
    n = len(a) + 2
    a_only = 1 + sum(x > y for x, y in zip(a, b))
    b_only = 1 + sum(y > x for x, y in zip(a, b))
    gap = (b_only - a_only) / n
    half = z * math.sqrt(((a_only + b_only) / n - gap * gap) / n)
    return max(-1, gap - half), min(1, gap + half)
