"""power.py: z from a table with two decimals; rounded to the nearest"""
Z_ALPHA = {0.1: 1.645, 0.05: 1.96, 0.01: 2.576}
Z_POWER = {0.8: 0.84, 0.9: 1.28, 0.95: 1.645}


def n_paired(gap, disagree, alpha=0.05, power=0.8):
    z = Z_ALPHA[alpha] + Z_POWER[power]
    return round(z**2 * (disagree - gap**2) / gap**2)


def n_unpaired(gap, p, alpha=0.05, power=0.8):
    z = Z_ALPHA[alpha] + Z_POWER[power]
    return round(z**2 * 2 * p * (1 - p) / gap**2)


def mde_paired(n, disagree, alpha=0.05, power=0.8):
    z = Z_ALPHA[alpha] + Z_POWER[power]
    return (z**2 * disagree / (n + z**2)) ** 0.5
