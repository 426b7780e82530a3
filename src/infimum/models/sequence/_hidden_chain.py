"""Base of hidden Markov models: a chain of states, and its fit by Baum and Welch."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state

from infimum.data.doors import Sequences, check_fitted, sequences
from infimum.decoders import Chain
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.sequence._normal_rows import column_sums
from infimum.models.sequence.convergence_monitor import ConvergenceMonitor
from infimum.parameters import (
    Choice,
    Domain,
    Kind,
    check_parameters,
    nonnegative,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["HiddenChain", "shares"]


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and value in whole(1)


class HiddenChain(BaseEstimator):  # type: ignore[misc]
    """A chain of hidden states, each of which emits what is seen at a step."""

    _domains: ClassVar[dict[str, Domain]] = {
        "n_components": Kind(_is_count, "a whole number in [1, inf)"),
        "n_iter": whole(0),
        "tol": nonnegative,
        "algorithm": Choice(("viterbi", "map")),
        "implementation": Choice(("log", "scaling")),
    }
    #: Letters of the emissions, beside s (start) and t (transitions).
    _letters: ClassVar[str]

    n_components: int
    startprob_prior: Any
    transmat_prior: Any
    algorithm: str
    random_state: Any
    n_iter: int
    tol: float
    verbose: bool
    params: str
    init_params: str
    implementation: str

    startprob_: Any
    transmat_: Any
    n_features: Any
    monitor_: ConvergenceMonitor

    @abstractmethod
    def _log_emissions(self, X: Matrix) -> Matrix:
        """Return log p(row | state), a column for each state."""

    @abstractmethod
    def _begin(self, given: Sequences, rng: Any) -> None:
        """Set the emissions that a fit starts from, where `_needs` says so."""

    @abstractmethod
    def _maximise(self, X: Matrix, shares: Matrix) -> None:
        """Refit the emissions, given how much each row belongs to each state."""

    @abstractmethod
    def _emit(self, states: Indices, rng: Any) -> Matrix:
        """Draw what the states emit, a row for each."""

    @abstractmethod
    def _check_emissions(self) -> None:
        """Raise DataError unless the emissions fit the states."""

    @abstractmethod
    def _free_numbers(self) -> dict[str, int]:
        """Return how many numbers a fit of each letter chooses."""

    @whole_or_not_at_all
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: Any = None
    ) -> Self:
        """Raise the likelihood step by step, from the start that `init_params` says.

        Parameters
        ----------
        X : list of array-likes, or array-like of shape (n_steps, n_features)
            A table for each sequence, or one for all of them with their `lengths`.
            NaN is a missing value.
        y : list of array-likes or array-like, optional
            The states, as far as they are known: -1 where they are not.
        lengths : array-like, optional
        sample_weight : array-like of shape (n_sequences,), optional
            A weight of k means the same as k copies of the sequence.
        """
        check_parameters(self)
        given = sequences(type(self).__name__, X, lengths, sample_weight)
        known = self._known(y, given)
        self._start(given)
        self.check()
        monitor = self._monitor()
        for _ in range(self.n_iter):
            monitor.report(self._step(given, known))
            if monitor.converged:
                break
        self.monitor_ = monitor
        self.n_features_in_ = given.X.shape[1]
        return self

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Return the log-likelihood of all sequences; -inf if one is impossible."""
        given = self._read(X, lengths)
        logs = self._lattice(self._log_emissions(given.X))
        return float(self._chain().log_partition(logs, given.lengths).sum())

    def score_samples(self, X: Any, lengths: Any = None) -> tuple[float, Any]:
        """Return the log-likelihood, and the probability of each state at each step."""
        given = self._read(X, lengths)
        logs = self._lattice(self._log_emissions(given.X))
        found = self._chain().marginals(logs, given.lengths)
        chances = self._folded(found.labels)
        return float(found.log_partition.sum()), given.split(chances)

    def predict_proba(self, X: Any, lengths: Any = None) -> Any:
        """Return the probability of each state at each step, given everything seen."""
        return self.score_samples(X, lengths)[1]

    def decode(
        self, X: Any, lengths: Any = None, algorithm: str | None = None
    ) -> tuple[float, Any]:
        """Return the states and their log-probability.

        "viterbi" finds the likeliest sequence of states, "map" the likeliest state of
        each step.
        """
        given = self._read(X, lengths)
        logs, chain = self._lattice(self._log_emissions(given.X)), self._chain()
        if (algorithm or self.algorithm) == "viterbi":
            states, values = chain.decode(logs, given.lengths)
            return float(values.sum()), given.split(self._named(states))
        chances = self._folded(chain.marginals(logs, given.lengths).labels)
        states = np.argmax(chances, axis=1)
        return float(chances.max(axis=1).sum()), given.split(states)

    def predict(self, X: Any, lengths: Any = None) -> Any:
        """Return the states that `decode` finds."""
        return self.decode(X, lengths)[1]

    def sample(
        self, n_samples: int = 1, random_state: Any = None, currstate: Any = None
    ) -> tuple[Matrix, Indices]:
        """Draw one sequence; `currstate` is the state of its first step."""
        self.check()
        rng = check_random_state(
            self.random_state if random_state is None else random_state
        )
        states = self._draw_states(n_samples, rng, currstate)
        return self._emit(states, rng), states

    def _draw_states(self, count: int, rng: Any, first: Any) -> Indices:
        """Draw the states of one sequence."""
        states = np.zeros(count, dtype=np.intp)
        chances, draws = np.cumsum(self.transmat_, axis=1), rng.random_sample(count)
        last = self.n_components - 1
        for t in range(count):
            levels = chances[states[t - 1]] if t else np.cumsum(self.startprob_)
            states[t] = min(int(np.searchsorted(levels, draws[t], "right")), last)
            if t == 0 and first is not None:
                states[0] = first
        return states

    def get_stationary_distribution(self) -> Vector:
        """Return the share of time that the chain spends in each state in the end."""
        check_fitted(self, "transmat_")
        values, vectors = np.linalg.eig(np.asarray(self.transmat_).T)
        found = np.real(vectors[:, np.argmax(np.real(values))])
        return np.asarray(found / found.sum())

    def aic(self, X: Any, lengths: Any = None) -> float:
        """Return Akaike's criterion: the smaller, the better."""
        return -2.0 * self.score(X, lengths=lengths) + 2.0 * self._freedom()

    def bic(self, X: Any, lengths: Any = None) -> float:
        """Return Schwarz's criterion: the smaller, the better."""
        count = len(self._read(X, lengths).X)
        fit = self.score(X, lengths=lengths)
        return -2.0 * fit + self._freedom() * float(np.log(count))

    def check(self) -> None:
        """Raise DataError unless the parameters are those of a model."""
        name, n = type(self).__name__, self.n_components
        check_parameters(self)
        for told, shape in (("startprob_", (n,)), ("transmat_", (n, n))):
            check_fitted(self, told)
            table = np.asarray(getattr(self, told), dtype=np.float64)
            setattr(self, told, table)
            if table.shape != shape:
                raise DataError(f"{name}.{told} must have shape {shape}.")
            if not (table >= 0).all() or not np.allclose(table.sum(axis=-1), 1.0):
                raise DataError(f"{name}.{told} must sum to 1 and not be negative.")
        self._check_emissions()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # a sample is a whole sequence
        tags.input_tags.three_d_array = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = False
        return tags

    def _freedom(self) -> int:
        n = self.n_components
        counts = {"s": n - 1, "t": n * (n - 1), **self._free_numbers()}
        return sum(counts.values())

    def _read(self, X: Any, lengths: Any) -> Sequences:
        self.check()
        given = sequences(type(self).__name__, X, lengths)
        wanted = self._columns()
        if given.X.shape[1] != wanted:
            raise DataError(
                f"{type(self).__name__} was made for {wanted} columns, got "
                f"{given.X.shape[1]}."
            )
        return given

    def _columns(self) -> int:
        return int(self.n_features)

    def _set_columns(self, count: int) -> None:
        self.n_features = count

    def _needs(self, letter: str, name: str) -> bool:
        return letter in self.init_params or not hasattr(self, name)

    def _start(self, given: Sequences) -> None:
        rng = check_random_state(self.random_state)
        n = self.n_components
        self._set_columns(given.X.shape[1])
        even = np.full(n, 1.0 / n)
        if self._needs("s", "startprob_"):
            self.startprob_ = rng.dirichlet(even)
        if self._needs("t", "transmat_"):
            self.transmat_ = rng.dirichlet(even, size=n)
        self._begin(given, rng)

    def _known(self, y: Any, given: Sequences) -> Indices | None:
        """Return the states that the user knows, -1 elsewhere."""
        if y is None:
            return None
        name = type(self).__name__
        parts = [np.ravel(each) for each in y] if given.listed else [np.ravel(y)]
        states = np.concatenate(parts)
        if given.listed and [len(part) for part in parts] != given.lengths.tolist():
            raise DataError(f"{name} needs a state for each step of each sequence.")
        if len(states) != len(given.X):
            raise DataError(f"{name} needs {len(given.X)} states, got {len(states)}.")
        whole_numbers = np.array_equal(states, np.round(states.astype(np.float64)))
        inside = whole_numbers and states.min() >= -1
        if not inside or states.max() >= self.n_components:
            raise DataError(
                f"{name} needs states of 0 to {self.n_components - 1}, or -1 where "
                "they are not known."
            )
        return states.astype(np.intp)

    def _monitor(self) -> ConvergenceMonitor:
        """Return what watches a new fit."""
        return ConvergenceMonitor(self.tol, self.n_iter, self.verbose)

    def _chain(self) -> Chain:
        with np.errstate(divide="ignore"):
            return Chain(np.log(self.transmat_), np.log(self.startprob_))

    def _lattice(self, logs: Matrix) -> Matrix:
        """Return log-emissions with a column for each label of the chain."""
        return logs

    def _folded(self, labels: Matrix) -> Matrix:
        """Return what belongs to labels of the chain by state."""
        return labels

    def _named(self, labels: Indices) -> Indices:
        """Return the states of labels of the chain."""
        return labels

    def _recount(self, first: Vector, pairs: Matrix) -> None:
        """Refit start and transitions to expected counts."""
        if "s" in self.params:
            prior = np.asarray(self.startprob_prior) - 1.0
            self.startprob_ = shares(prior + first, self.startprob_)
        if "t" in self.params:
            prior = np.asarray(self.transmat_prior) - 1.0
            self.transmat_ = shares(prior + pairs, self.transmat_)

    def _step(self, given: Sequences, known: Indices | None) -> float:
        """Count states and transitions as expected, refit; return the likelihood."""
        logs = self._log_emissions(given.X)
        if known is not None:
            rows = np.flatnonzero(known >= 0)
            kept = logs[rows, known[rows]]
            logs[rows] = -np.inf
            logs[rows, known[rows]] = kept
        logs = self._lattice(logs)
        found = self._chain().marginals(logs, given.lengths, given.weights)
        lost = np.flatnonzero(~np.isfinite(found.log_partition) & (given.weights > 0))
        if len(lost):
            raise DataError(
                f"{type(self).__name__}: sequence {int(lost[0])} is impossible; allow "
                "its observations or transitions in the start."
            )
        counted = found.labels
        if (given.weights != 1.0).any():
            weights = np.repeat(given.weights, given.lengths)
            counted = counted * weights[:, None]
        starts = np.cumsum(given.lengths) - given.lengths
        self._recount(counted[starts].sum(axis=0), found.pairs)
        counted = self._folded(counted)
        totals = column_sums(counted)
        if len(idle := np.flatnonzero(totals <= 0.0)):
            warnings.warn(
                f"{type(self).__name__}: state {int(idle[0])} explains nothing; it "
                "keeps its parameters.",
                ConvergenceWarning,
                stacklevel=4,
            )
        self._maximise(given.X, counted)
        possible = given.weights > 0
        return float(given.weights[possible] @ found.log_partition[possible])


def shares(counts: Matrix, before: Matrix) -> Matrix:
    """Return counts as shares of 1 by row; what was 0 or has no counts stays."""
    kept = np.where(before == 0.0, 0.0, np.maximum(counts, 0.0))
    totals = kept.sum(axis=-1, keepdims=True)
    safe = np.where(totals > 0.0, totals, 1.0)
    return np.where(totals > 0.0, kept / safe, before)
