"""Boxes with sides along the axes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.parameters import whole
from infimum.theory.classes._hypothesis_class import HypothesisClass
from infimum.typing import Mask, Matrix

__all__ = ["Rectangles"]


@dataclass(frozen=True)
class Rectangles(HypothesisClass):
    """Functions that are positive on a box with sides along the axes.

    In the plane the VC dimension is 4: a diamond is shattered, but of five points one
    lies in the box of the others. In d dimensions it is 2d.

    Examples
    --------
    >>> from infimum.theory import Rectangles, shatters
    >>> shatters(Rectangles(), [[0, 1], [1, 0], [0, -1], [-1, 0]])
    True
    >>> shatters(Rectangles(), [[0, 0], [1, 1], [2, 2], [3, 3]])
    False
    """

    columns: int = field(default=2, metadata={"domain": whole(1)})

    @property
    def dimension(self) -> int:
        """How many numbers make a point."""
        return self.columns

    @property
    def vc_dimension(self) -> float:
        """Twice the number of columns."""
        return 2.0 * self.columns

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        if not positive.any():
            return np.full(self.columns, np.inf), np.full(self.columns, -np.inf)
        box = points[positive].min(axis=0), points[positive].max(axis=0)
        return None if self._predict(box, points[~positive]).any() else box

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        low, high = parameters
        return np.asarray(np.all((points >= low) & (points <= high), axis=1))
