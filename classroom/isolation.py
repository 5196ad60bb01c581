"""What a student's process may do, and how it is ended with everything it started.

Two features of the Linux kernel do most of it, for root and for ordinary users alike: Landlock
closes the file system, a seccomp filter closes system calls. Without them (another system, an
old kernel) the limits and the killing remain, and the report says what is missing.

restrict() runs in the student's process before its code; the rest runs in the process above.
"""
import ctypes
import os
import platform
import resource
import signal
import struct
import sys
import time
from pathlib import Path

LINUX = sys.platform == "linux"
PROMISES = ("files", "network", "processes")
PROCESSES = 32               # the most a student's code may have where it may start any
FILE_SIZE = 8 << 20          # bytes that one file may grow to
SCRATCH = 64 << 20           # bytes, and
SCRATCH_FILES = 2_000        # files, that the scratch folder may hold
ACCOUNT = 59_000             # root gives the workers accounts from here on, one per job

PDEATHSIG, SET_DUMPABLE, SET_SECCOMP, CHILD_SUBREAPER, NO_NEW_PRIVS = 1, 4, 22, 36, 38


def prctl(option, value):
    if not LINUX:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0),
                  ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), f"prctl {option}")


# ---- in the process above ----


def guard(parent):
    """For a process that decides: end with its parent, inherit orphans, let nobody read it."""
    prctl(CHILD_SUBREAPER, 1)
    prctl(SET_DUMPABLE, 0)               # closes /proc/PID/mem and ptrace to the same account
    prctl(PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def family():
    """{pid: (parent, bytes in memory)} of the processes below this one (Linux)."""
    parents = {}
    for name in os.listdir("/proc") if LINUX else ():
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as f:
                    fields = f.read().rpartition(b")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1]), int(fields[21]) * resource.getpagesize()
    mine, todo = {}, [os.getpid()]
    while todo:
        above = todo.pop()
        below = {pid: facts for pid, facts in parents.items() if facts[0] == above}
        mine.update(below)
        todo += below
    return mine


def sweep(leader=None):
    """Kill everything below this process and wait for its end; also what left its session.

    leader: the worker, whose process group is killed where there is no /proc.
    """
    if leader is not None:
        try:
            os.killpg(leader, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for pid in family():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def excess(memory, folder):
    """What a student's processes use too much of, as (kind, text), or None."""
    mine = family()
    if len(mine) > PROCESSES:
        return "crashed", f"more than {PROCESSES} processes at a time"
    if sum(size for _, size in mine.values()) > (memory << 20) * 1.25:
        return "out of memory", ""
    size = files = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(where, name)).st_blocks * 512
            except OSError:
                pass
        files += len(names) + 1
        if size > SCRATCH or files > SCRATCH_FILES:
            return "crashed", f"more than {SCRATCH >> 20} MB or {SCRATCH_FILES:,} files written"
    return None


def account(job):
    """The account that root gives to a job's worker; None for other users.

    Also None where Python itself lies in a folder that only root may enter, such as /root.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    uid = ACCOUNT + job
    import numpy
    try:
        os.seteuid(uid)
        for path in (sys.executable, os.__file__, numpy.__file__):
            open(path, "rb").close()
        return uid
    except OSError:
        return None
    finally:
        os.seteuid(0)


# ---- in the student's process, before its code ----


def restrict(setup):
    """Give up every right that a lesson does not need. Returns {promise: what keeps it, or ""}.

    setup: folder (the scratch folder), memory (MB), cpu (seconds), account, parent (pid),
    hidden (folders that must not be readable), depth ("full", "seccomp" or "process").
    """
    reached = dict.fromkeys(PROMISES, "")
    uid = setup["account"]
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        reached["files"] = "another account"
    elif LINUX:
        drop_capabilities()
    prctl(PDEATHSIG, signal.SIGKILL)         # after the change of account, which clears it
    if os.getppid() != setup["parent"]:
        os._exit(1)
    prctl(NO_NEW_PRIVS, 1)
    limit(setup["memory"] << 20, setup["cpu"])
    # Both features bind one thread and those it starts: there must be no other yet.
    if LINUX and len(os.listdir("/proc/self/task")) == 1:
        if setup["depth"] == "full":
            version = landlock(setup["folder"], setup["hidden"])
            if version:
                reached["files"] = f"Landlock {version}"
                reached["network"] = "Landlock, TCP only" if version >= 4 else ""
        if setup["depth"] in ("full", "seccomp") and seccomp():
            reached["network"] = reached["processes"] = "seccomp"
    return reached


def limit(memory, cpu):
    """Limits that hold on every POSIX system. The address space counts from what it is now."""
    used = 0
    if LINUX:
        with open("/proc/self/statm") as f:
            used = int(f.read().split()[0]) * resource.getpagesize()
    limits = {"AS": used + memory, "CPU": cpu, "FSIZE": FILE_SIZE, "CORE": 0, "NOFILE": 64,
              "NPROC": processes_of_user() + PROCESSES}
    for name, value in limits.items():
        what = getattr(resource, f"RLIMIT_{name}", None)
        if what is not None:
            _, most = resource.getrlimit(what)
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            try:
                resource.setrlimit(what, (value, value))
            except ValueError:               # macOS has no limit of the address space
                pass


def processes_of_user():
    """How many threads this account runs already: the kernel's limit counts them all."""
    count = 0
    for name in os.listdir("/proc") if LINUX else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return count if LINUX else 500


def drop_capabilities():
    """Root without an account to change to keeps its files, but none of its powers."""
    libc = ctypes.CDLL(None, use_errno=True)
    version_3 = struct.pack("Ii", 0x20080522, 0)
    if libc.capset(version_3, bytes(24)):
        raise OSError(ctypes.get_errno(), "capset")


# Landlock: numbers from linux/landlock.h; the three calls are the same on every machine.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
READ = 1 << 0 | 1 << 2 | 1 << 3                          # execute (map a library), file, folder
WRITE = 1 << 1
FILES = (1 << 13) - 1                                    # every right of the first version
SCRATCH_RIGHTS = READ | WRITE | 1 << 5 | 1 << 8          # and remove, make a file


def landlock(folder, hidden):
    """Close the file system but for Python's libraries (to read) and `folder`. Its version, or 0.

    0 also where a folder of libraries has a hidden one inside: opening it would show that one.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return 0
    files = FILES | (1 << 13) * (version >= 2) | (1 << 14) * (version >= 3) | (
        1 << 15) * (version >= 5)            # link elsewhere, truncate, device controls
    network = 3 * (version >= 4)             # bind and connect TCP
    scope = 3 * (version >= 6)               # abstract sockets, signals to others
    rules = {path: READ for path in libraries()}
    rules.update({"/dev/null": 1 << 1 | 1 << 2, "/dev/urandom": 1 << 2})
    rules[folder] = SCRATCH_RIGHTS | (1 << 14) * (version >= 3)
    if any(is_inside(secret, path) for path in rules for secret in hidden):
        return 0
    attributes = struct.pack("QQQ", files, network, scope)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return 0
    for path, rights in rules.items():
        if not os.path.exists(path):
            continue
        if not os.path.isdir(path):
            rights &= 1 << 0 | 1 << 1 | 1 << 2 | (1 << 14) * (version >= 3)
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        failed = libc.syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, fd), 0)
        os.close(fd)
        if failed:
            return 0
    failed = libc.syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return 0 if failed else version


def libraries():
    """Where Python and the shared libraries lie."""
    paths = [p for p in sys.path if p and os.path.exists(p)]
    paths += [f"{base}/{lib}" for base in ("", "/usr", "/usr/local", sys.base_prefix)
              for lib in ("lib", "lib64", "lib32")]
    return dict.fromkeys(os.path.realpath(p) for p in paths)


def is_inside(path, folder):
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


# seccomp. Numbers of the calls on (x86_64, aarch64); None: the machine has no such call.
DENIED = {
    # other processes: make, become, signal, look into, slow down
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "unshare": (272, 97), "setns": (308, 268), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "setpriority": (141, 140),
    "ioprio_set": (251, 30), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "sched_setattr": (314, 274), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # the network, and what outlives a process
    "socket": (41, 198), "socketpair": (53, 199), "io_uring_setup": (425, 425),
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # owners, modes, times and labels of files, which Landlock leaves open
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "setxattrat": (463, 463), "removexattrat": (466, 466), "file_setattr": (469, 469),
    # large and rarely needed parts of the kernel
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
}
CLONE, CLONE3, CLONE_THREAD = (56, 220), 435, 0x10000
KILL, TGKILL, PRLIMIT, AFFINITY, PRCTL = (62, 129), (234, 131), (302, 261), (203, 122), (157, 167)
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32 = 0x40000000             # a second set of numbers on x86_64
ALLOW, KILL_PROCESS, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026


def seccomp():
    """Refuse the calls of DENIED, new processes (not threads) and signals to others. True if on.

    clone3 hides its flags behind a pointer: saying that there is no such call makes the C
    library fall back on clone.
    """
    column, machine = MACHINES.get(platform.machine(), (0, 0))
    if not machine or sys.maxsize < 2**32:
        return False
    load, equal, at_least, any_bit, end = 0x20, 0x15, 0x35, 0x45, 0x06
    number, architecture, first_argument = 0, 4, 16

    def only_if(call, test, value, then=ALLOW, otherwise=EPERM):
        """The call with a first argument that passes the test gets `then`."""
        return [(equal, 0, 4, call[column]), (load, 0, 0, first_argument), (test, 0, 1, value),
                (end, 0, 0, then), (end, 0, 0, otherwise)]

    program = [(load, 0, 0, architecture), (equal, 1, 0, machine), (end, 0, 0, KILL_PROCESS),
               (load, 0, 0, number)]
    if column == 0:
        program += [(at_least, 0, 1, X32), (end, 0, 0, EPERM)]
    program += [(equal, 0, 1, CLONE3), (end, 0, 0, ENOSYS)]
    for call in DENIED.values():
        if call[column] is not None:
            program += [(equal, 0, 1, call[column]), (end, 0, 0, EPERM)]
    program += only_if(CLONE, any_bit, CLONE_THREAD)
    program += only_if(KILL, equal, os.getpid())
    program += only_if(TGKILL, equal, os.getpid())
    program += only_if(PRLIMIT, equal, 0)
    program += only_if(AFFINITY, equal, 0)
    program += only_if(PRCTL, equal, PDEATHSIG, then=EPERM, otherwise=ALLOW)
    program += [(end, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program),
                                                     ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.prctl(SET_SECCOMP, ctypes.c_ulong(2), header, ctypes.c_ulong(0),
                      ctypes.c_ulong(0)) == 0
