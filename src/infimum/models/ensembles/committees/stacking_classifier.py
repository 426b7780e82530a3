"""Stacked classifiers: a final classifier learns from their predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.preprocessing import LabelEncoder
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target

from infimum.data.doors.labels import admit_labels
from infimum.errors import InvalidParameterError
from infimum.models.ensembles.boosting._weak_learners import spread
from infimum.models.ensembles.committees._stacking import Stacking
from infimum.models.linear import LogisticRegression
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix

__all__ = ["StackingClassifier"]

TABLE = 2
METHODS = ("predict_proba", "decision_function", "predict")


def _final_has(method: str) -> Any:
    def has(stack: Any) -> bool:
        final = getattr(stack, "final_estimator_", stack.final_estimator)
        getattr(stack._default() if final is None else final, method)
        return True

    return has


class StackingClassifier(ClassifierMixin, Stacking):  # type: ignore[misc]
    """Classifier on the predictions of other classifiers.

    The final classifier learns from predictions for rows that a member had not seen
    (each fold is held back once), so that it does not trust those that learn by heart.

    Parameters
    ----------
    estimators : list of (str, classifier)
        The members; 'drop' in the place of a classifier leaves it out.
    final_estimator : classifier, optional
        By default `LogisticRegression`.
    cv : int, splitter, iterable or 'prefit', optional
        How rows are held back; five stratified folds by default. 'prefit' takes
        members that are fitted already, on other rows.
    stack_method : {'auto', 'predict_proba', 'decision_function', 'predict'}, \
            default='auto'
        How members speak; 'auto' takes the first that they have.
    n_jobs : int or None, default=None
        None or 1 fits one member after another, anything else on all cores.
    passthrough : bool, default=False
        Whether the final classifier sees the samples, too.
    verbose : ignored

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        For a table of 0 and 1 in the place of labels, a list of them.
    estimators_ : list of fitted classifiers
        Fitted to all rows.
    named_estimators_ : Bunch
    final_estimator_ : fitted classifier
    stack_method_ : list of str

    Examples
    --------
    >>> from infimum.models.probabilistic import GaussianNB
    >>> from infimum.models.trees import DecisionStump
    >>> members = [("stump", DecisionStump()), ("bayes", GaussianNB())]
    >>> X, y = [[0.0], [0.5], [1.0], [2.0], [2.5], [3.0]], list("aaabbb")
    >>> StackingClassifier(members, cv=3).fit(X, y).predict([[0.2], [2.7]])
    array(['a', 'b'], dtype='<U1')

    References
    ----------
    Wolpert (1992), Neural Networks 5.
    """

    def __init__(
        self,
        estimators: Any,
        final_estimator: Any = None,
        *,
        cv: Any = None,
        stack_method: str = "auto",
        n_jobs: int | None = None,
        passthrough: bool = False,
        verbose: int = 0,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.stack_method = stack_method
        self.n_jobs = n_jobs
        self.passthrough = passthrough
        self.verbose = verbose

    def _default(self) -> Any:
        return LogisticRegression()

    def _targets(self, y: Any) -> Any:
        domain = Choice(("auto", *METHODS))
        check_domain("StackingClassifier.stack_method", self.stack_method, domain)
        self._encoder = None
        shape = getattr(y, "shape", None) or np.asarray(y).shape
        if len(shape) == TABLE and type_of_target(y) == "multilabel-indicator":
            table = np.asarray(y)
            self.classes_ = [np.unique(column) for column in table.T]
            return table
        labels = admit_labels(y)
        self._encoder = LabelEncoder().fit(labels)
        self.classes_ = self._encoder.classes_
        return self._encoder.transform(labels)

    def _method(self, member: Any) -> str:
        wanted = METHODS if self.stack_method == "auto" else (self.stack_method,)
        for method in wanted:
            if hasattr(member, method):
                return method
        raise InvalidParameterError(
            f"StackingClassifier.stack_method={self.stack_method!r}: "
            f"{type(member).__name__} has no such method."
        )

    def _columns(self, member: Any, answers: Any) -> Matrix:
        if isinstance(answers, list):  # a table of probabilities for each output
            return np.hstack([shares[:, 1:] for shares in answers])
        table = np.asarray(answers)
        if table.ndim == 1:
            return table[:, None]
        if self._encoder is None:
            return table
        count = len(self.classes_)
        if table.shape[1] == len(member.classes_) < count:
            known = self._encoder.transform(self._seen(member))
            out = np.zeros((len(table), count))
            out[:, known] = table
            table = out
        # The probabilities of two classes say the same.
        return table[:, 1:] if table.shape[1] == 2 else table  # noqa: PLR2004

    def _seen(self, member: Any) -> Any:
        """Return the labels of a member's classes, which may be their positions."""
        return member.classes_ if self._prefit else self.classes_[member.classes_]

    def predict(self, X: Any, **predict_params: Any) -> NDArray[Any]:
        """Return the class that the final classifier names.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
        **predict_params
            What the final classifier is to know.
        """
        table = self.transform(X)
        codes = self.final_estimator_.predict(table, **predict_params)
        return np.asarray(codes if self._encoder is None else self.classes_[codes])

    @available_if(_final_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probabilities of the final classifier."""
        table = self.transform(X)
        shares = self.final_estimator_.predict_proba(table)
        if self._encoder is None:
            each = isinstance(shares, list)
            return np.asarray(
                np.column_stack([s[:, 0] for s in shares]) if each else shares
            )
        return spread(self.final_estimator_, np.arange(len(self.classes_)), shares)

    @available_if(_final_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Matrix:
        """Return the scores of the final classifier."""
        table = self.transform(X)
        return np.asarray(self.final_estimator_.decision_function(table))
