"""The best way to part a small graph into several clusters, found by looking."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.models.graph._weights import accept_weights, dense
from infimum.parameters import Choice, check_domain, whole
from infimum.study.graphs.cuts import normalized_cut, ratio_cut
from infimum.typing import Indices

__all__ = ["Partition", "best_partition"]

#: Most partitions among which the best is sought.
MANY = 2**26
OBJECTIVES = {"ratio_cut": ratio_cut, "normalized_cut": normalized_cut}


@dataclass(frozen=True)
class Partition:
    """The cluster of each vertex, and what all cuts between them cost."""

    value: float
    labels: Indices


def best_partition(
    W: Any, n_clusters: int, objective: str = "normalized_cut"
) -> Partition:
    r"""Return the clusters of a small graph with the least ratio or normalised cut.

    .. math:: \min_{A_1, …, A_k} \sum_a \frac{\mathrm{cut}(A_a, A_a^c)}{|A_a|}
              \quad\text{or}\quad
              \sum_a \frac{\mathrm{cut}(A_a, A_a^c)}{\mathrm{vol}(A_a)}

    Vertices join clusters one after the other, and a beginning that already costs more
    than the best so far is dropped. This is NP-hard; it tells what spectral clustering
    loses, where one can afford it. The sum of the k smallest eigenvalues of the
    Laplacian is a lower bound (of the normalised one for the normalised cut).

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
    n_clusters : int
    objective : {'normalized_cut', 'ratio_cut'}, default='normalized_cut'

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> best = best_partition(path, 2, "ratio_cut")
    >>> best.value, best.labels.tolist()
    (1.0, [0, 0, 1, 1])
    """
    names = Choice(tuple(OBJECTIVES))
    check_domain("best_partition: objective", objective, names)
    weights = accept_weights("best_partition", W)
    n = weights.shape[0]
    check_domain("best_partition: n_clusters", n_clusters, whole(1, n))
    if _partitions(n, int(n_clusters)) > MANY:
        raise InvalidParameterError(
            f"best_partition: {n} vertices have too many partitions into "
            f"{n_clusters} clusters, more than {MANY:.2g}."
        )
    from infimum.compiled.graphs.partition_enumeration import enumerate_partitions

    plain = dense(weights)
    sizes = np.ones(n) if objective == "ratio_cut" else plain.sum(axis=1)
    np.fill_diagonal(plain, 0.0)
    labels: Indices = np.zeros(n, dtype=np.int64)
    value = enumerate_partitions(plain, sizes, int(n_clusters), labels)
    if not np.isfinite(value):
        raise DataError(
            f"best_partition: not {n_clusters} clusters can have edges; too many "
            "vertices have a degree of 0."
        )
    return Partition(OBJECTIVES[objective](weights, labels), labels)


def _partitions(n: int, k: int) -> int:
    """Return the number of partitions of n things into k, or one that is too large.

    These are Stirling's numbers of the second kind, which grow with n.
    """
    row = [1] + [0] * k
    for _ in range(n):
        row = [0] + [j * row[j] + row[j - 1] for j in range(1, k + 1)]
        if row[k] > MANY:
            break
    return row[k]
