"""noise.py variance_split: sampling noise stays in the question variance"""
import numpy as np


def variance_split(answers):
    within = np.mean(np.var(answers, axis=1, ddof=1))
    between = np.var(answers.mean(axis=1), ddof=1)
    return between, within, np.sqrt(between / len(answers))
