"""All against all: a two-class model for every pair of classes, and a vote."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils._tags import get_tags
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import labelled, read, samples, winners
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.committees._members import for_each
from infimum.models.multiclass._routed_member import RoutedMember, of_rows
from infimum.models.multiclass._two_class_scores import (
    member_has,
    refuse_new_labels,
    signed_scores,
)
from infimum.parameters import check_parameters
from infimum.typing import Matrix

__all__ = ["OneVsOneClassifier"]

TWO = 2


class OneVsOneClassifier(RoutedMember, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Classifier of many classes from k(k - 1)/2 classifiers of two.

    .. math:: h(x) = \arg\max_i \sum_{j ≠ i} \big(h_{ij}(x)\,1[i < j]
              - h_{ji}(x)\,1[j < i]\big)

    where :math:`h_{ij}` says +1 for class i and -1 for class j. Sums of the scores
    themselves, squeezed below the value of a vote, break ties.

    Parameters
    ----------
    estimator : classifier or regressor
        What tells two classes apart.
    n_jobs : int or None, default=None
        None or 1 fits one pair after another, anything else on all cores.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_ : tuple of fitted models
        For the pairs (0, 1), (0, 2), …, (1, 2), …; the second is its positive class.
    pairwise_indices_ : list of ndarray or None
        The samples of each pair, where the estimator takes a precomputed kernel.

    Examples
    --------
    >>> from infimum.models.trees import DecisionStump
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("aabbcc")
    >>> model = OneVsOneClassifier(DecisionStump()).fit(X, y)
    >>> len(model.estimators_), model.predict([[0.2], [2.4], [4.8]])
    (3, array(['a', 'b', 'c'], dtype='<U1'))
    """

    def __init__(self, estimator: Any, *, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a model for every pair of classes; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, as the estimator takes them.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            Passed on to every model, which must take it.
        **fit_params
            Other arguments that the estimator has requested, with metadata routing on.
        """
        check_parameters(self)
        told = self._passed_on("fit", sample_weight, fit_params)
        found = labelled(self, X, y, fewest=1, **_ADMITTED)
        X, codes, self.classes_ = found.X, found.y, found.classes
        if len(self.classes_) == 1:
            raise DataError(
                "OneVsOneClassifier can not be fit when only one class is present."
            )
        pairs = list(combinations(range(len(self.classes_)), 2))
        members = [np.flatnonzero(np.isin(codes, pair)) for pair in pairs]
        paired = get_tags(self.estimator).input_tags.pairwise

        def contest(t: int) -> Any:
            rows = members[t]
            labels = (codes[rows] == pairs[t][1]).astype(int)
            table = X[rows][:, rows] if paired else X[rows]
            own = of_rows(told, rows, len(codes))
            member = clone(self.estimator)
            member.fit(table, labels, **own)
            return member

        self.estimators_ = tuple(for_each(len(pairs), contest, self.n_jobs))
        self.pairwise_indices_ = members if paired else None
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
        """Teach the models of all pairs one more batch; return self.

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
                "OneVsOneClassifier.partial_fit needs all classes in its first call."
            )
        X, y = read(self, X, y, reset=first, **_ADMITTED)
        if first:
            self.classes_ = np.unique(classes)
        refuse_new_labels(self, y)
        codes = np.searchsorted(self.classes_, y)
        pairs = list(combinations(range(len(self.classes_)), 2))

        def teach(t: int) -> Any:
            # A copy: where a batch fails, the model from before it stays as it was.
            member = clone(self.estimator) if first else deepcopy(self.estimators_[t])
            rows = np.flatnonzero(np.isin(codes, pairs[t]))
            labels = (codes[rows] == pairs[t][1]).astype(int)
            if len(rows):
                own = of_rows(told, rows, len(codes))
                member.partial_fit(X[rows], labels, classes=[0, 1], **own)
            return member

        self.estimators_ = tuple(for_each(len(pairs), teach, self.n_jobs))
        self.pairwise_indices_ = None
        return self

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    def decision_function(self, X: Any) -> Matrix:
        """Return votes won less votes lost, and a little for how clearly.

        For two classes, the score of the second.
        """
        X = samples(self, X, **_ADMITTED)
        indices = getattr(self, "pairwise_indices_", None)  # files of 0.1 lack them
        scores = for_each(
            len(self.estimators_),
            lambda t: signed_scores(
                self.estimators_[t], X if indices is None else X[:, indices[t]]
            ),
            self.n_jobs,
        )
        if self.n_classes_ == TWO:
            return scores[0]
        votes = np.zeros((X.shape[0], self.n_classes_))
        clarity = np.zeros_like(votes)
        pairs = combinations(range(self.n_classes_), 2)
        for (first, second), score in zip(pairs, scores, strict=True):
            won = np.where(score > 0, 1.0, -1.0)
            for k, sign in ((second, 1.0), (first, -1.0)):
                votes[:, k] += sign * won
                clarity[:, k] += sign * score
        # |c| / (|c| + 1) < 1: less than the 2 by which sums of votes differ.
        return votes + 0.99 * clarity / (np.abs(clarity) + 1.0)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class that wins most contests."""
        found = winners(self.decision_function(X))
        return np.asarray(self.classes_[found])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        members = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = members.sparse
        tags.input_tags.allow_nan = members.allow_nan
        tags.input_tags.pairwise = members.pairwise
        return tags


_ADMITTED: dict[str, Any] = {"dtype": None, "missing": "unchecked"}
