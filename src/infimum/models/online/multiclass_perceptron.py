"""Multiclass perceptron: the true class gains weight, the predicted one loses it."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state

from infimum.compiled.descent.multiclass_perceptron import contest
from infimum.compiled.rows import Rows, rows_of
from infimum.data.doors import labelled, samples, streams, winners
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.online._learner import pending_order
from infimum.models.online._sparse_weights import products
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Indices, Matrix

__all__ = ["MulticlassPerceptron"]


class MulticlassPerceptron(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""One vector of weights for each class; the highest score wins.

    .. math:: \hat y = \arg\max_k ⟨w_k, x_t⟩ + b_k, \qquad
              \text{if } \hat y ≠ y_t: \quad w_{y_t} ← w_{y_t} + x_t, \quad
              w_{\hat y} ← w_{\hat y} - x_t

    and the same for the intercepts. A tie with the truth is a mistake.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether each mistake also moves the intercepts.
    max_iter : int, default=1000
        Most passes over the rows in `fit`, which stops when one is without mistake.
    shuffle : bool, default=True
        Whether `fit` shuffles the rows before each pass. `partial_fit` never does.
    random_state : int, RandomState or None, default=0
        Order of the rows.
    average : bool, default=False
        Whether to predict by the mean of the weights after every row.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes, n_features)
    intercept_ : ndarray of shape (n_classes,)
    n_iter_ : int
        Passes over the rows.
    mistakes_ : int
        Rows at which another class won, over all passes.
    memory_ : dict
        What `partial_fit` goes on from.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> model = MulticlassPerceptron(shuffle=False).fit(X, ["a", "b", "c"])
    >>> model.predict(X).tolist(), model.mistakes_
    (['a', 'b', 'c'], 3)

    References
    ----------
    Duda & Hart (1973). Crammer & Singer (2003), JMLR 3.
    """

    _domains: ClassVar[Domains] = {
        "max_iter": whole(1),
    }

    classes_: Any

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        shuffle: bool = True,
        random_state: Any = 0,
        average: bool = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.average = average

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Pass over the rows until none is misclassified; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        """
        check_parameters(self)
        found = labelled(self, X, y, moderate=True)
        X, codes, self.classes_ = found.X, found.y, found.classes
        memory = self._blank(X.shape[1])
        generator = check_random_state(self.random_state) if self.shuffle else None
        table, rows, mistakes = rows_of(X), np.arange(len(codes)), 0
        for turn in in_time(range(1, int(self.max_iter) + 1)):
            order = pending_order(rows, generator)
            wrong = _visit(table, codes, order, memory)
            mistakes, self.n_iter_ = mistakes + wrong, turn
            if wrong == 0:
                break
        return self._keep(memory, mistakes)

    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Visit each row once, in their order; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows that came.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like, optional
            All labels that may come; needed at the first call.
        """
        kept = getattr(self, "memory_", None)
        found = streams(
            self, X, y, None, classes, first=kept is None, door=labelled, moderate=True
        )
        X, codes, self.classes_ = found.X, found.y, found.classes
        memory = self._blank(X.shape[1])
        if kept is not None:
            for name, place in memory.items():
                place[...] = kept[name]  # refuses shapes that the loop cannot trust
        wrong = _visit(rows_of(X), codes, np.arange(len(codes)), memory)
        self.n_iter_ = 1
        return self._keep(memory, wrong + (0 if kept is None else self.mistakes_))

    def learn_one(self, x: Any, y: Any, classes: Any = None) -> Self:
        """Visit one sample, as `partial_fit` with a single row does."""
        row = x if hasattr(x, "tocsr") else np.asarray(x)[None, :]
        return self.partial_fit(row, [y], classes)

    def decision_function(self, X: Any) -> Matrix:
        """Return one score per sample and class; for two classes, their difference."""
        rows = samples(self, X)
        scores = np.asarray(products(self, rows, self.coef_) + self.intercept_)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores  # noqa: PLR2004

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        found = winners(self.decision_function(X))
        return np.asarray(self.classes_[found])

    def _blank(self, features: int) -> dict[str, Any]:
        shape = (len(self.classes_), features + 1)
        free = 1.0 if self.fit_intercept else 0.0
        return {
            "stored": np.zeros(shape),
            "total": np.zeros(shape),
            "state": np.array([0.0, free]),
        }

    def _keep(self, memory: dict[str, Any], mistakes: int) -> Self:
        self.memory_, self.mistakes_ = memory, int(mistakes)
        weights = memory["stored"]
        if self.average:
            # A change at time s is in the weights of all times from s on.
            weights = weights - memory["total"] / memory["state"][0]
        self.coef_, self.intercept_ = weights[:, :-1].copy(), weights[:, -1].copy()
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _visit(
    table: Rows,
    codes: NDArray[np.intp],
    order: Indices,
    memory: dict[str, Any],
) -> int:
    """Make one pass over the rows; return the number of mistakes."""
    first = np.array(codes)
    arrays = memory["stored"], memory["total"], memory["state"]
    contest(table, codes, order, first, *arrays)
    return int(np.count_nonzero(first != codes))
