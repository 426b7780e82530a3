"""Stochastic neighbour embedding: a map by Gaussian similarities."""

from typing import Any

from infimum.models.embedding.neighbor_maps._affinities import Affinities
from infimum.models.embedding.neighbor_maps._charges import FullCharges
from infimum.models.embedding.neighbor_maps._neighbor_embedding import NeighborEmbedding
from infimum.models.embedding.neighbor_maps._neighbor_map import NeighborMap

__all__ = ["SNE"]


class SNE(NeighborEmbedding):
    r"""A map in which each point has the same likely neighbours as in the data.

    .. math:: \min_Y\ \sum_i \sum_j p_{j|i} \log\frac{p_{j|i}}{q_{j|i}}, \qquad
              q_{j|i} = \frac{\exp(-\|y_i - y_j\|^2)}
                             {\sum_{k ≠ i} \exp(-\|y_i - y_k\|^2)}

    Gaussian tails leave too little room for points at a moderate distance, which crowd
    together; `TSNE` has Cauchy tails for that reason. All pairs are compared: for some
    thousand samples (Hinton and Roweis, NIPS 2002).

    Parameters
    ----------
    n_components, perplexity, max_iter, n_iter_without_progress, min_grad_norm, \
metric, metric_params, init, verbose, random_state
        As in `TSNE`.
    early_exaggeration : float, default=4.0
    learning_rate : float or 'auto', default='auto'
        'auto' stands for ``n_samples / 50``: Gaussian forces grow with the distance, so
        that longer steps would overshoot.

    Attributes
    ----------
    embedding_, kl_divergence_, bandwidths_, learning_rate_, n_iter_, history_, \
neighbors_
        As in `TSNE`; the divergence is the sum of those of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([[0.0, 0.0], [9.0, 9.0]], 20, axis=0)
    >>> X += 0.1 * np.random.default_rng(0).standard_normal(X.shape)
    >>> Y = SNE(perplexity=8, random_state=0).fit_transform(X)
    >>> bool(Y[:20, 0].max() < Y[20:, 0].min() or Y[:20, 0].min() > Y[20:, 0].max())
    True
    """

    _heavy = False

    def __init__(
        self,
        n_components: int = 2,
        *,
        perplexity: float = 30.0,
        early_exaggeration: float = 4.0,
        learning_rate: float | str = "auto",
        max_iter: int = 1000,
        n_iter_without_progress: int = 300,
        min_grad_norm: float = 1e-7,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        init: Any = "pca",
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.perplexity = perplexity
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_iter_without_progress = n_iter_without_progress
        self.min_grad_norm = min_grad_norm
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.verbose = verbose
        self.random_state = random_state

    def _problem(self, affinities: Affinities) -> NeighborMap:
        charges = FullCharges(heavy=False)
        return NeighborMap(affinities, charges, joint=False, heavy=False)

    def _usual_rate(self, n: int) -> float:
        return n / 50.0
