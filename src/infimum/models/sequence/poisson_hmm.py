"""Poisson hidden Markov model: each state emits counts at rates of its own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.special import gammaln

from infimum.data.doors import Sequences
from infimum.errors import DataError
from infimum.models.sequence._hidden_chain import HiddenChain
from infimum.typing import Indices, Matrix

__all__ = ["PoissonHMM"]


class PoissonHMM(HiddenChain):
    """Hidden states that emit counts of Poisson laws.

    Parameters, defaults and fitted attributes are those of hmmlearn; `GaussianHMM`
    says what is beyond it.

    Parameters
    ----------
    n_components : int, default=1
    startprob_prior, transmat_prior : float or array-like, default=1.0
    lambdas_prior, lambdas_weight : float or array-like, default=0.0
        Shape and rate of a gamma law for the rates.
    algorithm : {"viterbi", "map"}, default="viterbi"
    random_state : int, RandomState or None
    n_iter : int, default=10
    tol : float, default=1e-2
    verbose : bool, default=False
    params, init_params : str, default="stl"
        s(tart), t(ransitions), l(ambdas).
    implementation : {"log", "scaling"}, default="log"

    Attributes
    ----------
    startprob_, transmat_, lambdas_ : ndarray
    monitor_ : ConvergenceMonitor

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([1, 0, 2, 1, 0, 30, 28, 35, 31, 29])
    >>> model = PoissonHMM(2, random_state=1, n_iter=50).fit([X])
    >>> np.sort(model.lambdas_.ravel()).round(1)
    array([ 0.8, 30.6])
    """

    _letters: ClassVar[str] = "l"

    def __init__(
        self,
        n_components: int = 1,
        startprob_prior: Any = 1.0,
        transmat_prior: Any = 1.0,
        lambdas_prior: Any = 0.0,
        lambdas_weight: Any = 0.0,
        algorithm: str = "viterbi",
        random_state: Any = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,  # noqa: FBT001, FBT002
        params: str = "stl",
        init_params: str = "stl",
        implementation: str = "log",
    ) -> None:
        self.lambdas_prior = lambdas_prior
        self.lambdas_weight = lambdas_weight
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
        _check_counts(type(self).__name__, given.X)
        if self._needs("l", "lambdas_"):
            middle = np.nanmean(given.X, axis=0)
            spread = np.sqrt(np.nanvar(given.X, axis=0)) + 0.1
            shape = (middle / spread) ** 2 + 0.1
            drawn = rng.gamma(
                shape, np.maximum(middle, 0.1) / shape,
                (self.n_components, given.X.shape[1]),
            )  # fmt: skip
            self.lambdas_ = np.maximum(drawn, 1e-3)

    def _log_emissions(self, X: Matrix) -> Matrix:
        _check_counts(type(self).__name__, X)
        seen = ~np.isnan(X)
        rows = np.where(seen, X, 0.0)
        rates = np.maximum(self.lambdas_, 1e-300)
        logs = rows @ np.log(rates).T - seen @ np.asarray(self.lambdas_).T
        return np.asarray(logs - gammaln(rows + 1.0).sum(axis=1)[:, None])

    def _maximise(self, X: Matrix, shares: Matrix) -> None:
        if "l" not in self.params:
            return
        seen = ~np.isnan(X)
        top = self.lambdas_prior + shares.T @ np.where(seen, X, 0.0)
        bottom = self.lambdas_weight + shares.T @ seen
        known = bottom > 0.0
        fresh = top / np.where(known, bottom, 1.0)
        self.lambdas_ = np.where(known, fresh, self.lambdas_)

    def _emit(self, states: Indices, rng: Any) -> Matrix:
        return np.asarray(rng.poisson(np.asarray(self.lambdas_)[states]))

    def _check_emissions(self) -> None:
        self.lambdas_ = np.asarray(self.lambdas_, dtype=np.float64)
        fits = self.lambdas_.ndim == 2 and len(self.lambdas_) == self.n_components  # noqa: PLR2004
        if not fits or not (self.lambdas_ >= 0).all():
            raise DataError(
                f"{type(self).__name__}.lambdas_ must be rates of at least 0, a row "
                f"for each of {self.n_components} states."
            )
        self.n_features = self.lambdas_.shape[1]

    def _free_numbers(self) -> dict[str, int]:
        return {"l": self.n_components * int(self.n_features)}


def _check_counts(owner: str, X: Matrix) -> None:
    if ((X < 0) | (np.round(X) != X) & ~np.isnan(X)).any():
        raise DataError(f"{owner} needs counts: whole numbers of at least 0.")
