"""Soft k-means: every sample belongs to every cluster, to some degree."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.utils import check_random_state

from infimum.data.doors import rows
from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import CentreModel
from infimum.models.clustering.centres._dense_assignment import DenseRows
from infimum.models.clustering.centres._start import n_starts, start_centres
from infimum.parameters import Domains, check_parameters, nonnegative, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["SoftKMeans"]


class SoftKMeans(CentreModel):
    r"""k-means with shares instead of labels.

    .. math:: r_{ij} = \frac{e^{-β \|x_i - m_j\|^2}}{\sum_l e^{-β \|x_i - m_l\|^2}},
              \qquad m_j = \frac{\sum_i w_i r_{ij} x_i}{\sum_i w_i r_{ij}}

    The shares of a sample sum to 1 and read as probabilities of membership. Each round
    lowers the free energy, which tends to the objective of k-means as the stiffness β
    grows:

    .. math:: -\frac1β \sum_i w_i \log \sum_j e^{-β\|x_i - m_j\|^2}

    Parameters
    ----------
    n_clusters : int, default=8
    stiffness : float, default=1.0
        β: 0 would share everything equally, infinity is k-means.
    init, n_init, random_state
        As in `KMeans`.
    max_iter : int, default=300
    tol : float, default=1e-8
        Stop when a round lowers the free energy by less than this share of the total
        variance.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    labels_ : ndarray of shape (n_samples,)
        The cluster of the largest share.
    free_energy_ : float
    history_ : list of float
        The free energy after each round.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> model = SoftKMeans(2, init=np.array([[0.0], [2.0]])).fit(X)
    >>> model.predict_proba([[1.0]]).round(3)
    array([[0.5, 0.5]])
    """

    _domains: ClassVar[Domains] = {
        "n_clusters": whole(1),
        "max_iter": whole(1),
        "stiffness": positive,
        "tol": nonnegative,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        stiffness: float = 1.0,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        tol: float = 1e-8,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.stiffness = stiffness
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres; return self."""
        check_parameters(self)
        found = rows(self, X, sample_weight, moderate=True, accept_sparse=False)
        X, weights = found.X, found.weights
        kept = np.arange(len(X)) if weights is None else np.flatnonzero(weights)
        if len(kept) < self.n_clusters:
            raise DataError(
                f"SoftKMeans needs as many samples as clusters, got n_samples="
                f"{len(kept)} for n_clusters={self.n_clusters}."
            )
        weigh = np.ones(len(kept)) if weights is None else weights[kept]
        draw = check_random_state(self.random_state)
        count = n_starts("SoftKMeans", self.init, self.n_init)
        runs = (self._run(X[kept], weigh, draw) for _ in range(count))
        centres, history = min(runs, key=lambda run: run[1][-1])
        self.cluster_centers_ = centres.astype(X.dtype)
        self.history_, self.free_energy_ = history, history[-1]
        self.n_iter_ = len(history)
        self.labels_ = np.asarray(
            _shares(X, centres, self.stiffness)[1].argmax(axis=1), dtype=np.int32
        )
        return self

    def predict_proba(self, X: Any) -> Matrix:
        """Return the share of each cluster in each sample."""
        X = self._admit_again(X)
        return _shares(X, self.cluster_centers_, float(self.stiffness))[1]

    def _run(
        self, X: Matrix, weights: Vector, draw: RandomState
    ) -> tuple[Matrix, list[float]]:
        rows, k = DenseRows(X, weights), int(self.n_clusters)
        centres = start_centres("SoftKMeans", self.init, k, rows, draw)
        enough = self.tol * float(weights @ rows.squares) * rows.unit**2
        history: list[float] = []
        for _ in in_time(range(int(self.max_iter))):
            logs, shares = _shares(X, centres, float(self.stiffness))
            history.append(-float(weights @ logs) / float(self.stiffness))
            if len(history) > 1 and history[-2] - history[-1] <= enough:
                break
            shares = shares * weights[:, None]
            mass = np.maximum(shares.sum(axis=0), 1e-300)[:, None]
            # About the mean of the data, so that nothing cancels.
            centres = rows.mean + (shares.T @ (X - rows.mean)) / mass
        return centres, history

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def _shares(X: Matrix, centres: Matrix, stiffness: float) -> tuple[Vector, Matrix]:
    """Return the log of the summed exponentials of each row, and its shares."""
    scores = -stiffness * cdist(X, centres, "sqeuclidean")
    logs = logsumexp(scores, axis=1)
    return np.asarray(logs), np.exp(scores - logs[:, None])
