"""Where the points of a neighbour map begin."""

from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.models.embedding.axes.pca import PCA
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.models.neighbors._metric import choose_metric
from infimum.typing import Matrix

__all__ = ["start_of"]

#: Standard deviation of the first coordinate at the start.
SPREAD = 1e-4


def start_of(model: Any, X: Any, draw: Any) -> Matrix:
    """Return the first map of a model: given, random, or by PCA or classical MDS.

    Coordinates that the data do not determine are random.
    """
    owner, n, sides = type(model).__name__, X.shape[0], int(model.n_components)
    if not isinstance(model.init, str):
        given = np.array(model.init, dtype=np.float64, order="C")
        if given.shape != (n, sides):
            raise InvalidParameterError(
                f"{owner}.init must have the shape ({n}, {sides}) of the map, got "
                f"{given.shape}."
            )
        if not np.isfinite(given).all():
            raise InvalidParameterError(f"{owner}.init has places that are not finite.")
        return given
    start = SPREAD * draw.standard_normal((n, sides))
    if model.init == "random":
        return np.asarray(start)
    if model.init == "pca" and model.metric == "precomputed":
        raise InvalidParameterError(
            f"{owner}.init='pca' needs features, and metric='precomputed' gives "
            "distances; use init='mds' or 'random'."
        )
    plain = isinstance(model.metric, str) and model.metric in {"euclidean", "l2"}
    by_pca = model.init == "pca" or plain
    found = _by_axes(X, sides) if by_pca else _by_distances(model, X, sides)
    spread = float(np.std(found[:, 0])) if found.shape[1] else 0.0
    if spread > 0.0:
        start[:, : found.shape[1]] = found / spread * SPREAD
    return np.asarray(start)


def _by_axes(X: Any, sides: int) -> Matrix:
    """Principal components, which are classical MDS of Euclidean distances."""
    count = min(sides, *X.shape)
    return np.asarray(PCA(count, random_state=0).fit_transform(X), dtype=np.float64)


def _by_distances(model: Any, X: Any, sides: int) -> Matrix:
    """Classical MDS: leading eigenvectors of the doubly centred -D²/2."""
    if model.metric == "precomputed":
        distances = np.asarray(X, dtype=np.float64)
    else:
        metric = choose_metric(
            type(model).__name__, model.metric, 2, model.metric_params, X
        )
        distances = np.asarray(metric.between(X, X), dtype=np.float64)
    inner = -0.5 * distances**2
    inner -= inner.mean(axis=0)
    inner -= inner.mean(axis=1)[:, None]
    count = min(sides, len(inner) - 1)
    found = leading_eigenpairs(
        lambda V: inner @ V, len(inner), count, tol=1e-6, random_state=0
    )
    return np.asarray(found.vectors * np.sqrt(np.maximum(found.values, 0.0)))
