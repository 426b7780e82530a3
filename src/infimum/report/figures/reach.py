"""Exact binomial intervals around counted rates, drawn as bars."""

from collections.abc import Sequence
from typing import Any

from infimum.evaluation import clopper_pearson

__all__ = ["coarsened", "count_reach"]

_CONFIDENCE, _FEWEST_BINS = 0.95, 4


def count_reach(
    counts: Sequence[float], total: int, *, unit: float = 1.0, **style: Any
) -> dict[str, Any]:
    """Return error bars of counts among so many rows, at 95 %.

    `unit` is what one row is worth on the axis: 1 where it shows counts, 1 / total
    where it shows shares.

    Examples
    --------
    >>> bars = count_reach([0, 5], 10)
    >>> [round(each, 1) for each in bars["array"]]
    [3.1, 3.1]
    >>> [round(each, 1) for each in bars["arrayminus"]]
    [0.0, 3.1]
    """
    known = {n: clopper_pearson(round(n), total, _CONFIDENCE) for n in set(counts)}
    found = [known[n] for n in counts]
    scale = unit * total
    return {
        "array": [scale * max(0.0, each.high - each.estimate) for each in found],
        "arrayminus": [scale * max(0.0, each.estimate - each.low) for each in found],
        "color": "@ink",
        "thickness": 1.2,
        "width": 3,
        **style,
    }


def coarsened(histogram: dict[str, Any]) -> dict[str, Any]:
    """Join neighbouring bins until there are few enough for so many rows.

    Examples
    --------
    >>> coarsened({"edges": [0, 1, 2, 3, 4, 5, 6], "counts": [0, 1, 0, 1, 0, 0]})
    {'edges': [0, 2, 4, 6], 'counts': [1, 1, 0]}
    """
    edges, counts = histogram["edges"], histogram["counts"]
    bins, most = len(counts), max(_FEWEST_BINS, 1.5 * sum(counts) ** 0.5)
    step = next(k for k in range(1, bins + 1) if bins % k == 0 and bins / k <= most)
    joined = [sum(counts[k : k + step]) for k in range(0, bins, step)]
    return {"edges": edges[::step], "counts": joined}
