"""Folds of rows for estimators that judge themselves on rows held back."""

from __future__ import annotations

from typing import Any

from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    process_routing,
)

from infimum.errors import DataError
from infimum.typing import Indices, Vector

__all__ = ["RoutedFolds", "folds_of"]


def folds_of(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    classifier: bool = False,
    weights: Vector | None = None,
    split: dict[str, Any] | None = None,
) -> list[tuple[Indices, Indices]]:
    """Return the rows to learn from and those to judge by, as `cv` asks for.

    Too few rows for so many folds are refused in the words of scikit-learn. A sample of
    weight 0 is no sample: a fold tells nothing, and is left out, where all rows of one
    of its parts have none. `split` is what a splitter is told of the rows, groups say.
    """
    owner = type(estimator).__name__
    try:
        splitter = check_cv(estimator.cv, y, classifier=classifier)
        folds = list(splitter.split(X, y, **(split or {})))
    except ValueError as error:
        raise DataError(f"{owner}.cv: {error}") from None
    if weights is None:
        return folds
    kept = [fold for fold in folds if all(weights[part].any() for part in fold)]
    if not kept:
        raise DataError(
            f"{owner} found no fold in which samples of positive weight are both "
            "learnt from and held back."
        )
    return kept


class RoutedFolds:
    """What an estimator offers that tells its splitter of the rows, where so asked."""

    cv: Any

    def get_metadata_routing(self) -> Any:
        """Return who is told what of the rows; `fit` passes on to the splitter."""
        ways = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(splitter=check_cv(self.cv), method_mapping=ways)

    def _split_settings(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return what the splitter is told; without routing there must be nothing."""
        _raise_for_params(params, self, "fit")
        if not params:
            return {}
        return dict(process_routing(self, "fit", **params).splitter.split)
