"""Random projection by independent Gaussian entries."""

from typing import Any

import numpy as np

from infimum.models.embedding.random_projections._random_projection import (
    RandomProjection,
)
from infimum.typing import Matrix

__all__ = ["GaussianRandomProjection"]


class GaussianRandomProjection(RandomProjection):
    r"""A linear map with independent Gaussian entries of variance 1/k.

    .. math:: f(x) = \frac{1}{\sqrt k} R x, \quad R_{ij} \sim N(0, 1), \qquad
              E \|f(x)\|^2 = \|x\|^2

    Each squared length is a multiple of a χ² with k degrees of freedom, so it strays
    from its mean with exponentially small probability, in any number of dimensions.

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
    >>> Z = GaussianRandomProjection(200, random_state=0).fit_transform(X)
    >>> Z.shape, bool(abs(np.sum(Z**2) / np.sum(X**2) - 1) < 0.1)
    ((20, 200), True)
    """

    def _draw(self, draw: Any, count: int, features: int) -> Matrix:
        entries = draw.standard_normal((count, features))
        return np.asarray(entries / np.sqrt(count))
