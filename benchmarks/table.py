"""The results as a table, on the screen and in the README."""

from pathlib import Path

from benchmarks.timing import Row

__all__ = ["markdown", "plain", "rewrite_readme"]

HEADINGS = (
    "task", "library", "seconds", "times ours", "above optimum", "first call",
    "next process",
)  # fmt: skip
OPENING, CLOSING = "<!-- benchmarks -->", "<!-- /benchmarks -->"


def cells(row: Row) -> tuple[str, ...]:
    """Return the row's cells; one that failed or fell short says so."""
    if row.problem or not row.reached:
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
    """Return the table in Markdown, for the README."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *map(cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rewrite_readme(path: Path, content: str) -> None:
    """Put `content` between the markers, leaving all else as it is."""
    text = path.read_text(encoding="utf-8")
    head, opening, rest = text.partition(OPENING)
    _, closing, tail = rest.partition(CLOSING)
    if not (opening and closing):
        raise ValueError(f"{path} has no {OPENING} ... {CLOSING} to fill.")
    draft = path.with_name(f".{path.name}.new")
    draft.write_text(f"{head}{OPENING}\n{content}\n{CLOSING}{tail}", encoding="utf-8")
    draft.replace(path)
