"""How well a map shows the data: distances, neighbours kept, neighbours invented."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix

__all__ = ["EmbeddingQuality", "embedding_quality", "trustworthiness"]

#: Distances held at a time, twice.
BLOCK = 2**21


@dataclass(frozen=True)
class EmbeddingQuality:
    r"""What a map kept, each number in [0, 1] except the stresses.

    Parameters
    ----------
    stress : float
        :math:`\sqrt{\sum (d - δ)^2 / \sum δ^2}` over all pairs, with distances δ in the
        data and d on the map; 0 is best.
    scaled_stress : float
        The same after the map was stretched by the factor that suits best.
    trustworthiness : float
        1 unless points are neighbours on the map that are not in the data, and the
        less the further apart they are there.
    continuity : float
        1 unless neighbours in the data were torn apart.
    preservation : float
        The share of each point's neighbours that are its neighbours on the map.
    n_neighbors : int
    """

    stress: float
    scaled_stress: float
    trustworthiness: float
    continuity: float
    preservation: float
    n_neighbors: int

    def __str__(self) -> str:
        return (
            f"stress {self.stress:.3f} ({self.scaled_stress:.3f} at the best scale), "
            f"{self.n_neighbors} neighbours: trustworthiness {self.trustworthiness:.3f}"
            f", continuity {self.continuity:.3f}, preserved {self.preservation:.3f}"
        )


def embedding_quality(
    X: Any, Z: Any, *, n_neighbors: int = 5, metric: str = "euclidean"
) -> EmbeddingQuality:
    """Compare the distances and neighbours of points in the data and on a map.

    Every pair is looked at, a block of rows at a time.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data; their distances for ``metric='precomputed'``.
    Z : array-like of shape (n_samples, n_components)
        The map.
    n_neighbors : int, default=5
        Less than half the number of samples.
    metric : str, default='euclidean'
        Distance in the data.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((50, 2))
    >>> str(embedding_quality(X, 2 * X)).startswith("stress 1.000 (0.000 at the best")
    True
    """
    X, Z = _both("embedding_quality", X, Z)
    n = X.shape[0]
    check_domain("embedding_quality: n_neighbors", n_neighbors, whole(1, (n - 1) // 2))
    sums, intruders, torn, common = np.zeros(3), 0.0, 0.0, 0
    for old, new, rows in _blocks(X, Z, metric):
        sums += np.vdot(old, old), np.vdot(old, new), np.vdot(new, new)
        there, here = _ranks(old, rows), _ranks(new, rows)
        near_there, near_here = there <= n_neighbors, here <= n_neighbors
        intruders += float(np.sum((there - n_neighbors)[near_here & ~near_there]))
        torn += float(np.sum((here - n_neighbors)[near_there & ~near_here]))
        common += int(np.sum(near_there & near_here)) - len(rows)  # not oneself
    worst = _worst(n, n_neighbors)
    stress, scaled = _stresses(*sums)
    return EmbeddingQuality(
        stress,
        scaled,
        1.0 - intruders / worst,
        1.0 - torn / worst,
        common / (n * n_neighbors),
        int(n_neighbors),
    )


def trustworthiness(
    X: Any, X_embedded: Any, *, n_neighbors: int = 5, metric: Any = "euclidean"
) -> float:
    r"""Return how few of the neighbours on a map are no neighbours in the data.

    .. math:: T(k) = 1 - \frac{2}{n k (2n - 3k - 1)} \sum_i \sum_{j ∈ N_k(i)}
              \max(0,\, r(i, j) - k)

    over the k nearest j on the map, each of which is the r-th nearest in the data. It
    lies in [0, 1], and `embedding_quality` reports it beside other numbers.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data; their distances for ``metric='precomputed'``.
    X_embedded : array-like of shape (n_samples, n_components)
        The map.
    n_neighbors : int, default=5
        Less than half the number of samples.
    metric : str or callable, default='euclidean'
        Distance in the data.

    Examples
    --------
    >>> line = [[float(i)] for i in range(20)]
    >>> trustworthiness(line, line)
    1.0
    """
    X, Z = _both("trustworthiness", X, X_embedded)
    n = X.shape[0]
    check_domain("trustworthiness: n_neighbors", n_neighbors, whole(1, (n - 1) // 2))
    intruders = 0.0
    for old, new, rows in _blocks(X, Z, metric):
        beyond = _ranks(old, rows) - n_neighbors
        near = _ranks(new, rows) <= n_neighbors
        intruders += float(np.sum(beyond[near & (beyond > 0)]))
    return 1.0 - intruders / _worst(n, n_neighbors)


def _both(owner: str, X: Any, Z: Any) -> tuple[Any, Matrix]:
    """Admit data and their map."""
    data = array(X, accept_sparse="csr", dtype="numeric")
    places = array(Z)
    if len(places) != data.shape[0]:
        raise DataError(
            f"{owner} needs the map of the same points, got {data.shape[0]} samples "
            f"and {len(places)} places."
        )
    return data, places


def _worst(n: int, n_neighbors: int) -> float:
    """Return the sum of ranks beyond the neighbours if none of them were."""
    return n * n_neighbors * (2 * n - 3 * n_neighbors - 1) / 2.0


def _blocks(X: Any, Z: Matrix, metric: Any) -> Iterator[tuple[Matrix, Matrix, Indices]]:
    n = X.shape[0]
    step = max(1, BLOCK // n)
    for start in range(0, n, step):
        rows = np.arange(start, min(n, start + step))
        given = isinstance(metric, str) and metric == "precomputed"
        old = X[rows] if given else pairwise_distances(X[rows], X, metric=metric)
        new = pairwise_distances(Z[rows], Z)
        yield np.asarray(old, dtype=np.float64), new, rows


def _ranks(distances: Matrix, rows: Indices) -> Indices:
    """Return the rank of each point among the neighbours of a row; 0 is oneself."""
    distances = distances.copy()
    distances[np.arange(len(rows)), rows] = -1.0
    order = np.argsort(distances, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(order.shape[1])[None], axis=1)
    return ranks


def _stresses(old: float, mixed: float, new: float) -> tuple[float, float]:
    if old <= 0.0:
        raise DataError("embedding_quality needs two samples that differ.")
    plain = max(new - 2.0 * mixed + old, 0.0) / old
    # Σ(s d - δ)² is least at s = Σdδ / Σd².
    scaled = max(old - (mixed * mixed / new if new > 0.0 else 0.0), 0.0) / old
    return float(np.sqrt(plain)), float(np.sqrt(scaled))
