"""structure.py pass_at_k: one try"""


def pass_at_k(n, c, k):
    return c / n
