"""One-class support vector machine on a stream: a plane that most rows lie beyond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin

from infimum.data.doors import rows, samples, streams
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.online._learner import OnlineLinear, Task
from infimum.models.online._memory import INTERCEPT, INTERCEPTS, TIME, Memory
from infimum.models.online._run import row_from
from infimum.models.online._schedule import Schedule, named_schedule
from infimum.models.online._sparse_weights import products
from infimum.models.online._stride import Stride
from infimum.parameters import Choice, Domains, Interval
from infimum.typing import Formula, Indices, Vector

__all__ = ["SGDOneClassSVM"]

_RATES = Choice(("constant", "optimal", "invscaling", "adaptive"))


def _shortfall_derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -1 for scores below the level y."""
    return -1.0 * (f <= y)


@dataclass(frozen=True)
class Shortfall:
    """What a score lacks to a level, max(0, y - f)."""

    derivative_formula: ClassVar[Formula] = staticmethod(_shortfall_derivative)
    prox_formula: ClassVar[Formula | None] = None

    @property
    def parameters(self) -> Vector:
        """Nothing: the formula has no numbers of its own."""
        return np.zeros(0)

    def value(self, y: Vector, f: Vector) -> Vector:
        """Return the lack of each score."""
        return np.maximum(y - f, 0.0)


class SGDOneClassSVM(OutlierMixin, OnlineLinear):  # type: ignore[misc]
    r"""A detector of what is new, learnt row by row: a plane with most rows beyond it.

    .. math:: \min_{w, ρ} \tfrac{ν}{2} ‖w‖² - νρ
              + \tfrac1n \sum_i \max(0, ρ - ⟨w, x_i⟩)

    The linear `infimum.models.novelty.OneClassSVM` for streams and tables too long to
    hold; random features (`infimum.features.RBFSampler`, `Nystroem`) before it give
    curved borders. At the optimum at most a share ν of the rows lies outside.

    Parameters
    ----------
    nu : float, default=0.5
        The share ν, in (0, 1].
    learning_rate : {"constant", "optimal", "invscaling", "adaptive"}, \
default="optimal"
    eta0, power_t : float, default=0.01, 0.5
        As in `SGDClassifier`; "optimal" is 1/(ν(t + t₀)).
    fit_intercept : bool, default=True
        Whether ρ is learnt; it stays at 0 otherwise.
    max_iter, tol, shuffle, verbose, random_state, warm_start, average
        As in `Perceptron`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    offset_ : ndarray of shape (1,)
        The level ρ.
    n_iter_, t_, incurred_, memory_
        As in `Perceptron`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(5.0, 1.0, size=(500, 2))
    >>> model = SGDOneClassSVM(nu=0.1, average=True, random_state=0).fit(X)
    >>> model.predict([[5.0, 5.0], [0.0, 1.0]]).tolist()
    [1, -1]
    """

    _domains: ClassVar[Domains] = {
        "nu": Interval(0, 1, open_low=True),
        "learning_rate": _RATES,
    }

    penalty = "l2"
    loss = "hinge"
    early_stopping = False
    validation_fraction = 0.1
    n_iter_no_change = 5

    def __init__(
        self,
        nu: float = 0.5,
        fit_intercept: bool = True,  # noqa: FBT001, FBT002
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,  # noqa: FBT001, FBT002
        verbose: int = 0,
        random_state: Any = None,
        learning_rate: str = "optimal",
        eta0: float = 0.01,
        power_t: float = 0.5,
        warm_start: bool = False,  # noqa: FBT001, FBT002
        average: bool | int = False,  # noqa: FBT001, FBT002
    ) -> None:
        self.nu = nu
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.warm_start = warm_start
        self.average = average

    def fit(
        self,
        X: Any,
        y: Any = None,
        coef_init: Any = None,
        offset_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Pass over the rows until nothing improves; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float32 or float64.
        y : ignored
        coef_init, offset_init : array-like, optional
            Where to begin, in the shapes of `coef_` and `offset_`.
        sample_weight : array-like of shape (n_samples,), optional
            Factor of the step at each row, relative to the mean; 0 removes the row.
        """
        start = None if offset_init is None else 1.0 - np.asarray(offset_init, float)
        return self._fit(X, coef_init, start, sample_weight)

    @whole_or_not_at_all
    def _fit(self, X: Any, coef: Any, intercept: Any, sample_weight: Any) -> Self:
        self._check()
        found = rows(self, X, sample_weight)
        X, weights = found.X, found.shares()
        # Weights of mean 1: the length of a step belongs to the schedule.
        weights = weights / weights[weights > 0].mean()
        task = self._task(X, np.ones((1, len(weights))), weights[None, :], split=False)
        memory = self._start((1, X.shape[1]), coef, intercept)
        self.n_iter_ = self._learn(task, memory)
        self._show(memory, X.dtype)
        return self

    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Take one step for each row, in their order; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows that came.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            Factor of the step at each row.
        """
        self._check()
        kept = getattr(self, "memory_", None)
        found = streams(self, X, None, sample_weight, first=kept is None)
        X, weights = found.X, found.shares()
        task = self._task(X, np.ones((1, len(weights))), weights[None, :], split=False)
        memory = self._recall((1, X.shape[1]), kept)
        stride = Stride.of(self, self._schedule(Shortfall()))
        self._pass(task, 0, memory, task.rows, stride)
        memory.settle()
        self.n_iter_ = 1
        self._show(memory, X.dtype)
        return self

    def learn_one(self, x: Any, y: Any = None) -> Self:
        """Take one step on one sample, as `partial_fit` with a single row does.

        A target is not needed, and ignored if given.
        """
        return self.partial_fit(row_from(self, x))

    def score_samples(self, X: Any) -> Vector:
        """Return ⟨w, x⟩ of each sample; the higher, the more familiar."""
        return products(self, samples(self, X), self.coef_).ravel()

    def decision_function(self, X: Any) -> Vector:
        """Return how far each sample is beyond the plane; what is negative is new."""
        return np.asarray(self.score_samples(X) - self.offset_)

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return 1 for the familiar and -1 for the new."""
        return np.where(self.decision_function(X) >= 0, 1, -1).astype(np.int32)

    def _recall(self, shape: tuple[int, int], kept: dict[str, Any] | None) -> Memory:
        memory = super()._recall(shape, kept)
        if kept is None:
            memory.state[:, INTERCEPT] = 1.0  # ρ begins at 0
        return memory

    def _last_intercept(self) -> Any:
        return 1.0 - np.asarray(self.offset_)

    def _strengths(self) -> tuple[float, float]:
        return float(self.nu), 0.0

    def _stream_loss(self) -> Any:
        return Shortfall()

    def _schedule(self, loss: Any) -> Schedule:
        return named_schedule(
            type(self).__name__,
            self.learning_rate,
            self.eta0,
            self.power_t,
            float(self.nu),
            loss,
        )

    def _pass(
        self, task: Task, k: int, memory: Memory, order: Indices, stride: Stride
    ) -> Vector:
        """Visit the rows while ρ rises by ν for each.

        The loops know no pull on the intercept b = 1 - ρ. It does not depend on the
        rows, so the level that a score is to reach rises in its place.
        """
        state = memory.state[k]
        times = state[TIME] + np.arange(1.0, len(order) + 1.0)
        lengths = stride.schedule.lengths(times)
        pull = float(self.nu) * float(bool(self.fit_intercept))
        fallen = pull * np.cumsum(lengths)
        before = fallen - pull * lengths
        levels = np.ones(len(task.targets[k]))
        levels[order] = 1.0 + before
        raised = task._replace(targets=levels[None, :], weights=task.weights[[k]])
        scores = super()._pass(raised, k, memory, order, stride)
        scores[order] -= before
        state[INTERCEPT] -= fallen[-1] if len(order) else 0.0
        if self.average:
            state[INTERCEPTS] -= fallen[times >= float(int(self.average))].sum()
        return scores

    def _cost(
        self, task: Task, k: int, memory: Memory, scores: Vector, stride: Stride
    ) -> float:
        pull = float(self.nu) * float(bool(self.fit_intercept))
        cost = super()._cost(task, k, memory, scores, stride)
        return cost + len(task.rows) * pull * float(memory.state[k, INTERCEPT])

    def _show(self, memory: Memory, dtype: Any) -> None:
        self._keep(memory, dtype)
        self.coef_ = self.coef_.ravel()
        self.offset_ = 1.0 - self.intercept_
        del self.intercept_, self.mistakes_

    def _judge(self, targets: Vector, scores: Vector, weights: Vector) -> float:
        return float(np.average(scores >= targets, weights=weights))

    def _wrong(self, targets: Vector, scores: Vector) -> int:
        return 0
