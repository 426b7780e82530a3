"""Self-training: a classifier that learns from its own surest answers."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils._tags import get_tags
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import read, samples, weighed, winners
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.committees._voting import fit_member
from infimum.models.semi_supervised._label_model import told_labels
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    check_parameters,
    or_none,
    whole,
)
from infimum.typing import Matrix

__all__ = ["SelfTrainingClassifier"]

_CRITERIA = Choice(("threshold", "k_best"))
_ADMITTED: dict[str, Any] = {
    "accept_sparse": ["csr", "csc", "lil", "dok"],
    "dtype": "numeric",
    "missing": "unchecked",
}


def _has(method: str) -> Any:
    def answers(model: Any) -> bool:
        asked = getattr(model, "estimator_", model.estimator)
        getattr(asked, method)  # its own error says what is missing
        return True

    return answers


class SelfTrainingClassifier(
    ClassifierMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Any classifier with probabilities, made to learn from unlabelled samples.

    It is fitted to the labelled samples, labels those of whose class it is sure, and
    is fitted again, until nothing is left or nothing is sure.

    Parameters
    ----------
    estimator : classifier
        With `fit` and `predict_proba`.
    threshold : float, default=0.75
        Probability above which an answer becomes a label.
    criterion : {"threshold", "k_best"}, default="threshold"
        Whether all answers above the threshold are taken, or the `k_best` of them.
    k_best : int, default=10
    max_iter : int or None, default=10
        Rounds; None for as many as bring new labels.
    verbose : ignored

    Attributes
    ----------
    estimator_ : the fitted classifier
    classes_ : ndarray of shape (n_classes,)
    transduction_ : ndarray of shape (n_samples,)
        The labels it was fitted to, -1 where there is none.
    labeled_iter_ : ndarray of shape (n_samples,)
        The round of each label: 0 if it was given, -1 if there is none.
    n_iter_ : int
        Rounds; 1 if there was nothing to label.
    termination_condition_ : {"max_iter", "no_change", "all_labeled"}

    Examples
    --------
    >>> from infimum.models.probabilistic import GaussianNB
    >>> X = [[0.0], [0.2], [0.5], [3.0], [3.2], [3.5]]
    >>> model = SelfTrainingClassifier(GaussianNB()).fit(X, [0, 0, -1, 1, 1, -1])
    >>> model.transduction_.tolist(), model.termination_condition_
    ([0, 0, 0, 1, 1, 1], 'all_labeled')
    """

    _domains: ClassVar[Domains] = {
        "threshold": Interval(0, 1, open_high=True),
        "criterion": _CRITERIA,
        "k_best": whole(1),
        "max_iter": or_none(whole(0)),
    }

    def __init__(
        self,
        estimator: Any = None,
        threshold: float = 0.75,
        criterion: str = "threshold",
        k_best: int = 10,
        max_iter: int | None = 10,
        verbose: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.criterion = criterion
        self.k_best = k_best
        self.max_iter = max_iter
        self.verbose = verbose

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to the labels given, then to those found; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels, -1 for those to be found, also in text.
        sample_weight : array-like of shape (n_samples,), optional
            Passed on to the estimator, which must take it.
        """
        self._check()
        X, y = read(self, X, y, **_ADMITTED)
        X = X.tocsr() if hasattr(X, "tocsr") else X
        known = self._told(y)
        weights = weighed(sample_weight, X)
        self.transduction_ = np.array(y)
        self.labeled_iter_ = np.where(known, 0, -1)
        self.estimator_ = clone(self.estimator)
        self.n_iter_ = int(known.all())
        limit = np.inf if self.max_iter is None else self.max_iter
        self.termination_condition_ = "max_iter"
        while not known.all() and self.n_iter_ < limit:
            self.n_iter_ += 1
            self._refit(X, known, weights)
            chosen, labels = self._surest(X, known)
            if not chosen.size:
                # As in scikit-learn, running out of rounds has the last word.
                if self.n_iter_ != limit:
                    self.termination_condition_ = "no_change"
                break
            self.transduction_[chosen] = labels
            known[chosen] = True
            self.labeled_iter_[chosen] = self.n_iter_
        if known.all():
            self.termination_condition_ = "all_labeled"
        self._refit(X, known, weights)
        self.classes_ = self.estimator_.classes_
        return self

    @available_if(_has("predict"))  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the classes of samples."""
        X = self._admit(X)
        return np.asarray(self.estimator_.predict(X))

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class."""
        X = self._admit(X)
        return np.asarray(self.estimator_.predict_proba(X))

    @available_if(_has("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of `predict_proba`."""
        X = self._admit(X)
        return np.asarray(self.estimator_.predict_log_proba(X))

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Matrix:
        """Return the scores of the estimator."""
        X = self._admit(X)
        return np.asarray(self.estimator_.decision_function(X))

    @available_if(_has("score"))  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any) -> float:
        """Return the estimator's own score."""
        X = self._admit(X)
        return float(self.estimator_.score(X, y))

    def _admit(self, X: Any) -> Any:
        return samples(self, X, **_ADMITTED | {"accept_sparse": True})

    def _check(self) -> None:
        owner = type(self).__name__
        if not hasattr(self.estimator, "fit"):
            raise InvalidParameterError(
                f"{owner}.estimator must be a classifier, got {self.estimator!r}."
            )
        check_parameters(self)

    def _told(self, y: NDArray[Any]) -> NDArray[np.bool_]:
        known = told_labels(self, y)[1] >= 0
        free = np.count_nonzero(~known)
        if self.criterion == "k_best" and 0 < free < self.k_best:
            warnings.warn(
                "k_best is larger than the amount of unlabeled samples. All unlabeled "
                "samples will be labeled in the first iteration",
                UserWarning,
                stacklevel=4,
            )
        return known

    def _refit(self, X: Any, known: Any, weights: Any) -> None:
        given = None if weights is None else weights[known]
        labels = self.transduction_[known]
        fit_member(self.estimator_, X[np.flatnonzero(known)], labels, given)

    def _surest(self, X: Any, known: Any) -> tuple[NDArray[np.intp], NDArray[Any]]:
        """Return the samples to label, and their labels."""
        free = np.flatnonzero(~known)
        shares = np.asarray(self.estimator_.predict_proba(X[free]))
        sure = shares.max(axis=1)
        if self.criterion == "threshold":
            chosen = np.flatnonzero(sure > self.threshold)
        elif self.k_best >= len(free):
            chosen = np.arange(len(free))
        else:
            chosen = np.argpartition(-sure, self.k_best)[: self.k_best]
        labels = self.estimator_.classes_[winners(shares)]
        return free[chosen], labels[chosen]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self.estimator is not None:
            tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags
