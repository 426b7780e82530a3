"""Weights and offsets of samples: numbers that come along with the rows."""

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["known_scores", "weighed"]


def weighed(sample_weight: Any, X: Any) -> Vector | None:
    """Admit sample weights: finite, not negative, not all 0. None means 1 each."""
    if sample_weight is None:
        return None
    if _is_plain(sample_weight, X):
        weights = sample_weight
    else:
        weights = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
    if not weights.any():
        raise DataError("sample_weight must not be all zero.")
    return np.asarray(weights)


def known_scores(
    owner: str, count: int, offset: Any, exposure: Any = None, *, columns: int = 1
) -> Vector | None:
    """Return offset + log(exposure), a row for each sample, or None."""
    if offset is None and exposure is None:
        return None
    shape = (count,) if columns == 1 else (count, columns)
    known = np.zeros(shape)
    for name, given in (("offset", offset), ("exposure", exposure)):
        if given is None:
            continue
        values = np.asarray(given, dtype=np.float64)
        if values.shape != shape or not np.isfinite(values).all():
            wanted = "" if columns == 1 else f" and {columns} classes"
            raise DataError(
                f"{owner} takes one finite {name} for each of the {count} samples"
                f"{wanted}, got an array of shape {values.shape}."
            )
        if name == "exposure" and values.min(initial=1.0) <= 0:
            raise DataError(
                f"{owner} needs exposures above 0, the least is {values.min():g}."
            )
        known += values if name == "offset" else np.log(values)
    return known


def _is_plain(weights: Any, X: Any) -> bool:
    """Tell whether weights are an array of what they should be."""
    return (
        type(weights) is np.ndarray
        and weights.dtype == np.float64
        and hasattr(X, "shape")
        and weights.shape == (X.shape[0],)
        and len(weights) > 0
        and bool(weights.min() >= 0.0)
        and bool(weights.max() < np.inf)
    )
