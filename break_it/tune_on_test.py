"""Break it 4 - Tune on the test set: the best of twenty equal prompts looks better.

Twenty prompts, none of them better than the baseline, scored on the same 500 questions.
Keep the best, and its gain is the luck that made it the best. Fixes: a fresh test set for
the one you chose, or a test that counts the tries.
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))     # the lessons, one folder up

from tests import bonferroni, coin_p

ROUNDS = 2_000
PROMPTS, N, ACCURACY, DISAGREE = 20, 500, 0.7, 0.10


def score(rng, prompts):
    """Counts (only baseline right, only prompt right), shape (2, ROUNDS, prompts).

    All prompts of a round meet one baseline: each changes every right answer with the same
    probability, and every wrong one, so that no prompt is better and 10 % of answers differ.
    """
    right = rng.binomial(N, ACCURACY, size=(ROUNDS, 1))
    lost = rng.binomial(right, DISAGREE / 2 / ACCURACY, size=(ROUNDS, prompts))
    won = rng.binomial(N - right, DISAGREE / 2 / (1 - ACCURACY), size=(ROUNDS, prompts))
    return np.array([lost, won])


def p_values(counts):
    """Exact McNemar p of every comparison, shape (ROUNDS, prompts)."""
    tables, which = np.unique(counts.reshape(2, -1), axis=1, return_inverse=True)
    p = np.array([coin_p(int(lost), int(won)) for lost, won in tables.T])
    return p[which].reshape(counts.shape[1:])


def main():
    rng = np.random.default_rng(0)
    lost, won = counts = score(rng, PROMPTS)
    gains = 100 * (won - lost) / N
    best = gains.max(axis=1)
    fresh_lost, fresh_won = score(rng, 1)
    confirmed = 100 * (fresh_won - fresh_lost)[:, 0] / N
    p = p_values(counts)
    corrected = np.array([bonferroni(row) for row in p])

    def share(hits):
        return f"{hits.mean():.3f} +- {np.sqrt(hits.mean() * (1 - hits.mean()) / ROUNDS):.3f}"

    def points(x):
        return f"{x.mean():+.2f} +- {x.std() / np.sqrt(ROUNDS):.2f}"

    print(f"{PROMPTS} prompts without any effect, {N} questions, {ROUNDS:,} rounds\n")
    for name, figure in (
            ("before: gain of a prompt picked blindly, points", points(gains[:, 0])),
            ("gain of the best of 20 on the same questions, points", points(best)),
            ("  share of rounds where it is 1 point or more", share(best >= 1)),
            ("  share of rounds where any prompt has p < 0.05", share((p < 0.05).any(axis=1))),
            (f"    20 independent tests at 5 % would: 1 - 0.95^20 = {1 - 0.95**20:.2f}", ""),
            ("fix: gain of that prompt on 500 fresh questions, points", points(confirmed)),
            ("fix: share of rounds where any survives Bonferroni",
             share((corrected < 0.05).any(axis=1)))):
        print(f"{name:58}{figure:>16}".rstrip())
    print(f"\nThe winner's {best.mean():.1f} points are selection, not skill: report the number "
          "of\nthe fresh questions.")


if __name__ == "__main__":
    from load import arguments, one_line
    with one_line():
        arguments(__doc__, pair=False).parse_args()
        main()
