"""Bradley and Terry's model: differences of scores are log-odds of winning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from scipy.special import expit
from scipy.stats import norm

from infimum.certificates import Certificate
from infimum.errors import DataError
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ranking._existence import refuse_endless
from infimum.models.ranking._families import (
    Davidson,
    Family,
    Logistic,
    Probit,
    RaoKupper,
)
from infimum.models.ranking._fitting import SMALL, Differences, Problem
from infimum.models.ranking._ranker import Ranker
from infimum.models.ranking._reading import described
from infimum.models.ranking.comparisons import Comparisons, accept_comparisons
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    opened,
    positive,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["BradleyTerryRanker"]

_TIES = Choice(("half", "davidson", "rao_kupper"))
_LINKS = Choice(("logistic", "probit"))
#: Games up to which a bootstrap draws them one by one, where weights are counts.
MANY = 20_000_000
#: Differences of scores from which on it is asked whether they have an end.
FAR = 5.0
#: Points of Elo's scale that make a win ten times as likely as a loss.
ELO = 400.0 / np.log(10.0)


class BradleyTerryRanker(Ranker):
    r"""Scores u of items by the likelihood of all games, with proof and intervals.

    .. math:: P(i \text{ beats } j) = \frac1{1 + e^{-(u_i - u_j)}}

    The scores minimise the mean of -log P, plus ``strength``·‖u‖²/2. Without a penalty
    they exist only if chains of wins lead from each item to each other one; if not,
    `fit` says who never lost or who never met. Equal games are counted before any
    work.

    Parameters
    ----------
    strength : float, default=0.0
        0 for maximum likelihood.
    ties : {"half", "davidson", "rao_kupper"}, default="half"
        A tie is half a win for each; or an outcome of its own, likeliest among
        equals, of weight ν√(πᵢπⱼ), or within a threshold.
    home : bool, default=False
        Whether the left item may have an advantage: `home_` is added to its score.
    link : {"logistic", "probit"}, default="logistic"
        "probit" is Thurstone's model, for which ties are halves.
    tol : float, default=1e-9
        Proved gap, as a share of what scores gain over none.
    max_iter : int, default=100

    Attributes
    ----------
    items_ : list
    scores_ : ndarray of shape (n_items,)
        Mean 0, unless there are covariates.
    elo_ : ndarray of shape (n_items,)
        The same on Elo's scale, 1500 on average.
    order_, ranking_ : numbers and names of the items, the best first
    home_ : float
        Advantage of the left item; 0 if not asked for.
    tie_ : float
        ν of "davidson", the threshold of "rao_kupper", else 0.
    coef_ : ndarray of shape (n_covariates,)
        Of the items' covariates, if there are any.
    certificate_ : Certificate
    n_iter_ : int

    Examples
    --------
    >>> games = ["ab", "ab", "ba", "bc", "bc", "cb", "ac", "ca"]
    >>> model = BradleyTerryRanker().fit(games)
    >>> model.ranking_, model.certificate_.closed
    (['a', 'b', 'c'], True)
    >>> model.predict_proba([("a", "b")]).round(3).tolist()
    [[0.572, 0.428]]

    References
    ----------
    Bradley & Terry (1952), Biometrika 39. Davidson (1970), JASA 65. Rao & Kupper
    (1967), JASA 62.
    """

    _domains: ClassVar[Domains] = {
        "strength": nonnegative,
        "ties": _TIES,
        "link": _LINKS,
        "home": Choice((True, False)),
        "tol": positive,
        "max_iter": whole(1),
    }

    def __init__(
        self,
        *,
        strength: float = 0.0,
        ties: str = "half",
        home: bool = False,
        link: str = "logistic",
        tol: float = 1e-9,
        max_iter: int = 100,
    ) -> None:
        self.strength = strength
        self.ties = ties
        self.home = home
        self.link = link
        self.tol = tol
        self.max_iter = max_iter

    @whole_or_not_at_all
    def fit(
        self, games: Any, sample_weight: Any = None, covariates: Any = None
    ) -> Self:
        """Find the scores; return self.

        Parameters
        ----------
        games : Comparisons or list of games
            Pairs (winner, loser), or triples (left, right, outcome).
        sample_weight : array-like of shape (n_games,), optional
            Copies of each game.
        covariates : dict of name -> numbers, optional
            What is known of each item. Scores are then linear in it, and items that
            never played have one too.
        """
        self._check()
        given = accept_comparisons(
            "BradleyTerryRanker", games, sample_weight, unordered=not self.home
        )
        self.items_, Z = described(given.items, covariates)
        self._games = given
        if self.strength == 0 and Z is None and (why := given.obstacle()):
            raise DataError(
                f"BradleyTerryRanker: no scores are likeliest, for {why}; set strength "
                "above 0, or leave items out."
            )
        self._rows = Z
        problem = self._problem(given)
        start = np.zeros(problem.forms.shape[1])
        if self._threshold(given):
            start[-1] = 0.3
        found = problem.fit(start, float(self.tol), int(self.max_iter))
        if self.strength == 0 and not isinstance(problem.forms, Differences):
            far = float(np.abs(problem.forms @ found.point).max())
            if far > FAR or not found.certificate.closed:
                own = {name: i for i, name in enumerate(self.items_)}
                at = np.array([own[name] for name in given.items], dtype=np.intp)
                ties = self.ties if self._threshold(given) else None
                refuse_endless(given, self._forms(given, at), ties)
        self._keep(found.point, given)
        self.certificate_, self.n_iter_ = found.certificate, found.n_iter
        return self

    @property
    def elo_(self) -> Vector:
        """Scores on Elo's scale, 1500 on average."""
        self._need_fit()
        return np.asarray(1500.0 + ELO * (self.scores_ - self.scores_.mean()))

    @property
    def standard_errors_(self) -> Vector:
        """Standard errors of the scores, from Fisher's information."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance()), 0.0)))

    def certify(
        self, games: Any, sample_weight: Any = None, *, rigorous: bool = False
    ) -> Certificate:
        """Prove the scores again, from the games alone; see `fit`.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        self._need_fit()
        given = accept_comparisons(
            "BradleyTerryRanker", games, sample_weight, unordered=not self.home
        )
        known = set(self.items_)
        unknown = [name for name in given.items if name not in known]
        if unknown:
            raise DataError(f"BradleyTerryRanker: no score of {unknown[0]!r}.")
        problem = self._problem(given)
        if problem.forms.shape[1] != len(self._point):
            raise DataError("BradleyTerryRanker: games with ties and without differ.")
        proof = problem.certify(self._point, float(self.tol))
        return not_audited(self, proof) if rigorous else proof

    def predict_proba(self, pairs: Any) -> Matrix:
        """Return how likely the first item of each pair wins, and the second.

        A model of ties has a column for them between the two.
        """
        self._need_fit()
        rows = [(self._place(a), self._place(b)) for a, b in pairs]
        i, j = np.array(rows, dtype=np.intp).reshape(-1, 2).T
        d = self.scores_[i] - self.scores_[j] + self.home_
        none = np.zeros(len(d))
        if self.ties == "davidson" and self.tie_ > 0:
            forms = np.append(d, np.full(len(d), np.log(self.tie_)))
            won, lost, tied = Davidson(none, none, none).shares(forms)
            return np.column_stack([won, tied, lost])
        if self.ties == "rao_kupper" and self.tie_ > 0:
            won, lost = expit(d - self.tie_), expit(-d - self.tie_)
            return np.column_stack([won, 1.0 - won - lost, lost])
        won = expit(d) if self.link == "logistic" else norm.cdf(d)
        return np.column_stack([won, 1.0 - won])

    def covariance(self) -> Matrix:
        """Return the covariance of the scores, by the inverse of the information."""
        self._need_fit()
        problem = self._problem(self._games)
        H = problem.hessian(self._point)
        level = float(np.trace(H)) / len(H)
        try:
            inverse = np.linalg.inv(H + level * np.outer(problem.flat, problem.flat))
        except np.linalg.LinAlgError:
            why = "its covariates or games leave a direction open"
            raise DataError(f"{type(self).__name__} has no errors: {why}.") from None
        inverse -= np.outer(problem.flat, problem.flat) / level
        if self._rows is None:
            return np.asarray(inverse[: len(self.items_), : len(self.items_)])
        q = self._rows.shape[1]
        return np.asarray(self._rows @ inverse[:q, :q] @ self._rows.T)

    def difference(self, one: Any, other: Any) -> tuple[float, float]:
        """Return the difference of two items' scores, and its standard error."""
        i, j = self._place(one), self._place(other)
        C = self.covariance()
        spread = float(C[i, i] + C[j, j] - 2.0 * C[i, j])
        return float(self.scores_[i] - self.scores_[j]), max(spread, 0.0) ** 0.5

    def intervals(
        self, confidence: float = 0.95, *, simultaneous: bool = False
    ) -> Matrix:
        """Return an interval for each score, in rows (low, high).

        With `simultaneous`, all of them hold at once, by Bonferroni.
        """
        check_domain("intervals: confidence", confidence, opened(0, 1))
        level = (1.0 - confidence) / (len(self.items_) if simultaneous else 1)
        reach = float(norm.isf(0.5 * level)) * self.standard_errors_
        return np.column_stack([self.scores_ - reach, self.scores_ + reach])

    def rank_sets(self, confidence: float = 0.95) -> Indices:
        """Return the best and the worst rank that each item may have, all at once.

        An item is certainly behind those whose score is higher by more than chance
        explains, with Bonferroni's correction over all pairs.
        """
        check_domain("rank_sets: confidence", confidence, opened(0, 1))
        n = len(self.items_)
        C = self.covariance()
        spread = np.diag(C)[:, None] + np.diag(C)[None, :] - 2.0 * C
        pairs = max(1, n * (n - 1) // 2)
        reach = norm.isf(0.5 * (1.0 - confidence) / pairs)
        ahead = self.scores_[:, None] - self.scores_[None, :]
        sure = ahead > reach * np.sqrt(np.maximum(spread, 0.0)) + 1e-12
        return np.column_stack([1 + sure.sum(axis=0), n - sure.sum(axis=1)])

    def bootstrap(self, count: int = 100, random_state: Any = None) -> Matrix:
        """Return scores fitted to games drawn again from the merged counts.

        A row of NaN where the games drawn have no likeliest scores.
        """
        check_domain("bootstrap: count", count, whole(1))
        self._need_fit()
        draw, games = np.random.default_rng(random_state), self._games
        counts = np.concatenate([games.wins, games.losses, games.ties])
        drawn = _redrawn(counts, draw)
        rows = np.full((int(count), len(self.items_)), np.nan)
        for row in rows:
            parts = np.split(drawn(), 3)
            won, lost, tied = (part.astype(np.float64) for part in parts)
            again = Comparisons(games.items, games.left, games.right, won, lost, tied)
            if self.strength == 0 and self._rows is None and again.obstacle():
                continue
            problem = self._problem(again)
            start = self._point[: problem.forms.shape[1]]
            point = problem.point(start, float(self.tol), int(self.max_iter))
            row[:] = self._scores(point)
        return rows

    def _check(self) -> None:
        check_parameters(self)
        if self.link == "probit" and self.ties != "half":
            raise DataError("BradleyTerryRanker: link='probit' takes ties='half' only.")

    def _threshold(self, games: Comparisons) -> bool:
        return self.ties != "half" and bool(games.ties.any())

    def _problem(self, games: Comparisons) -> Problem:
        """Return what is minimised: columns of items, home, and ties."""
        own = {name: i for i, name in enumerate(self.items_)}
        at = np.array([own[name] for name in games.items], dtype=np.intp)
        plain = self._rows is None and not self.home and not self._threshold(games)
        if plain and len(self.items_) > SMALL:
            return self._of_many(games, at)
        family, forms = self._family(games, self._forms(games, at))
        items = len(self.items_) if self._rows is None else self._rows.shape[1]
        p = forms.shape[1]
        ridged = (np.arange(p) < items).astype(np.float64)
        free = self._rows is not None or self.strength > 0
        flat = np.zeros(p) if free else ridged / np.sqrt(items)
        return Problem(forms, family, games.total, float(self.strength), ridged, flat)

    def _forms(self, games: Comparisons, at: Indices) -> Any:
        """Return the differences of scores, and the advantage of the left side."""
        rows: Any = self._rows
        rows = sparse.csr_array(
            sparse.eye_array(len(self.items_)) if rows is None else rows
        )
        parts: list[Any] = [rows[at[games.left]] - rows[at[games.right]]]
        if self.home:
            parts.append(sparse.csr_array(np.ones((len(games.left), 1))))
        return sparse.hstack(parts, format="csr")

    def _of_many(self, games: Comparisons, at: Indices) -> Problem:
        """Return what is minimised for differences of scores alone."""
        items = len(self.items_)
        near = at.astype(np.int32)  # half the memory that each step reads
        forms = Differences(near[games.left], near[games.right], items)
        flat = np.zeros(items) if self.strength > 0 else np.full(items, items**-0.5)
        family, _ = self._family(games, None)
        shape = float(self.strength), np.ones(items), flat
        return Problem(forms, family, games.total, *shape)

    def _family(self, games: Comparisons, forms: Any) -> tuple[Family, Any]:
        won, lost, tied = games.wins, games.losses, games.ties
        if not self._threshold(games):
            kind = Logistic if self.link == "logistic" else Probit
            return kind(won + 0.5 * tied, lost + 0.5 * tied), forms
        m, p = forms.shape
        one = sparse.csr_array(np.ones((m, 1)))
        if self.ties == "davidson":
            both = sparse.block_diag([forms, one], format="csr")
            return Davidson(won, lost, tied), both
        upper = sparse.hstack([forms, -one])
        lower = sparse.hstack([forms, one])
        last = sparse.csr_array(([1.0], ([0], [p])), shape=(1, p + 1))
        stacked: Any = sparse.vstack([upper, lower, last], format="csr")
        return RaoKupper(won, lost, tied), stacked

    def _scores(self, point: Vector) -> Vector:
        if self._rows is not None:
            return np.asarray(self._rows @ point[: self._rows.shape[1]])
        own = point[: len(self.items_)]
        return np.asarray(own - own.mean())

    def _keep(self, point: Vector, games: Comparisons) -> None:
        q = len(self.items_) if self._rows is None else self._rows.shape[1]
        self._point, self.scores_ = point, self._scores(point)
        self.coef_ = np.zeros(0) if self._rows is None else point[:q]
        self.home_ = float(point[q]) if self.home else 0.0
        tie = float(point[-1]) if self._threshold(games) else 0.0
        fitted = self._threshold(games) and self.ties == "davidson"
        self.tie_ = float(np.exp(tie)) if fitted else tie


def _redrawn(counts: Vector, rng: Any) -> Callable[[], Any]:
    """Return a function that draws as many games again, with replacement."""
    whole_ = counts.astype(np.int64)
    total = round(float(counts.sum()))
    if (whole_ == counts).all() and total < MANY:
        games = np.repeat(np.arange(len(counts)), whole_)
        return lambda: np.bincount(
            games[rng.integers(0, total, total)], minlength=len(counts)
        )
    return lambda: rng.multinomial(total, counts / counts.sum())
