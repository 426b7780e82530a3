"""Kernel perceptron with a budget: the oldest mistakes fade and are dropped."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import labelled, samples, streams, winners
from infimum.data.doors.labels import sign_rows
from infimum.kernels import Kernel, named_kernel
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.online._remembered import Remembered
from infimum.parameters import Domains, check_domain, check_parameters, whole
from infimum.typing import Matrix, Vector

__all__ = ["BudgetPerceptron"]

#: Rows compared with each other at a time.
BLOCK = 256


class BudgetPerceptron(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A kernel perceptron that remembers a fixed number of its mistakes.

    .. math:: \text{if } y_t f(x_t) ≤ 0: \quad f ← φ_t\,(f + y_t\,k(x_t, ·))
              \text{ without its oldest term, once there are more than } B

    Memory and time for an answer stay the same however long the stream is. Shrinking
    by φ makes the oldest term small before it goes; φ is the largest that keeps the
    harm of forgetting below 15/32 of the mistakes (the self-tuned forgetron), so that
    `infimum.certificates.budget_perceptron_bound` holds against every comparator that
    is short enough for the budget. More than two classes are learnt one against the
    rest, each with a budget of its own.

    Parameters
    ----------
    budget : int, default=200
        The most mistakes B that are remembered for a score.
    kernel : str, Kernel or callable, default="rbf"
        With values k(x, x) of at most 1 for the bound.
    gamma, degree, coef0
        As in `KernelPerceptron`.
    max_iter : int, default=10
        Most passes over the rows in `fit`; it stops after one without a mistake.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    supports_ : list of arrays
        For each score the rows that it remembers, the oldest first.
    dual_coef_ : list of ndarray
        For each score the coefficients of those rows.
    mistakes_ : ndarray of shape (n_classes or 1,)
        How many rows each score had on the wrong side, or on the border, when it met
        them.
    harm_ : ndarray of shape (n_classes or 1,)
        What forgetting has cost each score, in units of mistakes.
    n_iter_ : int
        Passes over the rows.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    >>> model = BudgetPerceptron(budget=4, gamma=2.0).fit(X, [0, 0, 1, 1])
    >>> model.predict(X).tolist(), len(model.supports_[0])
    ([0, 0, 1, 1], 4)

    References
    ----------
    Dekel, Shalev-Shwartz & Singer (2008), The forgetron, SIAM J. Computing 37.
    """

    _domains: ClassVar[Domains] = {
        "max_iter": whole(1),
    }

    classes_: Any

    def __init__(
        self,
        budget: int = 200,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        max_iter: int = 10,
    ) -> None:
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.max_iter = max_iter

    @property
    def kernel_(self) -> Kernel:
        """The kernel in use."""
        named = {name: getattr(self, name) for name in ("gamma", "coef0", "degree")}
        if callable(self.kernel) and not isinstance(self.kernel, Kernel):
            named = {}
        features = self.n_features_in_
        return named_kernel(type(self).__name__, self.kernel, features, named)

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Pass over the rows, in their order, until none is wrong; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        """
        check_parameters(self)
        found = labelled(self, X, y, moderate=True)
        self.classes_ = found.classes
        X, signs = _plain(found.X), sign_rows(found.y, len(self.classes_))
        scores = [Remembered.nothing(X) for _ in signs]
        for turn in in_time(range(1, int(self.max_iter) + 1)):
            before = sum(score.mistakes for score in scores)
            scores = self._pass(X, signs, scores)
            self.n_iter_ = turn
            if sum(score.mistakes for score in scores) == before:
                break
        return self._keep(scores)

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
        begun = hasattr(self, "supports_")
        found = streams(
            self, X, y, None, classes, first=not begun, door=labelled, moderate=True
        )
        self.classes_ = found.classes
        X, signs = _plain(found.X), sign_rows(found.y, len(self.classes_))
        scores = [
            self._recall(k) if begun else Remembered.nothing(X)
            for k in range(len(signs))
        ]
        self.n_iter_ = 1
        return self._keep(self._pass(X, signs, scores))

    def learn_one(self, x: Any, y: Any, classes: Any = None) -> Self:
        """Visit one sample, as `partial_fit` with a single row does."""
        row = x if hasattr(x, "tocsr") else np.asarray(x)[None, :]
        return self.partial_fit(row, [y], classes)

    def decision_function(self, X: Any) -> Vector | Matrix:
        """Return one score per sample (two classes) or per sample and class."""
        X, kernel = _plain(samples(self, X, moderate=True)), self.kernel_
        columns = [
            np.asarray(kernel(X, _alike(rows, X))) @ coefficients
            for rows, coefficients in zip(self.supports_, self.dual_coef_, strict=True)
        ]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        found = winners(self.decision_function(X))
        return np.asarray(self.classes_[found])

    def _pass(
        self, X: Any, signs: Matrix, scores: list[Remembered]
    ) -> list[Remembered]:
        """Return what each score remembers after the rows, block by block."""
        check_domain("BudgetPerceptron.budget", self.budget, whole(1))
        kernel, met = self.kernel_, list(scores)
        for start in range(0, X.shape[0], BLOCK):
            block = slice(start, min(X.shape[0], start + BLOCK))
            met = [
                score.after(X[block], signs[k, block], kernel, int(self.budget))
                for k, score in enumerate(met)
            ]
        return met

    def _recall(self, k: int) -> Remembered:
        counts = int(self.mistakes_[k]), float(self.harm_[k])
        return Remembered(self.supports_[k], self.dual_coef_[k], *counts)

    def _keep(self, scores: list[Remembered]) -> Self:
        self.supports_ = [score.rows for score in scores]
        self.dual_coef_ = [score.coefficients for score in scores]
        self.mistakes_ = np.array([score.mistakes for score in scores])
        self.harm_ = np.array([score.harm for score in scores])
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _plain(X: Any) -> Any:
    """Return rows as kernels take them, in double precision."""
    held: Any = X
    if sparse.issparse(X):
        return sparse.csr_array(held).astype(np.float64)
    return np.asarray(X, dtype=np.float64)


def _alike(rows: Any, X: Any) -> Any:
    """Return remembered rows in the form of the new ones, dense or sparse."""
    wanted, found = (bool(sparse.issparse(each)) for each in (X, rows))
    if wanted == found:
        return rows
    return sparse.csr_array(rows) if wanted else rows.toarray()
