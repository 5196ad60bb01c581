"""noise.py fake_pair: the models are independent"""


def fake_pair(n, p, gap, disagree, rng):
    return (rng.random(n) < p).astype(int), (rng.random(n) < p + gap).astype(int)
