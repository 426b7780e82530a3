"""Hidden Markov model of mixtures: each state emits a mixture of normal laws."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.special import logsumexp

from infimum.data.doors import Sequences
from infimum.errors import DataError
from infimum.models.clustering import KMeans
from infimum.models.sequence._hidden_chain import HiddenChain, shares
from infimum.parameters import Choice, Domain, nonnegative, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["GMMHMM"]

#: The least variance that a fit may leave.
FLOOR = 1e-12


class GMMHMM(HiddenChain):
    """Hidden states that emit mixtures of normal laws.

    Parameters, defaults and fitted attributes are those of hmmlearn; `GaussianHMM`
    says what is beyond it. A row with NaN was not seen.

    Parameters
    ----------
    n_components : int, default=1
    n_mix : int, default=1
        Normal laws of each state.
    min_covar : float, default=1e-3
        Added to the diagonals that a fit starts from.
    startprob_prior, transmat_prior, weights_prior : float or array-like, default=1.0
    means_prior, means_weight : float or array-like, default=0.0
    covars_prior, covars_weight : float or array-like, optional
        Inverse Wishart (or gamma) laws of the covariances; none by default.
    algorithm : {"viterbi", "map"}, default="viterbi"
    covariance_type : {"diag", "spherical", "full", "tied"}, default="diag"
        "tied" is one matrix for the laws of each state.
    random_state : int, RandomState or None
    n_iter : int, default=10
    tol : float, default=1e-2
    verbose : bool, default=False
    params, init_params : str, default="stmcw"
        s(tart), t(ransitions), m(eans), c(ovariances), w(eights).
    implementation : {"log", "scaling"}, default="log"

    Attributes
    ----------
    startprob_, transmat_, weights_, means_, covars_ : ndarray
    monitor_ : ConvergenceMonitor

    Examples
    --------
    >>> import numpy as np
    >>> X = np.concatenate([np.tile([0.0, 2.0], 20), np.tile([9.0, 11.0], 20)])
    >>> X += 0.1 * np.sin(np.arange(80))
    >>> model = GMMHMM(2, n_mix=2, random_state=0, n_iter=30).fit([X])
    >>> np.sort(model.means_.ravel()).round(1)
    array([ 0.,  2.,  9., 11.])
    """

    _letters: ClassVar[str] = "mcw"
    weights_: Any
    means_: Any
    covars_: Any
    _domains: ClassVar[dict[str, Domain]] = {
        "covariance_type": Choice(("diag", "spherical", "full", "tied")),
        "min_covar": nonnegative,
        "n_mix": whole(1),
    }

    def __init__(
        self,
        n_components: int = 1,
        n_mix: int = 1,
        min_covar: float = 1e-3,
        startprob_prior: Any = 1.0,
        transmat_prior: Any = 1.0,
        weights_prior: Any = 1.0,
        means_prior: Any = 0.0,
        means_weight: Any = 0.0,
        covars_prior: Any = None,
        covars_weight: Any = None,
        algorithm: str = "viterbi",
        covariance_type: str = "diag",
        random_state: Any = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,  # noqa: FBT001, FBT002
        params: str = "stmcw",
        init_params: str = "stmcw",
        implementation: str = "log",
    ) -> None:
        self.n_mix = n_mix
        self.min_covar = min_covar
        self.weights_prior = weights_prior
        self.means_prior = means_prior
        self.means_weight = means_weight
        self.covars_prior = covars_prior
        self.covars_weight = covars_weight
        self.covariance_type = covariance_type
        self.n_components = n_components
        self.startprob_prior = startprob_prior
        self.transmat_prior = transmat_prior
        self.algorithm = algorithm
        self.random_state = random_state
        self.n_iter = n_iter
        self.tol = tol
        self.verbose = verbose
        self.params = params
        self.init_params = init_params
        self.implementation = implementation

    def _begin(self, given: Sequences, rng: Any) -> None:
        seen = ~np.isnan(given.X).any(axis=1)
        rows = given.X[seen]
        n, m = self.n_components, self.n_mix
        if len(rows) < n:
            raise DataError(f"GMMHMM needs {n} complete rows or more.")
        weights = np.repeat(given.weights, given.lengths)[seen]
        if self._needs("w", "weights_"):
            self.weights_ = np.full((n, m), 1.0 / m)
        if self._needs("m", "means_"):
            self.means_ = self._centres(rows, weights, rng)
        if self._needs("c", "covars_"):
            d = rows.shape[1]
            centres = np.reshape(self.means_, (n * m, 1, d))
            near = np.argmin(((rows - centres) ** 2).sum(axis=2), axis=0)
            gaps = (rows - centres[near, 0]) * np.sqrt(weights / weights.sum())[:, None]
            spread = gaps.T @ gaps
            self.covars_ = self._shaped(spread + self.min_covar * np.eye(d))

    def _centres(self, rows: Matrix, weights: Vector, rng: Any) -> Matrix:
        """Return centres of rows, and within each of them centres again."""
        seed = int(rng.randint(2**31 - 1))
        outer = KMeans(self.n_components, n_init=3, random_state=seed)
        outer.fit(rows, sample_weight=weights)
        means = np.empty((self.n_components, self.n_mix, rows.shape[1]))
        for k in range(self.n_components):
            own = outer.labels_ == k
            if len(np.unique(rows[own], axis=0)) < self.n_mix:
                noise = rng.standard_normal((self.n_mix, rows.shape[1]))
                means[k] = outer.cluster_centers_[k] + 0.1 * rows.std(axis=0) * noise
                continue
            inner = KMeans(self.n_mix, n_init=3, random_state=seed)
            inner.fit(rows[own], sample_weight=weights[own])
            means[k] = inner.cluster_centers_
        return means

    def _shaped(self, spread: Matrix) -> Matrix:
        n, m = self.n_components, self.n_mix
        if self.covariance_type == "full":
            return np.tile(spread, (n, m, 1, 1))
        if self.covariance_type == "tied":
            return np.tile(spread, (n, 1, 1))
        if self.covariance_type == "diag":
            return np.tile(np.diag(spread), (n, m, 1))
        return np.full((n, m), np.diag(spread).mean())

    def _matrix(self, k: int, j: int) -> Matrix:
        """Return the covariance matrix of one law."""
        held, d = np.asarray(self.covars_, dtype=np.float64), int(self.n_features)
        if self.covariance_type == "full":
            return np.asarray(held[k, j])
        if self.covariance_type == "tied":
            return np.asarray(held[k])
        return np.diag(np.broadcast_to(held[k, j], (d,)))

    def _parts(self, X: Matrix) -> Matrix:
        """Return log(weight·density) by row, state and law."""
        n, m, d = self.n_components, self.n_mix, X.shape[1]
        out = np.empty((len(X), n, m))
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights_)
        for k in range(n):
            for j in range(m):
                root = np.linalg.cholesky(self._matrix(k, j))
                Z = np.linalg.solve(root, (X - self.means_[k, j]).T)
                size = 2.0 * np.log(np.diag(root)).sum() + d * np.log(2.0 * np.pi)
                out[:, k, j] = logs[k, j] - 0.5 * (np.einsum("ij,ij->j", Z, Z) + size)
        return out

    def _log_emissions(self, X: Matrix) -> Matrix:
        seen = ~np.isnan(X).any(axis=1)
        out = np.zeros((len(X), self.n_components))
        if seen.any():
            out[seen] = logsumexp(self._parts(X[seen]), axis=2)
        return out

    def _maximise(self, X: Matrix, counted: Matrix) -> None:
        seen = ~np.isnan(X).any(axis=1)
        rows, parts = X[seen], self._parts(X[seen])
        inner = np.exp(parts - logsumexp(parts, axis=2)[:, :, None])
        held = inner * counted[seen][:, :, None]
        totals = held.sum(axis=0)
        if "w" in self.params:
            prior = np.asarray(self.weights_prior) - 1.0
            self.weights_ = shares(totals + prior, np.asarray(self.weights_))
        means = np.array(self.means_, dtype=np.float64)
        pulls = np.broadcast_to(np.asarray(self.means_weight), totals.shape)
        if "m" in self.params:
            sums = np.einsum("tkj,td->kjd", held, rows)
            top = pulls[:, :, None] * np.asarray(self.means_prior) + sums
            bottom = pulls + totals
            fresh = top / np.where(bottom > 0.0, bottom, 1.0)[:, :, None]
            means = np.where((bottom > 0.0)[:, :, None], fresh, means)
        if "c" in self.params:
            self._spread(rows, held, totals, means, pulls)
        self.means_ = means

    def _spread(
        self, rows: Matrix, held: Matrix, totals: Matrix, means: Matrix, pulls: Matrix
    ) -> None:
        """Refit the covariances about new means."""
        n, m, d = means.shape
        scatter = np.empty((n, m, d, d))
        for k in range(n):
            for j in range(m):
                gaps = rows - means[k, j]
                scatter[k, j] = (gaps * held[:, k, j][:, None]).T @ gaps
                off = means[k, j] - self.means_prior
                scatter[k, j] += pulls[k, j] * np.outer(off, off)
        prior = 0.0 if self.covars_prior is None else np.asarray(self.covars_prior)
        weight = 0.0 if self.covars_weight is None else np.asarray(self.covars_weight)
        kind, old = self.covariance_type, np.asarray(self.covars_, dtype=np.float64)
        if kind == "full":
            top, bottom = scatter + prior, (totals + weight)[:, :, None, None]
        elif kind == "tied":
            top = scatter.sum(axis=1) + prior
            bottom = (totals.sum(axis=1) + weight)[:, None, None]
        else:
            top = np.diagonal(scatter, axis1=2, axis2=3) + prior
            bottom = (totals[:, :, None] + weight) * np.ones(d)
            if kind == "spherical":
                top, bottom = top.sum(axis=2), bottom.sum(axis=2)
        used = np.broadcast_to(bottom > 0.0, top.shape)
        fresh = top / np.where(bottom > 0.0, bottom, 1.0)
        fresh = np.maximum(fresh, FLOOR) if kind in ("diag", "spherical") else (
            fresh + FLOOR * np.eye(d)
        )  # fmt: skip
        self.covars_ = np.where(used, fresh, old)

    def _emit(self, states: Indices, rng: Any) -> Matrix:
        d = int(self.n_features)
        out = np.empty((len(states), d))
        for t, k in enumerate(states):
            j = rng.choice(self.n_mix, p=self.weights_[k])
            root = np.linalg.cholesky(self._matrix(k, j))
            out[t] = self.means_[k, j] + root @ rng.standard_normal(d)
        return out

    def _check_emissions(self) -> None:
        n, m = self.n_components, self.n_mix
        self.means_ = np.asarray(self.means_, dtype=np.float64)
        self.weights_ = np.asarray(self.weights_, dtype=np.float64)
        if self.means_.ndim != 3 or self.means_.shape[:2] != (n, m):  # noqa: PLR2004
            raise DataError(f"GMMHMM.means_ must have shape ({n}, {m}, n_features).")
        d = self.n_features = self.means_.shape[2]
        sums = self.weights_.sum(axis=-1) if self.weights_.shape == (n, m) else 0.0
        if not np.allclose(sums, 1.0) or not (self.weights_ >= 0.0).all():
            raise DataError("GMMHMM.weights_ must sum to 1 for each state.")
        shape = {
            "full": (n, m, d, d), "tied": (n, d, d), "diag": (n, m, d),
            "spherical": (n, m),
        }[self.covariance_type]  # fmt: skip
        held = np.asarray(self.covars_, dtype=np.float64)
        if held.shape != shape or not np.isfinite(held).all():
            raise DataError(f"GMMHMM.covars_ must have shape {shape}.")
        matrices = self.covariance_type in ("full", "tied")
        least = np.linalg.eigvalsh(held).min() if matrices else held.min()
        if least <= 0.0:
            raise DataError("GMMHMM.covars_ must be positive.")

    def _free_numbers(self) -> dict[str, int]:
        n, m, d = self.n_components, self.n_mix, int(self.n_features)
        half = d * (d + 1) // 2
        sizes = {"spherical": n * m, "diag": n * m * d, "tied": n * half}
        return {
            "m": n * m * d,
            "c": sizes.get(self.covariance_type, n * m * half),
            "w": n * (m - 1),
        }
