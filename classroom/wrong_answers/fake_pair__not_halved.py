"""noise.py fake_pair: each cell is twice too large"""


def fake_pair(n, p, gap, disagree, rng):
    a_only, b_only = disagree - gap, disagree + gap
    cell = rng.choice(4, size=n, p=[p - a_only, a_only, b_only, 1 - p - b_only])
    return (cell < 2).astype(int), ((cell == 0) | (cell == 2)).astype(int)
