"""Restricted Boltzmann machine: binary units in two layers, trained by sampling."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state, gen_even_slices

from infimum.data.doors import rows, samples
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._row_parts import in_row_parts
from infimum.parameters import check_domain, check_parameters, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["BernoulliRBM"]


class BernoulliRBM(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Features of binary data from a joint law of visible and hidden units.

    .. math:: p(v, h) ∝ \exp(h^\top W v + a^\top h + b^\top v)

    Trained by persistent contrastive divergence, with scikit-learn's parameters, order
    of draws and answers.

    Parameters
    ----------
    n_components : int, default=256
        Hidden units.
    learning_rate : float, default=0.1
        Step size.
    batch_size : int, default=10
        Rows of a step.
    n_iter : int, default=10
        Passes.
    verbose : int, default=0
        Accepted for compatibility with scikit-learn; nothing is printed.
    random_state : int, RandomState or None
        Where the draws come from.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    intercept_hidden_ : ndarray of shape (n_components,)
    intercept_visible_ : ndarray of shape (n_features,)
    h_samples_ : ndarray of shape (batch_size, n_components)
        The hidden units of the chains.

    Examples
    --------
    >>> X = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]]
    >>> BernoulliRBM(n_components=2, random_state=0).fit_transform(X).shape
    (4, 2)

    References
    ----------
    Tieleman (2008), ICML.
    """

    def __init__(
        self,
        n_components: int = 256,
        *,
        learning_rate: float = 0.1,
        batch_size: int = 10,
        n_iter: int = 10,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.verbose = verbose
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the weights; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples with entries from 0 to 1.
        y : ignored
        """
        check_parameters(self)
        self._check()
        X = rows(self, X).X
        X = X.tocsr() if hasattr(X, "indptr") else X
        rng = check_random_state(self.random_state)
        self._begin(X.shape[1], X.dtype, rng)
        n = X.shape[0]
        count = -(-n // self.batch_size)
        batches = list(gen_even_slices(count * self.batch_size, count, n_samples=n))
        for _ in range(self.n_iter):
            for batch in batches:
                self._step(X[batch], rng)
        return self

    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Take one step on a batch; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The batch.
        y : ignored
        """
        check_parameters(self)
        self._check()
        first = not hasattr(self, "components_")
        X = rows(self, X, reset=first).X
        X = X.tocsr() if hasattr(X, "indptr") else X
        rng = self._rng()
        if first:
            self._begin(X.shape[1], np.float64, rng)
        self._step(X, rng)
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the probability of each hidden unit, given the visible ones."""
        X, units = samples(self, X), len(self.components_)
        kind = np.result_type(X.dtype, self.components_.dtype)
        return in_row_parts(X, units, units, self._hidden, kind)

    def gibbs(self, v: Any) -> NDArray[np.bool_]:
        """Draw hidden units given visible ones, and visible ones given those."""
        v, rng = samples(self, v), self._rng()
        hidden = self._hidden(v)
        return self._visible(rng.uniform(size=hidden.shape) < hidden, rng)

    def score_samples(self, X: Any) -> Vector:
        """Return the pseudo-likelihood: that of a random entry, given the rest."""
        v = samples(self, X)
        rng = check_random_state(self.random_state)
        places = np.arange(v.shape[0]), rng.randint(0, v.shape[1], v.shape[0])
        if hasattr(v, "indptr"):
            v = v.tocsr()
            change = 1.0 - 2.0 * np.asarray(v[places]).ravel()
            flipped = v + sparse.csr_array((change, places), shape=v.shape)
        else:
            flipped = v.copy()
            flipped[places] = 1 - flipped[places]
        gain = self._free_energy(flipped) - self._free_energy(v)
        return np.asarray(-v.shape[1] * np.logaddexp(0, -gain))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _check(self) -> None:
        for name, domain in (
            ("n_components", whole(1)),
            ("batch_size", whole(1)),
            ("n_iter", whole(0)),
            ("learning_rate", positive),
        ):
            check_domain(f"BernoulliRBM.{name}", getattr(self, name), domain)

    def _rng(self) -> Any:
        """Return the draws that successive calls go on with."""
        if not hasattr(self, "random_state_"):
            self.random_state_ = check_random_state(self.random_state)
        return self.random_state_

    def _begin(self, n_features: int, dtype: Any, rng: Any) -> None:
        drawn = rng.normal(0, 0.01, (self.n_components, n_features))
        self.components_ = np.asarray(drawn, order="F", dtype=dtype)
        self.intercept_hidden_ = np.zeros(self.n_components, dtype=dtype)
        self.intercept_visible_ = np.zeros(n_features, dtype=dtype)
        self.h_samples_ = np.zeros((self.batch_size, self.n_components), dtype=dtype)

    def _hidden(self, v: Any) -> Matrix:
        scores = np.asarray(v @ self.components_.T)
        scores += self.intercept_hidden_
        return np.asarray(expit(scores, out=scores))

    def _visible(self, h: Any, rng: Any) -> NDArray[np.bool_]:
        scores = h @ self.components_ + self.intercept_visible_
        return np.asarray(rng.uniform(size=scores.shape) < expit(scores))

    def _free_energy(self, v: Any) -> Vector:
        scores = np.asarray(v @ self.components_.T) + self.intercept_hidden_
        known = np.asarray(v @ self.intercept_visible_)
        return np.asarray(-known - np.logaddexp(0, scores).sum(axis=1))

    def _step(self, seen: Any, rng: Any) -> None:
        """Move towards the rows and away from what the chains draw."""
        hidden = self._hidden(seen)
        drawn = self._visible(self.h_samples_, rng).astype(hidden.dtype)
        other = self._hidden(drawn)
        rate = float(self.learning_rate) / seen.shape[0]
        # By columns, as the components lie.
        change = np.asarray((seen.T @ hidden).T)
        change -= (drawn.T @ other).T
        change *= rate
        self.components_ += change
        self.intercept_hidden_ += rate * (hidden.sum(axis=0) - other.sum(axis=0))
        # Counted in double precision, so that single precision rounds once a step.
        apart = np.asarray(seen.sum(axis=0)).ravel() - drawn.sum(axis=0, dtype=float)
        self.intercept_visible_ += rate * apart
        self.h_samples_ = (rng.uniform(size=other.shape) < other).astype(other.dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
