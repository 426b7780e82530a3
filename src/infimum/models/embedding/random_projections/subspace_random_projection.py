"""Orthogonal projection on a random subspace."""

from typing import Any

import numpy as np
from scipy import linalg

from infimum.errors import InvalidParameterError
from infimum.models.embedding.random_projections._random_projection import (
    RandomProjection,
)
from infimum.typing import Matrix

__all__ = ["SubspaceRandomProjection"]


class SubspaceRandomProjection(RandomProjection):
    r"""Coordinates in a uniformly drawn k-dimensional subspace, scaled by √(d/k).

    .. math:: f(x) = \sqrt{d/k}\, Z x, \quad Z Z^\top = I, \qquad
              \|Z x\|^2 \sim \text{Beta}(k/2, (d - k)/2) \text{ for } \|x\| = 1

    Uniform directions are normalised Gaussian vectors; dependent ones, of probability
    0, are drawn again, and the rest are made orthonormal. Nothing is lost for k = d.

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
    >>> Z = SubspaceRandomProjection(200, random_state=0).fit_transform(X)
    >>> Z.shape, bool(abs(np.sum(Z**2) / np.sum(X**2) - 1) < 0.1)
    ((20, 200), True)
    """

    def _draw(self, draw: Any, count: int, features: int) -> Matrix:
        if count > features:
            raise InvalidParameterError(
                f"SubspaceRandomProjection: a subspace of {count} dimensions does not "
                f"fit into {features}; choose n_components up to {features}."
            )
        while True:
            frame, triangle = linalg.qr(
                draw.standard_normal((features, count)), mode="economic"
            )
            spans = np.abs(np.diag(triangle))
            if spans.min() > features * np.finfo(float).eps * spans.max():
                break
        # Signs that make the diagonal positive leave no preference for a direction.
        frame *= np.sign(np.diag(triangle))
        return np.asarray(frame.T * np.sqrt(features / count))
