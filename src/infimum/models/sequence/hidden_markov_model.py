"""Hidden Markov model of any law: each state emits values of its own."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any, ClassVar

import numpy as np

from infimum.data.doors import Sequences
from infimum.decoders import Chain
from infimum.distributions import Distribution, Normal
from infimum.errors import DataError, InfimumError, InvalidParameterError
from infimum.models.clustering import KMeans
from infimum.models.sequence._hidden_chain import HiddenChain, shares
from infimum.parameters import Domain, or_none, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["HiddenMarkovModel"]

#: What a row counts, at the start, for the states that its group does not belong to.
ELSEWHERE = 0.1


class HiddenMarkovModel(HiddenChain):
    """Hidden states that emit values of any law of `infimum.distributions`.

    Each step asks how probable every state is at every step of the sequences, and fits
    a law to the values with these weights. A fit that would lower the likelihood is not
    taken. `GaussianHMM` says what the other parameters mean.

    Parameters
    ----------
    n_components : int, default=1
    emission : Distribution, optional
        A law of the family that states have; its parameters do not matter. None for
        `Normal`.
    startprob_prior, transmat_prior : float or array-like, default=1.0
    algorithm : {"viterbi", "map"}, default="viterbi"
    random_state : int, RandomState or None
    n_iter : int, default=10
    tol : float, default=1e-2
    verbose : bool, default=False
    params, init_params : str, default="sted"
        s(tart), t(ransitions), e(missions), d(urations).
    implementation : {"log", "scaling"}, default="log"
    max_duration : int, optional
        How long a stay in a state lasts is drawn from a law of its own, up to so many
        steps, and a state is left for another one. None for stays that may end at every
        step alike. A sequence begins with a new stay, and may end within one. Time and
        memory of a step grow with the square of n_components·max_duration.

    Attributes
    ----------
    startprob_, transmat_ : ndarray
    emissions_ : list of Distribution
        The law of each state.
    durations_ : ndarray of shape (n_components, max_duration)
        The chance of a stay of 1, 2, ... steps; only with `max_duration`.
    monitor_ : ConvergenceMonitor

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.distributions import Exponential
    >>> waits = np.repeat([0.1, 9.0], 20) * (1 + 0.2 * np.sin(np.arange(40)))
    >>> model = HiddenMarkovModel(2, Exponential(), random_state=0, n_iter=50)
    >>> sorted(round(law.mean, 1) for law in model.fit([waits]).emissions_)
    [0.1, 9.1]
    """

    _letters: ClassVar[str] = "ed"
    _domains: ClassVar[dict[str, Domain]] = {"max_duration": or_none(whole(1))}

    def __init__(
        self,
        n_components: int = 1,
        emission: Distribution | None = None,
        startprob_prior: Any = 1.0,
        transmat_prior: Any = 1.0,
        algorithm: str = "viterbi",
        random_state: Any = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,  # noqa: FBT001, FBT002
        params: str = "sted",
        init_params: str = "sted",
        implementation: str = "log",
        *,
        max_duration: int | None = None,
    ) -> None:
        self.max_duration = max_duration
        self.emission = emission
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
    def _kind(self) -> type[Distribution]:
        if self.emission is None:
            return Normal
        if not isinstance(self.emission, Distribution):
            raise InvalidParameterError(
                "HiddenMarkovModel.emission must be a law of infimum.distributions, "
                f"got {self.emission!r}."
            )
        return type(self.emission)

    def _begin(self, given: Sequences, rng: Any) -> None:
        if self.max_duration is not None:
            self._begin_stays(self.max_duration)
        if not self._needs("e", "emissions_"):
            return
        seen = ~np.isnan(given.X).any(axis=1)
        rows, n = given.X[seen], self.n_components
        weights = np.repeat(given.weights, given.lengths)[seen]
        if len(rows) < n:
            raise DataError(f"HiddenMarkovModel needs {n} complete rows or more.")
        seed = int(rng.randint(2**31 - 1))
        groups = KMeans(n, n_init=3, random_state=seed)
        labels = groups.fit(rows, sample_weight=weights).labels_
        self.emissions_ = [
            self._fitted(rows, weights * np.where(labels == k, 1.0, ELSEWHERE))
            for k in range(n)
        ]

    def _begin_stays(self, longest: int) -> None:
        n = self.n_components
        if self._needs("d", "durations_"):
            self.durations_ = np.full((n, longest), 1.0 / longest)
        if self._needs("t", "transmat_") and n > 1:
            left = np.asarray(self.transmat_) * (1.0 - np.eye(n)) + 1e-3
            np.fill_diagonal(left, 0.0)
            self.transmat_ = left / left.sum(axis=1, keepdims=True)

    def _chain(self) -> Chain:
        if self.max_duration is None:
            return super()._chain()
        return chain_of_stays(self.startprob_, self.transmat_, self.durations_)

    def _lattice(self, logs: Matrix) -> Matrix:
        return np.repeat(logs, self.max_duration or 1, axis=1)

    def _folded(self, labels: Matrix) -> Matrix:
        parts = labels.reshape(len(labels), self.n_components, -1)
        return np.asarray(parts.sum(axis=2))

    def _named(self, labels: Indices) -> Indices:
        return labels // (self.max_duration or 1)

    def _recount(self, first: Vector, pairs: Matrix) -> None:
        if self.max_duration is None:
            return super()._recount(first, pairs)
        n, longest = self.n_components, self.max_duration
        begun = first.reshape(n, longest)
        left = pairs.reshape(n, longest, n, longest)[:, 0]
        super()._recount(begun.sum(axis=1), left.sum(axis=2))
        if "d" in self.params:
            self.durations_ = shares(begun + left.sum(axis=0), self.durations_)
        return None

    def _draw_states(self, count: int, rng: Any, first: Any) -> Indices:
        if self.max_duration is None:
            return super()._draw_states(count, rng, first)
        parts = super()._draw_states(count, rng, first)
        steps = np.arange(1, self.max_duration + 1)
        stays = [int(rng.choice(steps, p=self.durations_[k])) for k in parts]
        return np.repeat(parts, stays)[:count]

    def _fitted(self, rows: Matrix, weights: Vector) -> Distribution:
        return self._kind.fit(self._events(rows), weights)

    def _events(self, rows: Matrix) -> Any:
        if self._kind.event_axes == 1:
            return rows
        if rows.shape[1] != 1:
            raise DataError(
                f"HiddenMarkovModel: {self._kind.__name__} is a law of single numbers, "
                f"got {rows.shape[1]} columns."
            )
        return rows[:, 0]

    def _log_emissions(self, X: Matrix) -> Matrix:
        seen = ~np.isnan(X).any(axis=1)
        out = np.zeros((len(X), self.n_components))
        events = self._events(X[seen])
        for k, law in enumerate(self.emissions_):
            out[seen, k] = law._logs(events)
        return out

    def _maximise(self, X: Matrix, counted: Matrix) -> None:
        if "e" not in self.params:
            return
        seen = ~np.isnan(X).any(axis=1)
        rows, laws = X[seen], list(self.emissions_)
        for k, law in enumerate(laws):
            weights = counted[seen, k]
            if not weights.sum() > 0.0:
                continue
            try:
                fresh = self._fitted(rows, weights)
            except InfimumError:
                continue  # no law of the family fits these: the old one stays
            events = self._events(rows)
            before = law.log_likelihood(events, weights)
            if fresh.log_likelihood(events, weights) >= before:
                laws[k] = fresh
        self.emissions_ = laws

    def _emit(self, states: Indices, rng: Any) -> Matrix:
        out = np.zeros((len(states), int(self.n_features)))
        for k, law in enumerate(self.emissions_):
            rows = np.flatnonzero(states == k)
            if len(rows):
                drawn = law.sample(len(rows), int(rng.randint(2**31 - 1)))
                out[rows] = np.asarray(drawn).reshape(len(rows), -1)
        return out

    def _check_emissions(self) -> None:
        if len(self.emissions_) != self.n_components:
            raise DataError("HiddenMarkovModel.emissions_ needs a law for each state.")
        if self.max_duration is None:
            return
        given = getattr(self, "durations_", np.zeros((0, 0)))
        self.durations_ = np.asarray(given, dtype=np.float64)
        wanted = self.n_components, self.max_duration
        sums = self.durations_.sum(axis=-1)
        good = self.durations_.shape == wanted and (self.durations_ >= 0.0).all()
        if not good or not np.allclose(sums, 1.0):
            raise DataError(
                f"HiddenMarkovModel.durations_ must be chances of shape {wanted}."
            )

    def _free_numbers(self) -> dict[str, int]:
        sizes = [np.size(number) for number in astuple(self.emissions_[0])]  # type: ignore[call-overload]
        found = {"e": self.n_components * int(np.sum(sizes))}
        if self.max_duration is not None:
            n = self.n_components
            found |= {"d": n * (self.max_duration - 1), "t": n * max(n - 2, 0)}
        return found


def chain_of_stays(start: Vector, across: Matrix, durations: Matrix) -> Chain:
    """Return a chain whose labels are a state and the steps that are left in it."""
    n, longest = durations.shape
    with np.errstate(divide="ignore"):
        stays, first, moves = np.log(durations), np.log(start), np.log(across)
    table = np.full((n, longest, n, longest), -np.inf)
    table[:, 0] = moves[:, :, None] + stays
    each = np.arange(n)
    for left in range(1, longest):
        table[each, left, each, left - 1] = 0.0
    size = n * longest
    return Chain(table.reshape(size, size), (first[:, None] + stays).ravel())
