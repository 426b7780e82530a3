"""A figure in a sentence or two, for those who hear the page instead of seeing it."""

from collections.abc import Iterable
from typing import Any

from infimum.report.figures.tabulation import tabulated
from infimum.report.numbers import figure as written

__all__ = ["described"]

_MOST = 4


def described(figure: dict[str, Any]) -> str:
    """Say what each series has: how many values, and between which they lie.

    Examples
    --------
    >>> axes = {f"{k}axis": {"title": {"text": k}} for k in "xy"}
    >>> described({"data": [{"x": [0, 1], "y": [2.0, 5.0]}], "layout": axes})
    '2 values: x from 0 to 1.00, y from 2.00 to 5.00.'
    """
    table = tabulated(figure)
    columns, rows = table["columns"], table["rows"]
    named = columns[:1] == ["series"]
    series: dict[str, list[list[Any]]] = {}
    for row in rows:
        series.setdefault(str(row[0]) if named else "", []).append(row)
    heads = columns[1:] if named else columns
    told = [
        _one(name, heads, [row[1:] if named else row for row in part])
        for name, part in list(series.items())[:_MOST]
    ]
    more = len(series) - _MOST
    return " ".join([*told, *([f"And {more} more series."] if more > 0 else [])])


def _one(name: str, heads: list[str], rows: list[list[Any]]) -> str:
    amount = f"{len(rows)} value{'s' if len(rows) > 1 else ''}"
    reach = ", ".join(
        _reach(head, [row[place] for row in rows])
        for place, head in enumerate(heads)
        if head not in ("low", "high")
    )
    return f"{name + ', ' if name else ''}{amount}: {reach}."


def _reach(head: str, values: Iterable[Any]) -> str:
    known = [value for value in values if value not in (None, "")]
    if not known:
        return f"no {head}"
    numbers = [value for value in known if isinstance(value, int | float)]
    if len(numbers) < len(known):
        first, last = str(known[0]), str(known[-1])
    else:
        first, last = written(min(numbers)), written(max(numbers))
    return f"{head} {first}" if first == last else f"{head} from {first} to {last}"
