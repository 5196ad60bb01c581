"""noise.py variance_split: question variance below 0"""
import numpy as np


def variance_split(answers):
    n, K = answers.shape
    within = np.mean(np.var(answers, axis=1, ddof=1))
    between = np.var(answers.mean(axis=1), ddof=1)
    return between - within / K, within, np.sqrt(between / n)
