"""One against the rest: a two-class model for every class, and the largest score."""

from __future__ import annotations

import warnings
from copy import deepcopy
from typing import Any, Self

import numpy as np
from scipy.sparse import csc_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils._tags import get_tags
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import read, samples, vector, winners
from infimum.data.doors.labels import check_labels
from infimum.errors import DataError
from infimum.features.columns import is_sparse
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.committees._members import for_each
from infimum.models.multiclass._routed_member import RoutedMember
from infimum.models.multiclass._two_class_scores import (
    member_has,
    refuse_new_labels,
    signed_scores,
)
from infimum.parameters import check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["OneVsRestClassifier"]

TWO = 2


class OneVsRestClassifier(RoutedMember, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Classifier of many classes from one classifier for each.

    .. math:: h(x) = \arg\max_i h_i(x)

    where :math:`h_i` scores class i against all others. Given a table of 0 and 1 in
    the place of labels, it decides for each column by itself.

    Parameters
    ----------
    estimator : classifier or regressor
        What tells a class from the rest.
    n_jobs : int or None, default=None
        None or 1 fits one class after another, anything else on all cores.
    verbose : ignored

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_ : list of fitted models
        One for each class, or a single one for two classes; a number stands for a
        column that is always the same.
    multilabel_ : bool

    Examples
    --------
    >>> from infimum.models.probabilistic import GaussianNB
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("aabbcc")
    >>> OneVsRestClassifier(GaussianNB()).fit(X, y).predict([[0.2], [2.4], [4.8]])
    array(['a', 'b', 'c'], dtype='<U1')
    """

    def __init__(
        self, estimator: Any, *, n_jobs: int | None = None, verbose: int = 0
    ) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.verbose = verbose

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a model for every class; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, as the estimator takes them.
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels, or a table of 0 and 1.
        sample_weight : array-like of shape (n_samples,), optional
            Passed on to every model, which must take it.
        **fit_params
            Other arguments that the estimator has requested, with metadata routing on.
        """
        check_parameters(self)
        told = self._passed_on("fit", sample_weight, fit_params)
        given = y
        X, y = read(self, X, y, several=True, **_ADMITTED)
        if np.ndim(y) == TWO and np.shape(y)[1] == 1:
            y = vector(y, warn=True)
        check_labels(y)
        self.label_binarizer_ = LabelBinarizer().fit(y)
        self.label_binarizer_.sparse_input_ = is_sparse(given)
        # The binarizer makes strings of fixed length of objects; labels stay as given.
        kind = np.asarray(y).dtype
        named = self.label_binarizer_.classes_
        self.classes_ = named.astype(kind) if kind.kind == "O" else named
        table = np.asarray(self.label_binarizer_.transform(y))

        def oppose(k: int) -> Any:
            labels = table[:, k]
            if self.n_classes_ == 1:
                return 1.0
            if (labels == labels[0]).all():
                warnings.warn(
                    f"Label {'' if labels[0] else 'not '}{self.classes_[k]} is present "
                    "in all training examples.",
                    stacklevel=2,
                )
                return float(labels[0])
            member = clone(self.estimator)
            member.fit(X, labels, **told)
            return member

        self.estimators_ = for_each(table.shape[1], oppose, self.n_jobs)
        return self

    @available_if(member_has("partial_fit"))  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
        **partial_fit_params: Any,
    ) -> Self:
        """Teach every model one more batch; return self.

        Parameters
        ----------
        X, y
            As for `fit`.
        classes : array-like, optional
            All labels that will ever come; needed in the first call only.
        sample_weight, **partial_fit_params
            As for `fit`.
        """
        told = self._passed_on("partial_fit", sample_weight, partial_fit_params)
        first = not hasattr(self, "estimators_")
        if first and classes is None:
            raise DataError(
                "OneVsRestClassifier.partial_fit needs all classes in its first call."
            )
        X, y = read(self, X, y, several=True, reset=first, **_ADMITTED)
        if first:
            self.label_binarizer_ = LabelBinarizer().fit(np.unique(classes))
            self.classes_ = self.label_binarizer_.classes_
        refuse_new_labels(self, y)
        table = np.asarray(self.label_binarizer_.transform(y))
        # Copies: where a batch fails, the models from before it stay as they were.
        members = self.estimators_ if not first else [self.estimator] * table.shape[1]
        copied = clone if first else deepcopy

        def teach(k: int) -> Any:
            member: Any = copied(members[k])
            member.partial_fit(X, table[:, k], classes=[0, 1], **told)
            return member

        self.estimators_ = for_each(table.shape[1], teach, self.n_jobs)
        return self

    @property
    def multilabel_(self) -> bool:
        """Whether each column is decided by itself."""
        return bool(self.label_binarizer_.y_type_.startswith("multilabel"))

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    def decision_function(self, X: Any) -> Matrix:
        """Return the score of each class, or of the second of two."""
        scores = np.column_stack(self._each(X, _score))
        return np.asarray(scores[:, 0] if scores.shape[1] == 1 else scores)

    @available_if(member_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class; they sum to 1 unless multilabel.

        Where no model gives its class a chance, all are 0.
        """
        shares = np.column_stack(self._each(X, _share))
        if shares.shape[1] == 1 < self.n_classes_:
            shares = np.column_stack([1.0 - shares, shares])
        if self.multilabel_:
            return shares
        total = shares.sum(axis=1, keepdims=True)
        nothing = np.zeros_like(shares)
        return np.asarray(np.divide(shares, total, out=nothing, where=total > 0))

    def predict(self, X: Any) -> Any:
        """Return the class with the largest score, or a table of 0 and 1."""
        scores = self.decision_function(X)
        if self.multilabel_:
            table = np.asarray(scores.reshape(len(scores), -1) > 0).astype(int)
            return csc_matrix(table) if self.label_binarizer_.sparse_input_ else table
        return np.asarray(
            self.classes_[np.minimum(winners(scores), self.n_classes_ - 1)]
        )

    def _each(self, X: Any, ask: Any) -> list[Vector]:
        X = samples(self, X, **_ADMITTED)
        return for_each(
            len(self.estimators_), lambda k: ask(self.estimators_[k], X), self.n_jobs
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        members = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = members.sparse
        tags.input_tags.allow_nan = members.allow_nan
        tags.input_tags.pairwise = members.pairwise
        tags.classifier_tags.multi_label = True
        return tags


_ADMITTED: dict[str, Any] = {"dtype": None, "missing": "unchecked"}


def _score(model: Any, X: Any) -> Vector:
    if isinstance(model, float):
        return np.full(X.shape[0], model)
    return signed_scores(model, X)


def _share(model: Any, X: Any) -> Vector:
    if isinstance(model, float):
        return np.full(X.shape[0], model)
    return np.asarray(model.predict_proba(X))[:, 1]
