"""What a change touches: ``python -m benchmarks.changes``.

Four changes that a contributor makes are made by a script, in a copy of the repository:
a new loss, a new penalty, a new linear classifier, a new check on user data. The copy
must then pass the tests that would object; the files touched are counted, and the
private methods of ours that the author of the classifier has written.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

__all__ = ["CHANGES", "Change", "main"]

ROOT = Path(__file__).parent.parent
LINEAR = "src/infimum/models/linear"
CLASSIFIER = '''"""A linear classifier under the logistic loss and the ridge penalty."""

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.losses import Logistic
from infimum.models.linear._classifier import LinearClassifier
from infimum.models.linear.coding import Signs
from infimum.models.linear.fit import Recipe
from infimum.parameters import Domains, positive
from infimum.penalties import Ridge

__all__ = ["ProbeClassifier"]


class ProbeClassifier(LinearClassifier):
    """A classifier that scores each class against the rest."""

    _domains: ClassVar[Domains] = {"strength": positive}

    def __init__(self, strength: float = 0.1, *, class_weight: Any = None) -> None:
        self.strength = strength
        self.class_weight = class_weight

    def _recipe(self, rows: Rows) -> Recipe:
        coding = Signs(len(rows.classes))
        return Recipe(Logistic(), Ridge(float(self.strength)), coding, 1e-8)
'''


SUMS = '    """Raise if a number is so large that sums of squares would overflow."""\n'
CHECK = """    if getattr(X, "ndim", 2) != 2:
        raise DataError("A table has rows and columns.")
"""


class Change(NamedTuple):
    """New files, lines that old files get, and the tests that would object."""

    new: dict[str, str]
    #: Path, a line to be found, and the lines that take its place.
    edits: tuple[tuple[str, str, str], ...]
    tests: tuple[str, ...]


def _copied(path: str, old: str, new: str) -> str:
    return re.sub(rf"\b{old}\b", new, (ROOT / path).read_text("utf-8"))


def _exported(room: str, old: str, new: str, home: str) -> tuple[tuple[str, ...], ...]:
    file = f"src/infimum/{room}/__init__.py"
    import_ = next(
        line
        for line in (ROOT / file).read_text("utf-8").splitlines()
        if line.endswith(f" import {old}")
    )
    indent = import_[: len(import_) - len(import_.lstrip())]
    line = f"{indent}from infimum.{home} import {new}"
    return (
        (file, f"{import_}\n", f"{import_}\n{line}\n"),
        (file, f'    "{old}",\n', f'    "{old}",\n    "{new}",\n'),
    )


CHANGES: dict[str, Change] = {
    "a new loss": Change(
        {
            "src/infimum/losses/probe_loss.py": _copied(
                "src/infimum/losses/huber.py", "Huber", "ProbeLoss"
            )
        },
        _exported("losses", "Huber", "ProbeLoss", "losses.probe_loss"),  # type: ignore[arg-type]
        ("tests/laws/test_loss_laws.py", "-k", "ProbeLoss"),
    ),
    "a new penalty": Change(
        {
            "src/infimum/penalties/probe_penalty.py": _copied(
                "src/infimum/penalties/lasso.py", "Lasso", "ProbePenalty"
            )
        },
        _exported(  # type: ignore[arg-type]
            "penalties", "Lasso", "ProbePenalty", "penalties.probe_penalty"
        ),
        ("tests/laws/test_penalty_laws.py", "-k", "ProbePenalty"),
    ),
    "a new linear classifier": Change(
        {f"{LINEAR}/classification/probe_classifier.py": CLASSIFIER},
        (
            *_exported(
                "models/linear",
                "LinearSVC",
                "ProbeClassifier",
                "models.linear.classification.probe_classifier",
            ),
            (
                f"{LINEAR}/_states.py",
                '    "LinearSVC": _LABELS,\n',
                '    "LinearSVC": _LABELS,\n    "ProbeClassifier": _LABELS,\n',
            ),
        ),  # type: ignore[arg-type]
        ("tests/models/test_scikit_learn_contract.py", "-k", "ProbeClassifier"),
    ),
    "a new check on user data": Change(
        {},
        (("src/infimum/data/doors/limits.py", SUMS, f"{SUMS}{CHECK}"),),
        ("tests/test_house_rules.py", "-k", "doors"),
    ),
}


def _made(change: Change, copy: Path) -> set[str]:
    """Make a change in a copy of the repository; return the files that it touches."""
    for path, text in change.new.items():
        (copy / path).write_text(text, "utf-8")
    for path, old, new in change.edits:
        text = (copy / path).read_text("utf-8")
        if old not in text:
            raise SystemExit(f"{path} has no line {old!r}")
        (copy / path).write_text(text.replace(old, new, 1), "utf-8")
    return {*change.new, *(path for path, _, _ in change.edits)}


def main() -> None:
    """Make every change in a copy of its own, test it, and print what it touches."""
    for name, change in CHANGES.items():
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            for part in ("src", "tests", "benchmarks", "docs", "pyproject.toml"):
                source = ROOT / part
                if source.is_dir():
                    shutil.copytree(source, copy / part)
                else:
                    shutil.copy(source, copy / part)
            files = _made(change, copy)
            environment = os.environ | {"PYTHONPATH": str(copy / "src")}
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
            done = subprocess.run(
                [*command, *change.tests],
                cwd=copy,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
        last = (done.stdout.strip() or done.stderr.strip()).splitlines()[-1]
        print(f"{name}: {len(files)} files ({last})")
        for file in sorted(files):
            print(f"    {file}")


if __name__ == "__main__":
    main()
