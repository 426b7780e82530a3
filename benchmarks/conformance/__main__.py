"""Scikit-learn's packaged tests on our classes: ``make conformance``.

Every test that calls a class or a function of ours is sorted: passed, skipped by
scikit-learn itself, intended, or a bug. What is intended stands in ``intended.toml``,
by rows of ``docs/dropin.md``; an entry that matches no failure, or a row that is not
there, is an error. A failure that scikit-learn's own classes have too is not ours.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sklearn

from benchmarks.conformance.page import page
from infimum.dropin.replacement import ROOMS

__all__ = ["Sorted", "commit", "examine", "intended", "main", "run", "sort"]

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
SKLEARN = Path(sklearn.__file__).parent
#: Other folders whose tests use our classes as guests.
GUESTS = ("inspection", "multioutput", "pipeline", "feature_selection", "frozen")
#: Options of pytest: nothing of this repository's settings, all of scikit-learn's.
OPTIONS = "[pytest]\naddopts = --import-mode=importlib --disable-warnings -q\n"
WORDS = "messages of errors and warnings"
PRIVATE = "names that begin with an underscore"
#: What a test says that asks an object, or a module, of ours for a private name. Where
#: our own code asks, that is a bug.
ASKED = re.compile(r"AttributeError: .* has no attribute '_[a-zA-Z]\w*'")


@dataclass
class Sorted:
    """What became of the tests: their kinds, and the rows that explain."""

    records: list[dict[str, Any]]
    kind: dict[str, str] = field(default_factory=dict)
    row: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def by_class(self) -> dict[str, Counter[str]]:
        """Count kinds by class; a test counts for every class that it calls."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for each in self.records:
            for name in each["called"]:
                counts[name][self.kind[each["test"]]] += 1
        return dict(sorted(counts.items()))

    def bugs(self) -> dict[str, str]:
        """Return the failures that nothing explains, with what was said."""
        return {
            each["test"]: each["said"]
            for each in self.records
            if self.kind[each["test"]] == "bug"
        }


def paths(names: list[str]) -> list[Path]:
    """Return where scikit-learn keeps the tests of its modules."""
    places = [
        place
        for name in names
        for place in (SKLEARN / name, SKLEARN / "tests" / f"test_{name}.py")
        if place.exists()
    ]
    if not places:
        raise SystemExit(f"scikit-learn has no tests of {', '.join(names)}.")
    return places


def run(
    places: list[Path],
    workers: int = 2,
    share: int = 1,
    only: list[str] | None = None,
    *,
    bare: bool = False,
) -> list[dict[str, Any]]:
    """Run tests in processes of their own, all or some; bare is without us."""
    with tempfile.TemporaryDirectory() as folder:
        sheet, options = Path(folder) / "sheet.jsonl", Path(folder) / "pytest.ini"
        options.write_text(OPTIONS, encoding="utf-8")
        names = Path(folder) / "only"
        names.write_text("\n".join(only or []), encoding="utf-8")
        settings = {
            **os.environ,
            "CONFORMANCE_REPORT": str(sheet),
            "CONFORMANCE_SHARE": str(share),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        settings |= {} if only is None else {"CONFORMANCE_ONLY": str(names)}
        settings |= {"CONFORMANCE_BARE": "1"} if bare else {}
        settings.pop("PYTEST_XDIST_WORKER", None)
        told = subprocess.run(
            [
                sys.executable, "-m", "pytest", "-c", str(options), "--rootdir",
                str(SKLEARN.parent), "-p", "no:cacheprovider", "-p",
                "benchmarks.conformance.plugin", "-n", str(workers), "--dist",
                "worksteal", "--tb=short", *map(str, places),
            ],
            env=settings, cwd=HERE.parent.parent, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if not sheet.exists():
            raise SystemExit(
                f"No test ran.\n{told.stdout[-2000:]}{told.stderr[-2000:]}"
            )
        lines = sheet.read_text(encoding="utf-8").splitlines()
    return [{**json.loads(line), "commit": commit()} for line in lines]


def commit() -> str:
    """Return the short name of the commit that is checked out here."""
    asked = ["git", "-C", str(HERE), "rev-parse", "--short=8", "HEAD"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    return told.stdout.strip() or "no commit"


def intended(place: Path = HERE / "intended.toml") -> dict[str, list[str]]:
    """Return rows of ``docs/dropin.md`` and the failing tests that each explains."""
    entries = tomllib.loads(place.read_text(encoding="utf-8"))["intended"]
    return {each["row"]: each["tests"] for each in entries}


def sort(
    records: list[dict[str, Any]], entries: dict[str, list[str]], rows: set[str]
) -> Sorted:
    """Sort records by kind; an entry is a test's name, with * for anything."""
    found = Sorted(records)
    patterns = {
        entry: (row, re.compile(re.escape(entry).replace(r"\*", ".*") + r"(\[.*)?"))
        for row, tests in entries.items()
        for entry in tests
    }
    seen = {_short(each["test"]).partition("::")[0] for each in records}
    idle = {entry for entry in patterns if entry.partition("::")[0] in seen}
    for each in records:
        name = each["test"]
        found.kind[name] = _kind(each)
        if found.kind[name] != "bug":
            continue
        fits = [e for e, (_, p) in patterns.items() if p.fullmatch(_short(name))]
        idle -= set(fits)
        if fits:
            found.kind[name], found.row[name] = "intended", patterns[fits[0]][0]
        elif each["outcome"] == "passed":
            found.kind[name], found.row[name] = "intended", WORDS
        elif ASKED.match(each["said"]) and not each.get("inside"):
            found.kind[name], found.row[name] = "intended", PRIVATE
    found.errors = [f"matches no failure: {entry}" for entry in sorted(idle)]
    found.errors += [f"no row of docs/dropin.md: {row}" for row in {*entries} - rows]
    return found


def _kind(each: dict[str, Any]) -> str:
    if not each["called"] or each.get("alien"):
        return "not ours"
    if each["outcome"] == "skipped" or each["expected"]:
        return "skipped"
    return "passed" if each["outcome"] == "passed" and not each["worded"] else "bug"


def _short(name: str) -> str:
    """Return the name without the folders that all tests lie in."""
    return name.removeprefix("sklearn/").replace("tests/", "", 1)


def rows_of(text: str) -> set[str]:
    """Return the first cells of the tables of a page."""
    return {line.split("|")[1].strip() for line in text.splitlines() if line[:1] == "|"}


def examine(
    module: str, workers: int, kept: Path, *, again: bool = False
) -> list[dict[str, Any]]:
    """Run the tests of a module, its failures again without us; keep what was found.

    What was kept is read, and with `again` its failures are run once more.
    """
    sheet = kept / f"{module}.json"
    known = json.loads(sheet.read_text(encoding="utf-8")) if sheet.exists() else None
    if known is not None and not again:
        return list(known)
    if known is None:
        records = run(paths([module]), workers)
        mark_alien(records, workers)
    else:
        names = [each["test"] for each in known if _kind(each) == "bug"]
        files = sorted({SKLEARN.parent / name.partition("::")[0] for name in names})
        found = run(files, workers, only=names) if names else []
        mark_alien(found, workers)
        anew = {each["test"]: each for each in found}
        records = [anew.get(each["test"], each) for each in known]
    kept.mkdir(parents=True, exist_ok=True)
    sheet.write_text(json.dumps(records), encoding="utf-8")
    return records


def mark_alien(records: list[dict[str, Any]], workers: int) -> None:
    """Mark failures that scikit-learn's own classes have as well."""
    failed = [r for r in records if r["outcome"] in ("failed", "error") and r["called"]]
    names = [each["test"] for each in failed]
    files = sorted({SKLEARN.parent / name.partition("::")[0] for name in names})
    alone = run(files, workers, only=names, bare=True) if names else []
    passed = {each["test"] for each in alone if each["outcome"] == "passed"}
    for each in failed:
        each["alien"] = each["test"] not in passed


def main(arguments: list[str] | None = None) -> int:
    """Run, sort, write the page and the numbers, and say what is not in order."""
    parser = argparse.ArgumentParser(prog="benchmarks.conformance", description=__doc__)
    parser.add_argument("modules", nargs="*", help="modules of scikit-learn; all")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kept", type=Path, help="folder of modules already examined")
    parser.add_argument("--page", action="store_true", help="write it of some, too")
    parser.add_argument("--again", action="store_true", help="run kept failures again")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        records = [
            record
            for module in asked.modules or [*ROOMS, *GUESTS]
            for record in examine(
                module, asked.workers, asked.kept or Path(folder), again=asked.again
            )
        ]
    rows = rows_of((DOCS / "dropin.md").read_text(encoding="utf-8"))
    found = sort(records, intended(), rows)
    if asked.page or not asked.modules:
        page(found, DOCS, asked.modules or [*ROOMS, *GUESTS], [*ROOMS, *GUESTS])
    return tell(found, found.errors)


def tell(found: Sorted, errors: list[str]) -> int:
    """Say what is not in order."""
    bugs = found.bugs()
    for name, said in bugs.items():
        sys.stdout.write(f"bug: {_short(name)}: {said[:160]}\n")
    for error in errors:
        sys.stdout.write(f"error: {error}\n")
    sys.stdout.write(f"{dict(Counter(found.kind.values()))}\n")
    return int(bool(bugs or errors))


if __name__ == "__main__":
    sys.exit(main())
