"""Decision stump: a tree of one split."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import labelled, samples, winners
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.trees._sorted_columns import SortedColumns
from infimum.models.trees._stump_search import CRITERIA, Cut, find_cut
from infimum.models.trees._stump_sums import StumpSum
from infimum.models.trees.structure import Tree
from infimum.parameters import Choice, Domains, check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["DecisionStump"]


class DecisionStump(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Tree of a single question, whether a feature is at most t.

    .. math:: h(x) = \begin{cases} a & x_j ≤ t \\ b & x_j > t \end{cases}

    Every threshold of every feature is tried, in one pass over sorted columns, and
    missing values are sent to the side where they do best. Alone it is a rule of
    thumb; `AdaBoostClassifier` makes a committee of many.

    Parameters
    ----------
    criterion : {'error', 'gini', 'entropy', 'exponential'}, default='error'
        What the question minimises: the weight that a majority vote on each side gets
        wrong, Gini's or Shannon's impurity, or the exponential risk of the best score
        on each side.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    feature_ : int
        -1 if no question is better than none.
    threshold_ : float
        Infinite if only missing values go right.
    missing_left_ : bool
    class_weights_ : ndarray of shape (2, n_classes)
        The weight of each class on the left and on the right.

    Examples
    --------
    >>> model = DecisionStump().fit([[1.0], [2.0], [4.0], [9.0]], list("aabb"))
    >>> model.threshold_, model.predict([[2.5], [3.5]])
    (3.0, array(['a', 'b'], dtype='<U1'))
    """

    _domains: ClassVar[Domains] = {
        "criterion": Choice(tuple(CRITERIA)),
    }

    def __init__(self, criterion: str = "error") -> None:
        self.criterion = criterion

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the best question; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        rule: Any = {"missing": True, "fewest": 1, "weightless": "forget"}
        found = labelled(self, X, y, sample_weight, **rule)
        self.classes_ = found.classes
        columns, count = SortedColumns.of(found.X), len(self.classes_)
        cut = find_cut(columns, found.y, found.shares(), count, self.criterion)
        return self._keep(cut, found.X.shape[1])

    def _keep(self, cut: Cut, n_features: int) -> Self:
        self.n_features_in_ = n_features
        self.feature_ = cut.feature
        self.threshold_ = cut.threshold
        self.missing_left_ = cut.missing_left
        self.class_weights_ = cut.weights
        return self

    @property
    def probabilities_(self) -> Matrix:
        """The share of each class on the left and on the right."""
        weight = self.class_weights_.sum(axis=1, keepdims=True)
        shares = self.class_weights_ / np.where(weight > 0, weight, 1.0)
        return np.where(weight > 0, shares, shares[0])

    @property
    def feature_importances_(self) -> Vector:
        """1 for the feature asked for, else 0."""
        out = np.zeros(self.n_features_in_)
        if self.feature_ >= 0:
            out[self.feature_] = 1.0
        return out

    @property
    def tree_(self) -> Tree:
        """The stump as a tree of flat arrays."""
        shares = self.probabilities_
        whole = self.class_weights_.sum(axis=0)
        root = whole / whole.sum()
        if self.feature_ < 0:
            return Tree.of([-1], [0.0], [-1], [-1], [root])
        return Tree.of(
            feature=[self.feature_, -1, -1],
            threshold=[self.threshold_, 0.0, 0.0],
            left=[1, -1, -1],
            right=[2, -1, -1],
            value=np.vstack([root, shares]),
            missing_left=[self.missing_left_, False, False],
            weight=[whole.sum(), *self.class_weights_.sum(axis=1)],
        )

    def predict_proba(self, X: Any) -> Matrix:
        """Return the share of each class on the side of each sample."""
        queries = samples(self, X, missing=True)
        return StumpSum.of([self], [self.probabilities_]).at(queries)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the heaviest class on the side of each sample."""
        found = winners(self.predict_proba(X))
        return np.asarray(self.classes_[found])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.classifier_tags.poor_score = True  # one question is not much
        return tags
