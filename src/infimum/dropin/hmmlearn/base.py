"""hmmlearn's base class, its monitor, and what its users call beside `fit`."""

from __future__ import annotations

import logging
import string
from collections import deque
from typing import Any, Self

import numpy as np
from scipy.special import logsumexp

from infimum.data.doors import Sequences, check_fitted
from infimum.dropin.hmmlearn._hmmc import backward_log, forward_log
from infimum.errors import DataError
from infimum.models.sequence import ConvergenceMonitor as Monitor
from infimum.models.sequence._hidden_chain import HiddenChain, shares
from infimum.typing import Indices, Matrix

__all__ = ["DECODER_ALGORITHMS", "AsHmmlearn", "BaseHMM", "ConvergenceMonitor"]

DECODER_ALGORITHMS = frozenset(("viterbi", "map"))
#: A fall of the likelihood by less than this is rounding.
ROUNDING = float(np.finfo(float).eps ** 0.5)

_log = logging.getLogger(__name__)


class ConvergenceMonitor(Monitor):
    """The likelihood after each step, as hmmlearn's users watch it.

    Subclass it, redefine `converged`, and give a model its `monitor_` before `fit`.
    """

    _template = "{iter:>10d} {log_prob:>16.8f} {delta:>+16.8f}"

    def __init__(self, tol: float, n_iter: int, verbose: bool) -> None:  # noqa: FBT001
        super().__init__(tol, n_iter, verbose, deque())  # type: ignore[arg-type]
        self.iter = 0

    def _reset(self) -> None:
        self.history.clear()
        self.iter = 0

    def report(self, log_prob: float) -> None:
        """Keep the log-likelihood of one more step; warn where it falls."""
        if self.history and log_prob - self.history[-1] < -ROUNDING:
            _log.warning("The likelihood falls to %s.", log_prob)
        super().report(log_prob)
        self.iter += 1

    def _keep(self, steps: int) -> None:
        self._steps = steps

    #: How many steps were made.
    iter = property(lambda self: self._steps, _keep)

    @property
    def converged(self) -> bool:
        """Whether the steps are used up, or the last of them gained little."""
        rises = len(self.history) > 1
        small = rises and self.history[-1] - self.history[-2] < self.tol
        return bool(self.iter == self.n_iter or small)


class AsHmmlearn(HiddenChain):
    """A chain whose methods take and give what hmmlearn's do: one table, lengths."""

    _watched: ConvergenceMonitor

    @property
    def monitor_(self) -> Monitor:
        """What watches fits; give your own before `fit`."""
        if "_watched" not in vars(self):
            self._watched = ConvergenceMonitor(self.tol, self.n_iter, self.verbose)
        return self._watched

    @monitor_.setter
    def monitor_(self, monitor: Any) -> None:
        self._watched = monitor

    def fit(self, X: Any, lengths: Any = None) -> Self:  # type: ignore[override]
        """Raise the likelihood step by step."""
        return super().fit(np.asarray(X), lengths=lengths)

    def score(self, X: Any, lengths: Any = None) -> float:
        """Return the log-likelihood of all sequences."""
        return super().score(X, lengths=lengths)

    def _monitor(self) -> ConvergenceMonitor:
        watched: Any = self.monitor_
        watched._reset()
        return self._watched

    def _start(self, given: Sequences) -> None:
        self._init(given.X, given.lengths)

    def _init(self, X: Any, lengths: Any = None) -> None:
        """Set what a fit starts from."""
        rows = np.asarray(X, dtype=np.float64)
        sizes = np.atleast_1d(len(rows) if lengths is None else lengths)
        super()._start(Sequences(rows, sizes, np.ones(len(sizes)), False))
        sizes_of = self._get_n_fit_scalars_per_param() or {}
        wanted = sum(sizes_of.get(letter, 0) for letter in self.params)
        if rows.size < wanted:
            _log.warning(
                "Fitting %d numbers to %d will result in a degenerate solution.",
                wanted, rows.size,
            )  # fmt: skip

    def check(self) -> None:
        """Raise DataError unless the parameters are those of a model."""
        self._check()

    def _check(self) -> None:
        super().check()

    def _needs(self, letter: str, name: str) -> bool:
        if letter in self.init_params and hasattr(self, name):
            _log.warning(
                "Even though the %r attribute is set, it will be overwritten during "
                "initialization because 'init_params' contains %r", name, letter,
            )  # fmt: skip
        return super()._needs(letter, name)

    _needs_init = _needs

    def _get_n_fit_scalars_per_param(self) -> dict[str, int] | None:
        n = self.n_components
        return {"s": n - 1, "t": n * (n - 1), **self._free_numbers()}

    def _compute_log_likelihood(self, X: Any) -> Matrix:
        return self._log_emissions(np.asarray(X, dtype=np.float64))

    def _compute_likelihood(self, X: Any) -> Matrix:
        return np.asarray(np.exp(self._compute_log_likelihood(X)))


class BaseHMM(AsHmmlearn):
    """The base of hidden Markov models that users write, as in hmmlearn.

    A subclass says what a state emits: `_compute_log_likelihood` (or
    `_compute_likelihood`), and for fits and draws `_init`, `_check`,
    `_initialize_sufficient_statistics`, `_accumulate_sufficient_statistics`,
    `_do_mstep` and `_generate_sample_from_state`. Lattices are logarithms, whatever
    `implementation` says.
    """

    _letters = ""

    def __init__(
        self,
        n_components: int = 1,
        startprob_prior: Any = 1.0,
        transmat_prior: Any = 1.0,
        algorithm: str = "viterbi",
        random_state: Any = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,  # noqa: FBT001, FBT002
        params: str = string.ascii_letters,
        init_params: str = string.ascii_letters,
        implementation: str = "log",
    ) -> None:
        given = dict(locals())
        for name in BaseHMM._get_param_names():
            setattr(self, name, given[name])

    def _compute_log_likelihood(self, X: Any) -> Matrix:
        if type(self)._compute_likelihood is AsHmmlearn._compute_likelihood:
            raise NotImplementedError("Must be overridden in subclass")
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._compute_likelihood(X)))

    def _log_emissions(self, X: Matrix) -> Matrix:
        return self._compute_log_likelihood(X)

    def _begin(self, given: Sequences, rng: Any) -> None:
        """Leave what is emitted to `_init` of a subclass."""

    def _maximise(self, X: Matrix, shares: Matrix) -> None:
        """Leave what is emitted to `_do_mstep` of a subclass."""

    def _check_emissions(self) -> None:
        """Leave what is emitted to `_check` of a subclass."""

    def _free_numbers(self) -> dict[str, int]:
        return {}

    def _read(self, X: Any, lengths: Any) -> Sequences:
        self.check()
        rows = np.asarray(X)
        sizes = np.array([len(rows)]) if lengths is None else np.asarray(lengths)
        if sizes.sum() != len(rows):
            raise DataError(
                f"lengths sum to {sizes.sum()}, there are {len(rows)} rows."
            )
        return Sequences(rows, sizes, np.ones(len(sizes)), False)

    def _generate_sample_from_state(self, state: int, random_state: Any) -> Any:
        return ()

    def _emit(self, states: Indices, rng: Any) -> Matrix:
        return np.array([self._generate_sample_from_state(k, rng) for k in states])

    def get_stationary_distribution(self) -> Any:
        """Return the share of time that the chain spends in each state in the end."""
        check_fitted(self, "transmat_")
        return super().get_stationary_distribution()

    def _step(self, given: Sequences, known: Indices | None) -> float:
        stats, total = self._initialize_sufficient_statistics(), 0.0
        for X in np.split(given.X, np.cumsum(given.lengths)[:-1]):
            lattice = self._compute_log_likelihood(X)
            logs, ahead = forward_log(self.startprob_, self.transmat_, lattice)
            back = backward_log(self.startprob_, self.transmat_, lattice)
            joint = ahead + back
            posteriors = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
            self._accumulate_sufficient_statistics(
                stats, X, lattice, posteriors, ahead, back
            )
            total += logs
        self._do_mstep(stats)
        return total

    def _initialize_sufficient_statistics(self) -> dict[str, Any]:
        n = self.n_components
        return {"nobs": 0, "start": np.zeros(n), "trans": np.zeros((n, n))}

    def _accumulate_sufficient_statistics(
        self,
        stats: dict[str, Any],
        X: Any,
        lattice: Matrix,
        posteriors: Matrix,
        fwdlattice: Matrix,
        bwdlattice: Matrix,
    ) -> None:
        stats["nobs"] += 1
        stats["start"] += posteriors[0]
        stats["trans"] += self._chain().marginals(lattice).pairs

    def _do_mstep(self, stats: dict[str, Any]) -> None:
        for letter, name, counts in (
            ("s", "startprob", stats["start"]),
            ("t", "transmat", stats["trans"]),
        ):
            if letter in self.params:
                prior = np.asarray(getattr(self, f"{name}_prior")) - 1.0
                before = np.asarray(getattr(self, f"{name}_"))
                setattr(self, f"{name}_", shares(prior + counts, before))
