"""paired.py unpaired_diff_ci: the models' own ends are subtracted"""
from ci import clt_ci


def unpaired_diff_ci(a, b, z=1.96):
    return tuple(y - x for x, y in zip(clt_ci(a, z), clt_ci(b, z)))
