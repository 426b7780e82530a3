"""Linear rankers: documents of each query in the best order, most of all at the top."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator

from infimum.certificates import Certificate
from infimum.data.doors import check_fitted, measured, samples, weighed
from infimum.errors import DataError
from infimum.losses import RankingGain
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._whole_sample import (
    keep_whole_sample,
    prove_whole_sample,
    sample_risk,
)
from infimum.objectives import SampleRisk
from infimum.parameters import (
    Choice,
    Domain,
    check_parameters,
    or_none,
    positive,
    whole,
)
from infimum.typing import Vector

__all__ = ["LinearRanker"]


class LinearRanker(BaseEstimator):  # type: ignore[misc]
    r"""Scores x·w whose order within each query gains most.

    .. math:: \min_w \tfrac12 \|w\|^2 + \frac CQ \sum_q \ell(y_q, X_q w)

    The loss of a query is at least what its order misses of the best: of NDCG, of
    precision, of the reciprocal rank or of the expected rank utility. Queries without
    a relevant document, or with equal ones only, count nothing.

    Parameters
    ----------
    gain : {"ndcg", "precision", "mrr", "utility"}, default="ndcg"
    k : int, optional
        How many ranks count; all by default.
    C : float, default=1.0
    max_iter : int, default=2000
    tol : float, default=1e-3
        The proved gap, as a share of the loss without weights.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    planes_ : tuple
        Shares and points of the planes of the proof.
    certificate_ : Certificate
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [5.0], [3.0]]
    >>> model = LinearRanker(C=10.0).fit(X, [0, 1, 2, 1, 0], qid=[1, 1, 1, 2, 2])
    >>> bool(model.coef_[0] > 0), model.score(X, [0, 1, 2, 1, 0], qid=[1, 1, 1, 2, 2])
    (True, 1.0)
    """

    _domains: ClassVar[dict[str, Domain]] = {
        "gain": Choice(("ndcg", "precision", "mrr", "utility")),
        "k": or_none(whole(1)),
        "C": positive,
        "max_iter": whole(1),
        "tol": positive,
    }

    def __init__(
        self,
        gain: str = "ndcg",
        *,
        k: int | None = None,
        C: float = 1.0,
        max_iter: int = 2000,
        tol: float = 1e-3,
    ) -> None:
        self.gain = gain
        self.k = k
        self.C = C
        self.max_iter = max_iter
        self.tol = tol

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, *, qid: Any = None, query_weight: Any = None) -> Self:
        """Find the weights.

        Parameters
        ----------
        X : array-like of shape (n_documents, n_features)
        y : array-like of shape (n_documents,)
            Relevance; 0 is none.
        qid : array-like of shape (n_documents,), optional
            The query of each document, as XGBoost's; one query by default.
        query_weight : array-like of shape (n_queries,), optional
            In the order of sorted queries. A weight of k means k copies of a query.
        """
        check_parameters(self)
        risk = self._risk(X, y, qid, query_weight)
        self.coef_ = keep_whole_sample(self, risk, self.tol, self.max_iter)
        return self

    def decision_function(self, X: Any) -> Vector:
        """Return the scores by which documents are ordered."""
        check_fitted(self, "coef_")
        return np.asarray(samples(self, X) @ self.coef_)

    def predict(self, X: Any) -> Vector:
        """Return the scores by which documents are ordered."""
        return self.decision_function(X)

    def score(self, X: Any, y: Any, qid: Any = None) -> float:
        """Return the mean gain over queries, 1 for the best orders."""
        scores, levels = self.decision_function(X), np.asarray(y, dtype=np.float64)
        measure = RankingGain(self.gain, self.k).measure
        groups = _queries(levels, qid)[1]
        return float(np.mean([measure(levels[g], scores[g]) for g in groups]))

    def certify(
        self,
        X: Any,
        y: Any,
        *,
        qid: Any = None,
        query_weight: Any = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Compute the proof of this model again, every plane from the data.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "coef_")
        risk = self._risk(X, y, qid, query_weight)
        proof = prove_whole_sample(self, risk, self.coef_)
        return not_audited(self, proof) if rigorous else proof

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _risk(self, X: Any, y: Any, qid: Any, query_weight: Any) -> SampleRisk:
        given = measured(self, X, y)
        rows, levels = given.X, np.asarray(given.y, dtype=np.float64)
        if len(levels) == 1:
            raise DataError("LinearRanker needs two documents or more, got 1 sample.")
        if (levels < 0).any():
            raise DataError("LinearRanker needs relevances of at least 0.")
        kept, groups = _queries(levels, qid)
        told = weighed(query_weight, np.zeros((len(kept), 1)))
        weights = np.ones(len(kept)) if told is None else np.asarray(told)
        loss = RankingGain(self.gain, self.k)
        return sample_risk(rows, levels, loss, self.C, groups, weights[kept])


def _queries(levels: Vector, qid: Any) -> tuple[Any, list[Any]]:
    """Return which queries have something to order, and the rows of each of them."""
    ids = np.zeros(len(levels), dtype=int) if qid is None else np.asarray(qid)
    if ids.shape != levels.shape:
        raise DataError("LinearRanker needs a query for each document.")
    places = np.unique(ids, return_inverse=True)[1].ravel()
    groups = [np.flatnonzero(places == k) for k in range(places.max() + 1)]
    useful = np.array([levels[g].max() > levels[g].min() for g in groups])
    if not useful.any():
        raise DataError(
            "LinearRanker needs a query with documents of different relevance."
        )
    return useful, [g for g, used in zip(groups, useful, strict=True) if used]
