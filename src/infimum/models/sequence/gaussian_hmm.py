"""Gaussian hidden Markov model: each state emits vectors of a normal law."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.data.doors import Sequences
from infimum.errors import DataError
from infimum.models.clustering import KMeans
from infimum.models.sequence._hidden_chain import HiddenChain
from infimum.models.sequence._normal_rows import (
    column_sums,
    complete,
    fill_normal_logs,
    normal_moments,
)
from infimum.parameters import Choice, Domain, nonnegative
from infimum.typing import Indices, Matrix

__all__ = ["GaussianHMM"]

#: The least variance of any direction, as a share of the greatest.
SINGULAR = 1e-12
_SPREAD = {"spherical": 1, "diag": 2, "tied": 2, "full": 3}


class GaussianHMM(HiddenChain):
    """Hidden states that emit vectors of normal laws, found by Baum and Welch's steps.

    Parameters, defaults and fitted attributes are those of hmmlearn. Beyond it: NaN is
    a missing value, states may be known in part, sequences have weights, and a
    state that explains nothing is named and keeps its parameters.

    Parameters
    ----------
    n_components : int, default=1
    covariance_type : {"spherical", "diag", "full", "tied"}, default="diag"
    min_covar : float, default=1e-3
        Added to the variances of the start.
    startprob_prior, transmat_prior : float or array-like, default=1.0
        Of Dirichlet laws.
    means_prior, means_weight : float or array-like, default=0
        Of a normal law for the means.
    covars_prior, covars_weight : float or array-like, default=1e-2 and 1
        Of an inverse Wishart law for the covariances.
    algorithm : {"viterbi", "map"}, default="viterbi"
    random_state : int, RandomState or None
    n_iter : int, default=10
    tol : float, default=1e-2
        A smaller rise of the log-likelihood ends the fit.
    verbose : bool, default=False
    params, init_params : str, default="stmc"
        What a fit changes, and what it sets before: s(tart), t(ransitions), m(eans),
        c(ovariances).
    implementation : {"log", "scaling"}, default="log"
        For compatibility: the passes are scaled, and in logarithms where they must be.

    Attributes
    ----------
    startprob_, transmat_, means_, covars_ : ndarray
    monitor_ : ConvergenceMonitor
        Its history never falls where priors are flat.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([0.0, 9.0], 20) + 0.1 * np.sin(np.arange(40))
    >>> model = GaussianHMM(2, random_state=0).fit([X])
    >>> states = model.predict([X])[0]
    >>> len(set(states[:20])), len(set(states[20:])), len(set(states))
    (1, 1, 2)
    """

    _letters: ClassVar[str] = "mc"
    means_: Any
    _covars_: Any
    _domains: ClassVar[dict[str, Domain]] = {
        "covariance_type": Choice(tuple(_SPREAD)),
        "min_covar": nonnegative,
    }

    def __init__(
        self,
        n_components: int = 1,
        covariance_type: str = "diag",
        min_covar: float = 1e-3,
        startprob_prior: Any = 1.0,
        transmat_prior: Any = 1.0,
        means_prior: Any = 0,
        means_weight: Any = 0,
        covars_prior: Any = 1e-2,
        covars_weight: Any = 1,
        algorithm: str = "viterbi",
        random_state: Any = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,  # noqa: FBT001, FBT002
        params: str = "stmc",
        init_params: str = "stmc",
        implementation: str = "log",
    ) -> None:
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.means_prior = means_prior
        self.means_weight = means_weight
        self.covars_prior = covars_prior
        self.covars_weight = covars_weight
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

    @property
    def covars_(self) -> Matrix:
        """The covariance matrix of each state."""
        n, d, held = self.n_components, int(self.n_features), self._covars_
        if self.covariance_type == "full":
            return np.asarray(held)
        if self.covariance_type == "tied":
            return np.tile(held, (n, 1, 1))
        if self.covariance_type == "diag":
            return np.stack([np.diag(each) for each in held])
        return np.stack([np.mean(each) * np.eye(d) for each in held])

    @covars_.setter
    def covars_(self, given: Any) -> None:
        covars = np.array(given, dtype=np.float64)
        matrices = self.covariance_type in ("full", "tied")
        good = np.isfinite(covars).all() and (not matrices or covars.ndim > 1)
        if not good or np.min(np.linalg.eigvalsh(covars) if matrices else covars) <= 0:
            raise DataError(f"{type(self).__name__}.covars_ must be positive.")
        self._covars_ = covars

    def _begin(self, given: Sequences, rng: Any) -> None:
        seen = ~np.isnan(given.X).any(axis=1)
        rows = given.X[seen]
        weights = np.repeat(given.weights, given.lengths)[seen]
        if len(rows) < self.n_components:
            raise DataError(
                f"{type(self).__name__} needs {self.n_components} complete rows or "
                f"more, got {len(rows)}."
            )
        if self._needs("m", "means_"):
            seed = int(rng.randint(2**31 - 1))
            start = KMeans(self.n_components, n_init=10, random_state=seed)
            self.means_ = start.fit(rows, sample_weight=weights).cluster_centers_
        if self._needs("c", "_covars_"):
            d = rows.shape[1]
            spread = np.cov(rows.T, aweights=weights, ddof=0).reshape(d, d)
            spread = spread + self.min_covar * np.eye(d)
            self._covars_ = self._shaped(spread)

    def _shaped(self, spread: Matrix) -> Matrix:
        """Return one covariance matrix as all states hold it."""
        n = self.n_components
        if self.covariance_type == "tied":
            return spread
        if self.covariance_type == "full":
            return np.tile(spread, (n, 1, 1))
        if self.covariance_type == "diag":
            return np.tile(np.diag(spread), (n, 1))
        return np.full(n, spread.mean())

    def _variances(self) -> Matrix:
        """Return a variance for each state and column, of laws that have no others."""
        held = np.asarray(self._covars_, dtype=np.float64)
        if held.ndim == 1:
            held = np.tile(held[:, None], (1, int(self.n_features)))
        return held

    def _log_emissions(self, X: Matrix) -> Matrix:
        out = np.empty((len(X), self.n_components))
        if self.covariance_type in ("diag", "spherical"):
            variances = self._variances()
            if complete(X):
                fill_normal_logs(X, np.asarray(self.means_), variances, out)
                return out
            seen = ~np.isnan(X)
            for k in range(self.n_components):
                Z = (X - self.means_[k]) / np.sqrt(variances[k])
                Z[~seen] = 0.0
                out[:, k] = seen @ np.log(2.0 * np.pi * variances[k])
                out[:, k] += np.einsum("ij,ij->i", Z, Z)
            out *= -0.5
            return out
        covars = self.covars_
        for pattern, rows in _patterns(~np.isnan(X)):
            for k in range(self.n_components):
                Z = X[np.ix_(rows, pattern)] - self.means_[k][pattern]
                root = np.linalg.cholesky(covars[k][np.ix_(pattern, pattern)])
                Z = np.linalg.solve(root, Z.T)
                size = 2.0 * np.log(np.diag(root)).sum()
                size += len(pattern) * np.log(2.0 * np.pi)
                out[rows, k] = -0.5 * (np.einsum("ij,ij->j", Z, Z) + size)
        return out

    def _maximise(self, X: Matrix, shares: Matrix) -> None:
        if self.covariance_type in ("diag", "spherical"):
            self._maximise_variances(X, shares)
        else:
            self._maximise_covariances(X, shares)

    def _maximise_variances(self, X: Matrix, shares: Matrix) -> None:
        before: Matrix = np.array(self.means_, dtype=np.float64)
        totals = column_sums(shares)
        counts, first, second = normal_moments(X, before, shares, totals)
        used, old = totals > 0.0, before
        if "m" in self.params:
            top = self.means_weight * np.asarray(self.means_prior)
            top = top + first + counts * before
            bottom = self.means_weight + counts
            known = used[:, None] & (bottom > 0.0)
            before = np.where(known, top / np.where(known, bottom, 1.0), before)
            self.means_ = before
        if "c" not in self.params:
            return
        move = before - old  # the same sums about the new means
        squares = np.maximum(second + move * (counts * move - 2.0 * first), 0.0)
        squares += self.means_weight * (before - self.means_prior) ** 2
        bottom = max(self.covars_weight - 1, 0) + counts
        squares = squares + self.covars_prior
        if self.covariance_type == "spherical":  # one variance for all that was seen
            squares, bottom = (
                np.tile(each.sum(axis=1)[:, None], (1, X.shape[1]))
                for each in (squares, bottom)
            )
        held = squares / np.maximum(bottom, 1e-5)
        held = np.maximum(held, np.finfo(float).tiny ** 0.5)
        self._covars_ = np.where(used[:, None], held, self._variances())

    def _maximise_covariances(self, X: Matrix, shares: Matrix) -> None:
        n, d = self.n_components, X.shape[1]
        counts, used = shares.sum(axis=0), shares.sum(axis=0) > 0.0
        filled, extra = self._filled(X, shares)
        means = np.array(self.means_, dtype=np.float64)
        sums = np.stack([shares[:, k] @ filled[k] for k in range(n)])
        if "m" in self.params:
            top = self.means_weight * np.asarray(self.means_prior) + sums
            bottom = np.where(used, self.means_weight + counts, 1.0)
            means = np.where(used[:, None], top / bottom[:, None], means)
        pull, scatter = means - self.means_prior, np.empty((n, d, d))
        for k in range(n):
            gaps = filled[k] - means[k]
            scatter[k] = (gaps * shares[:, k][:, None]).T @ gaps + extra[k]
            scatter[k] += self.means_weight * np.outer(pull[k], pull[k])
        self.means_ = means
        if "c" not in self.params:
            return
        weight = max(self.covars_weight - d, 0)
        if self.covariance_type == "tied":
            whole = self.covars_prior + scatter.sum(axis=0)
            self._covars_ = _definite(whole / (weight + counts.sum()))
        else:
            bottom = np.where(used, weight + counts, 1.0)[:, None, None]
            fresh = _definite((self.covars_prior + scatter) / bottom)
            self._covars_ = np.where(used[:, None, None], fresh, self._covars_)

    def _filled(self, X: Matrix, shares: Matrix) -> tuple[Matrix, Matrix]:
        """Return rows as each state expects them, and what is uncertain about them."""
        n, d = self.n_components, X.shape[1]
        filled, extra = np.tile(X, (n, 1, 1)), np.zeros((n, d, d))
        covars = self.covars_
        for seen, rows in _patterns(~np.isnan(X)):
            hidden = np.setdiff1d(np.arange(d), seen)
            if len(hidden) == 0:
                continue
            for k in range(n):
                across = covars[k][np.ix_(hidden, seen)]
                gain = np.linalg.solve(covars[k][np.ix_(seen, seen)], across.T).T
                gaps = X[np.ix_(rows, seen)] - self.means_[k][seen]
                filled[k][np.ix_(rows, hidden)] = self.means_[k][hidden] + gaps @ gain.T
                left = covars[k][np.ix_(hidden, hidden)] - gain @ across.T
                extra[k][np.ix_(hidden, hidden)] += shares[rows, k].sum() * left
        return filled, extra

    def _emit(self, states: Indices, rng: Any) -> Matrix:
        roots = np.linalg.cholesky(self.covars_)
        noise = rng.standard_normal((len(states), int(self.n_features)))
        moved = np.einsum("tij,tj->ti", roots[states], noise)
        return np.asarray(np.asarray(self.means_)[states] + moved)

    def _check_emissions(self) -> None:
        name, n = type(self).__name__, self.n_components
        self.means_ = np.asarray(self.means_, dtype=np.float64)
        if self.means_.ndim != 2 or len(self.means_) != n:  # noqa: PLR2004
            raise DataError(f"{name}.means_ must have a row for each of {n} states.")
        d = self.means_.shape[1]
        self.n_features = d
        shapes: dict[str, tuple[tuple[int, ...], ...]] = {
            "full": ((n, d, d),),
            "tied": ((d, d),),
            "diag": ((n, d),),
            "spherical": ((n,), (n, d)),
        }
        if np.shape(self._covars_) not in shapes[self.covariance_type]:
            wanted = shapes[self.covariance_type][0]
            raise DataError(f"{name}.covars_ must have shape {wanted}.")

    def _free_numbers(self) -> dict[str, int]:
        n, d = self.n_components, int(self.n_features)
        half = d * (d + 1) // 2
        sizes = {"spherical": n, "diag": n * d, "tied": half, "full": n * half}
        return {"m": n * d, "c": sizes[self.covariance_type]}


def _definite(covars: Matrix) -> Matrix:
    """Return covariances with enough on the diagonal to be inverted."""
    values = np.linalg.eigvalsh(covars)
    least = SINGULAR * np.maximum(values[..., -1], np.finfo(float).tiny ** 0.5)
    short = np.maximum(least - values[..., 0], 0.0)
    return np.asarray(covars + short[..., None, None] * np.eye(covars.shape[-1]))


def _patterns(seen: Any) -> list[tuple[Indices, Indices]]:
    """Return the columns that rows have, each with the rows that have just these."""
    if seen.all():
        return [(np.arange(seen.shape[1]), np.arange(len(seen)))]
    kinds, places = np.unique(seen, axis=0, return_inverse=True)
    places = places.ravel()
    return [
        (np.flatnonzero(kind), np.flatnonzero(places == k))
        for k, kind in enumerate(kinds)
    ]
