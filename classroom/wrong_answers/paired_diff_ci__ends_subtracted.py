"""paired.py paired_diff_ci: the models' own ends are subtracted"""
from ci import clt_ci


def paired_diff_ci(a, b, z=1.96):
    return tuple(one - other for one, other in zip(clt_ci(b, z), clt_ci(a, z)))
