"""Break it 1 - Misalign the rows: a paired comparison that pairs the wrong questions.

One results file is in question order, the other in the order in which answers came back.
Subtract them row by row and nothing crashes: the pairing is gone, and with it the result.
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))     # the lessons, one folder up

from make_fake import fake_rows
from paired import paired_diff_ci
from tests import mcnemar_exact

SHUFFLES = 1_000


def compare(a, b):
    """(share of questions that differ, low, high, McNemar p) of a paired comparison."""
    _, low, high = paired_diff_ci(a, b)
    return np.mean(a != b), low, high, mcnemar_exact(a, b)[2]


def shuffled(a, b, shuffles=SHUFFLES, seed=0):
    """compare(a, b in another order), shape (shuffles, 4)."""
    rng = np.random.default_rng(seed)
    return np.array([compare(a, rng.permutation(b)) for _ in range(shuffles)])


def main():
    rows = fake_rows()
    a, b = (np.array([row[i] for row in rows], dtype=float) for i in (1, 2))
    right = compare(a, b)
    wrong = shuffled(a, b)

    # The fix: whatever order the rows of B came in, put both in the order of their ids.
    mixed = np.random.default_rng(0).permutation(len(rows))
    by_id = dict(zip([rows[i][0] for i in mixed], b[mixed]))
    fixed = compare(a, np.array([by_id[qid] for qid, *_ in rows]))

    print(f"{len(rows)} questions, gap in points; B's rows in {SHUFFLES:,} random orders\n")
    print(f"{'':28}{'differ':>14}{'95 % interval':>22}{'McNemar p':>14}")

    def row(name, differ, low, high, p):
        print(f"{name:28}{differ:>14.1%}{f'{100 * low:+.1f} to {100 * high:+.1f}':>22}{p:>14.2g}")

    row("before", *right)
    row("rows misaligned, on average", *wrong.mean(axis=0))
    differ, low, high, p = wrong.std(axis=0)
    ends = f"{100 * low:.1f} and {100 * high:.1f}"
    print(f"{'  spread between orders, sd':28}{differ:>14.1%}{ends:>22}{p:>14.2g}")
    row("fix: joined on question id", *fixed)
    print("\nNothing crashed, and a real result was lost. Join on the id and check that\n"
          "the ids match: python join.py does both.")


if __name__ == "__main__":
    from load import arguments, one_line
    with one_line():
        arguments(__doc__, pair=False).parse_args()
        main()
