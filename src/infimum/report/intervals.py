"""The 95 % intervals of the exam's numbers, where they are known."""

from typing import Any

from infimum.report.numbers import percent

__all__ = ["ends_of", "explained"]


def ends_of(result: dict[str, Any], metric: str) -> tuple[float, float] | None:
    """Return the ends of the interval of a metric; None if it is not known.

    Draws of the test rows that all give the same number know nothing of the rows that
    did not come: an interval without width is none.
    """
    ends = result["exam"]["curves"].get("intervals", {}).get(metric)
    if not ends or ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return None
    return ends[0], ends[1]


def explained(result: dict[str, Any]) -> str:
    """Say which share of the variance is explained; a share below none is put in words.

    Examples
    --------
    >>> exam = {"metrics": {"r2": 0.4}, "curves": {"intervals": {"r2": [-0.4, 0.9]}}}
    >>> print(explained({"exam": exam}).replace("\u00a0", " "))
    40 % of the variance (at most 90.0 %, with 95 % confidence; test rows so few or so \
uneven leave open whether it is better than always answering the mean)
    """
    share = percent(max(result["exam"]["metrics"]["r2"], 0), 0)
    ends = ends_of(result, "r2")
    if ends is None:
        return f"{share} of the variance"
    low, high = ends
    if low >= 0:
        return f"{share} ({100 * low:.1f} to {percent(high)}) of the variance"
    return (
        f"{share} of the variance (at most {percent(max(high, 0))}, with 95 % "
        "confidence; test rows so few or so uneven leave open whether it is better "
        "than always answering the mean)"
    )
