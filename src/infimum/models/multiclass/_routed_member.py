"""A classifier made of copies of one estimator, which passes on what it is told."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.validation import has_fit_parameter

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.typing import Indices

__all__ = ["RoutedMember", "of_rows"]


class RoutedMember:
    """What `fit` and `partial_fit` are told of the samples goes to the copies.

    Weights go to all of them; anything else only where metadata routing is enabled in
    scikit-learn, by what the estimator has requested.
    """

    estimator: Any

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell scikit-learn that arguments go to the estimator."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        mapping.add(caller="partial_fit", callee="partial_fit")
        router = MetadataRouter(owner=self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def _passed_on(
        self, method: str, sample_weight: Any, params: dict[str, Any]
    ) -> dict[str, Any]:
        """Return what the method of each copy is told."""
        own = {} if sample_weight is None else {"sample_weight": sample_weight}
        if get_config()["enable_metadata_routing"]:
            given = process_routing(self, method, **own, **params)
            return dict(given.estimator[method])
        owner = type(self).__name__
        if params:
            raise InvalidParameterError(
                f"{owner}.{method} takes no argument {next(iter(params))!r} unless "
                "metadata routing is enabled in scikit-learn."
            )
        if own and not has_fit_parameter(self.estimator, "sample_weight"):
            raise IncompatibleError(
                f"Underlying estimator {type(self.estimator).__name__} does not "
                "support sample weights."
            )
        return own


def of_rows(told: dict[str, Any], rows: Indices, count: int) -> dict[str, Any]:
    """Return what is told of some of the samples; what is no column stays."""
    columns = {name: np.asarray(value) for name, value in told.items()}
    return {
        name: columns[name][rows] if columns[name].shape[:1] == (count,) else value
        for name, value in told.items()
    }
