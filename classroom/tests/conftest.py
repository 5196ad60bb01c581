"""The project's own tests: its lessons and tools come first on the path."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def pytest_configure(config):
    if not config.getoption("workbook", None):
        ours = [str(ROOT), str(ROOT / "classroom"), str(ROOT / "tests")]
        sys.path[:] = ours + [p for p in sys.path if p not in ours]


def pytest_ignore_collect(config):
    """They test this project, not a folder under test."""
    return True if config.getoption("workbook", None) else None
