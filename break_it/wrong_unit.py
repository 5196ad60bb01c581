"""Break it 3 - Resample the wrong unit: five answers are not five questions.

A bootstrap believes that what it draws was drawn independently. Answers to one question
were not, nor were questions about one document: draw whole questions, whole documents.
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))     # the lessons, one folder up

from ci import bootstrap_ci
from noise import fake_answers
from structure import cluster_bootstrap_ci, fake_clusters

EVALS = 400
B = 1_000


def intervals(evals=EVALS, seed=0):
    """Four bootstrap intervals of each made-up eval, true accuracy 0.7: shape (evals, 4, 2)."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(evals):
        answers = fake_answers(100, 5, rng)
        x, documents = fake_clusters(rng)
        found.append([bootstrap_ci(answers.ravel(), B=B, seed=i),
                      bootstrap_ci(answers.mean(axis=1), B=B, seed=i),
                      bootstrap_ci(x, B=B, seed=i),
                      cluster_bootstrap_ci(x, documents, B=B, seed=i)])
    return np.array(found)


def main():
    low, high = intervals().transpose(2, 1, 0)
    width = 100 * (high - low).mean(axis=1)
    covered = ((low <= 0.7) & (0.7 <= high)).mean(axis=1)
    print(f"{EVALS} made-up evals, true accuracy 70 %, bootstrap 95 % intervals\n")
    print(f"{'':44}{'width, points':>14}{'covers 70 % in':>20}")
    names = ("before: 500 answers as if independent", "fix: 100 questions, 5 answers carried along",
             "before: 500 questions as if independent", "fix: 50 documents, 10 questions each")
    for i, name in enumerate(names):
        error = np.sqrt(covered[i] * (1 - covered[i]) / EVALS)
        print(f"{name:44}{width[i]:>14.1f}{covered[i]:>11.3f} +- {error:.3f}"
              + "\n" * (i == 1))
    print(f"\nThe wrong unit makes intervals {width[1] / width[0]:.1f} and "
          f"{width[3] / width[2]:.1f} times too narrow.\nResample what was drawn independently.")


if __name__ == "__main__":
    from load import arguments, one_line
    with one_line():
        arguments(__doc__, pair=False).parse_args()
        main()
