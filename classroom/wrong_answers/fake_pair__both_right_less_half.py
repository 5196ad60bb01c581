"""noise.py fake_pair: both right is p - disagree / 2"""


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    cell = rng.choice(4, size=n, p=[p - disagree / 2, a_only, b_only, 1 - p - disagree / 2])
    return (cell < 2).astype(int), ((cell == 0) | (cell == 2)).astype(int)
