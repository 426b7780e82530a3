"""Distances by name, from kernels, from functions, or given as a matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import PAIRWISE_BOOLEAN_FUNCTIONS

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import EditDistance, Kernel, kernel_distances
from infimum.parameters import check_domain, positive
from infimum.typing import Matrix

__all__ = ["Metric", "choose_metric"]

#: Other names of the same distances.
SYNONYMS = {
    "l2": "euclidean", "l1": "manhattan", "cityblock": "manhattan", "p": "minkowski",
    "infinity": "chebyshev", "sokalmichener": "rogerstanimoto",
}  # fmt: skip
#: What scikit-learn measures between sparse rows.
SPARSE = ("cosine", "euclidean", "manhattan")
#: Further distances that SciPy or scikit-learn know by name.
NAMED = (
    "braycurtis", "canberra", "chebyshev", "correlation", "cosine", "dice", "euclidean",
    "hamming", "haversine", "jaccard", "mahalanobis", "manhattan", "minkowski",
    "nan_euclidean", "rogerstanimoto", "russellrao", "seuclidean", "sokalsneath",
    "sqeuclidean", "yule",
)  # fmt: skip

#: Those with the triangle inequality, which a tree of balls relies on.
TRIANGLE = (
    "callable", "canberra", "chebyshev", "euclidean", "hamming", "haversine", "jaccard",
    "kernel", "manhattan", "rogerstanimoto",
)  # fmt: skip


@dataclass(frozen=True)
class Metric:
    """A distance between two collections.

    A Euclidean one, after a linear map, is searched for by quicker ways.
    """

    name: str
    parameters: dict[str, Any]
    between: Callable[[Any, Any], Matrix]
    euclidean: bool = False
    map: Matrix | None = None

    @property
    def triangle(self) -> bool:
        """Whether no way round is shorter; of a function this is taken for granted."""
        if self.name == "minkowski":
            return float(self.parameters["p"]) >= 1.0
        if self.name == "edit_distance":
            return not self.parameters
        return self.name in TRIANGLE


def choose_metric(owner: str, metric: Any, p: float, given: Any, X: Any) -> Metric:
    """Return the distance that the parameters of an estimator name.

    Parameters
    ----------
    owner : str
    metric : str, Kernel or callable
    p : power of the Minkowski distance
    given : the estimator's ``metric_params``
    X : the samples, whose covariance is the default of the Mahalanobis distance
    """
    if not isinstance(given or {}, Mapping):
        raise InvalidParameterError(
            f"{owner}.metric_params must be a dictionary or None, got {given!r}."
        )
    parameters = dict(given or {})
    if isinstance(metric, Kernel):
        return Metric("kernel", parameters, lambda Q, Z: kernel_distances(metric, Q, Z))
    if hasattr(metric, "dist_to_rdist"):  # a DistanceMetric of scikit-learn
        return Metric("callable", parameters, lambda Q, Z: _pairwise(metric, Q, Z))
    if callable(metric):
        return Metric("callable", parameters, _each_pair(owner, metric, parameters))
    if metric == "precomputed":
        return Metric("precomputed", parameters, lambda Q, _: np.asarray(Q))
    if metric == "edit_distance":
        return Metric(metric, parameters, EditDistance(**parameters).distances)
    name = SYNONYMS.get(metric, metric) if isinstance(metric, str) else None
    if name is None or name not in NAMED:
        raise InvalidParameterError(
            f"{owner}.metric must be a distance known by name ({', '.join(NAMED)}, "
            "edit_distance, precomputed), an infimum kernel or a function of two "
            f"samples, got {metric!r}."
        )
    return _named(owner, name, p, parameters, X)


def _pairwise(metric: Any, Q: Any, Z: Any) -> Matrix:
    double = [part.astype(np.float64, copy=False) for part in (Q, Z)]
    return np.asarray(metric.pairwise(*double))


def _named(
    owner: str, name: str, p: float, parameters: dict[str, Any], X: Any
) -> Metric:
    if name == "minkowski":
        name, parameters = _minkowski(owner, p, parameters)
    if name == "manhattan" and "w" in parameters:
        name, parameters = "minkowski", {**parameters, "p": 1}
    if name == "euclidean" and "w" in parameters:
        weights = _weights(owner, parameters["w"], X.shape[1])
        return Metric(
            name, parameters, _by_name(owner, name, {}), True, np.diag(weights)
        )
    if name == "mahalanobis":
        root = _root(owner, parameters, X)
        return Metric(name, parameters, _by_name(owner, "euclidean", {}), True, root)
    _refuse_sparse(owner, name, X)
    plain = name == "euclidean"
    return Metric(name, parameters, _by_name(owner, name, parameters), plain)


def _minkowski(
    owner: str, p: float, parameters: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the particular name and the remaining parameters of a p-distance."""
    power = parameters.pop("p", p)
    if power == np.inf and "w" not in parameters:
        return "chebyshev", parameters
    check_domain(f"{owner}.p", power, positive)
    plain = {1: "manhattan", 2: "euclidean"}.get(power)
    if plain == "euclidean" or (plain and "w" not in parameters):
        return plain, parameters
    return "minkowski", {**parameters, "p": power}


def _weights(owner: str, given: Any, features: int) -> Matrix:
    weights = np.asarray(given, dtype=np.float64)
    if weights.shape != (features,) or not (weights >= 0).all():
        raise InvalidParameterError(
            f"{owner}.metric_params['w'] must be {features} numbers that are not "
            f"negative, one per feature, got {given!r}."
        )
    return np.asarray(np.sqrt(weights))


def _root(owner: str, parameters: dict[str, Any], X: Any) -> Matrix:
    """Return R with R·Rᵀ = V⁻¹: Mahalanobis is Euclidean after x ↦ xR."""
    if sparse.issparse(X):
        raise DataError(f"{owner}: the mahalanobis distance needs dense samples.")
    if "VI" in parameters:
        inverse = np.asarray(parameters["VI"], dtype=np.float64)
    else:
        spread = parameters.get("V")
        if spread is None:
            spread = np.atleast_2d(np.cov(np.asarray(X, dtype=np.float64).T))
        inverse = np.linalg.pinv(np.asarray(spread, dtype=np.float64), hermitian=True)
    if inverse.shape != (X.shape[1], X.shape[1]):
        raise InvalidParameterError(
            f"{owner}.metric_params must hold a square matrix of {X.shape[1]} rows for "
            f"the mahalanobis distance, got shape {inverse.shape}."
        )
    values, vectors = np.linalg.eigh((inverse + inverse.T) / 2.0)
    if values.min() < -1e-10 * max(values.max(), 0.0):
        raise InvalidParameterError(
            f"{owner}.metric_params: the matrix of the mahalanobis distance has the "
            f"negative eigenvalue {values.min():.3g}."
        )
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _by_name(
    owner: str, name: str, parameters: dict[str, Any]
) -> Callable[[Any, Any], Matrix]:
    def between(Q: Any, Z: Any) -> Matrix:
        _refuse_sparse(owner, name, Z)
        rows = Q
        if hasattr(Q, "toarray") and not sparse.issparse(Z):
            rows = Q.toarray()
        if name in PAIRWISE_BOOLEAN_FUNCTIONS:  # its own conversion warns each time
            rows, Z = np.asarray(rows, dtype=bool), np.asarray(Z, dtype=bool)
        try:
            far = np.asarray(pairwise_distances(rows, Z, metric=name, **parameters))
        except TypeError as error:
            raise InvalidParameterError(f"{owner}.metric_params: {error}.") from None
        if name == "nan_euclidean":  # nothing in common: as far as can be
            far = np.nan_to_num(far, nan=np.inf)
        return far

    return between


def _refuse_sparse(owner: str, name: str, Z: Any) -> None:
    if sparse.issparse(Z) and name not in SPARSE:
        raise DataError(
            f"{owner}: the {name} distance needs dense samples; sparse ones have "
            f"{', '.join(SPARSE)}."
        )


def _each_pair(
    owner: str, metric: Callable[..., float], parameters: dict[str, Any]
) -> Callable[[Any, Any], Matrix]:
    def between(Q: Any, Z: Any) -> Matrix:
        theirs = _items(Z)
        rows = [[metric(q, z, **parameters) for z in theirs] for q in _items(Q)]
        distances = np.array(rows, dtype=np.float64).reshape(len(rows), -1)
        if np.isnan(distances).any():
            raise DataError(f"{owner}: the distance of two samples is not a number.")
        return distances

    return between


def _items(things: Any) -> Any:
    """Return what a function of two samples is given: of sparse rows, sparse rows."""
    if not hasattr(things, "toarray"):
        return things
    return [things[[i]] for i in range(things.shape[0])]
