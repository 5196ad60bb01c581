"""ci.py: random.choices seeded globally, statistics module"""
import random
import statistics


def clt_ci(x, z=1.96):
    values = list(map(float, x))
    mean = statistics.fmean(values)
    se = statistics.stdev(values) / len(values) ** 0.5
    return mean, mean - z * se, mean + z * se


def bootstrap_ci(x, stat=statistics.fmean, B=10_000, alpha=0.05, seed=0):
    random.seed(seed)
    values = list(x)
    draws = sorted(stat(random.choices(values, k=len(values))) for _ in range(B))
    return draws[round(B * alpha / 2)], draws[round(B * (1 - alpha / 2)) - 1]
