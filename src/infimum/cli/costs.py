"""What mistakes cost, as people type it: ``yes->no=5,no->yes=1``."""

import math
import re

from infimum.errors import InvalidParameterError

__all__ = ["parse_costs"]

_PAIR = re.compile(r"\s*(.+?)\s*->\s*(.+?)\s*=\s*([0-9.eE+-]+)\s*(?:,|$)")


def parse_costs(text: str) -> dict[str, float]:
    """Return the cost of each mistake, ``truth->answer``; a sentence if it is none.

    Examples
    --------
    >>> parse_costs("yes->no=5, no->yes=1")
    {'yes->no': 5.0, 'no->yes': 1.0}
    """
    costs: dict[str, float] = {}
    place = 0
    while place < len(text):
        pair = _PAIR.match(text, place)
        try:
            cost = float(pair[3]) if pair else -1.0
        except ValueError:
            cost = -1.0
        if pair is None or not 0 <= cost < math.inf:
            raise InvalidParameterError(
                "--costs must be pairs of truth and answer with what a mistake costs, "
                f"such as yes->no=5,no->yes=1, got {text!r}."
            )
        costs[f"{pair[1]}->{pair[2]}"] = cost
        place = pair.end()
    return costs
