"""The fake pair: two "models" answer the same 500 questions -> results.csv.

B is better by about 2.5 points, and on most questions the two do the same thing,
as two checkpoints of one model would. The seed makes it the same file everywhere.

Uses nothing. Next: load.py reads what is written here.
"""
import csv
import random

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


if __name__ == "__main__":
    with open("results.csv", "w", newline="", encoding="utf-8") as f:
        table = csv.writer(f)
        table.writerow(["qid", "model_a", "model_b"])
        table.writerows(fake_rows())
    print(f"wrote results.csv: {N} questions, model_a and model_b. Next: python load.py")
