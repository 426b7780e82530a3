"""Base of naive Bayes models: log-probabilities, predictions, learning in batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import (
    Rows,
    labelled,
    read,
    refuse_huge,
    samples,
    weighed,
    winners,
)
from infimum.data.doors.labels import check_labels
from infimum.data.doors.streamed_rows import streams
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import Domains, check_parameters, positive
from infimum.typing import Indices, Matrix, Vector

__all__ = ["NaiveBayes", "log_sums"]

TWO = 2


class NaiveBayes(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A law of each class under which features are independent.

    Subclasses keep sums over rows (`_add`), from which their parameters follow
    (`_settle`), so that batches add up to the whole.
    """

    _domains: ClassVar[Domains] = {
        "threshold": positive,
    }

    threshold: float
    #: What the door is told of the table.
    _admitted: ClassVar[dict[str, Any]] = {}
    classes_: NDArray[Any]

    @abstractmethod
    def _begin(self, n_features: int) -> None:
        """Set all sums to 0."""

    @abstractmethod
    def _add(self, X: Any, codes: Indices, weights: Vector) -> None:
        """Add rows to the sums."""

    @abstractmethod
    def _settle(self) -> None:
        """Work out the parameters from the sums."""

    @abstractmethod
    def _joint(self, X: Any) -> Matrix:
        """Return log p(class) + log p(x | class) of admitted samples."""

    @streams("infimum.models.streamed.moments:fit_naive_bayes")
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the law of each class; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        rule = {"fewest": 1, "weightless": "forget", **self._admitted}
        found = labelled(self, X, y, sample_weight, **rule)
        self.classes_ = found.classes
        self._check_classes()
        self._begin(found.X.shape[1])
        self._add(self._read(found.X), found.y, found.shares())
        self._settle()
        return self

    @whole_or_not_at_all
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from one more batch; return self.

        However the rows are cut into batches, the model is that of `fit` on all.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes : array-like, optional
            All labels that will ever come; needed in the first call only.
        """
        check_parameters(self)
        first = not hasattr(self, "classes_")
        X, y = read(self, X, y, moderate=True, reset=first, **self._admitted)
        weights = Rows(X, weights=weighed(sample_weight, X)).shares()
        if first:
            if classes is None:
                raise DataError(
                    f"{type(self).__name__}.partial_fit: classes must be passed on the "
                    "first call to partial_fit."
                )
            self.classes_ = np.unique(classes)
            self._check_classes()
            self._begin(X.shape[1])
        self._add(self._read(X), self._codes(y, classes), weights)
        self._settle()
        return self

    def predict_joint_log_proba(self, X: Any) -> Matrix:
        """Return log p(class) + log p(x | class), one column for each class."""
        return self._joint(self._read(samples(self, X)))

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of the posterior of each class.

        Products of many small probabilities are sums of logarithms here, so that long
        documents do not underflow. A sample that is impossible under every class gets
        equal shares.
        """
        joint = self.predict_joint_log_proba(X)
        joint[np.isneginf(joint).all(axis=1)] = 0.0
        return np.asarray(joint - logsumexp(joint, axis=1, keepdims=True))

    def predict_proba(self, X: Any) -> Matrix:
        """Return the posterior of each class."""
        return np.exp(self.predict_log_proba(X))

    def log_odds(self, X: Any) -> Vector:
        r"""Return by how much the logarithm of the odds exceeds that of the threshold.

        .. math:: t(x) = \log\frac{p(x \mid 1)\, p(1)}{p(x \mid 0)\, p(0)} - \log c

        for two classes; the joint log-probabilities for another number of them.
        """
        joint = self.predict_joint_log_proba(X)
        if len(self.classes_) != TWO:
            return joint
        joint[np.isneginf(joint).all(axis=1)] = 0.0
        return np.asarray(joint[:, 1] - joint[:, 0] - np.log(self.threshold))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likelier class; of two, the second where its odds exceed c."""
        found = winners(self.log_odds(X))
        return np.asarray(self.classes_[found])

    def _read(self, X: Any) -> Any:
        """Return admitted samples as the sums need them."""
        refuse_huge(self, X)
        return X

    def _check_classes(self) -> None:
        if self.threshold != 1.0 and len(self.classes_) != TWO:
            raise InvalidParameterError(
                f"{type(self).__name__}.threshold weighs two classes against each "
                f"other, there are {len(self.classes_)}."
            )

    def _codes(self, y: Any, classes: Any) -> Indices:
        owner, labels = type(self).__name__, np.asarray(y)
        if classes is not None and not np.array_equal(
            np.unique(classes), self.classes_
        ):
            raise DataError(
                f"{owner}.partial_fit: classes={classes!r} is not the same as on the "
                f"last call, when it was {self.classes_!r}."
            )
        check_labels(labels)
        unknown = np.setdiff1d(labels, self.classes_)
        if len(unknown):
            raise DataError(
                f"{owner}.partial_fit: y has labels that are not in classes: "
                f"{unknown.tolist()[:5]}."
            )
        return np.searchsorted(self.classes_, labels)


def log_sums(X: Any, logs: Matrix) -> Matrix:
    """Return Σⱼ xⱼ logs[k, j] for each row and class, where 0 · log 0 is 0."""
    impossible = np.isneginf(logs)
    out = np.asarray(X @ np.where(impossible, 0.0, logs).T)
    if impossible.any():
        out = np.where(np.asarray(X @ impossible.T.astype(float)) > 0, -np.inf, out)
    return out
