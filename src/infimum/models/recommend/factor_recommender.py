"""Recommendations by factors: each user and each item is a short vector."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import check_random_state

from infimum.certificates import Certificate
from infimum.certificates.completion_gap import certify_factors
from infimum.data.doors import check_fitted
from infimum.errors import DataError, IncompatibleError
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.recommend._alternating import alternate, best_rows, start
from infimum.models.recommend._growing import FIRST, grow
from infimum.models.recommend._recommender import Recommender, feature_rows
from infimum.models.recommend._sides import shared_penalty, with_features
from infimum.models.recommend._strengths import chosen_strength
from infimum.models.recommend.ratings import Ratings, accept_ratings
from infimum.objectives.matrix_risk import Factors, MatrixRisk, SeenSide
from infimum.parameters import (
    Choice,
    Domains,
    check_parameters,
    nonnegative,
    or_none,
    positive,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["FactorRecommender"]

#: The relative gap at which a proof is called closed.
CLOSED = 1e-3


class FactorRecommender(Recommender):
    r"""Ratings as products of factors of users and items, by alternating least squares.

    .. math:: \frac1N \sum_{seen} \tfrac12 (z - μ - a_u - b_i - u^\top v)^2 +
              \text{strength} \cdot \tfrac12 (\|U\|^2 + \|V\|^2)

    With ``implicit=True`` what was seen has target 1 and weight 1 + α·value, and all
    that was not seen has target 0 and weight 1 (Hu, Koren & Volinsky 2008); N is still
    the number of ratings. `certificate_` bounds from below the risk of *every*
    factorisation of every rank: a closed gap proves that the sweeps are not stuck and
    that more factors would not help; an open one says how much they could gain.

    Parameters
    ----------
    n_factors : int or None, default=10
        None: as many as it takes until no factorisation can be better by more than
        0.1 % of what there is to gain. They start as ten, and directions that the
        residual lacks are added.
    strength : float, optional
        Penalty on factors. Left out, it is the best of six for a tenth of the ratings,
        held out for that.
    biases : bool, optional
        Whether users and items have one; yes for explicit ratings unless said.
    bias_strength : float, optional
        Penalty on biases; that of the factors unless given.
    implicit : bool, default=False
    alpha : float, default=1.0
        How much a value adds to the weight of what was seen, if implicit.
    scaling : {'equal', 'counts'}, default='equal'
        Whether all factors have the same penalty, or one in proportion to the number
        of ratings of their user or item.
    center : bool, default=True
        Whether the mean of explicit ratings is subtracted first.
    tol : float, default=1e-4
        Sweeps end when the risk falls by less than this share of itself.
    max_iter : int, default=20
        Sweeps; turns of six sweeps if the number of factors is found.
    random_state : int, RandomState or None, default=0

    Attributes
    ----------
    user_factors_, item_factors_ : ndarray of shape (n_users or n_items, n_factors)
        With what features contribute.
    n_factors_ : int
    user_biases_, item_biases_ : ndarray
    mean_, strength_ : float
    certificate_ : Certificate
        Proved when it is asked for.
    history_ : list of float
        The risk after every second sweep.
    n_iter_ : int
    ratings_ : Ratings

    Examples
    --------
    >>> seen = (["ann", "ann", "bob", "bob", "cid"], ["x", "y", "x", "z", "y"],
    ...         [5.0, 4.0, 5.0, 1.0, 4.0])
    >>> model = FactorRecommender(2, strength=0.1).fit(seen)
    >>> [name for name, _ in model.recommend(["cid"], 2)[0]]
    ['x', 'z']
    """

    strength_: float
    _certificate: Certificate | None

    _domains: ClassVar[Domains] = {
        "n_factors": or_none(whole(1)),
        "strength": or_none(positive),
        "biases": Choice((None, True, False)),
        "bias_strength": or_none(positive),
        "alpha": positive,
        "scaling": Choice(("equal", "counts")),
        "tol": nonnegative,
        "max_iter": whole(1),
    }

    def __init__(
        self,
        n_factors: int | None = 10,
        *,
        strength: float | None = None,
        biases: bool | None = None,
        bias_strength: float | None = None,
        implicit: bool = False,
        alpha: float = 1.0,
        scaling: str = "equal",
        center: bool = True,
        tol: float = 1e-4,
        max_iter: int = 20,
        random_state: Any = 0,
    ) -> None:
        self.n_factors = n_factors
        self.strength = strength
        self.biases = biases
        self.bias_strength = bias_strength
        self.implicit = implicit
        self.alpha = alpha
        self.scaling = scaling
        self.center = center
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(
        self, ratings: Any, *, user_features: Any = None, item_features: Any = None
    ) -> Self:
        """Find factors; return self.

        Parameters
        ----------
        ratings : Ratings, sparse matrix, array with NaN, or columns
        user_features, item_features : dict, DataFrame or matrix, optional
            A vector for each name. Factors are then a free part and a linear map of
            the features; names without ratings get the latter.
        """
        return self._fit(ratings, (user_features, item_features), again=False)

    def partial_fit(
        self, ratings: Any, *, user_features: Any = None, item_features: Any = None
    ) -> Self:
        """Add ratings, users and items, and sweep on from the factors found so far."""
        return self._fit(ratings, (user_features, item_features), again=True)

    @whole_or_not_at_all
    def _fit(self, ratings: Any, features: tuple[Any, Any], *, again: bool) -> Self:
        check_parameters(self)
        if self.implicit and self.biases:
            raise IncompatibleError(
                "FactorRecommender: implicit=True has no biases; leave them out."
            )
        seen = accept_ratings(ratings, duplicates="sum" if self.implicit else "mean")
        again = again and hasattr(self, "ratings_")
        if again:
            seen = self.ratings_.joined(seen)
        if self.implicit and seen.matrix.data.min() < 0:
            raise DataError("FactorRecommender: implicit values must be at least 0.")
        known = self._features if again else (None, None)
        seen, kept = with_features(seen, features, known)
        rng = np.random.default_rng(
            check_random_state(self.random_state).randint(2**31 - 1)
        )
        if not again:
            self.mean_ = self._mean(seen)
        strength = self.strength or (self.strength_ if again else None)
        if strength is None:
            made = self._maker(kept)
            rank = self.n_factors or FIRST
            # Equal ratings leave nothing to explain: any strength will do.
            strength = chosen_strength(self._centred(seen), made, rank, rng) or 1.0
        risk = self._maker(kept)(self._centred(seen), strength)
        rank = self.n_factors or (self.n_factors_ if again else FIRST)
        point = start(risk, rank, rng)
        if again:
            point = self._carried(point, seen, kept)
        way = partial(grow, gap=CLOSED) if self.n_factors is None else alternate
        point, self.history_ = way(risk, point, tol=self.tol, max_iter=self.max_iter)
        self._certificate = None
        self.n_iter_ = 2 * len(self.history_)
        self.strength_ = float(strength)
        return self._keep(seen, kept, risk, point)

    def fold_in(self, ratings: Any, *, user_features: Any = None) -> FactorRecommender:
        """Return a recommender for people who were not there, with the items as found.

        Nothing is fitted again: the factors of each person are the best ones for the
        factors of the items.
        """
        check_fitted(self, "ratings_")
        given = accept_ratings(ratings, duplicates="sum" if self.implicit else "mean")
        columns = self._columns_of(given.items)
        rows, places, values = given.entries
        seen = Ratings.of_codes(
            given.users, self.items_, rows, columns[places], values, given.weights
        )
        features = self._features[0]
        if features is not None:
            features, _ = feature_rows("fold_in", user_features, given.users)
        folded = FactorRecommender(**self.get_params())
        folded.mean_, folded.strength_ = self.mean_, self.strength_
        folded.history_, folded.n_iter_, folded._certificate = [], 0, None
        folded._total, folded._share = self._total, self._share
        n, rank = len(seen.users), self.n_factors_
        lifted = np.zeros((n, self._columns.shape[1]))
        if features is not None:
            lifted = np.vstack([lifted, self._rows[len(self.users_) :]])
        kept = (features, self._features[1])
        # The penalty is that of the training, whatever the number of new ratings.
        risk = self._trained_risk(self._centred(seen), kept)
        point = Factors(lifted, self._columns, rank)
        rows_found = _best(risk, point)
        return folded._keep(seen, kept, risk, point._replace(rows=rows_found))

    @property
    def n_factors_(self) -> int:
        """How many factors each user and item has."""
        check_fitted(self, "ratings_")
        return int(self.user_factors_.shape[1])

    @property
    def certificate_(self) -> Certificate:
        """The proof for the training ratings, made when it is first asked for."""
        check_fitted(self, "ratings_")
        if self._certificate is None:
            self._certificate = self.certify()
        return self._certificate

    def certify(self, ratings: Any = None, *, rigorous: bool = False) -> Certificate:
        """Prove the factors again, from ratings of the same users and items.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "ratings_")
        seen = self.ratings_ if ratings is None else accept_ratings(ratings)
        if seen.users != self.users_ or seen.items != self.items_:
            raise DataError(
                "FactorRecommender: these are ratings of other users or items."
            )
        risk = self._trained_risk(self._centred(seen), self._features)
        point = Factors(self._rows, self._columns, self.n_factors_)
        proof = certify_factors(risk, point, tolerance=CLOSED, reason="sweeps ended")
        return not_audited(self, proof) if rigorous else proof

    def _mean(self, seen: Ratings) -> float:
        if self.implicit or not self.center:
            return 0.0
        return float(np.average(seen.matrix.data, weights=seen.weights))

    def _centred(self, seen: Ratings) -> Ratings:
        """Return the targets: ratings less their mean, or 1 with another weight."""
        X, weights = seen.matrix, seen.weights
        data = X.data - self.mean_
        if self.implicit:
            data, weights = np.ones(len(X.data)), 1.0 + self.alpha * X.data * weights
        made = sparse.csr_array((data, X.indices, X.indptr), X.shape)
        return Ratings(seen.users, seen.items, made, weights)

    def _trained_risk(self, seen: Ratings, features: tuple[Any, Any]) -> MatrixRisk:
        """Return the risk with the penalties of the training."""
        made: MatrixRisk = self._maker(features, self._share, self._total)(
            seen, self.strength_
        )
        return made

    def _maker(
        self, features: tuple[Any, Any], share: float | None = None, total: float = 0.0
    ) -> Any:
        """Return the function that makes the risk of ratings and a strength."""
        biased = not self.implicit if self.biases is None else self.biases

        def made(seen: Ratings, strength: float) -> MatrixRisk:
            return MatrixRisk(
                seen.matrix,
                strength,
                seen.weights,
                background=1.0 if self.implicit else 0.0,
                bias_strength=(self.bias_strength or strength) if biased else None,
                row_features=features[0],
                column_features=features[1],
                total=total,
                **shared_penalty(seen, features, share, self.scaling),
            )

        return made

    def _carried(self, fresh: Factors, seen: Ratings, kept: Any) -> Factors:
        """Return the factors found so far, with small ones for what is new."""
        parts = []
        old_sizes = len(self.users_), len(self.items_)
        sizes = len(seen.users), len(seen.items)
        for new, old, had, size in zip(
            fresh[:2], (self._rows, self._columns), old_sizes, sizes, strict=True
        ):
            made = new.copy()
            made[:had] = old[:had]
            made[size:] = old[had:]
            parts.append(made)
        return Factors(parts[0], parts[1], fresh.rank)

    def _keep(self, seen: Ratings, kept: Any, risk: MatrixRisk, point: Factors) -> Self:
        self.ratings_, self._features = seen, kept
        self._rows, self._columns = point.rows, point.columns
        rank = point.rank
        if not hasattr(self, "_total") or self.n_iter_:
            self._total = risk.total
            self._share = float(np.sqrt(np.prod(risk.shape)) / np.sum(risk.weights))
        U = risk.effective(risk.rows, point.rows)
        V = risk.effective(risk.columns, point.columns)
        self.user_factors_, self.item_factors_ = U[:, :rank], V[:, :rank]
        biased = risk.bias_strength is not None
        self.user_biases_ = U[:, rank] if biased else np.zeros(len(U))
        self.item_biases_ = V[:, rank] if biased else np.zeros(len(V))
        return self

    def _scores(self, rows: Indices) -> Matrix:
        made = self.user_factors_[rows] @ self.item_factors_.T
        made += self.user_biases_[rows, None] + self.item_biases_ + self.mean_
        return np.asarray(made)

    def _pairs(self, rows: Indices, columns: Indices) -> Vector:
        said = np.einsum(
            "ij,ij->i", self.user_factors_[rows], self.item_factors_[columns]
        )
        found = said + self.user_biases_[rows] + self.item_biases_[columns]
        return np.asarray(found + self.mean_)

    def _likeness(self, column: int) -> Vector:
        V = self.item_factors_
        lengths = np.maximum(np.linalg.norm(V, axis=1), 1e-300)
        return np.asarray(V @ V[column] / (lengths * lengths[column]))

    def _parts(self, row: int, column: int) -> tuple[float, Indices, Vector]:
        """Say a prediction as a sum over the user's ratings: it is linear in them."""
        seen = self._centred(self.ratings_)
        risk = self._trained_risk(seen, self._features)
        V = risk.effective(risk.columns, self._columns)
        faced, bias = risk.facing(V, self.n_factors_)
        at = slice(seen.matrix.indptr[row], seen.matrix.indptr[row + 1])
        places, weights = seen.matrix.indices[at], seen.weights[at]
        targets = seen.matrix.data[at] - (0.0 if bias is None else bias[places])
        own = faced[places]
        gram = (own.T * (weights - risk.background)) @ own
        gram += risk.background * (faced.T @ faced)
        gram += np.diag(risk.ridge(self.n_factors_) * risk.rows.scales[row])
        # Without a ridge a user of few ratings leaves a choice: the shortest way.
        way = linalg.lstsq(gram, faced[column])[0]
        parts = (own @ way) * weights * targets
        whole = float(self._pairs(np.array([row]), np.array([column]))[0])
        return whole - float(parts.sum()), places, np.asarray(parts)


def _best(risk: MatrixRisk, point: Factors) -> Matrix:
    """Return the best rows for given columns; the factors of features stay."""
    V = np.ascontiguousarray(risk.effective(risk.columns, point.columns))
    faced, bias = risk.facing(V, point.rank)
    side: SeenSide = risk.rows
    targets = risk.targets if bias is None else risk.targets - bias[side.places]
    n = risk.shape[0]
    led = None if side.features is None else side.features @ point.rows[n:]
    free = best_rows(risk, side, faced, targets, risk.weights, point.rank, led)
    return np.vstack([free, point.rows[n:]])
