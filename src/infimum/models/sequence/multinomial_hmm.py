"""Multinomial hidden Markov model: each state emits counts of symbols."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.special import gammaln

from infimum.data.doors import Sequences
from infimum.errors import DataError
from infimum.models.sequence._hidden_chain import HiddenChain, shares
from infimum.typing import Indices, Matrix

__all__ = ["MultinomialHMM"]


class MultinomialHMM(HiddenChain):
    """Hidden states that emit counts of several symbols at a step.

    Parameters, defaults and fitted attributes are those of hmmlearn; `GaussianHMM`
    says what is beyond it. A row with NaN was not seen.

    Parameters
    ----------
    n_components : int, default=1
    n_trials : int or array-like, optional
        The sum of each row; read off the data where it is not given.
    startprob_prior, transmat_prior : float or array-like, default=1.0
    algorithm : {"viterbi", "map"}, default="viterbi"
    random_state : int, RandomState or None
    n_iter : int, default=10
    tol : float, default=1e-2
    verbose : bool, default=False
    params, init_params : str, default="ste"
        s(tart), t(ransitions), e(missions).
    implementation : {"log", "scaling"}, default="log"

    Attributes
    ----------
    startprob_, transmat_, emissionprob_ : ndarray
    n_features : int
        Symbols.
    monitor_ : ConvergenceMonitor

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[9, 1], [8, 2], [10, 0], [1, 9], [0, 10], [2, 8]])
    >>> model = MultinomialHMM(2, random_state=0, n_iter=30).fit([X])
    >>> np.sort(model.emissionprob_[:, 0]).round(1)
    array([0.1, 0.9])
    """

    _letters: ClassVar[str] = "e"

    def __init__(
        self,
        n_components: int = 1,
        n_trials: Any = None,
        startprob_prior: Any = 1.0,
        transmat_prior: Any = 1.0,
        algorithm: str = "viterbi",
        random_state: Any = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,  # noqa: FBT001, FBT002
        params: str = "ste",
        init_params: str = "ste",
        implementation: str = "log",
    ) -> None:
        self.n_trials = n_trials
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
        rows = self._counts(given.X)
        if self._needs("e", "emissionprob_"):
            table = rng.random_sample((self.n_components, given.X.shape[1]))
            # States differ in what is drawn, around what all of them see.
            middle = np.nansum(rows, axis=0) + 1.0
            table = table * middle
            self.emissionprob_ = table / table.sum(axis=1, keepdims=True)

    def _counts(self, X: Matrix) -> Matrix:
        """Return counts as they are, rows in part unseen as wholly so."""
        name = type(self).__name__
        seen: Any = ~np.isnan(X).any(axis=1)
        rows = X[seen]
        if (rows < 0).any() or (rows != np.round(rows)).any():
            raise DataError(f"{name} needs counts: whole numbers of at least 0.")
        if self.n_trials is not None:
            trials = np.asarray(self.n_trials, dtype=np.float64).ravel()
            if trials.size not in (1, len(X)):
                raise DataError(f"{name}.n_trials must be one number, or one by row.")
            wanted = np.zeros(len(X)) + trials
            if np.any(rows.sum(axis=1) != wanted[seen]):
                raise DataError(f"{name} needs rows that sum to n_trials.")
        return np.asarray(np.where(seen[:, None], X, np.nan))

    def _log_emissions(self, X: Matrix) -> Matrix:
        rows = self._counts(X)
        seen = ~np.isnan(rows[:, 0])
        counts = np.where(seen[:, None], rows, 0.0)
        table = np.asarray(self.emissionprob_)
        with np.errstate(divide="ignore"):
            logs = np.log(table)
        finite = np.where(table > 0.0, logs, 0.0)
        out = counts @ finite.T
        out[counts @ (table == 0.0).T > 0.0] = -np.inf
        ways = gammaln(counts.sum(axis=1) + 1.0) - gammaln(counts + 1.0).sum(axis=1)
        return np.asarray(out + ways[:, None])

    def _maximise(self, X: Matrix, counted: Matrix) -> None:
        if "e" not in self.params:
            return
        rows = self._counts(X)
        seen = ~np.isnan(rows[:, 0])
        counts = counted[seen].T @ rows[seen]
        self.emissionprob_ = shares(counts, self.emissionprob_)

    def _emit(self, states: Indices, rng: Any) -> Matrix:
        if self.n_trials is None or np.ndim(self.n_trials) > 0:
            raise DataError("MultinomialHMM needs one number n_trials to draw from.")
        table = np.asarray(self.emissionprob_)
        drawn = [rng.multinomial(int(self.n_trials), table[k]) for k in states]
        return np.array(drawn)

    def _check_emissions(self) -> None:
        name, n = type(self).__name__, self.n_components
        table = self.emissionprob_ = np.asarray(self.emissionprob_, dtype=np.float64)
        if table.ndim != 2 or len(table) != n:  # noqa: PLR2004
            raise DataError(f"{name}.emissionprob_ must have a row for each state.")
        if not (table >= 0).all() or not np.allclose(table.sum(axis=1), 1.0):
            raise DataError(f"{name}.emissionprob_ must sum to 1 by row.")
        self.n_features = table.shape[1]

    def _free_numbers(self) -> dict[str, int]:
        return {"e": self.n_components * (np.shape(self.emissionprob_)[1] - 1)}
