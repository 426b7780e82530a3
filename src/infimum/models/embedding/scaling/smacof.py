"""Scaling by majorisation as a function of a matrix of dissimilarities."""

from typing import Any

import numpy as np

from infimum.models.embedding.scaling.mds import MDS

__all__ = ["smacof"]


def smacof(
    dissimilarities: Any,
    *,
    metric: bool = True,
    n_components: int = 2,
    init: Any = None,
    n_init: int = 1,
    n_jobs: int | None = None,
    max_iter: int = 300,
    verbose: int = 0,
    eps: float = 1e-6,
    random_state: Any = None,
    return_n_iter: bool = False,
    normalized_stress: Any = "auto",
) -> Any:
    """Return points with about these distances, and the stress that is left.

    What `MDS` does with precomputed distances, from random starts.

    Parameters
    ----------
    dissimilarities : array-like of shape (n_samples, n_samples)
        Symmetric.
    metric : bool, default=True
        Whether the sizes of distances count, or their order only.
    n_components : int, default=2
        Dimensions, unless `init` tells them.
    init : array-like of shape (n_samples, n_components), optional
        Points to start from, the only start then.
    n_init : int, default=1
        Random starts; the one with the least stress is kept.
    max_iter, eps, normalized_stress, random_state
        As in `MDS`.
    n_jobs, verbose
        Accepted for compatibility: all cores are used, nothing is printed.
    return_n_iter : bool, default=False
        Whether to return the number of steps, too.

    Returns
    -------
    points : ndarray of shape (n_samples, n_components)
    stress : float
    n_iter : int
        If it was asked for.

    Examples
    --------
    >>> points, stress = smacof([[0, 3, 4], [3, 0, 1], [4, 1, 0]], random_state=0)
    >>> points.shape, bool(stress < 1e-3)
    ((3, 2), True)
    """
    start = None if init is None else np.asarray(init, dtype=np.float64)
    model = MDS(
        n_components if start is None or start.ndim < 2 else start.shape[1],  # noqa: PLR2004
        metric_mds=metric,
        n_init=n_init,
        init="random",
        max_iter=max_iter,
        eps=eps,
        random_state=random_state,
        metric="precomputed",
        normalized_stress=normalized_stress,
    )
    points = model.fit_transform(dissimilarities, init=start)
    found = points, model.stress_
    return (*found, model.n_iter_) if return_n_iter else found
