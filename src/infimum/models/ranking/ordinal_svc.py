"""Ordinal machines: samples of a higher level score more than those of a lower one."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.certificates import Certificate
from infimum.data.doors import check_fitted, labelled, samples
from infimum.errors import DataError
from infimum.losses import OrdinalPairs
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._whole_sample import (
    keep_whole_sample,
    prove_whole_sample,
    sample_risk,
)
from infimum.objectives import SampleRisk
from infimum.parameters import Choice, Domain, check_parameters, positive, whole
from infimum.typing import Indices, Vector

__all__ = ["OrdinalSVC"]


class OrdinalSVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A line along which levels are ordered, and thresholds between them.

    .. math:: \min_w \tfrac12 \|w\|^2 + \frac CM \sum_{y_i < y_j}
              C(y_i, y_j) \max(0, 1 + w^\top(x_i - x_j))

    M is the number of pairs of different levels. The thresholds are those of the
    fewest mistakes on the samples of the fit.

    Parameters
    ----------
    C : float, default=1.0
    costs : {"constant", "linear"}, default="constant"
        Whether a pair costs 1, or as many levels as it is apart.
    max_iter : int, default=2000
    tol : float, default=1e-3
        The proved gap, as a share of the loss without weights.

    Attributes
    ----------
    classes_ : ndarray
        The levels, sorted.
    coef_ : ndarray of shape (n_features,)
    thresholds_ : ndarray of shape (n_classes - 1,)
    planes_ : tuple
    certificate_ : Certificate
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = OrdinalSVC(C=10.0).fit(X, [1, 1, 2, 2, 3, 3])
    >>> model.predict([[0.2], [2.4], [9.0]]).tolist()
    [1, 2, 3]
    """

    _domains: ClassVar[dict[str, Domain]] = {
        "C": positive,
        "costs": Choice(("constant", "linear")),
        "max_iter": whole(1),
        "tol": positive,
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        costs: str = "constant",
        max_iter: int = 2000,
        tol: float = 1e-3,
    ) -> None:
        self.C = C
        self.costs = costs
        self.max_iter = max_iter
        self.tol = tol

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the line and the thresholds."""
        check_parameters(self)
        risk, levels, weights = self._risk(X, y, sample_weight)
        self.coef_ = keep_whole_sample(self, risk, self.tol, self.max_iter)
        scores = np.asarray(risk.design.scores(self.coef_), dtype=np.float64)
        self.thresholds_ = np.maximum.accumulate(
            [_threshold(scores, levels > k, weights) for k in range(levels.max())]
        )
        return self

    def utility(self, X: Any) -> Vector:
        """Return the place of samples along the line."""
        check_fitted(self, "coef_")
        return np.asarray(samples(self, X) @ self.coef_)

    def predict(self, X: Any) -> Any:
        """Return the level of each sample."""
        above = self.utility(X)[:, None] > self.thresholds_
        return self.classes_[above.sum(axis=1)]

    def certify(
        self, X: Any, y: Any, sample_weight: Any = None, *, rigorous: bool = False
    ) -> Certificate:
        """Compute the proof of this model again, every plane from the data.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "coef_")
        risk = self._risk(X, y, sample_weight)[0]
        proof = prove_whole_sample(self, risk, self.coef_)
        return not_audited(self, proof) if rigorous else proof

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # classes that are no levels
        return tags

    def _risk(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[SampleRisk, Indices, Vector]:
        rows = labelled(self, X, y, sample_weight)
        self.classes_ = rows.classes
        weights = np.ones(len(rows.y)) if rows.weights is None else rows.weights
        levels = np.asarray(rows.y, dtype=np.intp)
        used = weights > 0
        if len(np.unique(levels[used])) < 2:  # noqa: PLR2004
            raise DataError("OrdinalSVC needs samples of two classes or more.")
        loss = OrdinalPairs(self.costs)
        risk = sample_risk(
            rows.X[used], levels[used], loss, self.C, None, weights[used]
        )
        return risk, levels[used], weights[used]


def _threshold(scores: Vector, above: Any, weights: Vector) -> float:
    """Return the threshold of the fewest mistakes, in the middle of its gap."""
    order = np.argsort(scores, kind="stable")
    sorted_scores = scores[order]
    signed = np.where(above[order], weights[order], -weights[order])
    # Mistakes below a cut are those above the level, minus the right ones.
    costs = np.concatenate([[0.0], np.cumsum(signed)])
    real = np.concatenate([[True], np.diff(sorted_scores) > 0, [True]])
    best = int(np.argmin(np.where(real, costs, np.inf)))
    if best in (0, len(scores)):
        edge = sorted_scores[0] - 1.0 if best == 0 else sorted_scores[-1] + 1.0
        return float(edge)
    return float(0.5 * (sorted_scores[best - 1] + sorted_scores[best]))
