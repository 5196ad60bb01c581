"""noise.py: a loop over questions, one random number each"""
import math


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    both = p - a_only
    a, b = [], []
    for _ in range(n):
        luck = rng.random()
        if luck < both:
            scores = 1, 1
        elif luck < both + a_only:
            scores = 1, 0
        elif luck < both + a_only + b_only:
            scores = 0, 1
        else:
            scores = 0, 0
        a.append(scores[0])
        b.append(scores[1])
    return a, b


def how_often(n=500, p=0.7, gap=0.0, disagree=0.10, threshold=0.008, T=20_000, seed=0):
    import random
    rng = random.Random(seed)
    wins = clear = 0
    for _ in range(T):
        a, b = fake_pair(n, p, gap, disagree, rng)
        d = [y - x for x, y in zip(a, b)]
        mean = sum(d) / n
        half = 1.96 * math.sqrt(sum((v - mean) ** 2 for v in d) / (n - 1) / n)
        wins += sum(b) / n - sum(a) / n >= threshold
        clear += mean - half > 0 or mean + half < 0
    return wins / T, clear / T


def variance_split(answers):
    n, K = len(answers), len(answers[0])
    means = [sum(row) / K for row in answers]
    within = sum(sum((x - m) ** 2 for x in row) / (K - 1) for row, m in zip(answers, means)) / n
    grand = sum(means) / n
    between = sum((m - grand) ** 2 for m in means) / (n - 1)
    return max(0, between - within / K), within, math.sqrt(between / n)
