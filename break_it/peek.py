"""Break it 2 - Peek and stop early: every look is another chance for luck.

Two equal models. Look at McNemar's p after every 50 questions and stop as soon as it is
below 0.05. Fixes: decide n beforehand and test once, or use a p-value made for looking.
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))     # the lessons, one folder up

from noise import agreement
from tests import anytime_p, coin_p

RUNS = 5_000
STEP, LAST = 50, 1_000


def peeks(runs=RUNS, disagree=0.10, seed=0):
    """Counts (only A right, only B right) at every look of equal models: shape (2, runs, looks)."""
    rng = np.random.default_rng(seed)
    steps = rng.multinomial(STEP, agreement(0.7, 0.0, disagree), size=(runs, LAST // STEP))
    return np.cumsum(steps, axis=1).transpose(2, 0, 1)[1:3]


def below(p_value, counts, alpha=0.05):
    """Where p_value(n_a_only, n_b_only) < alpha, shape (runs, looks)."""
    tables, which = np.unique(counts.reshape(2, -1), axis=1, return_inverse=True)
    fires = np.array([p_value(int(a), int(b)) < alpha for a, b in tables.T])
    return fires[which].reshape(counts.shape[1:])


def main():
    counts = peeks()
    looks = below(coin_p, counts)
    anytime = below(anytime_p, counts)
    print(f"two equal models, 10 % of questions differ, {RUNS:,} runs of {LAST:,} questions\n")
    print(f"{'':48}{'false alarms':>20}")
    for name, alarms in ((f"before: one McNemar test, at {LAST:,}", looks[:, -1]),
                         (f"p < 0.05 at any look, every {STEP} questions", looks.any(axis=1)),
                         ("fix: anytime p < 0.05 at any look", anytime.any(axis=1))):
        share = alarms.mean()
        print(f"{name:48}{share:>12.3f} +- {np.sqrt(share * (1 - share) / RUNS):.3f}")
    more = looks.any(axis=1).mean() / looks[:, -1].mean()
    print(f"\nLooking {LAST // STEP} times makes {more:.0f} times as many false alarms. Fix n "
          "with power.py,\nor look with tests.anytime_p.")


if __name__ == "__main__":
    from load import arguments, one_line
    with one_line():
        arguments(__doc__, pair=False).parse_args()
        main()
