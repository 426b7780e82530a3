"""The ledger of the syllabus: which items have a test that states them and passes.

Run it from the repository: ``python -m infimum.syllabus --missing missing.csv``.
"""

import argparse
import ast
import csv
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from infimum.errors import DataError

__all__ = ["Item", "Ledger", "main", "marked_items", "passing_items", "read_items"]

INDEX = Path("docs", "syllabus.csv")
RESULTS = Path(".pytest_cache", "syllabus.json")


@dataclass(frozen=True)
class Item:
    """One line of the syllabus: something the library must show, or may."""

    id: str
    required: bool
    title: str

    @property
    def document(self) -> str:
        """The document this item comes from: ``S1`` for ``S1-029``."""
        return self.id.rpartition("-")[0]


@dataclass(frozen=True)
class Ledger:
    """The syllabus against the tests: what is named, what passes, what is missing.

    `passing` is None when no test results are at hand; then a name is all there is.
    """

    items: tuple[Item, ...]
    named: frozenset[str]
    passing: frozenset[str] | None = None

    @property
    def covered(self) -> frozenset[str]:
        """The items that count: named by a test, and passing where results exist."""
        return self.named if self.passing is None else self.named & self.passing

    def missing(self) -> tuple[Item, ...]:
        """Return the required items that are not covered, in syllabus order."""
        return tuple(i for i in self.items if i.required and i.id not in self.covered)

    def lines(self) -> Iterator[str]:
        """Write the ledger as a table, one line per document and a total."""
        yield "document    covered  required   share  optional"
        documents = dict.fromkeys(item.document for item in self.items)
        for document in documents:
            yield self._line(
                document, [i for i in self.items if i.document == document]
            )
        yield self._line("total", self.items)

    def _line(self, name: str, items: Sequence[Item]) -> str:
        covered = [item for item in items if item.id in self.covered]
        required = sum(item.required for item in items)
        done = sum(item.required for item in covered)
        share = f"{done / required:.1%}" if required else "-"
        return f"{name:<10}{done:>9}{required:>10}{share:>8}{len(covered) - done:>10}"


def read_items(path: Path) -> tuple[Item, ...]:
    """Read the index of the syllabus, docs/syllabus.csv."""
    if not path.is_file():
        raise DataError(
            f"The syllabus {path} is not there; run this in the repository or give"
            " its folder with --root."
        )
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return tuple(Item(r["id"], r["required"] == "yes", r["title"]) for r in rows)


def marked_items(folder: Path) -> dict[str, list[str]]:
    """Return, for each item marked under `folder`, the places ``file:line``."""
    places: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        for call in filter(_is_mark, ast.walk(tree)):
            assert isinstance(call, ast.Call)
            place = f"{path.relative_to(folder.parent)}:{call.lineno}"
            for item in _literals(call, place):
                places.setdefault(item, []).append(place)
    return places


def _is_mark(node: ast.AST) -> bool:
    """Recognise ``pytest.mark.syllabus(...)``, wherever it stands."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "syllabus"
        and isinstance(node.func.value, ast.Attribute)
        and node.func.value.attr == "mark"
    )


def _literals(call: ast.Call, place: str) -> Iterator[str]:
    for argument in call.args:
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
            raise DataError(
                f"The syllabus mark at {place} must spell its items as plain strings."
            )
        yield argument.value


def passing_items(path: Path) -> frozenset[str]:
    """Return the items all of whose tests passed, from a file of test results.

    The file is JSON, written by the test suite's ``--syllabus`` option: a mapping
    from item to the outcome (``"passed"`` or not) of each test that names it.
    """
    try:
        outcomes = json.loads(path.read_text(encoding="utf-8"))["items"]
        return frozenset(
            item
            for item, tests in outcomes.items()
            if tests and all(outcome == "passed" for outcome in tests.values())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"The test results {path} cannot be read; run `make test` to write them."
        ) from error


def open_ledger(root: Path, results: Path | None) -> Ledger:
    """Build the ledger of the repository at `root`, with results where there are."""
    items = read_items(root / INDEX)
    places = marked_items(root / "tests")
    known = {item.id for item in items}
    for item, where in places.items():
        if item not in known:
            raise DataError(
                f"{where[0]} marks the item {item!r}, which {INDEX} does not list."
            )
    if results is None and (root / RESULTS).is_file():
        results = root / RESULTS
    passing = None if results is None else passing_items(results)
    return Ledger(items, frozenset(places), passing)


def write_missing(items: Iterable[Item], path: Path) -> None:
    """Write the missing items as CSV: to a temporary name, then moved."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("id", "title"))
        writer.writerows((item.id, item.title) for item in items)
    Path(name).replace(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the ledger; return 0, or 2 when there is nothing to count."""
    parser = argparse.ArgumentParser(
        prog="python -m infimum.syllabus", description=__doc__
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the repository")
    parser.add_argument(
        "--results", type=Path, help=f"test results (default {RESULTS})"
    )
    parser.add_argument("--missing", type=Path, help="write what is missing as CSV")
    options = parser.parse_args(arguments)
    try:
        ledger = open_ledger(options.root, options.results)
    except DataError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.writelines(f"{line}\n" for line in ledger.lines())
    if ledger.passing is None:
        sys.stdout.write(
            "Counted by name only: `make test` also records what passes.\n"
        )
    if options.missing:
        write_missing(ledger.missing(), options.missing)
        sys.stdout.write(f"{len(ledger.missing())} missing: {options.missing}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
