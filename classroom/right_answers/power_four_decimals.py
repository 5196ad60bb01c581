"""power.py: z with four and three decimals, floor plus one"""
import math


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = {0.05: 1.9600, 0.01: 2.5758}[alpha] + {0.8: 0.8416, 0.9: 1.2816}[power]
    return math.floor(z * z * (disagree / gap**2 - 1)) + 1


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    z = {0.05: 1.960, 0.1: 1.645}[alpha] + {0.8: 0.842, 0.95: 1.645}[power]
    q = p + gap
    return math.floor(z * z * (p - p * p + q - q * q) / gap**2) + 1
