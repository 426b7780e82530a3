"""Weights of classes, turned into weights of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import InvalidParameterError
from infimum.typing import Vector

__all__ = ["class_weighted"]


def class_weighted(
    machine: Any, codes: NDArray[np.intp], weights: Vector | None
) -> Vector | None:
    """Multiply each sample's weight by that of its class.

    "balanced" counts weights, so that a weight of k stays the same as k copies.
    """
    wanted, name = machine.class_weight, type(machine).__name__
    if wanted is None:
        return weights
    known = machine.classes_.tolist()
    given = np.ones(len(codes)) if weights is None else weights
    if isinstance(wanted, str):
        if wanted != "balanced":
            raise InvalidParameterError(
                f"{name}.class_weight must be None, 'balanced' or a dict, got "
                f"{wanted!r}."
            )
        shares = np.bincount(codes, weights=given, minlength=len(known))
        factors = given.sum() / (len(known) * np.maximum(shares, 1e-300))
    else:
        unknown = [label for label in wanted if label not in known]
        if unknown:
            raise InvalidParameterError(
                f"{name}.class_weight names {unknown[0]!r}, which is none of the "
                f"classes {known}."
            )
        factors = np.array([float(wanted.get(label, 1.0)) for label in known])
        if not (np.isfinite(factors) & (factors >= 0)).all():
            raise InvalidParameterError(
                f"{name}.class_weight must be in [0, inf) for every class, got "
                f"{wanted!r}."
            )
    return np.asarray(given * factors[codes])
