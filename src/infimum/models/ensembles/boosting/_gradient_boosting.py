"""Base of gradient boosting: from a table to a sum of trees."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.metrics import check_scoring
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, weighed
from infimum.errors import Interrupted, InvalidParameterError
from infimum.limits import time_is_up
from infimum.models._copies import copies_of
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._rounds import goes_on
from infimum.models.ensembles.boosting._boosting_door import admit_rows, admit_training
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._boosting_run import BoostingRun
from infimum.models.ensembles.boosting._early_stopping import held_out, keeps_improving
from infimum.models.ensembles.boosting._growth_state import GrowthLimits
from infimum.models.ensembles.boosting._lent_trees import dependence
from infimum.models.ensembles.boosting._validation_rows import with_validation
from infimum.models.ensembles.boosting.boosted_trees import BoostedTrees
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Mask, Matrix, Vector

__all__ = ["BoostingPlan", "GradientBoostingModel", "Judged"]

#: Rows on which a scorer judges the training, where it is not the loss.
JUDGED = 10_000


@dataclass(frozen=True)
class BoostingPlan:
    """What a fit is asked to do, whichever class asks."""

    limits: GrowthLimits
    rounds: int
    learning_rate: float
    subsample: float
    max_bins: int
    #: Rounds without progress after which to stop; None to make all of them.
    patience: int | None
    validation_fraction: float | None
    tol: float
    scoring: Any
    #: Whether to keep the losses of the rounds also where nothing is stopped.
    watched: bool = False
    #: The price of a leaf at which trees are pruned.
    ccp_alpha: float = 0.0


class GradientBoostingModel(CallbackSupportMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A sum of trees, each a step down the slope of the loss."""

    random_state: Any
    warm_start: bool
    verbose: int
    n_iter_no_change: Any
    _levels: dict[int, Any]
    _codes: Any
    #: Whether a row of weight k is k rows where leaves ask for some, or one.
    _leaves_count_copies = False

    @abstractmethod
    def _loss(self, y: Vector) -> BoostingLoss:
        """Return the loss that the parameters name."""

    @abstractmethod
    def _plan(
        self, n: int, d: int, categorical: Mask, weights: Vector | None
    ) -> BoostingPlan:
        """Check the parameters and return what they ask for."""

    @abstractmethod
    def _admit_targets(self, y: Any, weights: Any) -> tuple[Vector, Vector | None]:
        """Return targets as the loss reads them, and the weights of all rows."""

    @abstractmethod
    def _admit_more_targets(self, y: Any, weights: Any) -> tuple[Vector, Vector | None]:
        """Return targets of rows that judge as the loss reads them, and weights."""

    @property
    def _target_rules(self) -> dict[str, Any]:
        return {}

    @with_callbacks  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the trees one after another; return self.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            Missing values are NaN; a split learns where they go.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k counts in the loss like k samples.
        """
        return self._fit(X, y, sample_weight)

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, validation: Any = None,
        monitor: Any = None,
    ) -> Self:  # fmt: skip
        continued = bool(self.warm_start) and hasattr(self, "trees_")
        given = X
        X, y, categorical = admit_training(self, X, y, None, **self._target_rules)
        given_weights = None if sample_weight is None else weighed(sample_weight, X)
        y, weights = self._admit_targets(y, given_weights)
        there = X.shape[0] if weights is None else int(np.count_nonzero(weights))
        plan = self._plan(there, X.shape[1], categorical, weights)
        if continued and plan.rounds < self.n_iter_:
            raise InvalidParameterError(
                f"{type(self).__name__} has made {self.n_iter_} rounds already: a warm "
                f"start must ask for as many or more, got {plan.rounds}."
            )
        apart = np.zeros(X.shape[0], dtype=bool)
        if validation is not None:
            plan = replace(plan, patience=self.n_iter_no_change)
            X, y, weights, apart = with_validation(self, X, y, weights, validation)
        if self._leaves_count_copies and given_weights is not None:
            plan = replace(plan, limits=_counting(plan.limits, given_weights, len(y)))
        if not continued:
            self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        run, judged = self._prepare(
            X, y, weights, plan, categorical, apart, continued=continued
        )
        context = self._init_callback_context(max_subtasks=plan.rounds)
        context.call_on_fit_task_begin(estimator=self, X=given, y=y)
        rounds = self._rounds(run, plan, judged, X, continued=continued)
        interrupted = False
        try:
            self._make(rounds, context, monitor, run)
        except KeyboardInterrupt:
            if not judged.keep_whole_rounds(run):
                raise
            interrupted = True
        self._keep(run, judged)
        if interrupted:
            raise Interrupted(self)
        context.call_on_fit_task_end(
            estimator=self, X=given, y=y, reconstruction_attributes={}
        )
        return self

    def _make(
        self, rounds: Iterator[int], context: Any, monitor: Any, run: BoostingRun
    ) -> None:
        """Make rounds until somebody who watches has seen enough."""
        for turn in rounds:
            if monitor is not None and monitor(turn, self, {"run": run}):
                return
            if not goes_on(self, context):
                return

    def _prepare(
        self, X: Any, y: Vector, weights: Any, plan: BoostingPlan, categorical: Any,
        apart: Mask, *, continued: bool,
    ) -> tuple[BoostingRun, Judged]:  # fmt: skip
        loss = self._loss(y)
        strata = y if hasattr(self, "classes_") else None
        outside = apart
        if not apart.any() and plan.patience is not None:
            outside = held_out(self, len(y), strata, weights, plan)
        mass = np.ones(len(y)) if weights is None else weights
        mass = np.where(outside, 0.0, mass)
        table = BinnedTable.of(
            X, plan.max_bins, categorical=categorical, random_state=self._seed,
            sample_weight=mass if weights is not None or outside.any() else None,
        )  # fmt: skip
        if continued:
            start = self.trees_.start
            scores = np.ascontiguousarray(self._scores_of(X).T)
        else:
            start, scores = self._begin(X, y, mass, loss)
        run = self._run(
            plan, table, y, weights, loss, plan.limits, plan.learning_rate,
            plan.subsample, self._seed, ~outside, scores,
            list(self.trees_.trees) if continued else [],
        )  # fmt: skip
        asked = plan.watched or plan.patience is not None
        judged = Judged(start, outside, asked)
        if continued:
            judged.training = list(self.train_score_)
            judged.validation = list(self.validation_score_)
        return run, judged

    def _run(self, plan: BoostingPlan, *state: Any) -> BoostingRun:
        """Return the state of a fit before its first round."""
        return BoostingRun(*state)

    def _after(self, rounds: int) -> Self:
        """Return the model as it was after so many rounds, no more than it made."""
        check_fitted(self)
        model, count = copy.copy(self), rounds * self.n_trees_per_iteration_
        known = self.trees_
        model.trees_ = BoostedTrees.of(
            known.trees[:count], known.outputs[:count], known.start
        )
        model.n_iter_ = min(rounds, self.n_iter_)
        return model

    def _begin(
        self, X: Any, y: Vector, mass: Vector, loss: BoostingLoss
    ) -> tuple[Vector, Vector]:
        """Return the scores that all rows have in common, and those of each."""
        start = loss.start(y[mass > 0], mass[mass > 0])
        return start, np.repeat(start[:, None], len(y), axis=1)

    def _rounds(
        self, run: BoostingRun, plan: BoostingPlan, judged: Judged, X: Any,
        *, continued: bool,
    ) -> Iterator[int]:  # fmt: skip
        """Make rounds until there are enough, or none helps any more."""
        done = len(run.trees) // len(run.scores)
        if judged.asked and not (continued and judged.training):
            self._judge(run, plan, judged, X)
        for turn in range(done, plan.rounds):
            run.advance(turn)
            if judged.asked:
                self._judge(run, plan, judged, X)
            yield turn
            if time_is_up():
                return
            if plan.patience is not None and not keeps_improving(
                judged.decisive, plan.patience, plan.tol
            ):
                return

    def _judge(
        self, run: BoostingRun, plan: BoostingPlan, judged: Judged, X: Any
    ) -> None:
        inside, outside = run.rows, np.flatnonzero(judged.outside)
        if plan.scoring == "loss":
            judged.training.append(-run.mean_loss(inside))
            if len(outside):
                judged.validation.append(-run.mean_loss(outside))
            return
        draw = np.random.default_rng(self._seed)
        if len(inside) > JUDGED:
            inside = np.sort(draw.choice(inside, JUDGED, replace=False))
        judged.training.append(self._score_rows(run, inside, plan.scoring, X))
        if len(outside):
            judged.validation.append(self._score_rows(run, outside, plan.scoring, X))

    def _score_rows(self, run: BoostingRun, rows: Any, scoring: Any, X: Any) -> float:
        """Ask a scorer about the model as it stands, without walking its trees."""
        model = copy.copy(self)
        known = run.scores[:, rows].T
        model.__dict__["_raw"] = lambda _: known
        y = run.y[rows] if self._codes is None else self._codes[rows]
        classes = getattr(self, "classes_", None)
        y = y if classes is None else classes[y.astype(np.intp)]
        weights = {} if run.weights is None else {"sample_weight": run.weights[rows]}
        return float(check_scoring(model, scoring)(model, X[rows], y, **weights))

    def _keep(self, run: BoostingRun, judged: Judged) -> None:
        width = len(run.scores)
        outputs = np.tile(np.arange(width), len(run.trees) // width)
        self.trees_ = BoostedTrees.of(run.trees, outputs, judged.start)
        self.n_trees_per_iteration_ = width
        self.n_iter_ = len(run.trees) // width
        self.train_score_ = np.array(judged.training)
        self.validation_score_ = np.array(judged.validation)
        self.do_early_stopping_ = judged.asked
        self.is_categorical_ = run.table.categorical if self._levels else None
        self._codes = None

    @property
    def feature_importances_(self) -> Vector:
        """How much of the fall of the loss the splits on each feature promised."""
        check_fitted(self)
        inner = self.trees_.feature >= 0
        gains = np.bincount(
            self.trees_.feature[inner], self.trees_.gain[inner], self.n_features_in_
        )
        return np.asarray(gains / max(gains.sum(), 1e-300))

    def _raw(self, X: Any) -> Matrix:
        """Return the scores of rows: samples × outputs."""
        rows = admit_rows(self, X)
        return self._scores_of(rows)

    def _scores_of(self, rows: Any) -> Matrix:
        return self.trees_.scores(rows)

    def _first_scores(self, rows: Any) -> Matrix:
        return np.tile(self.trees_.start, (rows.shape[0], 1))

    def _sum_of_trees(self) -> tuple[Any, Any, int, Vector, float, Any]:
        """Return what `shapley_values` explains: the scores."""
        check_fitted(self)
        start, trees = self.trees_.start, self.trees_
        return (
            trees.trees, trees.outputs, len(start), start, 1.0,
            lambda X: admit_rows(self, X),
        )  # fmt: skip

    def _compute_partial_dependence_recursion(
        self, grid: Any, target_features: Any
    ) -> Matrix:
        """Return the partial dependence; scikit-learn's `partial_dependence` asks."""
        check_fitted(self)
        return dependence(self, grid, target_features)

    def _staged_raw(self, X: Any) -> Iterator[Matrix]:
        X = admit_rows(self, X)
        trees = self.trees_
        scores, width = self._first_scores(X), len(trees.start)
        for at, tree in enumerate(trees.trees):
            scores[:, at % width] += tree.predict(X)[:, 0]
            if (at + 1) % width == 0:
                yield scores.copy()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _counting(limits: GrowthLimits, weights: Vector, n: int) -> GrowthLimits:
    """Return limits that count copies where weights do; rows that judge are one each.

    Weights of classes are no copies.
    """
    copies = copies_of(weights)
    if copies is None or copies.max() == 1:
        return limits
    more = np.ones(n - len(copies), dtype=np.int64)
    return replace(limits, copies=np.concatenate([copies, more]))


class Judged:
    """How well the rounds did, on the rows that learn and on those held out."""

    def __init__(self, start: Vector, outside: Mask, asked: bool) -> None:  # noqa: FBT001
        self.start, self.outside, self.asked = start, outside, asked
        self.training: list[float] = []
        self.validation: list[float] = []

    @property
    def decisive(self) -> list[float]:
        """The scores that decide when to stop."""
        return self.validation if self.outside.any() else self.training

    def keep_whole_rounds(self, run: Any) -> int:
        """Drop what a round that was cut short has left; return how many stay."""
        width = len(run.scores)
        whole = len(run.trees) // width
        if self.asked:
            whole = max(0, min(whole, len(self.training) - 1))
        del run.trees[whole * width :]
        del self.training[whole + 1 :], self.validation[whole + 1 :]
        return whole
