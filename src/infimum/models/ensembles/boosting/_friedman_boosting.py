"""Base of GradientBoostingClassifier and GradientBoostingRegressor."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.callback import with_callbacks

from infimum.data.doors import check_fitted
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles._member_sequence import MemberSequence
from infimum.models.ensembles.boosting._boosting_door import admit_rows
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._boosting_run import BoostingRun
from infimum.models.ensembles.boosting._first_model import (
    constant_first,
    first_scores,
    fit_first,
)
from infimum.models.ensembles.boosting._friedman_run import FriedmanRun
from infimum.models.ensembles.boosting._gradient_boosting import (
    BoostingPlan,
    GradientBoostingModel,
)
from infimum.models.ensembles.boosting._growth_state import GrowthLimits
from infimum.models.ensembles.boosting._lent_trees import regressors
from infimum.models.trees._tree_parameters import TREE_DOMAINS, read_rules
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    check_parameters,
    closed,
    nonnegative,
    opened,
    or_none,
    whole,
)
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["FriedmanBoosting"]

#: So many classes share one score.
PAIR = 2


class FriedmanBoosting(MemberSequence, GradientBoostingModel):
    """Boosting with scikit-learn's older parameters: shallow trees, few or no bins."""

    _domains: ClassVar[Domains] = {
        "criterion": Choice(("deprecated", "friedman_mse", "squared_error")),
        "alpha": closed(0, 1),
        "learning_rate": nonnegative,
        "n_estimators": whole(1),
        "tol": nonnegative,
        "subsample": Interval(0, 1, open_low=True),
        "n_iter_no_change": or_none(whole(1)),
        "validation_fraction": or_none(opened(0, 1)),
        **TREE_DOMAINS,
    }

    init: Any
    loss: Any

    @with_callbacks  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, monitor: Any = None
    ) -> Self:
        """Fit the trees one after another; return self.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            Missing values are NaN; a split learns where they go.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k counts in the loss like k samples.
        monitor : callable, optional
            Called after each round with its number, the model, and a dictionary whose
            ``"run"`` has the ``trees`` and ``scores`` so far; if it returns True, that
            was the last.
        """
        return self._fit(X, y, sample_weight, monitor=monitor)

    def _plan(
        self, n: int, d: int, categorical: Mask, weights: Vector | None
    ) -> BoostingPlan:
        check_parameters(self)
        model: Any = self
        total = float(n if weights is None else weights.sum()) * model.subsample
        patience = model.n_iter_no_change
        held = model.validation_fraction if patience is not None else None
        total *= 1.0 - (held or 0.0)
        rules = read_rules(self, n, d, total, 1.0)
        limits = GrowthLimits(
            model.max_leaf_nodes,
            model.max_depth,
            rules.min_leaf,
            # A share that says so many features, whichever way it is rounded.
            max_features=(rules.max_features + 0.5) / d,
            min_curvature=rules.min_weight,
            min_samples_split=rules.min_split,
            min_gain=rules.min_decrease,
            exact=True,
        )
        self.max_features_ = rules.max_features
        return BoostingPlan(
            limits, model.n_estimators, float(model.learning_rate),
            float(model.subsample), 255, patience, held,
            float(model.tol) / self._told_as, "loss", watched=True,
            ccp_alpha=float(model.ccp_alpha),
        )  # fmt: skip

    def _run(self, plan: BoostingPlan, *state: Any) -> BoostingRun:
        run = FriedmanRun(*state)
        run.ccp_alpha = plan.ccp_alpha
        return run

    def _begin(
        self, X: Any, y: Vector, mass: Vector, loss: BoostingLoss
    ) -> tuple[Vector, Vector]:
        owner, init = type(self).__name__, self.init
        self.init_ = None
        if init is None:
            return super()._begin(X, y, mass, loss)
        start = np.zeros(loss.outputs)
        if isinstance(init, str):
            if init != "zero":
                raise InvalidParameterError(
                    f"{owner}.init must be None, 'zero' or an estimator, got {init!r}."
                )
            return start, np.zeros((loss.outputs, len(y)))
        inside = mass > 0
        labels = y if self._codes is None else self.classes_[self._codes]
        heavy = mass[inside]
        weights = None if (heavy == 1.0).all() else heavy
        self.init_ = fit_first(owner, init, X[inside], labels[inside], weights)
        self._first_loss = loss.loss
        scores = first_scores(owner, self._first, X, loss.loss)
        return start, np.ascontiguousarray(scores.T)

    def _first_scores(self, rows: Any) -> Matrix:
        if self._first is None:
            return super()._first_scores(rows)
        return first_scores(type(self).__name__, self._first, rows, self._first_loss)

    def _scores_of(self, rows: Any) -> Matrix:
        scores = super()._scores_of(rows)
        return scores if self._first is None else scores + self._first_scores(rows)

    def _prepare(self, *given: Any, continued: bool) -> tuple[Any, Any]:
        run: Any
        run, judged = super()._prepare(*given, continued=continued)
        if continued:  # the loss before the first round is not kept
            told = self._told_as
            judged.training = [np.nan, *(-self.train_score_ / told)]
            after = getattr(self, "oob_scores_", np.zeros(0))
            gained = getattr(self, "oob_improvement_", np.zeros(0))
            before = (after + gained) / told
            run.left_out.extend(zip(before, after / told, strict=True))
        return run, judged

    def _keep(self, run: BoostingRun, judged: Any) -> None:
        super()._keep(run, judged)
        told = self._told_as
        self.train_score_ = -told * self.train_score_[1:]
        self.n_estimators_ = self.n_iter_
        left_out = getattr(run, "left_out", [])[: self.n_iter_]
        before = told * np.array(left_out).reshape(-1, 2)
        if len(before):
            self.oob_improvement_ = before[:, 0] - before[:, 1]
            self.oob_scores_ = before[:, 1]
            self.oob_score_ = float(before[-1, 1])

    @property
    def _told_as(self) -> float:
        """What scikit-learn multiplies a loss by before it tells it: 2 for halves."""
        halves = self.loss == "log_loss" and len(self.classes_) == PAIR
        return 2.0 if halves or self.loss == "squared_error" else 1.0

    @property
    def estimators_(self) -> NDArray[Any]:
        """The trees as regressors, without the learning rate: rounds × scores."""
        check_fitted(self)
        return regressors(self)

    @property
    def init_(self) -> Any:
        """The first model: that of `init`, or a constant in scikit-learn's words."""
        check_fitted(self)
        if self._first is None:
            return "zero" if isinstance(self.init, str) else constant_first(self)
        return self._first

    @init_.setter
    def init_(self, first: Any) -> None:
        self.__dict__["init_"] = first

    @property
    def _first(self) -> Any:
        """The first model as it is kept: None for a constant."""
        return vars(self).get("init_")

    def _compute_partial_dependence_recursion(
        self, grid: Any, target_features: Any
    ) -> Matrix:
        """Return the partial dependence; scikit-learn's `partial_dependence` asks."""
        if self.init is not None:
            warnings.warn(
                f"{type(self).__name__}: partial dependence by recursion leaves the "
                "first model out.",
                UserWarning,
                stacklevel=2,
            )
        return super()._compute_partial_dependence_recursion(grid, target_features)

    def _leaves(self, X: Any) -> Indices:
        """Return the leaf of each row in each tree: samples × rounds × scores."""
        rows = admit_rows(self, X)
        found = np.column_stack([tree.apply(rows) for tree in self.trees_.trees])
        return found.reshape(len(found), -1, self.n_trees_per_iteration_)

    def _sum_of_trees(self) -> tuple[Any, Any, int, Vector, float, Any]:
        found = super()._sum_of_trees()
        if self._first is not None:
            raise IncompatibleError(
                f"{type(self).__name__} with init={type(self._first).__name__}() is no "
                "sum of trees."
            )
        return found
