"""The 95 % intervals of the exam's numbers, where they are known."""

from typing import Any

__all__ = ["ends_of"]


def ends_of(result: dict[str, Any], metric: str) -> tuple[float, float] | None:
    """Return the ends of the interval of a metric; None if it is not known.

    Draws of the test rows that all give the same number know nothing of the rows that
    did not come: an interval without width is none.
    """
    ends = result["exam"]["curves"].get("intervals", {}).get(metric)
    if not ends or ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return None
    return ends[0], ends[1]
