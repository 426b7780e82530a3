"""Base of histogram boosting: its parameters, and rows for early stopping."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.callback import with_callbacks

from infimum.data.doors import check_fitted
from infimum.data.doors.streamed_rows import streams
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.boosting._gradient_boosting import (
    BoostingPlan,
    GradientBoostingModel,
)
from infimum.models.ensembles.boosting._histogram_plan import histogram_plan
from infimum.models.ensembles.boosting._lent_trees import Predictor, predictors
from infimum.models.ensembles.boosting._validation_rows import ask_for_validation
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    check_parameters,
    closed,
    nonnegative,
    or_none,
    positive,
    whole,
)
from infimum.typing import Mask, Matrix, Vector

__all__ = ["HistogramBoosting"]

UNIT = Interval(0, 1, open_low=True)


class HistogramBoosting(GradientBoostingModel):
    """Boosting with the parameters of scikit-learn's histogram models."""

    _domains: ClassVar[Domains] = {
        "quantile": or_none(closed(0, 1)),
        "learning_rate": positive,
        "max_iter": whole(1),
        "min_samples_leaf": whole(1),
        "l2_regularization": nonnegative,
        "max_features": UNIT,
        "max_bins": whole(2, 255),
        "n_iter_no_change": whole(1),
        "tol": nonnegative,
        "subsample": UNIT,
        "max_leaf_nodes": or_none(whole(2)),
        "max_depth": or_none(whole(1)),
        "validation_fraction": or_none(positive),
        "early_stopping": Choice(("auto", True, False)),
    }
    _leaves_count_copies = True

    @property
    def _predictors(self) -> list[list[Predictor]]:
        """The trees as records, which tools that know scikit-learn's read."""
        check_fitted(self)
        return predictors(self)

    @property
    def _baseline_prediction(self) -> Matrix:
        """The scores before the first tree: 1 × scores."""
        check_fitted(self)
        return self.trees_.start[None]

    @streams("infimum.models.streamed.boosting:fit_boosting")
    @with_callbacks  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Fit the trees one after another; return self.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            Missing values are NaN; a split learns where they go.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k counts in the loss like k samples.
        X_val, y_val : like X and y, optional
            Rows that no tree sees: the rounds stop when they improve no more. None is
            held out of X then.
        sample_weight_val : array-like, optional
            The weights of those rows.
        """
        judges = ask_for_validation(self, X_val, y_val, sample_weight_val)
        return self._fit(X, y, sample_weight, judges)

    def _plan(
        self, n: int, d: int, categorical: Mask, weights: Vector | None
    ) -> BoostingPlan:
        check_parameters(self)
        return histogram_plan(self, n, d, categorical)
