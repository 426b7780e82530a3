"""Parameters and steps that linear and quadratic discriminant analysis have alike."""

from __future__ import annotations

import warnings
from copy import copy
from typing import Any

import numpy as np
from sklearn.base import clone

from infimum.errors import DataError, InvalidParameterError
from infimum.models.probabilistic._class_moments import shrunk, shrunk_by_ledoit_wolf
from infimum.models.probabilistic._given_numbers import given_numbers
from infimum.parameters import check_domain, closed, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["check_covariance_parameters", "class_priors", "estimated", "refuse_empty"]


class UnsupportedError(InvalidParameterError, NotImplementedError):
    """A shrinkage with solver "svd"; scikit-learn raises a NotImplementedError."""


def check_covariance_parameters(model: Any) -> None:
    """Refuse shrinkages and estimators of covariances that do not suit the solver."""
    owner = type(model).__name__
    check_domain(f"{owner}.tol", model.tol, nonnegative)
    if model.shrinkage is not None and model.shrinkage != "auto":
        check_domain(f"{owner}.shrinkage", model.shrinkage, closed(0, 1))
    if model.solver == "svd" and model.shrinkage is not None:
        raise UnsupportedError(f"{owner}: shrinkage not supported with 'svd' solver.")
    if model.covariance_estimator is None:
        return
    if model.solver == "svd" or model.shrinkage is not None:
        raise InvalidParameterError(
            f"{owner}.covariance_estimator is not supported with svd solver, nor "
            "together with a shrinkage."
        )


def class_priors(model: Any, counts: Vector) -> Vector:
    """Return the probabilities of the classes: those given, or their shares."""
    if model.priors is None:
        return np.asarray(counts / counts.sum())
    owner = f"{type(model).__name__}.priors"
    given = given_numbers(owner, model.priors)
    if given.shape != counts.shape:
        raise InvalidParameterError(
            f"{owner} must be {len(counts)} numbers, one for each class, got {given}."
        )
    if not (given >= 0).all() or not given.any():
        raise InvalidParameterError(f"{owner}: priors must be non-negative.")
    if abs(given.sum() - 1.0) > 1e-5:
        warnings.warn(
            "The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=5
        )
        return np.asarray(given / given.sum())
    return given.copy()


def refuse_empty(model: Any, counts: Vector) -> None:
    """Raise if a class has no weight."""
    if not counts.all():
        missing = model.classes_[int(np.argmin(counts))]
        raise DataError(
            f"{type(model).__name__} needs rows of every class, class {missing!r} has "
            "no weight."
        )


def estimated(
    model: Any, X: Any, weights: Vector, found: Matrix | None, mine: Any = None
) -> Matrix:
    """Return the covariance of rows as the parameters want it estimated.

    `found` is the covariance without shrinkage, where it is known; `mine` says which
    rows count, if not all do: they are copied only where they are needed.
    """
    needed = model.covariance_estimator is not None or isinstance(model.shrinkage, str)
    if needed and mine is not None:
        X, weights = X[mine], weights[mine]
    if model.covariance_estimator is not None:
        if not (weights == weights[0]).all():
            raise InvalidParameterError(
                f"{type(model).__name__}.covariance_estimator takes rows of equal "
                "weight only."
            )
        return _by_estimator(model, X)
    if isinstance(model.shrinkage, str):
        return shrunk_by_ledoit_wolf(X, weights)
    assert found is not None  # only 'auto' and estimators need the rows
    return found if model.shrinkage is None else shrunk(found, float(model.shrinkage))


def _by_estimator(model: Any, X: Any) -> Matrix:
    """Return the covariance that the user's estimator finds; it stays as it was."""
    given = model.covariance_estimator
    learner = clone(given) if hasattr(given, "get_params") else copy(given)
    learner.fit(X)
    if not hasattr(learner, "covariance_"):
        raise InvalidParameterError(
            f"{type(model).__name__}.covariance_estimator: {type(given).__name__} does "
            "not have a covariance_ attribute after fit."
        )
    return np.asarray(learner.covariance_, dtype=np.float64)
