"""paired.py paired_diff_ci: z is ignored"""
from ci import clt_ci


def paired_diff_ci(a, b, z=1.96):
    return clt_ci(b - a)
