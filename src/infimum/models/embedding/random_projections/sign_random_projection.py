"""Random projection by random signs."""

from typing import Any

import numpy as np

from infimum.models.embedding.random_projections._random_projection import (
    RandomProjection,
)
from infimum.typing import Matrix

__all__ = ["SignRandomProjection"]


class SignRandomProjection(RandomProjection):
    r"""A linear map with independent entries ±1/√k (Achlioptas, 2003).

    .. math:: f(x) = \frac{1}{\sqrt k} R x, \quad R_{ij} = ±1 \text{ with equal chance}

    It keeps distances as well as Gaussian entries do: k of
    `infimum.models.embedding.projection_dimension` suffice with the same probability.

    Parameters
    ----------
    n_components : int or 'auto', default='auto'
        'auto' takes `johnson_lindenstrauss_min_dim`, scikit-learn's number: the
        lemma's least, rounded down, which succeeds with a chance of about 1/n at
        least; `projection_dimension` has numbers that promise more.
    eps : float, default=0.1
        Relative error of squared distances that 'auto' aims at.
    compute_inverse_components : bool, default=False
        Keep the pseudo-inverse, for `inverse_transform`.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    n_components_ : int
    components_ : ndarray of shape (n_components, n_features)
    inverse_components_ : ndarray of shape (n_features, n_components)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((20, 1000))
    >>> Z = SignRandomProjection(200, random_state=0).fit_transform(X)
    >>> Z.shape, bool(abs(np.sum(Z**2) / np.sum(X**2) - 1) < 0.1)
    ((20, 200), True)
    """

    def _draw(self, draw: Any, count: int, features: int) -> Matrix:
        coins = draw.randint(0, 2, size=(count, features))
        return np.asarray((2.0 * coins - 1.0) / np.sqrt(count))
