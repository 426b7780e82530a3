"""Bounded range kernel: substrings up to a length, each with a weight of its own."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infimum.errors import InvalidParameterError
from infimum.kernels._pairs import CountingKernel
from infimum.kernels.strings._sequences import accept_sequence
from infimum.parameters import whole

__all__ = ["BoundedRange"]


@dataclass(frozen=True)
class BoundedRange(CountingKernel):
    r"""Common substrings of bounded length, weighted as the user likes.

    .. math:: k(x, z) = \sum_{\text{shortest} ≤ |s| ≤ \text{longest}}
              \#(x, s)\,\#(z, s)\,w(s)

    The weight of a substring may depend on the substring itself, for example on how
    rare it is. Without a bound, and for weights of the length alone, `AllSubstrings`
    is faster.

    Parameters
    ----------
    longest, shortest : int, default=5 and 1
        The bounds.
    weight : callable or None, default=None
        w, a function of the substring that is not negative; None weighs all alike.

    Examples
    --------
    >>> BoundedRange(2)(["aab"], ["ab"])
    array([[4.]])
    """

    longest: int = field(default=5, metadata={"domain": whole(1)})
    shortest: int = field(default=1, metadata={"domain": whole(1)})
    weight: Callable[[Any], float] | None = None

    def count(self, thing: Any) -> Mapping[Any, float]:
        """Return the substrings of one string, counted and weighted by √w."""
        text = accept_sequence(thing, "BoundedRange")
        found = Counter(
            text[i : i + k]
            for k in range(int(self.shortest), int(self.longest) + 1)
            for i in range(len(text) - k + 1)
        )
        if self.weight is None:
            return found
        return {s: times * self._root(s) for s, times in found.items()}

    def _root(self, substring: Any) -> float:
        weight = float(self.weight(substring)) if self.weight else 1.0
        if not 0.0 <= weight < math.inf:
            raise InvalidParameterError(
                "BoundedRange.weight must be finite and not negative, got "
                f"{weight!r} for {substring!r}."
            )
        return math.sqrt(weight)
