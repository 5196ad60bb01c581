"""structure.py pass_hat_k: plug-in"""


def pass_hat_k(n, c, k):
    return (c / n) ** k
