"""noise.py variance_split: se counts the answers as independent"""
import numpy as np


def variance_split(answers):
    n, K = answers.shape
    within = np.mean(np.var(answers, axis=1, ddof=1))
    between = np.var(answers.mean(axis=1), ddof=1)
    return max(between - within / K, 0), within, np.std(answers, ddof=1) / np.sqrt(n * K)
