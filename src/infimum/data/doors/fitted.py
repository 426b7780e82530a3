"""Whether an estimator has been fitted: asked in microseconds where it can be."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

__all__ = ["check_fitted"]


def check_fitted(estimator: Any, *attributes: str) -> None:
    """Raise NotFittedError unless an estimator was fitted."""
    known = getattr(estimator, "__dict__", {})
    for name in attributes:
        if name not in known:
            check_is_fitted(estimator, name)
    if attributes or (
        "n_features_in_" in known
        and not hasattr(type(estimator), "__sklearn_is_fitted__")
    ):
        return
    check_is_fitted(estimator)
