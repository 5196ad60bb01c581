"""The same work done by the workbook and by what one would use instead, in one run.

For every task a table: processor time (the median of repeats that take turns), how many
times the workbook's that is, and the peak of what was allocated. Tools that answer another
question are left out; where two answers differ by more than chance allows, the table says so.

python bench/speed.py [WORD ...] [--figure FILE]     only tasks whose title has a WORD
"""
import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
import tracemalloc
from importlib.metadata import version
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ci import BLOCK, bootstrap_ci, resampled  # noqa: E402
from noise import fake_pair, how_often  # noqa: E402
from paired import paired_bootstrap_ci  # noqa: E402
from structure import cluster_bootstrap_ci, cluster_sums, clustered_se, fake_clusters  # noqa: E402
from tests import holm, mcnemar_exact, sign_flip_p  # noqa: E402

PACKAGES = ("numpy", "scipy", "statsmodels", "arch", "errorbars", "evalstats", "pandas")
SECONDS = 3             # processor time spent on a task, shared by its tools; three rounds at least
BATCHES = (1, 10, 100, 1000)
ENDS = (0.025, 0.975)


def versions():
    cores = os.cpu_count()
    return textwrap.fill(
        f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}, {cores} cores; "
        + ", ".join(f"{name} {version(name)}" for name in PACKAGES), 79)


# ---- measuring ----


def cpu_time(call):
    """Processor seconds of one call; short ones are repeated within the measurement."""
    times, start = 0, time.process_time()
    while True:
        call()
        times += 1
        used = time.process_time() - start
        if used > 0.002:
            return used / times


def measure(calls):
    """{tool: (median seconds, peak MB, answer)}; the tools take turns."""
    answers, peaks = {}, {}
    for tool, call in calls.items():
        tracemalloc.start()
        answers[tool] = call()
        peaks[tool] = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
    times = {tool: [] for tool in calls}
    begin = time.process_time()
    while len(min(times.values(), key=len)) < 3 or time.process_time() - begin < SECONDS:
        for tool, call in calls.items():
            times[tool].append(cpu_time(call))
    return {tool: (statistics.median(times[tool]), peaks[tool], answers[tool]) for tool in calls}


def best_batch(call, small):
    """scipy's `batch` that is fastest here, tried on fewer resamples; call(batch, resamples)."""
    return min(BATCHES, key=lambda batch: min(
        cpu_time(lambda: call(batch, small)) for _ in range(2)))


def milliseconds(seconds):
    digits = 3 if seconds < 1e-3 else 2 if seconds < 0.1 else 0
    return f"{1000 * seconds:,.{digits}f}"


def print_task(title, calls, tolerance):
    """Measure and print one table. tolerance: how far answers may lie apart, None to skip."""
    print(f"\n{title}\n{'':36}{'ms':>10}{'x workbook':>12}{'peak MB':>10}")
    result = measure(calls)
    first, _, reference = next(iter(result.values()))
    for tool, (seconds, peak, answer) in result.items():
        alike = tolerance is None or answer is None or np.allclose(answer, reference, rtol=0,
                                                                   atol=tolerance)
        print(f"{tool:36}{milliseconds(seconds):>10}{seconds / first:>12,.2f}{peak:>10,.1f}"
              + "  ANOTHER ANSWER" * (not alike), flush=True)
    return result


# ---- what a user would write or call instead ----


def ends(draws):
    return np.quantile(draws, ENDS)


def draw_only(n, B, rng):
    """The random numbers of a bootstrap and nothing else: nobody can be faster than this."""
    step = max(1, BLOCK // n)
    for done in range(0, B, step):
        rng.integers(n, size=(min(step, B - done), n))


def bootstraps(x, B, rng, at_once=True):
    """Percentile bootstrap of the mean of x, by everybody who has one."""
    import arch.bootstrap
    import errorbars.stats
    import scipy.stats
    from evalstats.core.resampling import bootstrap_ci_1d
    n = len(x)

    def scipys(batch, resamples=B):
        return scipy.stats.bootstrap((x,), np.mean, n_resamples=resamples, batch=batch, rng=rng,
                                     method="percentile").confidence_interval
    batch = best_batch(scipys, max(2, B // 20))
    calls = {
        "workbook": lambda: bootstrap_ci(x, B=B),
        "numpy, one resample at a time": lambda: ends(
            [x[rng.integers(n, size=n)].mean() for _ in range(B)]),
        f"scipy.stats.bootstrap, batch {batch}": lambda: scipys(batch),
        "arch IIDBootstrap": lambda: arch.bootstrap.IIDBootstrap(x, seed=rng).conf_int(
            np.mean, reps=B, method="percentile").ravel(),
        "evalstats bootstrap_ci_1d": lambda: bootstrap_ci_1d(
            x, x.mean(), "bootstrap", B, 0.05, rng),
    }
    if at_once:
        def errorbars_ci():
            found = errorbars.stats.bootstrap_ci(x, n_boot=B)
            return found.ci_low, found.ci_high
        calls["numpy, all at once"] = lambda: ends(x[rng.integers(n, size=(B, n))].mean(axis=1))
        calls["errorbars bootstrap_ci"] = errorbars_ci
    calls["(drawing the indices alone)"] = lambda: draw_only(n, B, rng)
    return calls


def paired_bootstraps(a, b, B, rng):
    import arch.bootstrap
    import scipy.stats
    from evalstats.core.paired import pairwise_differences
    n = len(a)

    def gap(a, b, axis=-1):
        return b.mean(axis=axis) - a.mean(axis=axis)

    def scipys(batch, resamples=B):
        return scipy.stats.bootstrap((a, b), gap, paired=True, n_resamples=resamples, batch=batch,
                                     method="percentile", rng=rng).confidence_interval

    def evalstats_ci():
        found = pairwise_differences(np.array([b, a], dtype=float), 0, 1, method="bootstrap",
                                     n_bootstrap=B, rng=rng)
        return found.ci_low, found.ci_high

    def plain():
        draws = (rng.integers(n, size=n) for _ in range(B))
        return ends([b[i].mean() - a[i].mean() for i in draws])
    batch = best_batch(scipys, B // 20)
    return {
        "workbook": lambda: paired_bootstrap_ci(a, b, B=B),
        "numpy, one resample at a time": plain,
        f"scipy.stats.bootstrap, batch {batch}": lambda: scipys(batch),
        "arch IIDBootstrap": lambda: arch.bootstrap.IIDBootstrap(a, b, seed=rng).conf_int(
            gap, reps=B, method="percentile").ravel(),
        "evalstats pairwise_differences": evalstats_ci,
        "(drawing the indices alone)": lambda: draw_only(n, B, rng),
    }


def medians(x, B, rng):
    import arch.bootstrap
    import scipy.stats
    from evalstats.core.resampling import bootstrap_ci_1d

    def scipys(batch, resamples=B):
        return scipy.stats.bootstrap((x,), np.median, n_resamples=resamples, batch=batch, rng=rng,
                                     method="percentile").confidence_interval
    batch = best_batch(scipys, B // 20)
    return {
        "workbook": lambda: bootstrap_ci(x, np.median, B=B),
        "numpy, one resample at a time": lambda: ends(
            [np.median(x[rng.integers(len(x), size=len(x))]) for _ in range(B)]),
        f"scipy.stats.bootstrap, batch {batch}": lambda: scipys(batch),
        "arch IIDBootstrap": lambda: arch.bootstrap.IIDBootstrap(x, seed=rng).conf_int(
            np.median, reps=B, method="percentile").ravel(),
        "evalstats bootstrap_ci_1d": lambda: bootstrap_ci_1d(
            x, np.median(x), "bootstrap", B, 0.05, rng, statistic="median"),
        "(drawing the indices alone)": lambda: draw_only(len(x), B, rng),
    }


def ratios(x, y, B, rng):
    """sum(x) / sum(y): tokens per second, score per dollar."""
    import arch.bootstrap
    import scipy.stats
    rows = np.column_stack([x, y])

    def ratio(rows):
        return rows[:, 0].sum() / rows[:, 1].sum()

    def from_means():
        means = resampled(rows, B=B)
        return ends(means[:, 0] / means[:, 1])

    def scipys(batch, resamples=B):
        return scipy.stats.bootstrap(
            (x, y), lambda x, y, axis: x.sum(axis=axis) / y.sum(axis=axis), paired=True,
            n_resamples=resamples, batch=batch, method="percentile", rng=rng).confidence_interval
    batch = best_batch(scipys, B // 20)
    return {
        "workbook, from resampled means": from_means,
        "workbook, any function of rows": lambda: bootstrap_ci(rows, ratio, B=B),
        f"scipy.stats.bootstrap, batch {batch}": lambda: scipys(batch),
        "arch IIDBootstrap": lambda: arch.bootstrap.IIDBootstrap(x, y, seed=rng).conf_int(
            lambda x, y: x.sum() / y.sum(), reps=B, method="percentile").ravel(),
        "(drawing the indices alone)": lambda: draw_only(len(x), B, rng),
    }


def sign_flips(a, b, R, rng):
    import scipy.stats
    from evalstats.tests import _paired_signflip_pvalue
    d = b - a

    def scipys(batch, resamples=R):
        return scipy.stats.permutation_test((d,), np.mean, permutation_type="samples", batch=batch,
                                            n_resamples=resamples, rng=rng).pvalue
    batch = best_batch(scipys, max(2, R // 100))
    return {
        "workbook": lambda: sign_flip_p(a, b, R),
        "numpy, all at once": lambda: np.mean(np.abs((rng.choice(
            [-1, 1], size=(R, len(d))) * d).mean(axis=1)) >= abs(d.mean()) - 1e-12),
        f"scipy permutation_test, batch {batch}": lambda: scipys(batch),
        "evalstats sign flip": lambda: _paired_signflip_pvalue(
            d, statistic="mean", n_samples=R, rng=rng),
        "(drawing the bits alone)": lambda: rng.bytes(R * np.count_nonzero(d) // 8) and None,
    }


def mcnemars(discordant):
    """From two arrays of scores to p, as every user starts; half of the questions differ."""
    import errorbars.compare
    import scipy.stats
    from evalstats.tests import _mcnemar_p
    from statsmodels.stats.contingency_tables import mcnemar
    fewer = int(discordant / 2 - np.sqrt(discordant) / 2)
    a = np.repeat([1.0, 0.0, 1.0], [fewer, discordant - fewer, discordant])
    b = np.repeat([0.0, 1.0, 1.0], [fewer, discordant - fewer, discordant])

    def table():
        a_only, b_only = int(np.sum(a > b)), int(np.sum(b > a))
        return [[len(a) - a_only - b_only, a_only], [b_only, 0]]
    calls = {
        "workbook": lambda: mcnemar_exact(a, b)[2],
        "scipy.stats.binomtest": lambda: scipy.stats.binomtest(
            int(np.sum(a > b)), int(np.sum(a != b))).pvalue,
        "statsmodels mcnemar": lambda: mcnemar(table(), exact=True).pvalue,
        "evalstats exact McNemar": lambda: _mcnemar_p(a, b),
    }
    if discordant <= 1000:      # its sum of whole numbers takes hours for a million
        calls["errorbars mcnemar_exact"] = lambda: errorbars.compare.mcnemar_exact(a, b).p_value
    return calls


def cluster_bootstraps(clusters, size, B, rng):
    import arch.bootstrap
    import scipy.stats
    x, ids = fake_clusters(rng, clusters, size)
    sums, sizes = cluster_sums(x, ids)

    def scipys(batch, resamples=B):
        return scipy.stats.bootstrap(
            (sums, sizes), lambda s, m, axis: s.sum(axis=axis) / m.sum(axis=axis), paired=True,
            n_resamples=resamples, batch=batch, method="percentile", rng=rng).confidence_interval

    def plain():
        members = [np.flatnonzero(ids == i) for i in range(clusters)]
        return ends([x[np.concatenate([members[i] for i in rng.integers(clusters, size=clusters)]
                                      )].mean() for _ in range(B // 10)])
    batch = best_batch(scipys, B // 20)
    return {
        "workbook": lambda: cluster_bootstrap_ci(x, ids, B=B),
        f"scipy, given the sums, batch {batch}": lambda: scipys(batch),
        "arch, given the sums": lambda: arch.bootstrap.IIDBootstrap(sums, sizes, seed=rng).conf_int(
            lambda s, m: s.sum() / m.sum(), reps=B, method="percentile").ravel(),
        "numpy, plain, a tenth of the draws": plain,
        "(drawing the clusters alone)": lambda: draw_only(clusters, B, rng),
    }


def clustered_ses(clusters, size, rng):
    import errorbars.stats
    import statsmodels.api as sm
    x, ids = fake_clusters(rng, clusters, size)
    return {
        "workbook": lambda: clustered_se(x, ids),
        "statsmodels OLS, cov_type cluster": lambda: sm.OLS(x, np.ones_like(x)).fit(
            cov_type="cluster", cov_kwds={"groups": ids, "use_correction": False}).bse[0],
        "errorbars cluster_robust_se": lambda: errorbars.stats.cluster_robust_se(x, ids),
    }


def holms(rng):
    from errorbars.leaderboard import holm_correction
    from evalstats.core.stats_utils import correct_pvalues
    from statsmodels.stats.multitest import multipletests
    p = rng.random(1000) ** 4
    listed = p.tolist()
    return {
        "workbook": lambda: holm(p),
        "statsmodels multipletests": lambda: multipletests(p, method="holm")[1],
        "errorbars holm_correction": lambda: holm_correction(listed),
        "evalstats correct_pvalues": lambda: correct_pvalues(p, "holm"),
    }


def simulations(T, rng):
    """How often the paired interval excludes 0 for two equal models: 500 questions, T times."""
    def one():
        a, b = fake_pair(500, 0.7, 0.0, 0.10, rng)
        d = b - a
        return abs(d.mean()) > 1.96 * d.std(ddof=1) / np.sqrt(500)

    def at_once():
        u = rng.random((T, 500))
        d = (u < 0.05) * 1.0 - (u > 0.95)
        return np.mean(np.abs(d.mean(axis=1)) > 1.96 * d.std(axis=1, ddof=1) / np.sqrt(500))
    return {
        "workbook how_often": lambda: how_often(T=T)[1],
        "numpy, one comparison at a time": lambda: np.mean([one() for _ in range(T)]),
        "numpy, all at once": at_once,
    }


def tasks(rng):
    """(title, function that makes the calls, how far their answers may lie apart)."""
    def answers(n):
        return (rng.random(n) < 0.7).astype(float)

    def real(n):
        return rng.normal(size=n)

    def pair(n):
        return [x.astype(float) for x in fake_pair(n, 0.7, 0.02, 0.10, rng)]

    for kind, make, tenth in (("right/wrong", answers, 0.01), ("real", real, 0.03)):
        yield (f"bootstrap of a mean, {kind} scores, n 500, 10,000 resamples",
               lambda make=make: bootstraps(make(500), 10_000, rng), tenth)
        yield (f"bootstrap of a mean, {kind} scores, n 14,000, 2,000 resamples",
               lambda make=make: bootstraps(make(14_000), 2_000, rng, False), tenth / 3)
        yield (f"bootstrap of a mean, {kind} scores, n 1,000,000, 50 resamples",
               lambda make=make: bootstraps(make(1_000_000), 50, rng, False), tenth / 10)
    yield ("paired bootstrap, right/wrong scores, n 500, 10,000 resamples",
           lambda: paired_bootstraps(*pair(500), 10_000, rng), 0.01)
    yield ("paired bootstrap, real scores, n 500, 10,000 resamples",
           lambda: paired_bootstraps(real(500), real(500), 10_000, rng), 0.03)
    yield ("bootstrap of a median, real scores, n 500, 10,000 resamples",
           lambda: medians(real(500), 10_000, rng), 0.05)
    yield ("bootstrap of a median, real scores, n 14,000, 1,000 resamples",
           lambda: medians(real(14_000), 1_000, rng), 0.02)
    yield ("bootstrap of a ratio of two columns, n 500, 10,000 resamples",
           lambda: ratios(real(500) + 5, real(500) + 9, 10_000, rng), 0.01)
    yield ("sign flip, right/wrong scores, n 500, 20,000 flips",
           lambda: sign_flips(*pair(500), 20_000, rng), 0.02)
    yield ("sign flip, real scores, n 500, 20,000 flips",
           lambda: sign_flips(real(500), real(500), 20_000, rng), 0.02)
    yield ("sign flip, real scores, n 14,000, 1,000 flips",
           lambda: sign_flips(real(14_000), real(14_000), 1_000, rng), 0.1)
    for m in (20, 1000, 1_000_000):
        yield (f"exact McNemar from scores, {m:,} disagreements of {2 * m:,}",
               lambda m=m: mcnemars(m), 1e-9)
    for clusters, size in ((50, 10), (2000, 50)):
        yield (f"cluster bootstrap, {clusters:,} clusters of {size}, 10,000 resamples",
               lambda c=clusters, s=size: cluster_bootstraps(c, s, 10_000, rng), 0.02)
    for clusters, size in ((50, 10), (2000, 50)):
        yield (f"standard error over {clusters:,} clusters of {size}",
               lambda c=clusters, s=size: clustered_ses(c, s, rng), 1e-3)
    yield "Holm's correction of 1,000 p-values", lambda: holms(rng), 1e-12
    yield ("20,000 comparisons of equal models, n 500",
           lambda: simulations(20_000, rng), 0.01)


# ---- from a file to a verdict, as whole processes ----

BY_HAND = """
import sys, numpy as np, pandas as pd
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
data = pd.read_csv(sys.argv[1])
a, b = data.model_a.to_numpy(float), data.model_b.to_numpy(float)
print(a.mean(), b.mean(), (b - a).mean(), stats.ttest_rel(b, a).confidence_interval())
print(mcnemar(pd.crosstab(a, b), exact=True).pvalue)
print(stats.bootstrap((b - a,), np.mean, method="percentile", batch=100).confidence_interval)
"""


# A small process starts the command, so that the memory of this one is not counted with it.
RUNNER = """
import os, subprocess, sys, time
begin = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
print(used.ru_utime + used.ru_stime, time.perf_counter() - begin, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
MB = 1e6 if sys.platform == "darwin" else 1e3        # the unit of ru_maxrss


def run(command, env):
    """(processor seconds, wall seconds, peak MB) of a command."""
    done = subprocess.run([sys.executable, "-c", RUNNER, *map(str, command)], env=env, check=True,
                          stdout=subprocess.PIPE, text=True)
    cpu, wall, peak = map(float, done.stdout.split())
    return cpu, wall, peak / MB


def write_files(folder, n, rng):
    """One comparison as a row per question, and as a row per answer for the others."""
    a, b = fake_pair(n, 0.7, 0.02, 0.10, rng)
    wide = "qid,model_a,model_b\n" + "".join(f"q{i:07},{a[i]},{b[i]}\n" for i in range(n))
    rows = "".join(f"q{i:07},{name},{x[i]}\n" for name, x in (("model_a", a), ("model_b", b))
                   for i in range(n))
    texts = {"wide.csv": wide, "errorbars.csv": "question_id,model,score\n" + rows,
             "evalstats.csv": "item,model,score\n" + rows}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: str(folder / name) for name in texts}


def print_processes(n, rounds, rng, everybody=True):
    bin_dir = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), n, rng)
        commands = {
            "workbook report.py": [sys.executable, ROOT / "report.py", files["wide.csv"]]}
        if everybody:       # on a million questions errorbars takes more than four minutes
            commands |= {
                "errorbars compare": [bin_dir / "errorbars", "compare", files["errorbars.csv"]],
                "errorbars leaderboard": [bin_dir / "errorbars", "leaderboard",
                                          files["errorbars.csv"]],
                "evalstats analyze": [bin_dir / "evalstats", "analyze", files["evalstats.csv"]],
                "pandas, scipy, statsmodels by hand": [sys.executable, "-c", BY_HAND,
                                                       files["wide.csv"]]}
        commands["(python -c 'import numpy')"] = [sys.executable, "-c", "import numpy"]
        # Everybody's modules compiled beforehand, and outside of this folder.
        env = {key: value for key, value in os.environ.items()
               if key != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": folder}
        used = {tool: [] for tool in commands}
        for i in range(rounds + 1):
            for tool, command in commands.items():
                once = run(command, env)
                used[tool] += [once] if i or rounds == 1 else []
    print(f"\nfrom a file to a verdict, n {n:,}, whole process, median of {rounds}")
    print(f"{'':36}{'ms':>10}{'x workbook':>12}{'peak MB':>10}{'wall s':>9}")
    first = statistics.median(cpu for cpu, _, _ in used["workbook report.py"])
    for tool, runs in used.items():
        cpu, wall, peak = (statistics.median(column) for column in zip(*runs))
        print(f"{tool:36}{milliseconds(cpu):>10}{cpu / first:>12,.2f}{peak:>10,.1f}{wall:>9.2f}",
              flush=True)


# ---- memory, and growth ----

PEAK = """
import resource, sys
import numpy as np
sys.path.insert(0, {root!r})
{setup}
x = np.random.default_rng(0).normal(size=14_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{call}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def print_memory():
    """Peak of a process above what importing took: real scores, n 14,000, 10,000 resamples."""
    scipys = "scipy.stats.bootstrap((x,), np.mean, n_resamples=10_000, method='percentile'{})"
    cases = {
        "workbook": ("from ci import bootstrap_ci", "bootstrap_ci(x)"),
        "scipy.stats.bootstrap, batch 10": ("import scipy.stats", scipys.format(", batch=10")),
        "scipy.stats.bootstrap, as it comes": ("import scipy.stats", scipys.format("")),
        "errorbars bootstrap_ci": ("from errorbars.stats import bootstrap_ci", "bootstrap_ci(x)"),
        "evalstats bootstrap_means_1d": (
            "from evalstats.core.resampling import bootstrap_means_1d",
            "bootstrap_means_1d(x, 10_000, np.random.default_rng(0))")}
    print("\npeak memory of a process above its imports, bootstrap of a mean of real scores,\n"
          "n 14,000, 10,000 resamples")
    for tool, (setup, call) in cases.items():
        code = PEAK.format(root=str(ROOT), setup=setup, call=call)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        said = f"{float(done.stdout) / MB:,.0f} MB" if done.returncode == 0 else "out of memory"
        print(f"{tool:36}{said:>12}", flush=True)


def growth(rng):
    """{tool: {(n, B): seconds}} over n at 1,000 resamples and over resamples at n 500."""
    import scipy.stats
    def scipys(x, B):
        batch = max(1, min(100, 1_000_000 // len(x)))
        scipy.stats.bootstrap((x,), np.mean, n_resamples=B, batch=batch, method="percentile",
                              rng=rng)
    tools = {
        "workbook, right/wrong": lambda x, B: bootstrap_ci((x > 0).astype(float), B=B),
        "workbook, real": lambda x, B: bootstrap_ci(x, B=B),
        "scipy, real, batched": scipys,
        "workbook, sign flip, real": lambda x, B: sign_flip_p(np.zeros(len(x)), x, B),
    }
    points = ([(n, 1000) for n in (100, 1000, 10_000, 100_000, 1_000_000)]
              + [(500, B) for B in (100, 1000, 10_000, 100_000, 1_000_000)])
    took = {tool: {} for tool in tools}
    for n, B in points:
        x = rng.normal(size=n) + 0.01
        for tool, call in tools.items():
            times = [cpu_time(lambda: call(x, B))]      # noqa: B023
            while len(times) < 3 and sum(times) < 2:
                times.append(cpu_time(lambda: call(x, B)))      # noqa: B023
            took[tool][n, B] = min(times)
    return took


def print_growth(took, figure=None):
    panels = [("questions", [k for k in next(iter(took.values())) if k[1] == 1000 != 2 * k[0]], 0),
              ("resamples", [k for k in next(iter(took.values())) if k[0] == 500], 1)]
    for name, points, axis in panels:
        fixed = "1,000 resamples" if axis == 0 else "n 500"
        print(f"\nms against {name}, {fixed}\n{'':28}"
              + "".join(f"{point[axis]:>10,}" for point in points))
        for tool in took:
            print(f"{tool:28}" + "".join(f"{milliseconds(took[tool][p]):>10}" for p in points))
    if figure:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        plt.rcParams["svg.hashsalt"] = "speed"
        fig, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
        styles = ("o-", "s-", "s:", "^--")
        for panel, (name, points, axis) in zip(axes, panels):
            for (tool, seconds), style in zip(took.items(), styles):
                panel.loglog([p[axis] for p in points], [seconds[p] for p in points], style,
                             color="0.6" if "scipy" in tool else "0.1", label=tool, ms=5)
            panel.set_xlabel(f"{name} ({'1,000 resamples' if axis == 0 else '500 questions'})")
            panel.grid(color="0.9")
            panel.spines[["top", "right"]].set_visible(False)
        axes[0].set_ylabel("processor seconds")
        axes[0].legend(frameon=False, fontsize=8)
        fig.savefig(figure, metadata={"Date": None} if figure.endswith(".svg") else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("word", nargs="*", help="only tasks whose title has one of these words")
    parser.add_argument("--figure", metavar="FILE", help="draw the growth to a .png or .svg")
    args = parser.parse_args()

    def asked(title):
        return not args.word or any(word in title for word in args.word)
    print(versions())
    rng = np.random.default_rng(9)
    for title, make, tolerance in tasks(rng):
        if asked(title):
            print_task(title, make(), tolerance)
    if asked("process"):
        print_processes(500, 9, rng)
        print_processes(14_000, 3, rng)
        print_processes(1_000_000, 1, rng, everybody=False)
    if asked("memory"):
        print_memory()
    if asked("growth") or args.figure:
        print_growth(growth(rng), args.figure)


if __name__ == "__main__":
    main()
