"""The fake pair: two "models" answer the same 500 questions -> results.csv.

B is better by about 2.5 points, and on most questions the two do the same thing,
as two checkpoints of one model would. The seed makes it the same file everywhere.

Uses nothing. Next: load.py reads what is written here.
"""
import argparse
import csv
import io
import random
import sys
from pathlib import Path

N = 500


def fake_rows(n=N, seed=3):
    """Rows (qid, a, b) with 0/1 scores of n questions.

    Each question has a difficulty d ~ U(0, 1). A is right with p = 0.97 - 0.55 d, B with
    p + 0.025. In nine questions of ten both are decided by the same draw of luck,
    which is what makes them agree.
    """
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        difficulty = rng.random()
        p_a = 0.97 - 0.55 * difficulty
        p_b = min(1.0, p_a + 0.025)
        luck = rng.random()
        a = int(luck < p_a)
        b = int(luck < p_b) if rng.random() < 0.9 else int(rng.random() < p_b)
        rows.append((f"q{i:04d}", a, b))
    return rows


def as_csv(rows):
    """The text of results.csv."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(["qid", "model_a", "model_b"])
    table.writerows(rows)
    return text.getvalue()


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    text, path = as_csv(fake_rows()), Path("results.csv")
    if path.exists() and path.read_bytes() != text.encode():
        print("error: results.csv holds other results; move it away first", file=sys.stderr)
        sys.exit(2)
    path.write_bytes(text.encode())
    print(f"wrote results.csv: {N} questions, model_a and model_b. Next: python load.py")
