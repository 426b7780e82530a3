"""Components as the user gives and sees them, and the way into standardised columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from infimum.errors import DataError
from infimum.models.clustering.mixtures._mixture_components import Components
from infimum.models.clustering.mixtures._mixture_fit import Scales
from infimum.models.clustering.mixtures._mixture_shapes import covariance_shape
from infimum.typing import Matrix, Vector

__all__ = [
    "ComponentParameters",
    "areas",
    "free_parameters",
    "from_standard",
    "in_standard",
    "precisions_of",
]


@dataclass(frozen=True)
class ComponentParameters:
    """Weights, means and covariances in the units of the data; None if not known."""

    kind: str
    weights: Vector | None
    means: Matrix | None
    covariances: Matrix | None

    @classmethod
    def of(cls, model: Any) -> ComponentParameters:
        """Return what a fitted model knows."""
        known = (model.weights_, model.means_, model.covariances_)
        return cls(
            model.covariance_type, *(np.asarray(one, np.float64) for one in known)
        )

    @classmethod
    def asked(cls, model: Any, d: int) -> ComponentParameters:
        """Return what the parameters of a model ask to start from."""
        kind, k = model.covariance_type, int(model.n_components)
        weights = _numbers("weights_init", model.weights_init, (k,))
        means = _numbers("means_init", model.means_init, (k, d))
        precisions = _numbers(
            "precisions_init", model.precisions_init, covariance_shape(kind, k, d)
        )
        if weights is not None:
            if weights.min() < 0.0 or not np.isclose(weights.sum(), 1.0):
                raise DataError(
                    "GaussianMixture.weights_init must be shares that sum to 1, got "
                    f"the sum {weights.sum():g}."
                )
            weights = weights / weights.sum()
        covariances = None if precisions is None else _invert(precisions, kind)
        return cls(kind, weights, means, covariances)

    def each_full(self) -> Matrix:
        """Return a covariance matrix for each component."""
        assert self.means is not None
        assert self.covariances is not None
        k, d = self.means.shape
        if self.kind == "full":
            return self.covariances
        if self.kind == "tied":
            return np.tile(self.covariances, (k, 1, 1))
        return np.asarray(self.covariances.reshape(k, -1, 1) * np.eye(d))


def in_standard(given: ComponentParameters, data: Scales) -> tuple[Any, Any, Any]:
    """Return weights, means and covariances in standardised columns."""
    means, covariances = given.means, given.covariances
    if means is not None:
        means = (means - data.mean) / data.scale
    if covariances is not None:
        covariances = covariances / areas(given.kind, data)
    return given.weights, means, covariances


def from_standard(found: Components, data: Scales) -> tuple[Matrix, Matrix, Matrix]:
    """Return means, covariances and factors of precisions in units of the data."""
    means = found.means * data.scale + data.mean
    covariances = found.covariances * areas(found.kind, data)
    if found.kind == "spherical":
        return means, covariances, found.factors / data.scale[0]
    if found.kind == "diag":
        return means, covariances, found.factors / data.scale
    return means, covariances, found.factors / data.scale[:, None]


def precisions_of(factors: Matrix, kind: str) -> Matrix:
    """Return the precisions of which these are the factors."""
    if kind == "full":
        return np.asarray(factors @ factors.transpose(0, 2, 1))
    return np.asarray(factors @ factors.T if kind == "tied" else factors**2)


def free_parameters(kind: str, k: int, d: int) -> int:
    """Return how many numbers a mixture is free to choose."""
    square = d * (d + 1) // 2
    widths = {"full": k * square, "tied": square, "diag": k * d, "spherical": k}[kind]
    return widths + k * d + k - 1


def areas(kind: str, data: Scales) -> Any:
    """Return what a covariance in standardised columns is multiplied by."""
    if kind in {"full", "tied"}:
        return np.outer(data.scale, data.scale)
    return data.scale**2 if kind == "diag" else float(data.scale[0] ** 2)


def _numbers(name: str, value: Any, shape: tuple[int, ...]) -> Any:
    if value is None:
        return None
    numbers = np.asarray(value, dtype=np.float64)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise DataError(
            f"GaussianMixture.{name} must be finite numbers of shape {shape}, got "
            f"the shape {numbers.shape}."
        )
    return numbers


def _invert(precisions: Matrix, kind: str) -> Matrix:
    if kind in {"diag", "spherical"}:
        if precisions.min() <= 0.0:
            raise DataError("GaussianMixture.precisions_init must be positive.")
        return 1.0 / precisions
    try:
        np.linalg.cholesky(precisions)
        return np.asarray(np.linalg.inv(precisions))
    except linalg.LinAlgError:
        raise DataError(
            "GaussianMixture.precisions_init must be symmetric and positive definite."
        ) from None
