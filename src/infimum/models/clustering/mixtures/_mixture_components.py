"""Gaussian components in standardised columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infimum.models.clustering.mixtures._mixture_shapes import (
    covariance_shape,
    factor_precisions,
    log_determinants,
)
from infimum.typing import Matrix, Vector

__all__ = ["Components", "blank_components", "not_nothing"]


@dataclass(frozen=True)
class Components:
    """Weights, means and covariances in standardised columns, with derived factors."""

    kind: str
    weights: Vector
    means: Matrix
    covariances: Matrix
    factors: Matrix

    @classmethod
    def of(
        cls, kind: str, weights: Vector, means: Matrix, covariances: Matrix
    ) -> Components:
        """Return components with the factors of their precisions."""
        factors = factor_precisions(covariances, kind)
        return cls(kind, weights, means, covariances, factors)

    def constants(self) -> Vector:
        """Return the log weight and log normaliser of each component."""
        k, d = self.means.shape
        halves = log_determinants(self.factors, self.kind, d, k)
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights)
        return np.asarray(logs + halves - 0.5 * d * np.log(2.0 * np.pi))


def blank_components(kind: str, k: int, d: int) -> Components:
    """Return standard components, as the frame of a pass with given shares."""
    shape = covariance_shape(kind, k, d)
    ones = np.ones(shape) * (np.eye(d) if kind in {"full", "tied"} else 1.0)
    return Components.of(kind, np.full(k, 1.0 / k), np.zeros((k, d)), ones)


def not_nothing(mass: Vector) -> Vector:
    """Return the mass of components, with a trace for those without rows."""
    # As much as in scikit-learn.
    return np.asarray(mass + 10.0 * np.finfo(float).eps)
