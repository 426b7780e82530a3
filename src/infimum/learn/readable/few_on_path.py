"""The models of a sparse path that have few weights, between the strengths tried."""

from typing import Any

import numpy as np

from infimum.learn.ground import features_in_use
from infimum.models.linear import regularization_path
from infimum.typing import Vector

__all__ = ["few_on_path"]

#: Strengths from the strongest to one with too many weights, and halvings between the
#: last with few and the first with too many.
_STRENGTHS, _HALVINGS = 9, 4


def few_on_path(
    estimator: Any,
    X: Any,
    y: Any,
    weights: Vector | None,
    *,
    ends: tuple[float, float],
    most: int,
) -> list[Any]:
    """Return, for 1, 2, ... `most` features, the densest model on a path with no more.

    The path runs between two `ends`, the stronger penalty first. Where it jumps over a
    number of features, the model with fewer stands for it too.

    Examples
    --------
    >>> from infimum.models.linear import Lasso
    >>> X = np.random.default_rng(0).normal(size=(80, 20))
    >>> y = X @ np.arange(20.0)
    >>> found = few_on_path(Lasso(), X, y, None, ends=(26.0, 8.0), most=4)
    >>> [features_in_use(model) for model in found]
    [0, 2, 2, 4]
    """
    path = _Path(estimator, X, y, weights)
    grid = np.geomspace(*ends, _STRENGTHS)
    path.walk(grid.tolist())
    for _ in range(_HALVINGS):
        few, many = path.border(most)
        if path.has(most) or few is None or many is None:
            break
        path.walk([float(np.sqrt(few * many))])
    return [path.densest(count) for count in range(1, most + 1)]


class _Path:
    """Models by their place on a path, strongest penalty first."""

    def __init__(self, estimator: Any, X: Any, y: Any, weights: Vector | None) -> None:
        self.estimator, self.X, self.y, self.weights = estimator, X, y, weights
        self.seen: list[tuple[float, int, Any]] = []
        self.stronger = -1 if "C" not in estimator.get_params() else 1

    def walk(self, values: list[float]) -> None:
        """Fit at further strengths."""
        path = regularization_path(
            self.estimator,
            self.X,
            self.y,
            values=values,
            sample_weight=self.weights,
        )
        found = zip(path.values.tolist(), path.models, strict=True)
        self.seen += [(value, features_in_use(model), model) for value, model in found]
        self.seen.sort(key=lambda each: self.stronger * each[0])

    def has(self, count: int) -> bool:
        """Whether a model with so many features was met."""
        return any(each[1] == count for each in self.seen)

    def border(self, most: int) -> tuple[float | None, float | None]:
        """Return the last strength before the first with too many, and that one."""
        last: float | None = None
        for value, count, _ in self.seen:
            if count > most:
                return last, value
            last = value
        return last, None

    def densest(self, most: int) -> Any:
        """Return the model with most features of those with no more than `most`.

        The strongest of all stands in where even that has more.
        """
        able = [each for each in self.seen if each[1] <= most] or self.seen[:1]
        return max(able, key=lambda each: (each[1], self.stronger * each[0]))[2]
