"""ci.py: plain Python loops and the random module"""
import math
import random


def clt_ci(x, z=1.96):
    n = len(x)
    mean = sum(x) / n
    total = 0.0
    for value in x:
        total += (value - mean) ** 2
    se = math.sqrt(total / (n - 1)) / math.sqrt(n)
    return [mean, mean - z * se, mean + z * se]


def bootstrap_ci(x, stat=lambda values: sum(values) / len(values), B=10_000, alpha=0.05, seed=0):
    rng = random.Random(seed)
    values = [float(v) for v in x]
    draws = []
    for _ in range(B):
        resample = []
        for _ in range(len(values)):
            resample.append(values[int(rng.random() * len(values))])
        draws.append(stat(resample))
    draws.sort()
    return draws[int(B * alpha / 2)], draws[min(B - 1, int(B * (1 - alpha / 2)))]


def wilson_ci(k, n, z=1.96):
    p = k / n
    bottom = 1 + z**2 / n
    middle = p + z**2 / (2 * n)
    reach = z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - reach) / bottom, (middle + reach) / bottom
