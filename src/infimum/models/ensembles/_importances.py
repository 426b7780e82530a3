"""How much each feature mattered to the members of an ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from infimum.typing import Vector

__all__ = ["mean_importances"]


def mean_importances(members: Sequence[Any], weights: Vector) -> Vector:
    """Return the weighted mean of the members' importances.

    Raises AttributeError where the members have none, so that ``hasattr`` can tell.
    """
    if any(not hasattr(member, "feature_importances_") for member in members):
        raise AttributeError(
            f"feature_importances_: {type(members[0]).__name__} has none."
        )
    table = np.array([member.feature_importances_ for member in members])
    total = float(weights.sum())
    shares = weights / total if total > 0 else np.full(len(table), 1.0 / len(table))
    return np.asarray(shares @ table)
