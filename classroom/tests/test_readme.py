"""The README is true: its commands run, and print what it shows.

A ```console block has commands after "$ " and their output; a line of "..." stands for any
lines. A ```sh block has commands alone. All run in one copy of the project, in order.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "classroom/README.md"]
# What sets the machine up; `.ci/run` does it, and these pages say how.
SETUP = re.compile(r"git clone|python3 -m venv|python -m pip install|make\b")
SLOW = re.compile(r"make_real|grade\.py|start\.py|pytest|bench/|join\.py|results_real|answers_real"
                  r"|runs_real|--figure")


def commands(page):
    """(command, expected output or None, block kind) of every command of a page, in order."""
    text = (ROOT / page).read_text(encoding="utf-8") if (ROOT / page).is_file() else ""
    found = []
    for kind, block in re.findall(r"^```(console|sh)\n(.*?)^```", text, re.S | re.M):
        if kind == "sh":
            found += [(line, None) for line in block.splitlines()
                      if line.strip() and not line.startswith("#")]
            continue
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def matches(expected, got):
    """Whether the output is what the page shows; times and paths of a run may differ."""
    def clean(text):
        text = re.sub(r"\d+\.\d+s\b", "#s", text)
        return [line.rstrip() for line in text.strip().splitlines()]

    pattern = r"\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line)
                         for line in clean(expected))
    return re.fullmatch(pattern, "\n".join(clean(got))) is not None


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project, as a fresh clone has it."""
    folder = tmp_path_factory.mktemp("clone") / "evalstats"
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                            capture_output=True, check=True).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def run(command, folder):
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
           "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)


def check_page(page, folder, slow):
    before = []
    for command, expected in commands(page):
        if SETUP.match(command) or (SLOW.search(command) and not slow):
            before.append(command)
            continue
        done = run(command, folder)
        if expected is None:
            assert done.returncode == 0, f"{page}: {command}\n{done.stdout}"
        else:
            assert matches(expected, done.stdout), (
                f"{page} shows another output of: {command}\n--- shown\n{expected}"
                f"--- printed\n{done.stdout}")


def test_readme_shows_what_its_quick_commands_print(project):
    check_page("README.md", project, slow=False)


@pytest.mark.prove
@pytest.mark.parametrize("page", PAGES)
def test_page_shows_what_all_its_commands_print(page, project):
    check_page(page, project, slow=True)


def test_readme_opens_with_a_command_and_its_output():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert "```console" in lines[:15], "one command with its real output by line 15"
    assert commands("README.md")[0][1], "the first command shows its output"


def test_readme_names_only_files_that_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!http)([^)#]+)", text)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_ci_runs_the_test_command_of_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "`make test`" in text
    assert "\nmake test\n" in script
    assert "\nmake prove\n" in script
    assert shlex.split("make test")        # the command is one a shell takes as it stands


def test_the_table_of_lessons_is_the_table_of_tasks():
    sys.path.insert(0, str(ROOT / "tests"))
    try:
        from tasks import TASKS
    finally:
        sys.path.pop(0)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, task in TASKS.items():
        row = next((line for line in text.splitlines() if line.startswith(f"| {name} |")), "")
        assert f"[{task.file}]({task.file})" in row, f"{name} is missing from the lesson table"
        assert task.title in row
        assert re.findall(r"`(\w+)`", row) == list(task.points)
