"""RANSAC: a model of the largest set of samples that agree with it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import has_fit_parameter

from infimum.data.doors import read, refuse_huge, samples, weighed
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear._overflow import refuse_unknown
from infimum.models.linear.closed_form.least_squares import LinearRegression
from infimum.models.linear.robust._consensus import Consensus, Search
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import (
    Domains,
    besides,
    check_parameters,
    closed,
    nonnegative,
    opened,
    or_none,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["RANSACRegressor"]

_COUNT = besides(nonnegative, np.inf)
#: The estimator decides about missing values and kinds of numbers.
_AS_GIVEN: dict[str, Any] = {
    "missing": "unchecked",
    "accept_sparse": "csr",
    "dtype": "numeric",
}


class RANSACRegressor(MetaEstimatorMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""A regressor fitted to inliers only, which are found by trying small samples.

    Again and again, a model is fitted to a few samples drawn at random, and those of
    all samples that it predicts within a threshold are counted. The largest such set
    wins (among equals the best predicted one), and the final model is fitted to it. A
    share w of inliers is missed by all of

    .. math:: k = \Bigl\lceil \frac{\log(1 - p)}{\log(1 - w^m)} \Bigr\rceil

    draws of m samples with probability 1 - p at most: no more are tried than that.
    Where outliers are fewer than half, `HuberRegressor` is convex and has a proof.

    Parameters
    ----------
    estimator : regressor or None, default=None
        What to fit; None means `LinearRegression`.
    min_samples : int, float or None, default=None
        How many samples to draw, or which share of them; None means one more than
        there are features, for linear regression only.
    residual_threshold : float or None, default=None
        The largest loss of an inlier; None means the median distance of y from its
        median.
    is_data_valid, is_model_valid : callable or None, default=None
        ``is_data_valid(X, y)`` and ``is_model_valid(model, X, y)`` may refuse a draw.
    max_trials : int or inf, default=100
        Most draws.
    max_skips : int or inf, default=inf
        Most skipped draws: refused, or with fewer inliers than the best.
    stop_n_inliers, stop_score : float, default=inf
        Stop at so many inliers, or at such a score on them.
    stop_probability : float, default=0.99
        The probability p with which a draw of inliers only is to be among the trials.
    loss : {'absolute_error', 'squared_error'} or callable, default='absolute_error'
        The loss of each sample; a callable is given targets and predictions.
    random_state : int, RandomState or None, default=None
        Where the draws come from; they are those of scikit-learn.

    Attributes
    ----------
    estimator_ : regressor
        The final model.
    inlier_mask_ : ndarray of bool of shape (n_samples,)
    n_trials_ : int
    n_skips_no_inliers_, n_skips_invalid_data_, n_skips_invalid_model_ : int
        Skipped draws, by reason.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(20.0)[:, None]
    >>> y = 2.0 * X.ravel()
    >>> y[3:9] = 500.0
    >>> model = RANSACRegressor(random_state=0).fit(X, y)
    >>> int(model.inlier_mask_.sum()), model.predict([[100.0]]).round(6)
    (14, array([200.]))

    References
    ----------
    Fischler & Bolles (1981), Communications of the ACM 24.
    """

    _domains: ClassVar[Domains] = {
        "max_trials": _COUNT,
        "max_skips": _COUNT,
        "stop_n_inliers": _COUNT,
        "stop_probability": closed(0, 1),
        "residual_threshold": or_none(nonnegative),
        "stop_score": besides(opened(-np.inf, np.inf), -np.inf, np.inf),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        min_samples: float | None = None,
        residual_threshold: float | None = None,
        is_data_valid: Callable[..., bool] | None = None,
        is_model_valid: Callable[..., bool] | None = None,
        max_trials: float = 100,
        max_skips: float = np.inf,
        stop_n_inliers: float = np.inf,
        stop_score: float = np.inf,
        stop_probability: float = 0.99,
        loss: Any = "absolute_error",
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.min_samples = min_samples
        self.residual_threshold = residual_threshold
        self.is_data_valid = is_data_valid
        self.is_model_valid = is_model_valid
        self.max_trials = max_trials
        self.max_skips = max_skips
        self.stop_n_inliers = stop_n_inliers
        self.stop_score = stop_score
        self.stop_probability = stop_probability
        self.loss = loss
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Find the inliers and fit the model to them; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Weights that the estimator is given, of those samples that it is given;
            draws and counts do not look at them, but a sample of weight 0 is not
            there, and no inlier.
        **fit_params
            None is known; scikit-learn routes them to its estimator.
        """
        refuse_unknown(self, fit_params)
        check_parameters(self)
        X, y = read(self, X, y, numeric=True, several=True, **_AS_GIVEN)
        refuse_huge(self, X, y)
        estimator, random = self._fresh()
        weights = weighed(sample_weight, X)
        if weights is not None and not has_fit_parameter(estimator, "sample_weight"):
            raise DataError(
                f"{type(estimator).__name__} takes no sample_weight, so "
                "RANSACRegressor cannot pass any on."
            )
        data, there = _present(X, y, weights)
        search = self._search(estimator, random, data)
        with warnings.catch_warnings():  # of small draws nothing needs a proof
            warnings.simplefilter("ignore", UncertifiedWarning)
            best = search.run(self.max_trials)
        self._tell(search, best)
        assert best is not None
        search.fit(np.flatnonzero(best.mask))
        self.estimator_ = estimator
        self.inlier_mask_ = np.isin(np.arange(len(y)), there[best.mask])
        return self

    def predict(self, X: Any) -> Vector | Matrix:
        """Return what the final model predicts."""
        X = samples(self, X, **_AS_GIVEN)
        return np.asarray(self.estimator_.predict(X))

    @available_if(lambda self: hasattr(self._inner(), "score"))  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any) -> float:
        """Return the score of the final model."""
        return float(self.estimator_.score(samples(self, X, **_AS_GIVEN), y))

    def _inner(self) -> Any:
        return LinearRegression() if self.estimator is None else self.estimator

    def _fresh(self) -> tuple[Any, Any]:
        """Return an estimator to fit and where its draws come from."""
        estimator, random = clone(self._inner()), check_random_state(self.random_state)
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=random)
        return estimator, random

    def _search(
        self, estimator: Any, random: Any, data: tuple[Any, Any, Vector | None]
    ) -> Search:
        X, y, _ = data
        threshold = self.residual_threshold
        if threshold is None:
            threshold = float(np.median(np.abs(y - np.median(y))))
        return Search(
            estimator,
            data,
            size=self._size(estimator, *X.shape),
            threshold=float(threshold),
            losses=self._losses(y.ndim),
            rules=self,
            random=random,
        )

    def _size(self, estimator: Any, n: int, d: int) -> int:
        """Return how many samples to draw."""
        asked = self.min_samples
        if asked is None:
            if type(estimator).__name__ != "LinearRegression":
                raise InvalidParameterError(
                    "RANSACRegressor.min_samples must be given for an estimator other "
                    f"than LinearRegression, got {type(estimator).__name__}."
                )
            asked = d + 1
        share = asked in opened(0, 1)
        if not (share or asked in whole(1)):
            raise InvalidParameterError(
                "RANSACRegressor.min_samples must be a whole number from 1 on or a "
                f"share between 0 and 1, got {asked!r}."
            )
        size = int(np.ceil(asked * n)) if share else int(asked)
        if size > n:
            raise DataError(
                f"RANSACRegressor draws min_samples={size} samples at a time, but "
                f"there are only n_samples={n}."
            )
        return size

    def _losses(self, dimensions: int) -> Callable[[Any, Any], Vector]:
        if callable(self.loss):
            return self.loss  # type: ignore[no-any-return]
        known: dict[str, Callable[[Any], Any]] = {
            "absolute_error": np.abs,
            "squared_error": np.square,
        }
        if self.loss not in known:
            raise InvalidParameterError(
                "RANSACRegressor.loss must be 'absolute_error', 'squared_error' or "
                f"callable, got {self.loss!r}."
            )
        size = known[self.loss]
        if dimensions == 1:
            return lambda y, found: size(y - found)
        return lambda y, found: size(y - found).sum(axis=1)

    def _tell(self, search: Search, best: Consensus | None) -> None:
        """Keep the counts; raise or warn when the search fell short."""
        self.n_trials_ = search.trials
        self.n_skips_no_inliers_ = search.few
        self.n_skips_invalid_data_ = search.bad_data
        self.n_skips_invalid_model_ = search.bad_models
        if best is None:
            raise DataError(
                "RANSACRegressor could not find a valid consensus set: all its "
                f"{search.trials} draws were skipped; raise residual_threshold or "
                "max_trials, or relax what may refuse a draw."
            )
        if search.skips > self.max_skips:
            warnings.warn(
                f"RANSACRegressor stopped after {search.skips} skipped draws, more "
                f"than max_skips={self.max_skips:g}: there may be a larger consensus.",
                UncertifiedWarning,
                stacklevel=3,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self._inner()
        tags.input_tags.sparse = inner.__sklearn_tags__().input_tags.sparse
        tags.target_tags.multi_output = True
        return tags


def _present(X: Any, y: Any, weights: Vector | None) -> tuple[Any, Any]:
    """Return the samples of positive weight, and where they stand among all."""
    if weights is None or weights.all():
        return (X, y, weights), np.arange(len(y))
    there = np.flatnonzero(weights)
    return (X[there], y[there], weights[there]), there
