"""Machines for a score of the whole sample: F₁, ROC area, precision at k."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.certificates import Certificate
from infimum.data.doors import check_fitted, labelled, samples, winners
from infimum.errors import DataError, InvalidParameterError
from infimum.losses import ContingencyScore, RocArea, SampleLoss
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._whole_sample import (
    keep_whole_sample,
    prove_whole_sample,
    sample_risk,
)
from infimum.objectives import SampleRisk
from infimum.parameters import Domain, check_parameters, positive, whole
from infimum.typing import Vector

__all__ = ["ScoreMaximizer"]


class ScoreMaximizer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Two classes told apart so that one score of all answers is high.

    .. math:: \min_w \tfrac12 \|w\|^2 + C\, \ell(y, Xw)

    The loss is at least 1 minus the score on the samples of the fit. The intercept is
    the weight of a constant column, and is penalised with the others.

    Parameters
    ----------
    metric : str, default="f1"
        "f1", "roc_auc" or "precision@k" with a number for k: precision among the k
        highest scores.
    C : float, default=1.0
    intercept_scaling : float, default=1.0
        The constant column.
    max_iter : int, default=2000
    tol : float, default=1e-3
        The proved gap, as a share of the loss without weights.

    Attributes
    ----------
    classes_ : ndarray of two classes
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    planes_ : tuple
    certificate_ : Certificate
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = ScoreMaximizer("f1", C=10.0).fit(X, ["no", "no", "no", "yes"])
    >>> model.predict([[0.0], [4.0]]).tolist()
    ['no', 'yes']

    References
    ----------
    Joachims (2005), ICML.
    """

    _domains: ClassVar[dict[str, Domain]] = {
        "C": positive,
        "intercept_scaling": positive,
        "max_iter": whole(1),
        "tol": positive,
    }

    def __init__(
        self,
        metric: str = "f1",
        *,
        C: float = 1.0,
        intercept_scaling: float = 1.0,
        max_iter: int = 2000,
        tol: float = 1e-3,
    ) -> None:
        self.metric = metric
        self.C = C
        self.intercept_scaling = intercept_scaling
        self.max_iter = max_iter
        self.tol = tol

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Find the weights."""
        check_parameters(self)
        w = keep_whole_sample(self, self._risk(X, y), self.tol, self.max_iter)
        self.coef_, self.intercept_ = w[None, :-1], self.intercept_scaling * w[-1:]
        return self

    def decision_function(self, X: Any) -> Vector:
        """Return scores; above 0 stands the second class."""
        check_fitted(self, "coef_")
        return np.asarray(samples(self, X) @ self.coef_[0] + self.intercept_[0])

    def predict(self, X: Any) -> Any:
        """Return the class of each sample."""
        check_fitted(self, "coef_")
        scores = self.decision_function(X)
        return self.classes_[winners(scores)]

    def certify(self, X: Any, y: Any, *, rigorous: bool = False) -> Certificate:
        """Compute the proof of this model again, every plane from the data.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "coef_")
        risk = self._risk(X, y)
        last = self.intercept_ / self.intercept_scaling
        proof = prove_whole_sample(self, risk, np.append(self.coef_[0], last))
        return not_audited(self, proof) if rigorous else proof

    def _loss(self) -> SampleLoss:
        if self.metric == "f1":
            return ContingencyScore()
        if self.metric == "roc_auc":
            return RocArea()
        found = re.fullmatch(r"precision@([1-9][0-9]*)", str(self.metric))
        if found is None:
            raise InvalidParameterError(
                "ScoreMaximizer.metric must be 'f1', 'roc_auc' or 'precision@k' with a "
                f"number for k, got {self.metric!r}."
            )
        return ContingencyScore(k=int(found[1]))

    def _risk(self, X: Any, y: Any) -> SampleRisk:
        loss, rows = self._loss(), labelled(self, X, y)
        self.classes_ = rows.classes
        if len(rows.classes) != 2:  # noqa: PLR2004
            raise DataError(
                f"Only binary classification is supported. ScoreMaximizer got "
                f"{len(rows.classes)} classes."
            )
        constant = np.full((len(rows.y), 1), float(self.intercept_scaling))
        table: Any = rows.X
        parts: Any = [table, sparse.csr_array(constant)]
        joined: Any = (
            sparse.hstack(parts, format="csr")
            if sparse.issparse(table)
            else np.hstack([table, constant])
        )
        signs = np.where(np.asarray(rows.y) > 0, 1.0, -1.0)
        return sample_risk(joined, signs, loss, self.C)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags
