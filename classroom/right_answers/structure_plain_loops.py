"""structure.py: plain Python loops and the random module"""
import math
import random


def clustered_se(x, cluster_ids):
    mean = sum(x) / len(x)
    sums = {}
    for value, name in zip(x, cluster_ids):
        sums[name] = sums.get(name, 0.0) + value - mean
    return math.sqrt(sum(s * s for s in sums.values())) / len(x)


def cluster_bootstrap_ci(x, cluster_ids, B=10_000, seed=0):
    random.seed(seed)
    groups = {}
    for value, name in zip(x, cluster_ids):
        groups.setdefault(name, []).append(float(value))
    names = list(groups)
    means = []
    for _ in range(B):
        drawn = []
        for _ in names:
            drawn.extend(groups[random.choice(names)])
        means.append(sum(drawn) / len(drawn))
    means.sort()
    return means[int(0.025 * B)], means[int(0.975 * B) - 1]


def pass_at_k(n, c, k):
    none = 1.0
    for i in range(k):
        none *= (n - c - i) / (n - i) if n - c - i > 0 else 0
    return 1 - none


def pass_hat_k(n, c, k):
    return math.comb(c, k) / math.comb(n, k)


def design_effect(x, cluster_ids):
    n, C = len(x), len(set(list(cluster_ids)))
    mean = sum(x) / n
    naive = sum((v - mean) ** 2 for v in x) / (n - 1) / n
    return clustered_se(x, cluster_ids) ** 2 * C / (C - 1) / naive
