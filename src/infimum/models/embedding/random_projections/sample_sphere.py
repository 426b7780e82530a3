"""Uniform directions: points drawn on a sphere."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from infimum.parameters import check_domain, whole
from infimum.typing import Matrix

__all__ = ["sample_sphere"]


def sample_sphere(
    n_samples: int, n_features: int, *, random_state: Any = None
) -> Matrix:
    """Return points drawn uniformly from the unit sphere, one a row.

    The density of independent standard normals depends on the length alone, so their
    direction is uniform. Uniform *angles* are not: their points crowd at the poles.

    Examples
    --------
    >>> import numpy as np
    >>> points = sample_sphere(3, 5, random_state=0)
    >>> np.linalg.norm(points, axis=1).round(12).tolist()
    [1.0, 1.0, 1.0]
    """
    check_domain("sample_sphere: n_samples", n_samples, whole(1))
    check_domain("sample_sphere: n_features", n_features, whole(1))
    draw = check_random_state(random_state)
    points = draw.standard_normal((int(n_samples), int(n_features)))
    lengths = np.linalg.norm(points, axis=1)
    while not lengths.all():  # of probability 0, and yet
        again = lengths == 0.0
        points[again] = draw.standard_normal((int(again.sum()), int(n_features)))
        lengths = np.linalg.norm(points, axis=1)
    return np.asarray(points / lengths[:, None])
