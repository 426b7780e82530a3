"""Parameters and recipe of the group lasso: a name for the group of each feature."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.errors import DataError
from infimum.losses import Loss, VectorLoss
from infimum.models.linear.coding import Coding
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Domains, closed, positive
from infimum.penalties import GroupLasso, SparseGroupLasso

__all__ = ["Grouped"]


class Grouped:
    """The parameters and the penalty of both group-lasso models."""

    _domains: ClassVar[Domains] = {
        "alpha": positive,
        "l1_ratio": closed(0, 1),
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        groups: Any = None,
        l1_ratio: float = 0.0,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        tol: float = 1e-6,
        warm_start: bool = False,
    ) -> None:
        self.alpha = alpha
        self.groups = groups
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start

    def _grouped(self, loss: Loss | VectorLoss, coding: Coding, count: int) -> Recipe:
        """Return the recipe of a loss of `count` features."""
        owner = type(self).__name__
        members, strength = _members(owner, self.groups, count), float(self.alpha)
        ratio = float(self.l1_ratio)
        return Recipe(
            loss,
            SparseGroupLasso(strength, members, ratio)
            if ratio
            else GroupLasso(strength, members),
            coding,
            tolerance=self.tol,
            intercept=self.fit_intercept,
            max_iterations=limit_of(self),
        )


def _members(owner: str, groups: Any, count: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions of each group's features."""
    try:
        names = np.arange(count) if groups is None else np.asarray(groups)
    except ValueError:
        raise DataError(
            f"{owner}.groups must name a group for each of the {count} features, "
            "got lists of different lengths."
        ) from None
    if names.shape != (count,):
        raise DataError(
            f"{owner}.groups must name a group for each of the {count} features, "
            f"got an array of shape {names.shape}."
        )
    found = np.unique(names)
    return tuple(tuple(np.flatnonzero(names == g).tolist()) for g in found)
