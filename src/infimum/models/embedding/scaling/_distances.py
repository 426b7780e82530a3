"""How samples enter an embedding of distances: as rows, or as the distances."""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from infimum.data.doors import refuse_tiny, rows, samples
from infimum.errors import DataError
from infimum.models.neighbors._metric import choose_metric
from infimum.typing import Indices, Matrix

__all__ = ["accept_distances", "admit_distances", "distances_to", "nearest_known"]

#: Distances that differ from those of the way back by no more than this are equal.
SLACK = 1e-8
TABLE = 2


def accept_distances(owner: str, D: Any) -> Matrix:
    """Admit a matrix of distances: square, symmetric, 0 on its diagonal."""
    far = np.array(D, dtype=np.float64)
    if far.ndim != TABLE or far.shape[0] != far.shape[1]:
        raise DataError(f"{owner} reads a square matrix of distances, got {far.shape}.")
    if not np.isfinite(far).all() or far.min(initial=0.0) < 0:
        raise DataError(f"{owner}: distances must be finite and not negative.")
    slack = SLACK * max(float(far.max(initial=0.0)), 1e-300)
    if np.abs(far - far.T).max(initial=0.0) > slack:
        raise DataError(f"{owner}: the matrix of distances must be symmetric.")
    far = (far + far.T) / 2.0
    np.fill_diagonal(far, 0.0)
    return far


def admit_distances(model: Any, X: Any, metric: Any) -> tuple[Any, Matrix]:
    """Admit samples or distances; return what new samples will be compared with."""
    given: Any = rows(
        model, X, moderate=True, dtype=np.float64, accept_sparse=["csr"]
    ).X
    refuse_tiny(model, given)
    if _is_given(metric):
        if sparse.issparse(given):
            owner = type(model).__name__
            raise DataError(f"{owner} reads precomputed distances from a dense matrix.")
        return None, accept_distances(type(model).__name__, given)
    far = _between(model, metric, given, given)
    np.fill_diagonal(far, 0.0)
    return given, np.asarray((far + far.T) / 2.0)


def distances_to(model: Any, X: Any, known: Any, metric: Any) -> Matrix:
    """Return the distances from new samples to those of the fit."""
    given: Any = samples(
        model, X, moderate=True, dtype=np.float64, accept_sparse=["csr"]
    )
    if _is_given(metric):
        return np.asarray(given)
    return _between(model, metric, given, known)


def nearest_known(far: Matrix) -> tuple[Indices, Any]:
    """Return the nearest sample of the fit, and which of the new ones are at it."""
    nearest = far.argmin(axis=1)
    return nearest, far[np.arange(len(far)), nearest] == 0


def _is_given(metric: Any) -> bool:
    return isinstance(metric, str) and metric == "precomputed"


def _between(model: Any, metric: Any, X: Any, known: Any) -> Matrix:
    owner = type(model).__name__
    distance = choose_metric(owner, metric, 2, model.metric_params, known)
    if distance.map is not None:
        X, known = np.asarray(X @ distance.map), np.asarray(known @ distance.map)
    if distance.euclidean and not sparse.issparse(known):
        return np.asarray(cdist(X, known))
    return np.array(distance.between(X, known), dtype=np.float64)
