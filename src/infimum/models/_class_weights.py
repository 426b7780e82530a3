"""The former place of class weights; their rule is in `infimum.data.doors.labels`."""

from __future__ import annotations

from typing import Any

from infimum.data.doors import labels
from infimum.data.doors.labels import balance, class_factors
from infimum.typing import Indices, Vector

__all__ = ["balance", "class_factors", "class_weighted"]


def class_weighted(
    estimator: Any, codes: Indices, weights: Vector | None
) -> Vector | None:
    """Multiply each sample's weight by that of its class."""
    wanted = getattr(estimator, "class_weight", None)
    if wanted is None:
        return weights
    owner = type(estimator).__name__
    return labels.class_weighted(owner, wanted, estimator.classes_, codes, weights)
