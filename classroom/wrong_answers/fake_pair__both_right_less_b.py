"""noise.py fake_pair: both right is p - (B only)"""


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = (disagree - gap) / 2, (disagree + gap) / 2
    cell = rng.choice(4, size=n, p=[p - b_only, a_only, b_only, 1 - p - a_only])
    return (cell < 2).astype(int), ((cell == 0) | (cell == 2)).astype(int)
