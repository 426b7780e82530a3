"""A classifier whose probabilities are calibrated on samples that it has not seen."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import DataConversionWarning
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import LeaveOneOut, check_cv
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._tags import get_tags
from sklearn.utils.validation import (
    _check_method_params,
    has_fit_parameter,
)

from infimum.data.doors import check_fitted, coded, weighed, winners
from infimum.data.doors.labels import check_labels
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.calibration._calibrators import (
    SigmoidCalibration,
    TemperatureScaling,
)
from infimum.models.calibration.isotonic_regression import IsotonicRegression
from infimum.parameters import Choice, Domains, check_parameters
from infimum.typing import Indices, Matrix, Vector

__all__ = ["CalibratedClassifierCV", "CalibratedMember"]

_TWO = 2
#: As many folds as there are, unless a class has fewer samples.
FOLDS = 5


@dataclass(frozen=True, eq=False)
class CalibratedMember:
    """A fitted classifier and the maps from its scores to probabilities."""

    estimator: Any
    calibrators: list[Any]
    classes: NDArray[Any]
    method: str = "sigmoid"

    def predict_proba(self, X: Any) -> Matrix:
        """Return the calibrated probabilities: samples × classes."""
        scores = scores_of(self.estimator, X, len(self.classes))
        if self.method == "temperature":
            if scores.shape[1] == 1 and not hasattr(
                self.estimator, "decision_function"
            ):
                scores = np.column_stack((1.0 - scores, scores))
            return np.asarray(self.calibrators[0].predict(scores))
        if scores.shape[1] != len(self.calibrators):
            raise DataError("CalibratedClassifierCV needs a map for each score.")
        told = np.zeros((len(scores), len(self.classes)))
        places = np.searchsorted(self.classes, self.estimator.classes_)
        for k, (place, calibrator) in enumerate(
            zip(places[-scores.shape[1] :], self.calibrators, strict=True)
        ):
            told[:, place] = calibrator.predict(scores[:, k])
        if len(self.classes) == _TWO:
            told[:, 0] = 1.0 - told[:, 1]
        else:
            total = told.sum(axis=1, keepdims=True)
            even = np.full_like(told, 1.0 / len(self.classes))
            told = np.divide(told, total, out=even, where=total != 0)
        return np.clip(told, 0.0, 1.0)


def scores_of(model: Any, X: Any, classes: int) -> Matrix:
    """Return decision values, or else probabilities: samples × scores."""
    if hasattr(model, "decision_function"):
        found = np.asarray(model.decision_function(X), dtype=float)
        return found.reshape(len(found), -1)
    if not hasattr(model, "predict_proba"):
        raise DataError(
            f"CalibratedClassifierCV: {type(model).__name__} has neither "
            "decision_function nor predict_proba."
        )
    found = np.asarray(model.predict_proba(X), dtype=float)
    return found[:, 1:] if classes == _TWO and found.shape[1] == _TWO else found


def _flat(y: Any) -> NDArray[Any]:
    """Return labels in one dimension; a column is one, with a warning."""
    labels = np.asarray(y)
    if labels.ndim == _TWO and labels.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected.",
            DataConversionWarning,
            stacklevel=5,
        )
        return labels.ravel()
    return labels


class CalibratedClassifierCV(
    ClassifierMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Probabilities made of the scores of a classifier on folds it was not fitted to.

    Parameters
    ----------
    estimator : classifier or None, default=None
        `LinearSVC` by default.
    method : {'sigmoid', 'isotonic', 'temperature'}, default='sigmoid'
        Platt's sigmoid of each score, the nearest rising function of it, or the softmax
        of all scores times one factor.
    cv : int, splitter, iterable or None, default=None
        None means five folds.
    n_jobs : int or None, default=None
        Accepted for compatibility.
    ensemble : bool or 'auto', default='auto'
        Whether every fold has its own classifier and maps, whose probabilities are
        averaged; or all held-out scores make one map for a classifier of all samples.
        'auto' means the first, except for a frozen estimator.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    calibrated_classifiers_ : list of CalibratedMember
    calibration_error_ : float
        Mean squared error of the probabilities of the held-out samples that the maps
        were made of (Brier's score), calibrated, summed over classes.
    uncalibrated_error_ : float or None
        That of the probabilities before, if the classifier has any.

    Examples
    --------
    >>> from infimum.models.probabilistic import GaussianNB
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 1, 0, 1, 1]
    >>> model = CalibratedClassifierCV(GaussianNB(), cv=3).fit(X, y)
    >>> model.predict([[0.0], [5.0]])
    array([0, 1])
    """

    _domains: ClassVar[Domains] = {
        "method": Choice(("sigmoid", "isotonic", "temperature")),
        "ensemble": Choice(("auto", True, False)),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: str = "sigmoid",
        cv: Any = None,
        n_jobs: int | None = None,
        ensemble: Any = "auto",
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.n_jobs = n_jobs
        self.ensemble = ensemble

    def _base(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        from infimum.models.linear import LinearSVC

        return LinearSVC(random_state=0)

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit classifiers and maps; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, as the classifier takes them.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the samples, for the classifier and for the maps.
        **fit_params : dict
            What the fit of the classifier is to know.
        """
        check_parameters(self)
        if y is None:
            raise DataError(
                "CalibratedClassifierCV requires y to be passed, but the target y is "
                "None."
            )
        X, y = indexable(X, y)
        labels = _flat(y)
        check_labels(labels)
        self.classes_, codes = coded(labels)
        weights = weighed(sample_weight, codes)
        base = self._base()
        if weights is not None and not has_fit_parameter(base, "sample_weight"):
            warnings.warn(
                f"Since {type(base).__name__} does not appear to accept sample_weight, "
                "sample weights will only be used for the calibration itself.",
                stacklevel=4,
            )
        elif weights is not None:
            fit_params = {**fit_params, "sample_weight": weights}
        folds = self._folds(labels, codes).split(X, labels)
        work = _Work(self, X, labels, codes, weights, fit_params, base)
        apart = self.ensemble
        if apart == "auto":
            apart = not isinstance(base, FrozenEstimator)
        self.estimators_, self.calibrators_ = work.run(list(folds), apart=bool(apart))
        self.calibration_error_, self.uncalibrated_error_ = work.errors
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimators_[0], name):
                setattr(self, name, getattr(self.estimators_[0], name))
        return self

    def _folds(self, labels: Any, codes: Indices) -> Any:
        if isinstance(self.cv, LeaveOneOut):
            raise DataError(
                "CalibratedClassifierCV: LeaveOneOut cross-validation does not allow "
                "all classes to be present in test splits."
            )
        count = self.cv if isinstance(self.cv, int) else getattr(self.cv, "n_splits", 0)
        if count and np.bincount(codes).min() < count:
            raise DataError(
                f"CalibratedClassifierCV: requesting {count}-fold cross-validation but "
                f"provided less than {count} examples for at least one class."
            )
        fewest = int(np.bincount(codes).min())
        if self.cv is None and fewest < FOLDS:
            if fewest < _TWO:
                raise DataError(
                    "CalibratedClassifierCV needs two samples of each class, got 1 "
                    f"sample of {self.classes_[np.bincount(codes).argmin()]!r}."
                )
            return check_cv(fewest, labels, classifier=True)
        return check_cv(self.cv, labels, classifier=True)

    @property
    def calibrated_classifiers_(self) -> list[CalibratedMember]:
        """The classifiers, each with its maps."""
        check_fitted(self, "estimators_")
        count = len(self.calibrators_) // len(self.estimators_)
        return [
            CalibratedMember(
                model, self.calibrators_[at * count : (at + 1) * count],
                self.classes_, self.method,
            )
            for at, model in enumerate(self.estimators_)
        ]  # fmt: skip

    def predict_proba(self, X: Any) -> Matrix:
        """Return the calibrated probabilities, the mean over folds."""
        check_fitted(self, "estimators_")
        members = self.calibrated_classifiers_
        return np.asarray(sum(each.predict_proba(X) for each in members) / len(members))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class; the first in a tie."""
        check_fitted(self, "estimators_")
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[winners(shares)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self._base()).input_tags.sparse
        return tags


class _Work:
    """One fit: classifiers on folds, maps on what they had not seen."""

    def __init__(
        self, model: Any, X: Any, labels: Any, codes: Indices, weights: Any,
        params: dict[str, Any], base: Any,
    ) -> None:  # fmt: skip
        self.model, self.X, self.labels, self.codes = model, X, labels, codes
        self.weights, self.params, self.base = weights, params, base
        self.classes = len(model.classes_)
        self._told = np.full((len(codes), self.classes), np.nan)
        self._raw = np.full((len(codes), self.classes), np.nan)

    def run(self, folds: list[Any], *, apart: bool) -> tuple[list[Any], list[Any]]:
        """Return the classifiers, and their maps one after another."""
        if not folds:
            raise DataError("CalibratedClassifierCV.cv has no folds.")
        if not apart:
            return self._together(folds)
        models, maps = [], []
        for train, test in folds:
            model = self._fitted(train)
            scores = scores_of(model, _safe_indexing(self.X, test), self.classes)
            made = self._maps(model, scores, test)
            self._judge(model, made, test)
            models.append(model)
            maps += made
        return models, maps

    def _together(self, folds: list[Any]) -> tuple[list[Any], list[Any]]:
        frozen = isinstance(self.base, FrozenEstimator)
        model = self._fitted(np.arange(len(self.codes)))
        scores = np.zeros(
            (len(self.codes), 1 if self.classes == _TWO else self.classes)
        )
        for train, test in folds:
            mine = model if frozen else self._fitted(train)
            told = scores_of(mine, _safe_indexing(self.X, test), self.classes)
            places = np.searchsorted(self.model.classes_, mine.classes_)
            places = [0] if told.shape[1] == 1 else places
            scores[np.ix_(test, places)] = told
        everyone = np.arange(len(self.codes))
        maps = self._maps(model, scores, everyone)
        self._judge(model, maps, everyone)
        return [model], maps

    def _fitted(self, train: Any) -> Any:
        model = clone(self.base)
        params = _check_method_params(self.X, self.params, indices=train)
        rows = _safe_indexing(self.X, train)
        model.fit(rows, _safe_indexing(self.labels, train), **params)
        return model

    def _maps(self, model: Any, scores: Matrix, test: Indices) -> list[Any]:
        """Return a map for every score of a classifier."""
        codes = self.codes[test]
        weights = None if self.weights is None else self.weights[test]
        if self.model.method == "temperature":
            if scores.shape[1] == 1 and not hasattr(model, "decision_function"):
                scores = np.column_stack((1.0 - scores, scores))
            return [TemperatureScaling().fit(scores, codes, weights)]
        places = np.searchsorted(self.model.classes_, model.classes_)
        made = []
        for k, place in enumerate(places[-scores.shape[1] :]):
            curve: Any = SigmoidCalibration()
            if self.model.method == "isotonic":
                curve = IsotonicRegression(out_of_bounds="clip")
            made.append(curve.fit(scores[:, k], (codes == place) * 1.0, weights))
        return made

    def _judge(self, model: Any, maps: list[Any], test: Indices) -> None:
        """Keep what is told of the samples that the maps were made of."""
        member = CalibratedMember(model, maps, self.model.classes_, self.model.method)
        rows = _safe_indexing(self.X, test)
        self._told[test] = member.predict_proba(rows)
        if hasattr(model, "predict_proba"):
            places = np.searchsorted(self.model.classes_, model.classes_)
            self._raw[test] = 0.0
            self._raw[np.ix_(test, places)] = model.predict_proba(rows)

    @property
    def errors(self) -> tuple[float, float | None]:
        """Brier's score of what was told, calibrated and before."""
        truth = np.eye(self.classes)[self.codes]
        before = self._brier(self._raw, truth)
        return self._brier(self._told, truth), None if np.isnan(before) else before

    def _brier(self, told: Matrix, truth: Matrix) -> float:
        known = ~np.isnan(told).any(axis=1)
        if not known.any():
            return float("nan")
        each: Vector = ((told - truth) ** 2).sum(axis=1)[known]
        mine = None if self.weights is None else self.weights[known]
        return float(np.average(each, weights=mine))
