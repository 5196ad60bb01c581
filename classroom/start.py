"""A learner's folder from the reference: python classroom/start.py DIR

Every lesson script is there with its functions emptied: signature and docstring stay, the body
becomes a stub. What only the solutions needed (helpers, constants, imports) goes with them.
Nothing is kept by hand twice: stubs are cut out of the lessons themselves, by line.
"""
import argparse
import ast
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tasks import TASKS, task_of

from load import one_line, refuse

ROOT = Path(__file__).resolve().parents[1]
WHOLE = ("make_fake.py", "load.py", "join.py", "report.py", "make_real.py", "play.html",
         "measure.md", "break_it/*.py", "tests/*.py")
LESSONS = tuple(task.file for task in TASKS.values() if task.file not in WHOLE)
STUBS = frozenset(function for task in TASKS.values() if task.file in LESSONS
                  for function in (*task.points, *task.stretch))

SETTINGS = """\
# Lets tests.py live beside tests/, and pytest find the checks from here.
[tool.pytest.ini_options]
addopts = "--import-mode=prepend --strict-markers -rN --tb=short"
testpaths = ["tests"]
python_files = ["test_*.py"]
"""


def workbook(root=ROOT, stubs=STUBS):
    """The files of a learner's folder: {relative path: bytes}."""
    root = Path(root)
    files = {path.relative_to(root).as_posix(): path.read_bytes()
             for pattern in WHOLE for path in sorted(root.glob(pattern))}
    given = {name: text.decode() for name, text in files.items() if name.endswith(".py")}
    lessons = {name: (root / name).read_text(encoding="utf-8") for name in LESSONS}
    files.update((name, text.encode()) for name, text in
                 emptied(lessons, {n: t for n, t in given.items() if "/" not in n or
                                   n.startswith("break_it")}, stubs).items())
    files["README.md"] = (root / "classroom" / "workbook.md").read_bytes()
    files["pyproject.toml"] = SETTINGS.encode()
    return files


# ---- from a lesson to its stubs ----


class Part(NamedTuple):
    """A top-level statement of a file, or one name of an import."""
    file: str
    name: str                # "" for what defines nothing, such as the main guard
    first: int               # lines, from 1
    last: int
    node: ast.AST
    uses: frozenset          # of (file, name)


def emptied(lessons, given, stubs):
    """The lessons without the solutions: {file: source}.

    lessons, given: {file: source}; given files stay as they are, and so does what they use.
    A part goes when something used it and only solutions did.
    """
    before = [part for file, source in {**lessons, **given}.items()
              for part in parts_of(file, source, lessons, frozenset())]
    after = [part for file, source in {**lessons, **given}.items()
             for part in parts_of(file, source, lessons, stubs)]
    can_go = {(file, name) for file, name in users(before)
              if file in lessons and not (name in stubs and TASKS[task_of(name)].file == file)}
    gone = set()
    while more := can_go - gone - users(p for p in after if (p.file, p.name) not in gone):
        gone |= more
    return {file: cut(source, [p for p in after if p.file == file], gone, stubs)
            for file, source in lessons.items()}


def users(parts):
    """What is used by something other than itself: a set of (file, name)."""
    return {key for part in parts for key in part.uses if key != (part.file, part.name)}


def parts_of(file, source, lessons, stubs):
    tree = ast.parse(source)
    imported = {alias.asname or alias.name: (f"{node.module}.py", alias.name)
                for node in tree.body if isinstance(node, ast.ImportFrom)
                for alias in node.names if f"{node.module}.py" in lessons}

    def part(node, name, uses):
        keys = {(file, used) for used in uses}
        keys |= {imported[used] for used in uses if used in imported}
        keys |= {(f"{inner.module}.py", alias.name) for inner in ast.walk(node)
                 if isinstance(inner, ast.ImportFrom) and inner is not node
                 for alias in inner.names}
        return Part(file, name, first_line(node), node.end_lineno, node, frozenset(keys))

    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield part(node, (alias.asname or alias.name).split(".")[0], ())
        elif isinstance(node, ast.FunctionDef) and node.name in stubs:
            yield part(ast.Pass(lineno=node.lineno, end_lineno=node.end_lineno), node.name,
                       names([*node.decorator_list, node.args]))._replace(
                           node=node, first=first_line(node))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for one in ast.walk(target):
                    if isinstance(one, ast.Name):
                        yield part(node, one.id, names([node.value]))
        else:
            yield part(node, getattr(node, "name", ""), names([node]))


def first_line(node):
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def names(nodes):
    return {n.id for node in nodes for n in ast.walk(node)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def cut(source, parts, gone, stubs):
    """The source with stubs for bodies, and without the parts that are gone."""
    lines = source.splitlines()
    for part in sorted({p.first: p for p in parts}.values(), key=lambda p: -p.first):
        first, last = part.first - 1, part.last
        together = [p.name for p in parts if p.first == part.first]
        keep = [name for name in together if (part.file, name) not in gone]
        if not keep:
            while first and lines[first - 1].startswith("#"):
                first -= 1
            lines[first:last] = []
        elif isinstance(part.node, ast.ImportFrom) and len(keep) < len(together):
            lines[first:last] = [f"from {part.node.module} import {', '.join(keep)}"]
        elif part.name in stubs and isinstance(part.node, ast.FunctionDef):
            body = part.node.body
            says = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
            start = body[0].end_lineno if says else body[0].lineno - 1
            stub = f'    raise NotImplementedError("{task_of(part.name)} {part.name}")'
            lines[start:last] = [stub]
    text = "\n".join(lines).rstrip() + "\n"
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text


# ---- writing ----


def write(folder, files, add=False):
    """Write what is not there; a file that is there is never touched. Returns those written."""
    there = [name for name in files if (folder / name).exists()]
    if there and not add:
        refuse(f"{folder / there[0]} is there already; choose another folder, or write only "
               "what is missing with --add")
    new = [name for name in files if name not in there]
    for name in new:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "xb") as f:
            f.write(files[name])
    return new


def main():
    parser = argparse.ArgumentParser(description="Write a learner's folder: the lessons as stubs, "
                                     "the checks, the worksheet.")
    parser.error = refuse
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--add", action="store_true", help="write only files that are missing")
    args = parser.parse_args()
    new = write(args.folder, workbook(), args.add)
    print(f"wrote {len(new)} files to {args.folder}. Next: cd {args.folder}, read README.md, "
          "then pytest")


if __name__ == "__main__":
    with one_line():
        main()
