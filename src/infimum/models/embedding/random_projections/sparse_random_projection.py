"""Random projection by a sparse matrix."""

from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from infimum.data.canonical import given_out
from infimum.models.embedding.random_projections._random_projection import (
    RandomProjection,
)
from infimum.parameters import Besides, Domains, Interval

__all__ = ["SparseRandomProjection"]


class SparseRandomProjection(RandomProjection):
    r"""A linear map most of whose entries are 0 (Li, Hastie and Church, 2006).

    .. math:: R_{ij} = \frac{1}{\sqrt{s k}} \begin{cases} -1 & \text{with probability }
              s/2 \\ 0 & 1 - s \\ +1 & s/2 \end{cases}

    with density s. A product costs s times that of a full matrix.

    Parameters
    ----------
    n_components : int or 'auto', default='auto'
        'auto' takes `johnson_lindenstrauss_min_dim`, scikit-learn's number: the
        lemma's least, rounded down, which succeeds with a chance of about 1/n at
        least; `projection_dimension` has numbers that promise more.
    density : float in (0, 1] or 'auto', default='auto'
        Share of entries that are not 0; 'auto' stands for 1 / √(n_features), 1/3 gives
        the sparse version of Achlioptas and 1 his ±1.
    eps : float, default=0.1
        Relative error of squared distances that 'auto' aims at.
    dense_output : bool, default=False
        Whether projections of sparse samples are made dense.
    compute_inverse_components : bool, default=False
        Keep the pseudo-inverse, for `inverse_transform`.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    n_components_ : int
    density_ : float
    components_ : sparse matrix of shape (n_components, n_features)
    inverse_components_ : ndarray of shape (n_features, n_components)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((20, 1000))
    >>> projection = SparseRandomProjection(200, random_state=0).fit(X)
    >>> bool(0.02 < projection.components_.nnz / 200_000 < 0.04)
    True
    """

    _domains: ClassVar[Domains] = {
        "density": Besides(
            Interval(0, 1, open_low=True), ("auto",), "in (0, 1] or 'auto'"
        )
    }

    def __init__(
        self,
        n_components: int | str = "auto",
        *,
        density: float | str = "auto",
        eps: float = 0.1,
        dense_output: bool = False,
        compute_inverse_components: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.density = density
        self.eps = eps
        self.dense_output = dense_output
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    def _draw(self, draw: Any, count: int, features: int) -> Any:
        density = 1.0 / np.sqrt(features) if self.density == "auto" else self.density
        self.density_ = np.float64(density)
        sizes = draw.binomial(features, self.density_, size=count)
        names = [np.sort(draw.choice(features, size, replace=False)) for size in sizes]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        signs = 2.0 * draw.binomial(1, 0.5, size=int(starts[-1])) - 1.0
        entries = signs / np.sqrt(self.density_ * count)
        return sparse.csr_matrix(
            (entries, np.concatenate(names), starts), shape=(count, features)
        )

    def _product(self, X: Any) -> Any:
        if not sparse.issparse(X):
            return np.asarray((self.components_ @ X.T).T)
        product = X @ self.components_.T
        return product.toarray() if self.dense_output else given_out(product)
