"""Finds the submissions in a folder and reads their lesson files, without trusting any of it.

Every folder or .zip that lies directly in SUBMISSIONS is one submission. Its lesson files may
lie deeper (name/evalstats/, a zip in the folder): the first folder that has one counts, nearest
to the top. What a student handed in never decides how many rows the gradebook has.
"""
import io
import os
import re
import stat
import tempfile
import zipfile
from collections import deque
from pathlib import Path, PurePosixPath

import mine
from tasks import TASKS

LESSONS = ("make_fake.py", *(task.file for task in TASKS.values()))
WANTED = {*LESSONS, "measure.md"}
# A workbook has these too; nobody needs to be told that they stay behind.
KNOWN = {"README.md", "pyproject.toml", "results.csv", "tests", "break_it", "join.py", "report.py",
         "make_real.py", "play.html"}
SKIPPED = {"__pycache__", "__MACOSX", "node_modules", "site-packages"}
FILE_LIMIT = 1 << 20         # bytes of a lesson file: ours have 20 KB at most
ZIP_LIMIT = 100 << 20        # bytes of a zip, of its table of contents,
TABLE_LIMIT = 4 << 20
ENTRIES = 20_000             # and files looked at in a submission


class Unreadable(Exception):
    """A submission, or a file of it, that is not read, and why."""


def find(folder):
    """{name: path} of the submissions in a folder, by name. A zip is called by its stem."""
    entries = sorted(Path(folder).iterdir(), key=lambda path: os.fsencode(path.name))
    folders = [p for p in entries if not p.name.startswith(".") and (p.is_dir() or p.is_symlink())]
    zips = [p for p in entries if p.suffix.lower() == ".zip" and p not in folders]
    found = {}
    for path, name in [*((p, p.name) for p in folders), *((p, p.stem) for p in zips)]:
        name = printable(name)
        if name in found:                    # ann and ann.zip
            name = printable(path.name)
        while name in found:
            name += "'"
        found[name] = path
    return dict(sorted(found.items()))


def printable(name):
    """A file name as text: bytes that are no text and control characters are written out."""
    text = os.fsencode(name).decode(errors="backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def read(path):
    """({file: bytes} of the lesson files and measure.md, notes for the feedback)."""
    try:
        if path.is_symlink():
            raise Unreadable("it is a link")
        return read_folder(path) if path.is_dir() else read_zip(read_file(path, ZIP_LIMIT))
    except Exception as error:               # whatever a broken zip or file system can raise
        return {}, [f"nothing was read: {error}"]


# ---- folders ----


def read_folder(top):
    home, zips = lesson_folder(top)
    if home is None:
        if len(zips) == 1:                   # as some course systems hand them out
            return read_zip(read_file(zips[0], ZIP_LIMIT))
        raise Unreadable("there is no lesson file")
    files, notes = {}, []
    for entry in sorted(os.scandir(home), key=lambda e: e.name):
        if entry.name in WANTED:
            try:
                files[entry.name] = read_file(entry.path)
            except (Unreadable, OSError) as error:
                notes.append(f"{entry.name} was not read: {error}")
    return files, notes + left_behind(entry.name for entry in os.scandir(home))


def lesson_folder(top):
    """(the first folder, going down level by level, with a lesson file; zips met on the way)."""
    todo, zips, seen = deque([top]), [], 0
    while todo:
        here = todo.popleft()
        below = []
        for entry in os.scandir(here):
            seen += 1
            if seen > ENTRIES:
                raise Unreadable(f"more than {ENTRIES:,} files and no lesson file among them")
            if entry.name in LESSONS:
                return here, zips
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED and not entry.name.startswith("."):
                    below.append(entry.path)
            elif entry.name.lower().endswith(".zip"):
                zips.append(Path(entry.path))
        todo.extend(sorted(below))
    return None, zips


def read_file(path, limit=FILE_LIMIT):
    """The bytes of a plain file; never through a link, never waiting for a pipe."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if os.path.islink(path):
            raise Unreadable("it is a link") from None
        raise Unreadable(error.strerror) from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Unreadable("it is not a plain file")
    with open(fd, "rb") as f:
        data = f.read(limit + 1)
    if len(data) > limit:
        raise Unreadable(f"it has more than {limit >> 20} MB")
    return data


def left_behind(names):
    """A note on what a student may think was used."""
    names = {name for name in names if not name.startswith(".")} - WANTED - KNOWN - SKIPPED
    shown = sorted(map(printable, names))
    if not shown:
        return []
    more = f" and {len(shown) - 6} more" if len(shown) > 6 else ""
    return [f"not used: {', '.join(shown[:6])}{more} (only lesson files and measure.md are; "
            "the checks are the grader's own)"]


# ---- zips: nothing is ever unpacked to a path that the zip names ----


def read_zip(data):
    tail = data[-(1 << 16) - 42:]
    end = tail.rfind(b"PK\5\6")
    table = int.from_bytes(tail[end + 12:end + 16], "little")
    if end < 0 or b"PK\6\7" in tail or table > TABLE_LIMIT:
        raise Unreadable("not a zip file, or one with far too many files")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(PurePosixPath(info.filename), info) for info in archive.infolist()]
        home = zip_home(path for path, _ in members)
        if home is None:
            raise Unreadable("there is no lesson file")
        files, notes = {}, []
        for name in sorted(WANTED):
            found = [info for path, info in members if path == home / name]
            try:
                if len(found) > 1:
                    raise Unreadable("it stands in the zip twice")
                if found:
                    files[name] = read_member(archive, found[0])
            except Exception as error:       # as above
                notes.append(f"{name} was not read: {error}")
    beside = {path.relative_to(home).parts[0] for path, _ in members
              if path != home and path.is_relative_to(home)}
    return files, notes + left_behind(beside)


def zip_home(paths):
    """The folder in the zip nearest to the top that has a lesson file, or None."""
    homes = {path.parent for path in paths
             if path.name in LESSONS and ".." not in path.parts and not path.is_absolute()
             and not SKIPPED & set(path.parts)}
    return min(homes, key=lambda path: (len(path.parts), str(path)), default=None)


def read_member(archive, info):
    """The bytes of a member, of which no more is unpacked than a lesson file may have."""
    if stat.S_ISLNK(info.external_attr >> 16):
        raise Unreadable("it is a link")
    if info.flag_bits & 1:
        raise Unreadable("it is encrypted")
    with archive.open(info) as f:
        data = f.read(FILE_LIMIT + 1)
    if len(data) > FILE_LIMIT:
        raise Unreadable(f"it has more than {FILE_LIMIT >> 20} MB")
    return data


# ---- measure.md: text that somebody reads ----


def worksheet(data):
    """{rows, predictions, yours: how many are filled in; paragraph: the text of t8}.

    Rows count by the quantities of our own measure.md, so that deleting a row fills none in.
    Whether "yours" is what the code gives, `pytest` says in the learner's folder.
    """
    ours = Path(__file__).resolve().parent.parent / "measure.md"
    text = data.decode(errors="replace")
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as f:
        f.write(text)
        f.flush()
        theirs = {row.quantity: row for row in mine.rows(f.name)}
    quantities = {row.quantity for row in mine.rows(ours)}
    found = [theirs[q] for q in quantities & set(theirs)]
    section = text.partition("\n## t8")[2].partition("\n## ")[0]
    quoted = [line.lstrip("> ") for line in section.splitlines() if line.startswith(">")]
    return {"rows": len(quantities), "predictions": sum(has_text(row.prediction) for row in found),
            "yours": sum(has_text(row.yours) for row in found),
            "paragraph": " ".join(" ".join(quoted).split())}


def has_text(cell):
    return re.search(r"\w", cell) is not None
