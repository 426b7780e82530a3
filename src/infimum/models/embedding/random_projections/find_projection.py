"""Random projections tried until one keeps all distances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from infimum.errors import IncompatibleError
from infimum.models.embedding.distortion import Distortion, measure_distortion
from infimum.models.embedding.random_projections._random_projection import (
    RandomProjection,
)
from infimum.models.embedding.random_projections.johnson_lindenstrauss import (
    projection_dimension,
)
from infimum.models.embedding.random_projections.subspace_random_projection import (
    SubspaceRandomProjection,
)
from infimum.parameters import check_domain, opened, whole

__all__ = ["FoundProjection", "find_projection"]


@dataclass(frozen=True)
class FoundProjection:
    """A projection that was checked on every pair, and how many had to be drawn."""

    projection: RandomProjection
    distortion: Distortion
    tries: int


def find_projection(
    X: Any,
    eps: float,
    *,
    projection: RandomProjection | None = None,
    max_tries: int | None = None,
    random_state: Any = None,
) -> FoundProjection:
    """Draw projections until one keeps all squared distances to a factor 1 ± eps.

    This is the lemma's proof, run: a draw of the lemma's dimension succeeds with
    probability at least 1/n, so n tries are expected at most; one is usual.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    eps : float in (0, 1)
    projection : estimator, optional
        What to draw from; by default a random subspace with the dimension of
        `projection_dimension`.
    max_tries : int, optional
        10 n_samples unless given.
    random_state : int, RandomState or None

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((20, 500))
    >>> found = find_projection(X, 0.5, random_state=0)
    >>> found.projection.n_components_, found.distortion.eps < 0.5
    (144, True)
    """
    check_domain("find_projection: eps", eps, opened(0.0, 1.0))
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if projection is None:
        projection = SubspaceRandomProjection(projection_dimension(n, eps))
    tries = 10 * n if max_tries is None else max_tries
    check_domain("find_projection: max_tries", tries, whole(1))
    draw = check_random_state(random_state)
    best = np.inf
    for turn in range(1, int(tries) + 1):
        drawn = clone(projection).set_params(random_state=draw.randint(2**31 - 1))
        distortion = measure_distortion(X, drawn.fit_transform(X))
        if distortion.within(eps):
            return FoundProjection(drawn, distortion, turn)
        best = min(best, distortion.eps)
    raise IncompatibleError(
        f"find_projection: none of {tries} projections kept all squared distances "
        f"to eps={eps}, the best to {best:.3g}; take more components."
    )
