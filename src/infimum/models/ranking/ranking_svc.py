"""The ranking SVM: a linear score, learnt from pairs of which one is preferred."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._ranker import Ranker
from infimum.models.ranking.comparisons import accept_comparisons
from infimum.parameters import Domains, check_parameters, positive
from infimum.typing import Vector

__all__ = ["RankingSVC"]


class RankingSVC(Ranker):
    r"""Scores w with the largest margin between winners and losers.

    .. math:: \min_w \tfrac12 \|w\|^2 + C \sum_{i ≻ j} \max(0, 1 - w^\top(φ_i - φ_j))

    With unit vectors for φ, w are the scores; with features of the items, scores are
    w·φ, also of items that were never compared.

    Parameters
    ----------
    C : float, default=1.0
    tol : float, default=1e-6
        Proved gap of the machine.

    Attributes
    ----------
    items_, scores_, order_, ranking_
    coef_ : ndarray
        The weights w.
    certificate_ : Certificate

    Examples
    --------
    >>> model = RankingSVC(C=100.0).fit([("a", "b"), ("b", "c"), ("a", "c")])
    >>> model.ranking_, ((model.scores_ + 1).round(2) + 0.0).tolist()
    (['a', 'b', 'c'], [2.0, 1.0, 0.0])
    """

    _domains: ClassVar[Domains] = {
        "C": positive,
        "tol": positive,
    }

    def __init__(self, C: float = 1.0, *, tol: float = 1e-6) -> None:
        self.C = C
        self.tol = tol

    @whole_or_not_at_all
    def fit(self, games: Any, sample_weight: Any = None, features: Any = None) -> Self:
        """Find the weights; return self.

        Parameters
        ----------
        games, sample_weight
            As in `BradleyTerryRanker.fit`; a tie asks for nothing.
        features : dict of name -> numbers, optional
        """
        from infimum.models.linear import LinearSVC

        check_parameters(self)
        given = accept_comparisons("RankingSVC", games, sample_weight)
        self.items_ = list(given.items) if features is None else list(features)
        rows: Any = sparse.eye_array(len(given.items), format="csr")
        if features is not None:
            missing = [name for name in given.items if name not in features]
            if missing:
                raise DataError(f"RankingSVC: no features of {missing[0]!r}.")
            table = np.array([features[name] for name in given.items], np.float64)
            rows = sparse.csr_array(table)
        apart = rows[given.left] - rows[given.right]
        weights = np.concatenate([given.wins, given.losses])
        told = weights > 0
        X: Any = sparse.vstack([apart, -apart], format="csr")[np.flatnonzero(told)]
        if not X.shape[0]:
            raise DataError("RankingSVC needs a game that is no tie.")
        # Half of the rows are turned round: a machine needs both of its classes.
        signs = np.where(np.arange(X.shape[0]) % 2 == 0, 1.0, -1.0)
        X = sparse.csr_array(sparse.diags_array(signs) @ X)
        if X.shape[0] == 1:
            X, signs = sparse.vstack([X, -X], format="csr"), np.array([1.0, -1.0])
            weights, told = np.repeat(0.5 * weights[told], 2), np.ones(2, dtype=bool)
        machine = LinearSVC(C=self.C, loss="hinge", fit_intercept=False, tol=self.tol)
        machine.fit(X, signs.astype(int), sample_weight=weights[told])
        self.coef_: Vector = np.ravel(machine.coef_)
        self.certificate_ = machine.certificate_
        every = self.coef_
        if features is not None:
            every = np.array([features[n] for n in self.items_], float) @ self.coef_
        self.scores_ = every
        return self
