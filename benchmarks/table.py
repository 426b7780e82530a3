"""The results as tables: on the screen, in the docs, and in short in the README."""

from pathlib import Path

from benchmarks.task import OURS
from benchmarks.timing import Row

__all__ = ["markdown", "plain", "rewrite_between_markers", "summary"]

HEADINGS = (
    "task", "library", "seconds", "times ours", "above optimum", "first call",
    "next process",
)  # fmt: skip


def cells(row: Row) -> tuple[str, ...]:
    """Return the row's cells; one that failed or fell short says so."""
    if row.stopped and row.ratio is not None:
        verdict = f"> {row.ratio:.2f} (stopped)"
    elif row.problem or not row.reached:
        verdict = "failed" if row.problem else "not reached"
    else:
        verdict = "" if row.ratio is None else f"{row.ratio:.2f}"
    excess = "" if row.excess is None else f"{row.excess:.0e}"
    times = (row.best, row.first_call, row.next_process)
    best, first, following = ("" if t is None else f"{t:.3g} s" for t in times)
    return row.task, row.contender, best, verdict, excess, first, following


def plain(rows: list[Row]) -> str:
    """Return the table in columns, for a terminal."""
    lines = [HEADINGS, *map(cells, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def markdown(rows: list[Row]) -> str:
    """Return the whole table in Markdown, one line a library."""
    return _lines([HEADINGS, ("---",) * len(HEADINGS), *map(cells, rows)])


def summary(rows: list[Row]) -> str:
    """Return one line a task: our time, and how much longer the best others take.

    Of scikit-learn's solvers the fastest counts, of the other libraries too; both only
    where they reached the same quality.
    """
    lines = [("task", "ours", "scikit-learn's best takes", "the best other takes")]
    lines.append(("---",) * len(lines[0]))
    for task in dict.fromkeys(row.task for row in rows):
        group = [row for row in rows if row.task == task]
        ours = next((row for row in group if row.contender == OURS), None)
        if ours is None or ours.best is None:
            continue
        theirs = [row for row in group if row.contender.startswith("scikit-learn")]
        others = [
            row
            for row in group
            if row not in theirs and not row.contender.startswith(OURS)
        ]
        time = f"{ours.best:.3g} s" if ours.reached else "not reached"
        lines.append((task, time, _fastest(theirs), _fastest(others, named=True)))
    return _lines(lines)


def _fastest(rows: list[Row], *, named: bool = False) -> str:
    if not rows:
        return ""
    reached = [row for row in rows if row.reached and row.ratio is not None]
    if not reached:
        bounds = [row.ratio for row in rows if row.stopped and row.ratio is not None]
        return f"> {min(bounds):.2g}×" if bounds else "not reached"
    best = min(reached, key=lambda row: row.ratio or 0.0)
    ratio = best.ratio or 0.0
    shown = f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
    return f"{shown}×" + f" ({best.contender})" * named


def _lines(lines: list[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rewrite_between_markers(path: Path, content: str, name: str = "benchmarks") -> None:
    """Put `content` between the markers of a name, leaving all else as it is."""
    opening_mark, closing_mark = f"<!-- {name} -->", f"<!-- /{name} -->"
    text = path.read_text(encoding="utf-8")
    head, opening, rest = text.partition(opening_mark)
    _, closing, tail = rest.partition(closing_mark)
    if not (opening and closing):
        raise ValueError(f"{path} has no {opening_mark} ... {closing_mark} to fill.")
    draft = path.with_name(f".{path.name}.new")
    draft.write_text(
        f"{head}{opening_mark}\n{content}\n{closing_mark}{tail}", encoding="utf-8"
    )
    draft.replace(path)
