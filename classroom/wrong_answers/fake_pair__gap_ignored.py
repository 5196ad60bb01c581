"""noise.py fake_pair: gap is ignored"""


def fake_pair(n, p, gap, disagree, rng):
    half = disagree / 2
    cell = rng.choice(4, size=n, p=[p - half, half, half, 1 - p - half])
    return (cell < 2).astype(int), ((cell == 0) | (cell == 2)).astype(int)
