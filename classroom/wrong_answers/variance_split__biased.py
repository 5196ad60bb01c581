"""noise.py variance_split: sampling variance is biased"""
import numpy as np


def variance_split(answers):
    n, K = answers.shape
    within, between = np.mean(np.var(answers, axis=1)), np.var(answers.mean(axis=1), ddof=1)
    return max(between - within / K, 0), within, np.sqrt(between / n)
