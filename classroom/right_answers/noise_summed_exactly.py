"""noise.py: no draws at all: the sum over all tables of disagreements"""
import math


def how_often(n=500, p=0.7, gap=0.0, disagree=0.10, threshold=0.008, T=20_000, seed=0):
    a_only, b_only, same = (disagree - gap) / 2, (disagree + gap) / 2, 1 - disagree
    ahead = clear = 0.0
    for i in range(n + 1):
        for j in range(n + 1 - i):
            chance = (math.comb(n, i) * math.comb(n - i, j)
                      * a_only**i * b_only**j * same ** (n - i - j))
            mean = (j - i) / n
            half = 1.96 * math.sqrt(((i + j) / n - mean**2) / (n - 1))
            ahead += chance * (mean >= threshold)
            clear += chance * (abs(mean) > half)
    return ahead, clear
