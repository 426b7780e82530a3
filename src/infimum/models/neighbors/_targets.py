"""Targets of neighbours: labels or numbers, one or several for each sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors.labels import coded_columns
from infimum.data.doors.tables import moderate_targets
from infimum.errors import DataError
from infimum.typing import Indices, Matrix

__all__ = ["encode_labels", "measured"]


def encode_labels(model: Any, y: Any) -> Indices:
    """Return the labels as positions in ``classes_``, which is recorded; in columns."""
    model.classes_, codes = coded_columns(np.asarray(y))
    model.outputs_2d_ = isinstance(model.classes_, list)
    return codes


def measured(model: Any, y: Any) -> Matrix:
    """Return real targets in float64."""
    targets = moderate_targets(model, y)
    if not np.isfinite(targets).all():
        raise DataError(f"{type(model).__name__}: y contains NaN or infinity.")
    return targets
