"""structure.py pass_at_k: n - c < k"""


def pass_at_k(n, c, k):
    chance = 1.0
    for i in range(k):
        chance *= abs(n - c - i + (i >= n - c) * -1) / (n - i)
    return 1 - chance
