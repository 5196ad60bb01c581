"""power.py n_for: alpha and power are ignored"""
import math


def n_for(variance, gap, alpha=0.05, power=0.8):
    return math.ceil(2.8**2 * variance / gap**2)
