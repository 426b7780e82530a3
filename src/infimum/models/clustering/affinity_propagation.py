"""Affinity propagation: samples elect exemplars by messages."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows
from infimum.errors import DataError
from infimum.features.columns import is_sparse
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models.clustering._messages import Election, elect, gather_voters
from infimum.models.clustering.centres._centre_model import nearest_labels
from infimum.models.clustering.centres._sparse_distances import squared_distances
from infimum.parameters import Choice, Domains, Interval, check_parameters, whole
from infimum.typing import Indices, Matrix

__all__ = ["AffinityPropagation"]

_AFFINITIES = Choice(("euclidean", "precomputed"))
_DAMPING = Interval(0.5, 1.0, open_high=True)


class AffinityPropagation(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Clusters around exemplars, whose number follows from what samples prefer.

    Messages seek exemplars :math:`e(i)` with a large sum of the similarities
    :math:`s_{i\,e(i)}`, where :math:`s_{kk}`, the preference, is what an exemplar earns
    by being one:

    .. math:: r_{ik} = s_{ik} - \max_{j \ne k} (a_{ij} + s_{ij}), \qquad
              a_{ik} = \min\Bigl(0,\; r_{kk} + \sum_{j \ne i, k} \max(0, r_{jk})\Bigr)

    r tells how suited k is for i, a how available. The sum is a net similarity, and
    may be a local maximum. Memory and time are quadratic in the samples.

    Parameters
    ----------
    damping : float, default=0.5
        Share of its old value that a message keeps; more ends oscillations.
    max_iter : int, default=200
    convergence_iter : int, default=15
        Stop when the exemplars have stayed for so many rounds.
    copy : ignored
        Similarities are never written to.
    preference : array-like of shape (n_samples,) or float, optional
        The larger, the more clusters; by default the median of all similarities.
    affinity : {"euclidean", "precomputed"}, default="euclidean"
        Minus the squared distance, or a matrix of similarities.
    verbose : ignored
    random_state : int, RandomState or None, default=None
        Of the noise, in the last digits, that breaks ties.

    Attributes
    ----------
    cluster_centers_indices_ : ndarray of shape (n_clusters,)
        The exemplars.
    cluster_centers_ : ndarray or sparse matrix of shape (n_clusters, n_features)
        The exemplars themselves, unless similarities are given.
    labels_ : ndarray of shape (n_samples,)
        All -1 if no exemplar was elected.
    affinity_matrix_ : ndarray of shape (n_samples, n_samples)
    n_iter_ : int

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> model = AffinityPropagation(random_state=0).fit(X)
    >>> model.cluster_centers_indices_, model.predict([[3.0], [9.0]])
    (array([1, 4]), array([0, 1]))
    """

    _domains: ClassVar[Domains] = {
        "damping": _DAMPING,
        "max_iter": whole(1),
        "convergence_iter": whole(1),
        "affinity": _AFFINITIES,
    }

    def __init__(
        self,
        *,
        damping: float = 0.5,
        max_iter: int = 200,
        convergence_iter: int = 15,
        copy: bool = True,
        preference: Any = None,
        affinity: str = "euclidean",
        verbose: bool = False,
        random_state: Any = None,
    ) -> None:
        self.damping = damping
        self.max_iter = max_iter
        self.convergence_iter = convergence_iter
        self.copy = copy
        self.preference = preference
        self.affinity = affinity
        self.verbose = verbose
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Elect exemplars; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; their similarities for ``affinity="precomputed"``.
        y : ignored
        """
        check_parameters(self)
        X = self._admit(X, reset=True)
        alike = X if self._given else _similarities(X)
        if alike.shape[0] != alike.shape[1]:
            raise DataError(
                "AffinityPropagation needs similarities in a square matrix, got shape "
                f"{alike.shape}."
            )
        self.affinity_matrix_ = np.asarray(alike)
        found = self._elect(np.array(alike, dtype=np.float64))
        self.cluster_centers_indices_, self.labels_ = found.exemplars, found.labels
        self.n_iter_ = found.rounds
        forget(self, "cluster_centers_")
        if not self._given:
            self.cluster_centers_ = X[found.exemplars]
        return self

    def predict(self, X: Any) -> Indices:
        """Return the cluster whose exemplar is nearest, or most alike.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_queries, n_features)
            New samples; their similarities to the old ones if those were given. If
            there are no exemplars, all labels are -1.
        """
        check_fitted(self)
        X = self._admit(X, reset=False)
        if not len(self.cluster_centers_indices_):
            warnings.warn(
                "AffinityPropagation has no exemplars: all new samples are noise.",
                ConvergenceWarning,
                stacklevel=2,
            )
            return np.full(X.shape[0], -1)
        if not hasattr(self, "cluster_centers_"):
            return np.asarray(X[:, self.cluster_centers_indices_].argmax(axis=1))
        centres: Any = self.cluster_centers_
        dense = centres.toarray() if hasattr(centres, "toarray") else centres
        return np.asarray(nearest_labels(X, dense)[1], dtype=np.intp)

    @property
    def _given(self) -> bool:
        return self.affinity == "precomputed"

    def _admit(self, X: Any, *, reset: bool) -> Any:
        return rows(
            self,
            X,
            moderate=True,
            reset=reset,
            order="C",
            accept_sparse=False if self._given else "csr",
        ).X

    def _elect(self, alike: Matrix) -> Election:
        n = len(alike)
        chosen = np.median(alike) if self.preference is None else self.preference
        preference = np.asarray(chosen, dtype=np.float64)
        if preference.shape not in ((), (n,)) or not np.isfinite(preference).all():
            raise DataError(
                "AffinityPropagation.preference must be a finite number or one for "
                f"each of {n} samples, got shape {preference.shape}."
            )
        np.fill_diagonal(alike, preference)
        if _all_equal(alike):
            if n > 1:
                warnings.warn(
                    "AffinityPropagation: all samples have mutually equal "
                    "similarities; either each is a cluster, or all are one.",
                    stacklevel=4,
                )
            alone = n > 1 and alike[0, 0] > alike[0, 1]
            exemplars: Indices = np.arange(n if alone else 1)
            return Election(exemplars, np.arange(n) * alone, 0)
        noise = check_random_state(self.random_state).standard_normal((n, n))
        tiny = np.finfo(np.float64)
        alike += (tiny.eps * alike + 100.0 * tiny.tiny) * noise
        stay = int(self.convergence_iter)
        mask, rounds, settled = elect(alike, self.damping, int(self.max_iter), stay)
        if not settled:
            warnings.warn(
                "AffinityPropagation did not settle on exemplars; more damping or more "
                "rounds (max_iter) may help.",
                ConvergenceWarning,
                stacklevel=4,
            )
        return gather_voters(alike, mask, rounds)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._given
        tags.input_tags.sparse = not self._given
        return tags


def _similarities(X: Any) -> Matrix:
    """Return minus squared distances, without loss far from 0."""
    if is_sparse(X):
        return np.asarray(-squared_distances(X), dtype=X.dtype)
    return np.asarray(-cdist(X, X, "sqeuclidean"), dtype=X.dtype)


def _all_equal(alike: Matrix) -> bool:
    """Tell whether nothing makes one sample a better exemplar than another."""
    own = np.diag(alike)
    others = alike[~np.eye(len(alike), dtype=bool)]
    return bool((own == own[0]).all() and (others == others[:1]).all())
