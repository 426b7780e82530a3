"""Base of linear models learnt row by row: fit, partial_fit and their memory."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils import check_random_state

from infimum.compiled.rows import DenseRows, Rows, rows_of
from infimum.data.doors import refuse_unfinite, samples
from infimum.errors import DataError, InvalidParameterError
from infimum.limits import in_time
from infimum.models.online._losses import StreamLoss
from infimum.models.online._memory import INCURRED, MISTAKES, TIME, Memory
from infimum.models.online._schedule import Schedule
from infimum.models.online._sparse_weights import SparseWeights, products
from infimum.models.online._stride import Stride
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    closed,
    nonnegative,
    opened,
    or_none,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["OnlineLinear", "Task", "pending_order"]


class Task(NamedTuple):
    """Rows with one column of targets for each score, and a weight for each row."""

    table: Rows
    targets: Matrix
    weights: Matrix
    rows: Indices
    held_out: Indices


class OnlineLinear(SparseWeights, BaseEstimator, ABC):  # type: ignore[misc]
    """A function x ↦ ⟨w, x⟩ + b that takes one step for each row it meets.

    Subclasses say which loss and how long the steps are; passes, averages, stopping
    and resuming are the same for all.
    """

    _domains: ClassVar[Domains] = {
        "alpha": nonnegative,
        "epsilon": nonnegative,
        "l1_ratio": or_none(closed(0, 1)),
        "max_iter": whole(1),
        "n_iter_no_change": whole(1),
        "tol": or_none(nonnegative),
    }

    coef_: Any
    intercept_: Any
    fit_intercept: bool
    average: bool | int = False

    @abstractmethod
    def _stream_loss(self) -> StreamLoss:
        """Return the loss that the parameters name."""

    @abstractmethod
    def _schedule(self, loss: StreamLoss) -> Schedule:
        """Return the step lengths that the parameters name."""

    @abstractmethod
    def _judge(self, targets: Vector, scores: Vector, weights: Vector) -> float:
        """Return how well scores fit held-out targets; more is better."""

    @abstractmethod
    def _wrong(self, targets: Vector, scores: Vector) -> int:
        """Return how many scores are mistakes."""

    def _strengths(self) -> tuple[float, float]:
        """Return the strengths of the ridge and of the lasso."""
        owner, penalty = type(self).__name__, getattr(self, "penalty", None)
        check_domain(
            f"{owner}.penalty", penalty, Choice((None, "l2", "l1", "elasticnet"))
        )
        if penalty is None:
            return 0.0, 0.0
        alpha = float(self.alpha)
        check_domain(f"{owner}.alpha", alpha, nonnegative)
        ratio = {"l2": 0.0, "l1": 1.0}.get(penalty)
        if ratio is None:
            check_domain(f"{owner}.l1_ratio", self.l1_ratio, closed(0, 1))
            ratio = float(self.l1_ratio)
        return alpha * (1.0 - ratio), alpha * ratio

    def _check(self) -> None:
        owner = type(self).__name__
        check_parameters(self)
        check_domain(f"{owner}.average", int(self.average), whole(0))
        if self.early_stopping:
            share = self.validation_fraction
            check_domain(f"{owner}.validation_fraction", share, opened(0, 1))

    def _refuse_early_stopping(self) -> None:
        if self.early_stopping is True:
            raise InvalidParameterError(
                f"{type(self).__name__}.early_stopping must be False in partial_fit: "
                "of rows that come one by one none are held out."
            )

    def _recall(self, shape: tuple[int, int], kept: dict[str, Any] | None) -> Memory:
        """Return what is remembered, or the memory of one who has seen nothing."""
        wanted = {"mean": bool(self.average), "lasso": self._strengths()[1] > 0.0}
        if kept is None:
            return Memory.blank(shape, **wanted)
        return Memory.of(kept, shape, **wanted)

    def _last_intercept(self) -> Any:
        return self.intercept_

    def _start(self, shape: tuple[int, int], coef: Any, intercept: Any) -> Memory:
        """Return where a fit begins: at 0, at the last weights, or where the user says.

        Steps are counted anew: a warm start has the weights of the last fit, no more.
        """
        memory = self._recall(shape, None)
        last = getattr(self, "coef_", None) if self.warm_start else None
        if last is not None and last.size == memory.stored.size:
            dense = last.toarray() if hasattr(last, "toarray") else last
            coef = dense if coef is None else coef
            intercept = self._last_intercept() if intercept is None else intercept
        for name, given, place in (
            ("coef_init", coef, memory.stored),
            ("intercept_init", intercept, memory.state[:, 3]),
        ):
            if given is None:
                continue
            array = np.asarray(given, dtype=np.float64)
            if array.size != place.size or not np.isfinite(array).all():
                raise DataError(
                    f"{type(self).__name__} needs {place.size} finite numbers in "
                    f"{name}, got an array of shape {array.shape}."
                )
            place[...] = array.reshape(place.shape)
        return memory

    def _task(self, X: Any, targets: Matrix, weights: Matrix, *, split: bool) -> Task:
        """Put aside what decides when to stop; rows of weight 0 are not there."""
        rows = np.flatnonzero(weights.any(axis=0))
        held_out = rows[:0]
        if split and self.early_stopping:
            kind = (
                ShuffleSplit
                if self._estimator_type_is_regressor()
                else StratifiedShuffleSplit
            )
            cut = kind(
                1, test_size=self.validation_fraction, random_state=self.random_state
            )
            labels = targets.argmax(axis=0) if len(targets) > 1 else targets[0]
            learnt, kept = next(cut.split(np.zeros((len(rows), 1)), labels[rows]))
            rows, held_out = rows[np.sort(learnt)], rows[np.sort(kept)]
        return Task(rows_of(X), targets, weights, rows, held_out)

    def _trust(self, sample_weight: Any) -> dict[str, Any]:
        """Tell the door to leave finding gaps to the passes, if these meet each row."""
        plain = sample_weight is None and getattr(self, "class_weight", None) is None
        return {"missing": "unchecked"} if plain and not self.early_stopping else {}

    def _estimator_type_is_regressor(self) -> bool:
        return bool(self.__sklearn_tags__().estimator_type == "regressor")

    def _pass(
        self, task: Task, k: int, memory: Memory, order: Indices, stride: Stride
    ) -> Vector:
        """Visit the rows in that order for score k; return the scores met there."""
        y, weights, scores = (
            task.targets[k],
            task.weights[k],
            np.zeros(len(task.targets[k])),
        )
        told = stride.walk(task.table, (y, weights, order, scores), memory, k)
        if not np.isfinite(scores).all():
            # A missing or infinite number makes the score of its row so, too.
            refuse_unfinite(self, task.table[-1])
        wrong, paid = told or self._paid(stride, y, scores, order)
        if stride.counted:
            memory.state[k, MISTAKES] += wrong
        memory.state[k, INCURRED] += paid
        if not (
            np.isfinite(memory.stored[k]).all() and np.isfinite(memory.state[k]).all()
        ):
            raise self._diverged()
        return scores

    def _diverged(self) -> DataError:
        return DataError(
            f"{type(self).__name__} diverged: its weights are no longer finite. Scale "
            "the features or take shorter steps."
        )

    def _paid(
        self, stride: Stride, y: Vector, scores: Vector, order: Indices
    ) -> tuple[float, float]:
        """Return how many of the rows' scores erred, and the sum of their losses."""
        if len(order) < len(y):
            y, scores = y[order], scores[order]
        with np.errstate(over="ignore"):  # an infinite loss is told of later
            return self._wrong(y, scores), float(stride.loss.value(y, scores).sum())

    def _learn(self, task: Task, memory: Memory) -> int:
        """Pass over the rows until nothing improves; return the number of passes."""
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        passes = [
            self._repeat(task, k, memory, np.random.RandomState(seed))
            for k in range(len(task.targets))
        ]
        memory.settle()
        if self.tol is not None and max(passes) > self.max_iter:
            warnings.warn(
                f"{type(self).__name__} was still improving after {self.max_iter} "
                "passes; raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=5,
            )
        return min(max(passes), int(self.max_iter))

    def _repeat(self, task: Task, k: int, memory: Memory, generator: Any) -> int:
        """Return the number of passes for score k, or one more than are allowed."""
        schedule = self._schedule(self._stream_loss())
        stride: Stride | None = Stride.of(self, schedule)
        best, idle = np.inf, 0
        shuffler = generator if self.shuffle else None
        for turn in in_time(range(1, int(self.max_iter) + 1)):
            assert stride is not None
            order = pending_order(task.rows, shuffler)
            scores = self._pass(task, k, memory, order, stride)
            if self.tol is None:
                continue
            cost = self._cost(task, k, memory, scores, stride)
            # Held-out scores are compared as they are, losses as sums over the rows.
            enough = self.tol * (1 if len(task.held_out) else len(task.rows))
            idle = idle + 1 if cost > best - enough else 0
            best = min(best, cost)
            if idle >= self.n_iter_no_change:
                stride, idle = stride.shorter(), 0
                if stride is None:
                    return turn
        return int(self.max_iter) + 1

    def _cost(
        self, task: Task, k: int, memory: Memory, scores: Vector, stride: Stride
    ) -> float:
        """Return what is to fall: held-out failure, or the loss met plus penalty."""
        w = memory.stored[k] * memory.state[k, 1]
        y, weights = task.targets[k], task.weights[k]
        if len(task.held_out):
            kept = task.held_out
            found = _scores(task.table, w)[kept] + memory.state[k, 3]
            return -self._judge(y[kept], found, weights[kept])
        ridge, lasso = stride.strengths
        price = 0.5 * ridge * float(w @ w) + lasso * float(np.abs(w).sum())
        rows = task.rows
        if len(rows) < len(y):
            y, scores, weights = y[rows], scores[rows], weights[rows]
        met = stride.loss.value(y, scores)
        return float(met @ weights) + len(rows) * price

    def _keep(self, memory: Memory, dtype: Any) -> None:
        """Show the weights, averaged if so asked, and keep the rest to go on from."""
        coef, intercept = memory.means() if self.average else memory.weights()
        self.memory_ = memory.kept()
        with np.errstate(over="ignore"):  # single precision may be too narrow
            self.coef_, self.intercept_ = coef.astype(dtype), intercept.copy()
        if not np.isfinite(self.coef_).all():
            raise self._diverged()
        self.t_ = float(memory.state[:, TIME].max()) + 1.0
        self.mistakes_ = memory.state[:, MISTAKES].astype(np.int64)
        self.incurred_ = memory.state[:, INCURRED].copy()

    def _scores_of(self, X: Any) -> Matrix:
        rows = samples(self, X)
        return np.asarray(products(self, rows, self.coef_) + self.intercept_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def pending_order(rows: Indices, generator: np.random.RandomState | None) -> Indices:
    """Return the rows in the order of a visit: as they stand, or shuffled."""
    return rows if generator is None else generator.permutation(rows)


def _scores(table: Rows, w: Vector) -> Vector:
    """Return the scores of all rows, in either form."""
    if isinstance(table, DenseRows):
        return np.asarray(table.X @ w)
    starts, places, entries = table
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    products = entries * w[places]
    return np.asarray(np.bincount(rows, products, len(starts) - 1), np.float64)
