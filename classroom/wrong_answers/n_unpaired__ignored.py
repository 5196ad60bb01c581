"""power.py n_unpaired: alpha and power are ignored"""
import math


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    z = 1.959964 + 0.841621
    n = z * z * (p * (1 - p) + (p + gap) * (1 - p - gap)) / gap**2
    return math.ceil(n)
