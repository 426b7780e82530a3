"""The former names of the doors, for rooms that do not use `infimum.data.doors` yet."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors.labels import check_labels
from infimum.data.doors.limits import refuse_huge, refuse_tiny, refuse_unfinite
from infimum.data.doors.reading import NO_TARGETS, read_as
from infimum.data.doors.tables import (
    labelled,
    measured,
    moderate_targets,
    real_targets,
    samples,
)
from infimum.data.doors.weights import weighed as accept_weights
from infimum.typing import Vector

__all__ = [
    "accept",
    "accept_labelled",
    "accept_measured",
    "accept_samples",
    "accept_table",
    "accept_weights",
    "check_labels",
    "moderate_targets",
    "real_targets",
    "refuse_huge",
    "refuse_tiny",
    "refuse_unfinite",
]

accept_samples = samples


def accept_labelled(
    estimator: Any, X: Any, y: Any, *, trusting: bool = False
) -> tuple[Any, NDArray[np.intp]]:
    """Admit samples with class labels; record the sorted labels on the estimator."""
    found = labelled(estimator, X, y, missing="unchecked" if trusting else False)
    estimator.classes_ = found.classes
    return found.X, found.y


def accept_measured(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    multi_output: bool = False,
    trusting: bool = False,
) -> tuple[Any, Vector]:
    """Admit samples with real-valued targets, several per sample if allowed."""
    rule: dict[str, Any] = {"missing": "unchecked" if trusting else False}
    found = measured(estimator, X, y, multi_output=multi_output, **rule)
    return found.X, found.y


def accept(estimator: Any, X: Any, y: Any = NO_TARGETS, **options: Any) -> Any:
    """Admit X, and y if given, as scikit-learn would; refuse in one sentence."""
    return read_as(estimator, X, y, **options)


def accept_table(estimator: Any, X: Any, y: Any = NO_TARGETS, **options: Any) -> Any:
    """Admit X, and y if given, as scikit-learn would, but for numbers too large."""
    found = accept(estimator, X, y, **options)
    refuse_huge(estimator, *(found if isinstance(found, tuple) else (found,)))
    return found
