"""From the values of leaves to answers: classes, shares of classes, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from infimum.data.doors import winners
from infimum.typing import Matrix

__all__ = ["ClassAnswers", "NumberAnswers"]


class ClassAnswers(ClassifierMixin):  # type: ignore[misc]
    """Predictions of classification trees, from the shares in their leaves."""

    classes_: Any
    n_classes_: Any
    n_outputs_: int

    if TYPE_CHECKING:

        def _values(self, X: Any) -> Matrix:
            """Return the mean value of the leaves of each row."""

    def _shares(self, X: Any) -> list[Matrix]:
        values = self._values(X)
        if self.n_outputs_ == 1:
            return [values]
        each = values.reshape(len(values), self.n_outputs_, -1)
        return [each[:, o, :k] for o, k in enumerate(self.n_classes_)]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest share; the first of them in a tie.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        codes = [winners(shares) for shares in self._shares(X)]
        if self.n_outputs_ == 1:
            return np.asarray(self.classes_[codes[0]])
        pairs = zip(self.classes_, codes, strict=True)
        return np.column_stack([names[won] for names, won in pairs])

    def predict_proba(self, X: Any) -> Any:
        """Return the share of each class; a list of such tables for several outputs."""
        shares = self._shares(X)
        return shares[0] if self.n_outputs_ == 1 else shares

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            logs = [np.log(shares) for shares in self._shares(X)]
        return logs[0] if self.n_outputs_ == 1 else logs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


class NumberAnswers(RegressorMixin):  # type: ignore[misc]
    """Predictions of regression trees."""

    n_outputs_: int

    if TYPE_CHECKING:

        def _values(self, X: Any) -> Matrix:
            """Return the mean value of the leaves of each row."""

    def predict(self, X: Any) -> Matrix:
        """Return the number told for each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        values = self._values(X)
        return values[:, 0] if self.n_outputs_ == 1 else values
