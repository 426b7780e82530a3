"""Speed over families of data: ``python -m benchmarks.families``.

Each of eight problems is solved in eight forms (`benchmarks.family_members`), drawn
anew every day, by us and by peers in turn at the same reached quality. The README and
``docs/benchmarks.md`` show the median and the least ratio. In pieces: ``--kept FILE``
goes on where the file ends, ``--until 200`` begins nothing after so many seconds, and
``--page`` writes the tables of what is kept.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from benchmarks.family_members import FAMILIES, FORMS
from benchmarks.machine import describe_machine, library_versions
from benchmarks.table import rewrite_between_markers
from benchmarks.task import OURS
from benchmarks.timing import Row, time_task

__all__ = ["main", "measured", "table"]

ROOT = Path(__file__).parent.parent
#: Turns after the warm-up; who needs longer than so many seconds is not asked again.
ROUNDS, PATIENCE = 2, 3.0
_NOTE = (
    "Ratios of seconds, scikit-learn's best or the best other library's divided by "
    "ours: median and, in brackets, least of eight forms of data each (correlated or "
    "clustered and independent, C and F order, two levels of noise, two sizes)."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the families asked for, all when none is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.families")
    parser.add_argument("names", nargs="*", help=", ".join(FAMILIES))
    parser.add_argument("--seed", type=int, help="of the data; the day's unless given")
    parser.add_argument("--kept", type=Path, help="a file of lines, and where to go on")
    parser.add_argument("--until", type=float, help="seconds, then no other form")
    parser.add_argument("--page", action="store_true", help="write what is kept")
    options = parser.parse_args(arguments)
    lines = _read(options.kept)
    if options.page:
        write(lines)
        return 0
    seed = datetime.now(UTC).toordinal() if options.seed is None else options.seed
    done, began = {(each["family"], each["form"]) for each in lines}, time.monotonic()
    for name in options.names or FAMILIES:
        for form in FORMS:
            if (name, str(form)) in done:
                continue
            if options.until and time.monotonic() - began > options.until:
                return 1
            line = measured(name, form, seed)
            lines.append(line)
            if options.kept:
                with options.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
            print(_short(line), flush=True)
    print(table(lines))
    return 0


def measured(name: str, form: Any, seed: int) -> dict[str, Any]:
    """Time one form of a family; return what its line says."""
    rows = time_task(FAMILIES[name][1](form, seed), rounds=ROUNDS, patience=PATIENCE)
    ours = next(row for row in rows if row.contender == OURS)
    theirs = [row for row in rows if row.contender.startswith("scikit-learn")]
    others = [row for row in rows if row is not ours and row not in theirs]
    return {
        "family": name,
        "form": str(form),
        "seed": seed,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": ours.best if ours.reached else None,
        "sklearn": _least(theirs),
        "other": _least(others),
        "all": {row.contender: [row.best, row.excess, row.problem] for row in rows},
    }


def _least(rows: list[Row]) -> list[Any] | None:
    """Return the smallest ratio of those that reached the quality, and whose it is."""
    reached = [(row.ratio, row.contender) for row in rows if row.ratio is not None]
    return list(min(reached)) if reached else None


def _short(line: dict[str, Any]) -> str:
    told = {
        name: [None if t is None else round(t, 4), e]
        for name, (t, e, _) in line["all"].items()
    }
    return f"{line['family']}: {line['form']}: {line['sklearn']} {line['other']} {told}"


def _read(path: Path | None) -> list[dict[str, Any]]:
    if path is None or not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(lines: Sequence[dict[str, Any]]) -> str:
    """Return a row for each family that was measured."""
    rows = [
        "| family | ours, seconds | scikit-learn's best takes | the best other takes |",
        "| --- | --- | --- | --- |",
    ]
    for name, (title, _) in FAMILIES.items():
        group = [line for line in lines if line["family"] == name]
        if group:
            spent = [line["seconds"] for line in group if line["seconds"] is not None]
            span = f"{min(spent):.2g} to {max(spent):.2g}" if spent else "not reached"
            cells = title, span, _spread(group, "sklearn"), _spread(group, "other")
            rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _spread(group: Sequence[dict[str, Any]], whose: str) -> str:
    """Say the median and the least ratio; 0 where we did not reach the quality."""
    if all(line[whose] is None and line["seconds"] is not None for line in group):
        return ""
    known = [line for line in group if line[whose] is not None or not line["seconds"]]
    ratios = [line[whose][0] if line[whose] else 0.0 for line in known]
    names = sorted({line[whose][1] for line in known if line[whose]})
    who = f" {', '.join(names)}" if whose == "other" else ""
    return f"{np.median(ratios):.2g}× ({min(ratios):.2g}×){who}"


def write(lines: Sequence[dict[str, Any]]) -> None:
    """Write the table to the README and, with every form, to docs/benchmarks.md."""
    short = f"{table(lines)}\n\n{fill(_NOTE, 88)}"
    rewrite_between_markers(ROOT / "README.md", short, "families")
    days = sorted({line["date"][:10] for line in lines})
    machine, versions = describe_machine(), library_versions()
    peers = ", ".join(f"{k} {v}" for k, v in versions.items() if k != "infimum")
    said = (
        f"Measured on {' and '.join(days)} by `python -m benchmarks.families`: "
        f"{machine['processor']}, {machine['cores']} cores, Python "
        f"{machine['python']}, {peers}. Least of up to {ROUNDS + 1} turns; who needed "
        f"more than {PATIENCE} s was asked once."
    )
    rows = ["| family | form | ours | scikit-learn's best | the best other |"]
    rows.append("|---|---|---|---|---|")
    rows += [_form_row(line) for line in lines]
    whole = "\n\n".join([short, fill(said, 88), "\n".join(rows)])
    rewrite_between_markers(ROOT / "docs" / "benchmarks.md", whole, "families")


def _form_row(line: dict[str, Any]) -> str:
    seconds = "not reached" if line["seconds"] is None else f"{line['seconds']:.3g} s"
    told = [
        f"{found[0]:.2g}× {found[1]}" if found else ""
        for found in (line["sklearn"], line["other"])
    ]
    return f"| {' | '.join([line['family'], line['form'], seconds, *told])} |"


if __name__ == "__main__":
    sys.exit(main())
