"""t1: ci.py. Expected values by hand or from the definition, never from the lesson itself."""
import math

import numpy as np
import pytest
from checking import check

pytestmark = pytest.mark.t1


def test_clt_ci_is_mean_and_z_standard_errors(ci, rng):
    x = rng.gamma(2, size=12)
    mean, n = sum(x) / 12, 12
    var = sum((v - mean) ** 2 for v in x) / (n - 1)

    def interval(se, z=1.7):
        return mean, mean - z * se, mean + z * se

    se = math.sqrt(var / n)
    check(ci.clt_ci, x, 1.7, expect=interval(se), why="mean -+ z std(ddof=1) / sqrt(n)", slips={
        "std divides by n: use ddof=1": interval(se * math.sqrt((n - 1) / n)),
        "no square root of n: the standard error is std / sqrt(n)": interval(se / math.sqrt(n)),
        "std is not divided by sqrt(n): that is the spread of one score": interval(math.sqrt(var)),
        "the variance over n is not rooted": interval(var / n),
        "z is ignored: 1.96 stands in the code": interval(se, 1.96),
        "z is not used: the interval is one standard error wide": interval(se, 1),
        "z is used twice": interval(se, 1.7**2),
        "everything is in percent: return a proportion": tuple(100 * v for v in interval(se)),
    })
