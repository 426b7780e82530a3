"""`make lowest`: what it runs exists, and every dependency says since when it works."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_quick_part_of_the_tests_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    quick = re.search(r"^quick := ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    paths = quick[1].replace("\\\n", " ").split()
    assert len(paths) > 5
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_bound_becomes_one_version():
    lowest = runpy.run_path(str(ROOT / ".ci" / "lowest.py"))["lowest"]()
    assert all(re.fullmatch(r"[\w.-]+==[\d.]+", line) for line in lowest)
    assert any(line.startswith("polars==") for line in lowest)
