"""A committee that votes on a class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.preprocessing import LabelEncoder
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target

from infimum.data.doors import check_fitted, winners
from infimum.data.doors.labels import admit_labels
from infimum.errors import InvalidParameterError
from infimum.models.ensembles.boosting._weak_learners import spread
from infimum.models.ensembles.committees._voting import Voting
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix

__all__ = ["VotingClassifier"]

_TABLE, _HALF = 2, 0.5


def _soft(committee: Any) -> bool:
    if committee.voting == "hard":
        raise AttributeError(f"predict_proba is not available when voting={'hard'!r}")
    return True


def _is_table(y: Any) -> bool:
    table = np.asarray(y)
    return table.ndim == _TABLE and type_of_target(table) == "multilabel-indicator"


class VotingClassifier(ClassifierMixin, Voting):  # type: ignore[misc]
    r"""Committee of different classifiers that decides by weighted majority.

    .. math:: H(x) = \arg\max_y \sum_t w_t\, 1[h_t(x) = y]

    Votes are worth most where members err on different rows. Given a table of 0 and 1
    in the place of labels, soft voting decides for each column by itself.

    Parameters
    ----------
    estimators : list of (str, classifier)
        The members; 'drop' in the place of a classifier leaves it out.
    voting : {'hard', 'soft'}, default='hard'
        Whether members name a class, or give probabilities that are averaged.
    weights : array-like of shape (n_estimators,), optional
        What each vote counts; the same by default.
    n_jobs : int or None, default=None
        None or 1 fits one member after another, anything else on all cores.
    flatten_transform : bool, default=True
        Whether `transform` puts the probabilities of all members side by side.
    verbose : ignored

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimators_ : list of fitted classifiers
    named_estimators_ : Bunch
    le_ : LabelEncoder
        Not there for a table of 0 and 1.
    multilabel_ : bool
        Whether each column is decided by itself.

    Examples
    --------
    >>> from infimum.models.probabilistic import GaussianNB
    >>> from infimum.models.trees import DecisionStump
    >>> members = [("stump", DecisionStump()), ("bayes", GaussianNB())]
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], list("aabb")
    >>> VotingClassifier(members, voting="soft").fit(X, y).predict([[1.2], [1.9]])
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(
        self,
        estimators: Any,
        *,
        voting: str = "hard",
        weights: Any = None,
        n_jobs: int | None = None,
        flatten_transform: bool = True,
        verbose: bool = False,
    ) -> None:
        self.estimators = estimators
        self.voting = voting
        self.weights = weights
        self.n_jobs = n_jobs
        self.flatten_transform = flatten_transform
        self.verbose = verbose

    def _targets(self, y: Any) -> Any:
        domain = Choice(("hard", "soft"))
        check_domain("VotingClassifier.voting", self.voting, domain)
        self.multilabel_ = self.voting == "soft" and _is_table(y)
        if self.multilabel_:
            table = np.asarray(y)
            self.classes_ = np.arange(table.shape[1])
            return table
        shape = getattr(y, "shape", None) or np.asarray(y).shape
        if len(shape) == _TABLE and shape[1] > 1:
            raise NotImplementedError(
                "VotingClassifier decides for several columns by voting='soft' only, "
                "each of two classes."
            )
        labels = admit_labels(y)
        self.le_ = LabelEncoder().fit(labels)
        self.classes_ = self.le_.classes_
        return self.le_.transform(labels)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with most votes, or the largest mean probability.

        Ties go to the first class. A column of several is 1 if its mean is above half.
        """
        tallies = self._tallies(X)
        if self.multilabel_:
            return np.asarray(tallies > _HALF).astype(int)
        return np.asarray(self.classes_[winners(tallies)])

    @available_if(_soft)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the weighted mean of the members' probabilities."""
        return self._tallies(X)

    def transform(self, X: Any) -> Any:
        """Return what every member says: names as positions, or probabilities."""
        if self.voting == "hard":
            return np.column_stack(self._opinions(X))
        opinions = self._opinions(X, "predict_proba")
        return np.hstack(opinions) if self.flatten_transform else np.array(opinions)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of what `transform` gives."""
        owner = type(self).__name__.lower()
        names = [
            name for name, member in self.estimators if not isinstance(member, str)
        ]
        if self.voting == "hard":
            return np.asarray([f"{owner}_{name}" for name in names], dtype=object)
        if not self.flatten_transform:
            raise InvalidParameterError(
                "VotingClassifier.get_feature_names_out needs flatten_transform=True "
                "or voting='hard'."
            )
        count = len(self.classes_)
        return np.asarray(
            [f"{owner}_{name}{k}" for name in names for k in range(count)], dtype=object
        )

    def _tallies(self, X: Any) -> Matrix:
        check_fitted(self)
        if self.voting == "soft":
            classes = np.arange(len(self.classes_))
            opinions = [
                spread(member, classes, shares)
                for member, shares in zip(
                    self.estimators_, self._opinions(X, "predict_proba"), strict=True
                )
            ]
            return np.asarray(np.average(opinions, axis=0, weights=self._shares))
        opinions = self._opinions(X)
        shares = np.ones(len(opinions)) if self._shares is None else self._shares
        votes = np.zeros((len(opinions[0]), len(self.classes_)))
        for share, names in zip(shares, opinions, strict=True):
            votes[np.arange(len(names)), names] += share
        return votes
