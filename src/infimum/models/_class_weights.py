"""Weights of classes, turned into weights of samples: one rule for every classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import InvalidParameterError
from infimum.parameters import nonnegative
from infimum.typing import Indices, Vector

__all__ = ["balance", "class_factors", "class_weighted"]


def class_weighted(
    estimator: Any, codes: Indices, weights: Vector | None
) -> Vector | None:
    """Multiply each sample's weight by that of its class.

    "balanced" counts weights, so that a weight of k stays the same as k copies.
    Several outputs are columns of codes; then each has classes and weights of its own.
    """
    wanted = getattr(estimator, "class_weight", None)
    if wanted is None:
        return weights
    owner, several = type(estimator).__name__, codes.ndim > 1
    columns = codes.T if several else codes[None]
    classes = estimator.classes_ if several else [estimator.classes_]
    rules = _each(owner, wanted, len(columns))
    given = np.ones(len(codes)) if weights is None else weights
    found = given
    for rule, labels, column in zip(rules, classes, columns, strict=True):
        found = found * class_factors(owner, rule, labels, column, given)[column]
    if not found.any():
        raise InvalidParameterError(
            f"{owner}.class_weight must leave some sample a weight above 0, got "
            f"{wanted!r}."
        )
    return np.asarray(found)


def class_factors(
    owner: str,
    wanted: Any,
    classes: NDArray[Any],
    codes: Indices,
    weights: Vector,
) -> Vector:
    """Return the factor that `class_weight` gives to each class."""
    if wanted is None:
        return np.ones(len(classes))
    if isinstance(wanted, str) and wanted == "balanced":
        return balance(codes, weights, len(classes))
    if not isinstance(wanted, Mapping):
        raise InvalidParameterError(
            f"{owner}.class_weight must be None, 'balanced' or a dict, got {wanted!r}."
        )
    for label, factor in wanted.items():
        if factor not in nonnegative:
            raise InvalidParameterError(
                f"{owner}.class_weight must be in [0, inf) for every class, got "
                f"{factor!r} for {label!r}."
            )
    known = classes.tolist()
    unknown = [label for label in wanted if label not in known]
    if unknown and any(label not in wanted for label in known):
        raise InvalidParameterError(
            f"{owner}.class_weight names {unknown[0]!r}, which is none of the classes "
            f"{known}."
        )
    return np.array([float(wanted.get(label, 1.0)) for label in known])


def balance(codes: Indices, weights: Vector, count: int) -> Vector:
    """Return factors that make all classes weigh the same in sum; 1 if one is absent.

    The sum of all weights stays.
    """
    shares = np.bincount(codes, weights=weights, minlength=count)
    there = shares > 0
    whole = weights.sum() / max(1, np.count_nonzero(there))
    return np.where(there, whole / np.where(there, shares, 1.0), 1.0)


def _each(owner: str, wanted: Any, outputs: int) -> list[Any]:
    """Return the rule of each output: a list has one for each."""
    if not isinstance(wanted, list | tuple):
        if outputs > 1 and isinstance(wanted, Mapping):
            raise InvalidParameterError(
                f"{owner}.class_weight of {outputs} outputs must be 'balanced' or a "
                "list of dicts, one for each."
            )
        return [wanted] * outputs
    if len(wanted) != outputs:
        raise InvalidParameterError(
            f"{owner}.class_weight has {len(wanted)} entries for {outputs} outputs."
        )
    return list(wanted)
