"""The door of streamed rows: who takes them, and what others are told."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

from infimum.errors import DataError, IncompatibleError
from infimum.typing import Vector

__all__ = ["TargetRange", "admit_streamed", "is_streamed", "refuse_streamed", "streams"]

Method = TypeVar("Method", bound=Callable[..., Any])

#: What streams, by the room of a class that does not.
INSTEAD = {
    "kernel": "LogisticRegression or Ridge on rows.through(Nystroem(...))",
    "neighbors": "HistGradientBoostingClassifier or HistGradientBoostingRegressor",
    "clustering": "KMeans",
    "embedding": "PCA",
    "probabilistic": "GaussianNB",
    "trees": "HistGradientBoostingClassifier or HistGradientBoostingRegressor",
    "ensembles": "HistGradientBoostingClassifier or HistGradientBoostingRegressor",
    "online": "SGDClassifier or SGDRegressor",
    "linear": "Ridge, ElasticNet or LogisticRegression",
}


def is_streamed(X: Any) -> bool:
    """Tell whether rows are streamed: read in passes, never held at once."""
    return bool(getattr(type(X), "streamed", False))


def is_collection(X: Any) -> bool:
    """Tell whether X is an array or a dataframe of dask, which is not loaded."""
    return type(X).__module__.partition(".")[0] in {"dask", "dask_expr"}


def _of_collection(
    fit: Callable[..., Any],
    estimator: Any,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    **named: Any,
) -> Any:
    """Call a method with the rows of a collection, cut into leaves."""
    named.pop("X", None)
    door = import_module("infimum.distributed.collections")
    return fit(estimator, door.collected(X, y, sample_weight), **named)


def streams(way: str) -> Callable[[Method], Method]:
    """Let a method take streamed rows, by a function ``"module:name"``.

    The function is called with the estimator and the rows, and is not loaded before.
    """
    room, _, name = way.partition(":")

    def take(method: Method) -> Method:
        @wraps(method)
        def either(estimator: Any, *given: Any, **named: Any) -> Any:
            X = given[0] if given else named.get("X")
            if type(X) is np.ndarray:
                return method(estimator, *given, **named)
            if is_collection(X):
                return _of_collection(either, estimator, X, *given[1:], **named)
            if is_streamed(X):
                rest = {key: value for key, value in named.items() if key != "X"}
                found = getattr(import_module(room), name)
                return found(estimator, X, *given[1:], **rest)
            return method(estimator, *given, **named)

        return either  # type: ignore[return-value]

    return take


def refuse_streamed(estimator: Any, X: Any, *others: Any, **named: Any) -> None:
    """Raise if rows are streamed, for an estimator that must hold them all."""
    if not (is_streamed(X) or is_collection(X)):
        return
    owner = type(estimator)
    room = owner.__module__.split(".")[2:3]
    instead = INSTEAD.get(room[0] if room else "", "LogisticRegression or Ridge")
    raise IncompatibleError(
        f"{owner.__name__} needs all rows in memory, not streamed ones; these stream: "
        f"{instead}."
    )


class TargetRange:
    """What is known of targets that are not held: their least and their largest."""

    ndim = 1

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __getitem__(self, some: Any) -> Vector:
        return np.array([self.low])

    def min(self) -> float:
        """Return the least target."""
        return self.low

    def max(self) -> float:
        """Return the largest target."""
        return self.high

    def any(self) -> bool:
        """Tell whether a target is not 0."""
        return bool(self.low or self.high)


def admit_streamed(
    estimator: Any,
    rows: Any,
    others: tuple[Any, ...] = (),
    *,
    target: bool = True,
    missing: bool = False,
) -> None:
    """Check streamed rows for a fit, and tell the estimator of their features."""
    owner = type(estimator).__name__
    if any(other is not None for other in others):
        raise DataError(
            f"{owner} takes targets and weights from the streamed rows themselves: "
            "name them in scan(files, target=…, weights=…)."
        )
    if target and not rows.has_target:
        raise DataError(f"{owner} needs a target: scan(files, target=…).")
    if not missing:
        _refuse_gaps(owner, rows)
    estimator.n_features_in_ = rows.n_features
    estimator.__dict__.pop("feature_names_in_", None)
    if rows.named:
        estimator.feature_names_in_ = np.array(rows.feature_names, dtype=object)


def _refuse_gaps(owner: str, rows: Any) -> None:
    gaps: dict[int, int] = rows.statistics.first_missing
    if gaps:
        column, row = min(gaps.items(), key=lambda each: each[1])
        name = rows.spool.encoding.columns[column]
        raise DataError(
            f"{owner} needs a number in every cell: {name!r} is missing in row "
            f"{row + 1:,}; HistGradientBoosting takes missing numbers."
        )


def known_classes(owner: str, rows: Any) -> tuple[Any, Vector, Vector]:
    """Return classes, the numbers that stand for them, and their weights."""
    classes, numbers, weights = rows.labels()
    if len(classes) < 2:  # noqa: PLR2004
        raise DataError(
            f"{owner} needs 2 classes or more, got 1 class: {classes.tolist()[0]!r}."
        )
    return classes, numbers, weights
