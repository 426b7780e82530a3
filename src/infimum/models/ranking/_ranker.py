"""Base of rankers: parameters, items, and the order of their scores."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Indices, Vector

__all__ = ["Ranker"]


class Ranker:
    """Items in the order of their scores, the highest first."""

    items_: list[Any]
    scores_: Vector

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002
        """Return the parameters of the constructor by name."""
        names = inspect.signature(type(self)).parameters
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        given = inspect.signature(type(self)).parameters
        shown = [
            f"{name}={getattr(self, name)!r}"
            for name, parameter in given.items()
            if getattr(self, name) != parameter.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def order_(self) -> Indices:
        """The numbers of the items, the best first; ties in the order of the items."""
        self._need_fit()
        return np.argsort(-self.scores_, kind="stable")

    @property
    def ranking_(self) -> list[Any]:
        """The names of the items, the best first."""
        return [self.items_[i] for i in self.order_]

    def _need_fit(self) -> None:
        if not hasattr(self, "scores_"):
            raise DataError(f"{type(self).__name__} is not fitted: call fit first.")

    def _place(self, name: Any) -> int:
        self._need_fit()
        try:
            return self.items_.index(name)
        except ValueError:
            raise DataError(
                f"{type(self).__name__}: {name!r} is not among the items."
            ) from None
