"""Print every lower bound of pyproject.toml as an exact version, for pip.

What only checks the source (lint, types, layers) is left out: it runs on no user's
machine.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
CHECKERS = {"ruff", "mypy", "import-linter", "scipy-stubs"}
BOUND = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)")


def lowest(project: Path = PROJECT) -> list[str]:
    """Return ``name==version`` for what Infimum and its tests need."""
    declared = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    needed = {*declared["dependencies"], *declared["optional-dependencies"]["test"]}
    bounds = [BOUND.fullmatch(line) for line in sorted(needed)]
    if None in bounds:
        raise SystemExit("Every dependency of pyproject.toml needs a bound name>=x.")
    return [f"{b[1]}=={b[2]}" for b in bounds if b and b[1] not in CHECKERS]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lowest()) + "\n")
