"""Hostile and broken submissions, each with the outcome it must get.

Most of them are the reference with something added to ci.py, so that clt_ci misbehaves; its
checks must end as said here, and those of load_pair (another file) must not suffer unless `load`
says so. The others are folders, links and zips that `build` makes by hand.

Nothing here may harm the machine it runs on, even if every defence failed: bombs are bounded, and
what is attacked is a canary, which stands for a file that another process relies on.
"""
import os
import struct
import zipfile
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parents[2]
LESSONS = ("make_fake.py", "load.py", "ci.py", "paired.py", "tests.py", "noise.py", "power.py",
           "structure.py")


class Attack(NamedTuple):
    name: str
    clt_ci: str              # how its checks must end; "a|b" where the machine decides
    code: str = ""           # added to ci.py; @CANARY@ and so on are filled in
    build: object = None     # or: makes the submission at a path
    load: str = "passed"     # how load_pair's checks must end
    note: str = ""           # words that the notes must have
    process: str = ""        # the outcome without Landlock and seccomp; "" the same, "-" not run


def call(body):
    """clt_ci with another body; the right one is called `right` there."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    return f"\nright = clt_ci\n\n\ndef clt_ci(x, z=1.96):\n{lines}\n"


def write(folder, **files):
    """The reference in a folder; files: name without .py = bytes, or None for missing."""
    folder.mkdir(parents=True)
    for name in LESSONS:
        (folder / name).write_bytes((HOME / name).read_bytes())
    for name, data in files.items():
        path = folder / f"{name}.py"
        path.unlink() if data is None else path.write_bytes(data)
    return folder


WRONG = (HOME / "ci.py").read_bytes() + b"\n\ndef clt_ci(x, z=1.96):\n    return 0.0, 0.0, 0.0\n"
RIGHT = (HOME / "ci.py").read_bytes()


# ---- submissions made by hand ----


def symlinked_file(path):
    write(path, ci=None)
    (path / "ci.py").symlink_to(HOME / "ci.py")


def symlinked_folder(path):
    path.symlink_to(HOME, target_is_directory=True)


def symlinked_folder_inside(path):
    path.mkdir()
    (path / "evalstats").symlink_to(HOME, target_is_directory=True)


def pipe(path):
    write(path, ci=None)
    os.mkfifo(path / "ci.py")


def folder_as_file(path):
    write(path, ci=None)
    (path / "ci.py").mkdir()


def huge_file(path):
    write(path, ci=RIGHT + b"#" * (2 << 20))


def empty(path):
    path.mkdir()


def only_deep_folders(path):
    (path / "/".join("a" * 200)).mkdir(parents=True)


def own_checks(path):
    """Checks, settings and plugins of their own that would pass everything."""
    write(path, ci=WRONG)
    (path / "conftest.py").write_text(
        "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n"
        "    out = yield\n    out.get_result().outcome = 'passed'\n")
    (path / "pytest.ini").write_text("[pytest]\naddopts = -p no:python\n")
    (path / "tests").mkdir()
    (path / "tests" / "conftest.py").write_text("import os\nos._exit(0)\n")
    (path / "tests" / "checking.py").write_text("def check(*a, **k): pass\n")


def start_up_files(path):
    write(path, ci=WRONG)
    for name in ("sitecustomize.py", "usercustomize.py", "evil.pth"):
        (path / name).write_text("import os; os._exit(0)\n")


def shadowing(path):
    write(path)
    for name in ("numpy.py", "math.py", "random.py", "json.py", "checking.py", "wire.py"):
        (path / name).write_text("raise SystemExit(0)\n")


def helper_module(path):
    write(path, ci=b"from my_helpers import *\n" + RIGHT)
    (path / "my_helpers.py").write_text("x = 1\n")


def zipped(path, *members, **files):
    """A zip of the reference in a folder; members: (name or ZipInfo, data) besides."""
    with zipfile.ZipFile(f"{path}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in LESSONS:
            data = files.get(name[:-3], (HOME / name).read_bytes())
            if data is not None:
                archive.writestr(f"evalstats/{name}", data)
        for name, data in members:
            archive.writestr(name, data)


def zip_slip(path):
    zipped(path, ("../../canary", b"overwritten"), ("/tmp/evalstats-canary", b"written"),
           ("evalstats/../../../canary", b"overwritten"))


def zip_slip_lesson(path):
    zipped(path, ("evalstats/../ci.py", RIGHT), ("../ci.py", RIGHT), ci=None)


def zip_bomb(path):
    zipped(path, ci=b"#" * (300 << 20))


def zip_link(path):
    info = zipfile.ZipInfo("evalstats/ci.py")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    zipped(path, (info, str(HOME / "ci.py")), ci=None)


def zip_twice(path):
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        zipped(path, ("evalstats/ci.py", WRONG))


def zip_locked(path):
    """The flag of an encrypted member, set by hand in both places that have it."""
    zipped(path)
    data = bytearray(Path(f"{path}.zip").read_bytes())
    for signature, name, flag in ((b"PK\3\4", 30, 6), (b"PK\1\2", 46, 8)):
        at = -1
        while (at := data.find(signature, at + 1)) >= 0:
            if data[at + name:].startswith(b"evalstats/ci.py"):
                data[at + flag] |= 1
    Path(f"{path}.zip").write_bytes(data)


def zip_garbage(path):
    Path(f"{path}.zip").write_bytes(b"PK\3\4" + bytes(range(256)) * 40)


def zip_endless_table(path):
    """A table of contents that says it has 4 GB."""
    Path(f"{path}.zip").write_bytes(
        bytes(100) + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 65535, 65535, 1 << 31, 0, 0))


def zip_in_folder(path):
    path.mkdir()
    zipped(path / "handed-in")


ATTACKS = [
    # ---- ending the process ----
    Attack("exit_at_import", "crashed", "import os\nos._exit(0)\n"),
    Attack("exit_in_call", "crashed", call("import os\nos._exit(0)")),
    Attack("sys_exit_at_import", "crashed", "import sys\nsys.exit(0)\n"),
    Attack("sys_exit_in_call", "crashed", call("import sys\nsys.exit(0)")),
    Attack("segfault", "crashed", call("import ctypes\nctypes.string_at(0)")),
    Attack("aborts", "crashed", call("import os\nos.abort()")),
    Attack("alarm", "crashed", call("import signal\nsignal.alarm(1)\nsignal.pause()")),
    Attack("recursion", "crashed", call("return clt_ci(x, z)")),
    Attack("becomes_another_user", "crashed", call("import os\nos.setuid(12345)\n"
           "return right(x, z)")),
    Attack("becomes_another_program", "crashed", call("import os\nos.execv('/bin/sleep', "
           "['sleep', '20'])"), process="timed out"),

    # ---- not ending ----
    Attack("endless_loop", "timed out", call("while True:\n    pass")),
    Attack("endless_loop_that_catches_all", "timed out", call("""
while True:
    try:
        while True:
            pass
    except BaseException:
        pass""")),
    Attack("endless_import", "timed out", "while True:\n    pass\n"),
    Attack("sleeps", "timed out", call("import time\ntime.sleep(60)\nreturn right(x, z)")),
    Attack("ignores_signals", "timed out", call("""
import signal, time
for s in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(s, lambda *_: None)
while True:
    time.sleep(1)""")),
    Attack("thread_that_never_ends", "passed", """
import threading
def spin():
    while True:
        pass
threading.Thread(target=spin).start()
"""),
    Attack("stops_itself", "timed out", call("import os, signal\n"
           "os.kill(os.getpid(), signal.SIGSTOP)")),

    # ---- taking too much ----
    Attack("fork_bomb", "crashed", call("""
import os, time
for _ in range(60):                          # bounded: no child forks again
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
time.sleep(1)
return right(x, z)""")),
    Attack("thread_bomb", "crashed", call("""
import threading, time
for _ in range(400):
    threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
return right(x, z)""")),
    Attack("memory_bomb", "out of memory", call("""
kept = []
while len(kept) < 40:                        # bounded: 4 GB
    kept.append(np.empty(100 << 17))
return right(x, z)""")),
    Attack("memory_bomb_at_import", "out of memory", "kept = bytearray(4 << 30)\n"),
    Attack("disk_bomb", "crashed", call("""
import time
for i in range(40):                          # bounded: 320 MB
    with open(f"fill{i}", "wb") as f:
        f.write(bytes(8 << 20))
time.sleep(1)
return right(x, z)""")),
    Attack("one_huge_file", "crashed", call("""
with open("fill", "wb") as f:
    for _ in range(40):
        f.write(bytes(8 << 20))
return right(x, z)""")),
    Attack("giant_output", "passed", call("""
import sys
for _ in range(64):
    print("x" * (1 << 20))
    print("x" * (1 << 20), file=sys.stderr)
return right(x, z)""")),
    Attack("giant_reply", "refused answer", call("return 'x' * (10 << 20)")),
    Attack("giant_number", "wrong", call("return 10**5000, 1, 2")),
    Attack("lifts_its_limits", "crashed", call("""
import resource
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
return right(x, z)""")),

    # ---- forging the answer ----
    Attack("forged_passed", "refused answer", call("""
import json, os, socket
for n in range(200):                         # whatever the number of the question
    frame = json.dumps({"id": n, "kind": "passed", "outcome": "passed"}).encode()
    for fd in range(3, 20):
        try:
            os.write(fd, len(frame).to_bytes(4, "big") + frame)
        except OSError:
            pass
return right(x, z)""")),
    Attack("floods_the_pipe", "refused answer", call("""
import os
for fd in range(3, 20):
    try:
        while True:
            os.write(fd, b"\\xff" * 4096)
    except OSError:
        pass
return right(x, z)""")),
    Attack("closes_the_pipe", "crashed", call("import os\nos.closerange(3, 100)\nreturn 0, 0, 0")),
    Attack("equal_to_everything", "refused answer", call("""
class Yes:
    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda self, other: True
    __float__ = __abs__ = lambda self: 0.0
    __sub__ = __rsub__ = lambda self, other: self
return Yes(), Yes(), Yes()""")),
    Attack("float_subclass", "refused answer", call("""
class Close(float):
    __sub__ = __rsub__ = __abs__ = lambda self, *_: 0.0
return tuple(map(Close, right(x, z)))""")),
    Attack("array_subclass", "refused answer", call("""
class Close(np.ndarray):
    def __array__(self, *_, **__):
        return self
return np.zeros(3).view(Close)""")),
    Attack("pickle_bomb", "refused answer", call("""
class Bomb:
    def __reduce__(self):
        import os
        return os.system, ("touch @CANARY@.pickled",)
return Bomb(), Bomb(), Bomb()""")),
    Attack("nan", "wrong", call("return np.nan, np.nan, np.nan")),
    Attack("infinity", "wrong", call("return 0.0, -np.inf, np.inf")),
    Attack("text", "wrong", call("return 'passed'")),
    Attack("answers_never_asked_for", "wrong", call("return [[0.5, 0.4, 0.6]] * 3")),
    Attack("endless_list", "crashed", call("x = []\nx.append(x)\nreturn x")),

    # ---- reaching into the checks ----
    Attack("patched_numpy", "wrong", """
np.abs = np.all = np.allclose = np.array_equal = np.isfinite = lambda *_, **__: True
""" + call("return 0.0, 0.0, 0.0")),
    Attack("patched_builtins", "wrong", call("""
import builtins
builtins.abs = lambda *_: 0
builtins.all = builtins.any = lambda *_: True
return 0.0, 0.0, 0.0""")),
    Attack("patched_pytest", "wrong", """
import sys
import pytest
pytest.fail = pytest.skip = lambda *_, **__: None
for module in list(sys.modules.values()):
    for name in ("check", "require", "same", "as_floats"):
        if hasattr(module, name):
            setattr(module, name, lambda *_, **__: True)
""" + call("return 0.0, 0.0, 0.0")),
    Attack("stack_walk", "wrong", call("""
import gc, sys
frame = sys._getframe()
while frame:
    for name in ("expect", "expected", "right", "interval"):
        if name in frame.f_locals and frame.f_locals is not locals():
            return frame.f_locals[name]
    frame = frame.f_back
for thing in gc.get_objects():
    if isinstance(thing, dict) and "expect" in thing:
        return thing["expect"]
return 0.0, 0.0, 0.0""")),
    Attack("hard_coded", "wrong", call("return 0.732, 0.693, 0.771")),
    Attack("changes_its_input", "wrong", call("mean = right(x, z)\nx.sort()\nreturn mean")),
    Attack("raises_an_outcome", "refused answer", call("""
import sys
raise sys.modules["checking"].Outcome("passed", "clt_ci")""")),

    # ---- reaching out; without Landlock and seccomp some of it works, and is said to ----
    Attack("reads_the_reference", "crashed", call("""
space = {"__name__": "stolen"}
exec(open("@HOME@/ci.py").read(), space)
return space["clt_ci"](x, z)"""), process="passed"),
    Attack("reads_another_submission", "crashed", call("""
space = {"__name__": "stolen"}
exec(open("@SUBMISSIONS@/right/ci.py").read(), space)
return space["clt_ci"](x, z)"""), process="passed"),
    Attack("reads_the_results", "crashed", call("""
import os
os.listdir("@OUT@")
return right(x, z)"""), process="passed"),
    Attack("writes_a_file_of_others", "crashed", call("""
with open("@CANARY@", "a") as f:
    f.write("overwritten")
return right(x, z)"""), process="-"),
    Attack("removes_a_file_of_others", "crashed", call("""
import os
os.remove("@CANARY@")
return right(x, z)"""), process="-"),
    Attack("changes_a_mode", "crashed", call("""
import os
os.chmod("@CANARY@", 0)
return right(x, z)"""), process="-"),
    Attack("links_to_a_file_of_others", "crashed", call("""
import os
os.link("@CANARY@", "mine")
return right(x, z)"""), process="-"),
    Attack("network", "crashed", call("""
import socket
socket.create_connection(("127.0.0.1", 9), timeout=1)
return right(x, z)""")),
    Attack("network_udp", "crashed", call("""
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))
return right(x, z)"""), process="passed"),
    Attack("signals_the_grader", "crashed", call("""
import os, signal
os.kill(os.getppid(), signal.SIGKILL)
return right(x, z)"""), process="-"),
    Attack("limits_the_grader", "crashed", call("""
import os, resource
resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (3, 3))
return right(x, z)"""), process="-"),
    Attack("looks_into_the_grader", "crashed|wrong", call("""
import os
open(f"/proc/{os.getppid()}/environ").read()
open(f"/proc/{os.getppid()}/mem", "rb").read(1)
return 0.0, 0.0, 0.0""")),
    Attack("outlives_the_grader", "crashed", call("""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(30)
    os._exit(0)
return right(x, z)"""), process="passed"),
    Attack("deletes_its_folder", "passed", call("""
import os
for name in os.listdir("."):
    os.remove(name)
return right(x, z)""")),

    # ---- files that are not what they seem ----
    Attack("own_checks", "wrong", build=own_checks, note="conftest.py"),
    Attack("start_up_files", "wrong", build=start_up_files, note="sitecustomize.py"),
    Attack("shadowing", "passed", build=shadowing, note="numpy.py"),
    Attack("helper_module", "crashed", build=helper_module, note="my_helpers.py"),
    Attack("symlinked_file", "not started", build=symlinked_file, note="link"),
    Attack("symlinked_folder", "not started", build=symlinked_folder, note="link",
           load="not started"),
    Attack("symlinked_folder_inside", "not started", build=symlinked_folder_inside,
           note="no lesson file", load="not started"),
    Attack("pipe", "not started", build=pipe, note="plain file"),
    Attack("folder_as_file", "not started", build=folder_as_file, note="plain file"),
    Attack("huge_file", "not started", build=huge_file, note="more than 1 MB"),
    Attack("empty", "not started", build=empty, note="no lesson file", load="not started"),
    Attack("only_deep_folders", "not started", build=only_deep_folders, note="no lesson file",
           load="not started"),
    Attack("missing_file", "not started", build=lambda path: write(path, ci=None)),
    Attack("zip_slip", "passed", build=zip_slip),
    Attack("zip_slip_lesson", "not started", build=zip_slip_lesson),
    Attack("zip_bomb", "not started", build=zip_bomb, note="more than 1 MB"),
    Attack("zip_link", "not started", build=zip_link, note="link"),
    Attack("zip_twice", "not started", build=zip_twice, note="twice"),
    Attack("zip_locked", "not started", build=zip_locked, note="encrypted"),
    Attack("zip_garbage", "not started", build=zip_garbage, note="not a zip", load="not started"),
    Attack("zip_endless_table", "not started", build=zip_endless_table, note="not a zip",
           load="not started"),
    Attack("zip_in_folder", "passed", build=zip_in_folder),
    Attack("bom", "passed", build=lambda path: write(path, ci=b"\xef\xbb\xbf" + RIGHT)),
    Attack("latin_1", "crashed",
           build=lambda path: write(path, ci=RIGHT + b"NAME = '\xe9t\xe9'\n")),
    Attack("null_byte", "crashed", build=lambda path: write(path, ci=RIGHT + b"\0")),
    Attack("syntax_error", "crashed", "def broken(:\n"),
    Attack("tabs_and_spaces", "crashed", "def f(x):\n        if x:\n\treturn 1\n"),
    Attack("windows_lines", "passed",
           build=lambda path: write(path, ci=RIGHT.replace(b"\n", b"\r\n"))),
    Attack("nested_source", "crashed", "x = " + "(" * 5000 + ")" * 5000 + "\n"),
]

# Names that break a careless spreadsheet, page, path or shell; all of them are right.
NAMES = (
    "=cmd|'calc'!A0", '+1, "quoted"', "-rf", "@SUM(A1)", "Ōé Łukasz", "山田 太郎", "O'Neil; x",
    "<script>alert(1)", "a]]>b&c", "back\\slash", "new\nline", "tab\there",
    "$(id)`id`", "%s%n", "CON", "x" * 120, "山" * 70, "*?[z]", "~root", "# heading", "|pipe|")


def place(folder, out, canary, names=NAMES):
    """Lay out a class: every attack, and beside them right, wrong and empty workbooks."""
    filled = {"@HOME@": HOME, "@SUBMISSIONS@": folder, "@OUT@": out, "@CANARY@": canary}
    for attack in ATTACKS:
        if attack.build:
            attack.build(folder / attack.name)
            continue
        code = attack.code
        for mark, path in filled.items():
            code = code.replace(mark, str(path))
        write(folder / attack.name, ci=RIGHT + b"\n\n" + code.encode())
    write(folder / "right")
    write(folder / "wrong", ci=WRONG)
    for name in names:
        write(folder / name)
