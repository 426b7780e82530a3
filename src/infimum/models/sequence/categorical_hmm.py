"""Categorical hidden Markov model: each state emits symbols with its own chances."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from infimum.data.doors import Sequences
from infimum.errors import DataError
from infimum.models.sequence._hidden_chain import HiddenChain, shares
from infimum.typing import Indices, Matrix

__all__ = ["CategoricalHMM"]


class CategoricalHMM(HiddenChain):
    """Hidden states that emit symbols, which are whole numbers from 0.

    Parameters, defaults and fitted attributes are those of hmmlearn; `GaussianHMM`
    says what is beyond it. A symbol beyond those of the fit is impossible.

    Parameters
    ----------
    n_components : int, default=1
    startprob_prior, transmat_prior, emissionprob_prior : default=1.0
        Of Dirichlet laws.
    n_features : int or None
        The number of symbols; None for what the data shows.
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
    monitor_ : ConvergenceMonitor

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([0, 0, 1, 0, 0, 2, 2, 2, 2, 2])
    >>> model = CategoricalHMM(2, random_state=0, n_iter=30).fit([X])
    >>> model.emissionprob_.shape
    (2, 3)
    """

    _letters: ClassVar[str] = "e"

    def __init__(
        self,
        n_components: int = 1,
        startprob_prior: Any = 1.0,
        transmat_prior: Any = 1.0,
        *,
        emissionprob_prior: Any = 1.0,
        n_features: int | None = None,
        algorithm: str = "viterbi",
        random_state: Any = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,
        params: str = "ste",
        init_params: str = "ste",
        implementation: str = "log",
    ) -> None:
        self.emissionprob_prior = emissionprob_prior
        self.n_features = n_features
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

    def _columns(self) -> int:
        return 1

    def _set_columns(self, count: int) -> None:
        if count != 1:
            raise DataError(
                f"{type(self).__name__} needs one symbol for each step, got {count}."
            )

    def _begin(self, given: Sequences, rng: Any) -> None:
        name = type(self).__name__
        most = int(_symbols(name, given.X).max(initial=-1)) + 1
        wanted = most if self.n_features is None else int(self.n_features)
        if most > wanted:
            raise DataError(
                f"{name}.n_features is {wanted}, but there is a symbol {most - 1}."
            )
        if self._needs("e", "emissionprob_"):
            drawn = rng.random_sample((self.n_components, max(wanted, 1)))
            self.emissionprob_ = drawn / drawn.sum(axis=1, keepdims=True)

    def _log_emissions(self, X: Matrix) -> Matrix:
        symbols = _symbols(type(self).__name__, X)
        with np.errstate(divide="ignore"):
            logs = np.log(self.emissionprob_).T
        # Two rows more: of symbols never met, and of what was not seen.
        impossible, free = np.full(len(logs.T), -np.inf), np.zeros(len(logs.T))
        logs = np.vstack([logs, impossible, free])
        return logs[np.where(symbols < 0, -1, np.minimum(symbols, len(logs) - 2))]

    def _maximise(self, X: Matrix, counted: Matrix) -> None:
        if "e" not in self.params:
            return
        symbols = _symbols(type(self).__name__, X)
        seen = np.flatnonzero(symbols >= 0)
        shape = np.shape(self.emissionprob_)[1], len(X)
        met = sparse.csr_array((np.ones(len(seen)), (symbols[seen], seen)), shape=shape)
        prior = np.asarray(self.emissionprob_prior) - 1.0
        counts = np.asarray(met @ counted).T
        self.emissionprob_ = shares(prior + counts, self.emissionprob_)

    def _emit(self, states: Indices, rng: Any) -> Matrix:
        levels = np.cumsum(self.emissionprob_, axis=1)
        drawn = (rng.random_sample((len(states), 1)) > levels[states]).sum(axis=1)
        return np.asarray(np.minimum(drawn, levels.shape[1] - 1)[:, None])

    def _check_emissions(self) -> None:
        name, n = type(self).__name__, self.n_components
        table = self.emissionprob_ = np.asarray(self.emissionprob_, dtype=np.float64)
        if table.ndim != 2 or len(table) != n:  # noqa: PLR2004
            raise DataError(f"{name}.emissionprob_ must have a row for each state.")
        if not (table >= 0).all() or not np.allclose(table.sum(axis=1), 1.0):
            raise DataError(f"{name}.emissionprob_ must sum to 1 by row.")

    def _free_numbers(self) -> dict[str, int]:
        return {"e": self.n_components * (np.shape(self.emissionprob_)[1] - 1)}


def _symbols(owner: str, X: Matrix) -> Indices:
    """Return symbols as whole numbers, -1 where nothing was seen."""
    seen = ~np.isnan(X[:, 0])
    values = np.where(seen, X[:, 0], -1.0)
    if (values[seen] < 0).any() or (values != np.round(values)).any():
        raise DataError(f"{owner} needs symbols: whole numbers of at least 0.")
    return values.astype(np.intp)
