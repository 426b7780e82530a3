"""Set intersection: how many members two sets share."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from infimum.kernels._pairs import CountingKernel

__all__ = ["SetIntersection"]


@dataclass(frozen=True)
class SetIntersection(CountingKernel):
    r"""Number of common members: :math:`k(A, B) = |A ∩ B|`.

    Its features say of each possible member whether it is in the set.

    Examples
    --------
    >>> SetIntersection()([{1, 2, 3}], [{2, 3, 4}, set()])
    array([[2., 0.]])
    """

    def count(self, thing: Any) -> Mapping[Hashable, float]:
        """Return 1 for each member."""
        return dict.fromkeys(thing, 1.0)
