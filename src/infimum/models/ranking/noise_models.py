"""Models of noisy comparisons and rankings, to draw from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from infimum.errors import DataError
from infimum.models.ranking.comparisons import Comparisons
from infimum.models.ranking.distances import kendall_distance
from infimum.parameters import Choice, Interval, check_domain, closed, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "ConstantNoise",
    "Mallows",
    "PairwiseModel",
    "UtilityModel",
    "hard_instance",
    "observe",
]

_ALPHA = Interval(0, 1, open_low=True)
_LINKS = Choice(("logistic", "probit"))


@dataclass(frozen=True, eq=False)
class PairwiseModel:
    """Any probabilities P[i, j] that i beats j, with P[j, i] = 1 - P[i, j].

    Attributes
    ----------
    P : ndarray of shape (n_items, n_items)
        0 on the diagonal.

    Examples
    --------
    >>> PairwiseModel.of([[0, 1, 1], [0, 0, 1], [0, 0, 0]]).scores.tolist()
    [0.6666666666666666, 0.3333333333333333, 0.0]
    """

    P: Matrix

    @classmethod
    def of(cls, P: Any) -> PairwiseModel:
        """Admit a matrix of probabilities; its diagonal does not matter."""
        table = np.array(P, dtype=np.float64)
        if table.ndim != 2 or table.shape[0] != table.shape[1]:  # noqa: PLR2004
            raise DataError(f"PairwiseModel.P must be square, got {table.shape}.")
        np.fill_diagonal(table, 0.5)
        if not ((table >= 0) & (table <= 1)).all():
            raise DataError("PairwiseModel.P must be probabilities.")
        if np.abs(table + table.T - 1.0).max() > 1e-12:
            raise DataError("PairwiseModel: P[i, j] and P[j, i] must sum to 1.")
        np.fill_diagonal(table, 0.0)
        return cls(table)

    @property
    def scores(self) -> Vector:
        """τᵢ: the mean over all j, i itself with 0, of the chance to beat j."""
        return np.asarray(self.P.sum(axis=1) / len(self.P))

    @property
    def order(self) -> Indices:
        """The true ranking: items by τ, the best first."""
        return np.argsort(-self.scores, kind="stable")

    def draw(self, pairs: Any, random_state: Any = None) -> Indices:
        """Return 1 where the first of a pair wins, else 0."""
        i, j = np.asarray(pairs, dtype=np.intp).T
        draw = np.random.default_rng(random_state)
        return np.asarray(draw.random(len(i)) < self.P[i, j]).astype(np.intp)


@dataclass(frozen=True, eq=False)
class ConstantNoise:
    """A true order, and answers that are wrong with one and the same probability.

    Attributes
    ----------
    order : array-like of shape (n_items,)
        Items, the best first.
    p : float
        Probability of a wrong answer.

    Examples
    --------
    >>> ConstantNoise([1, 0], 0.1).pairwise().P.tolist()
    [[0.0, 0.1], [0.9, 0.0]]
    """

    order: Any
    p: float

    def pairwise(self) -> PairwiseModel:
        """Return the probabilities of all pairs."""
        check_domain("ConstantNoise.p", self.p, closed(0, 1))
        places = np.argsort(np.asarray(self.order, dtype=np.intp))
        before = places[:, None] < places[None, :]
        return PairwiseModel.of(np.where(before, 1.0 - self.p, self.p))


@dataclass(frozen=True, eq=False)
class UtilityModel:
    """Items with utilities; the noise of an answer depends on their difference.

    Attributes
    ----------
    utilities : array-like of shape (n_items,)
    link : {"logistic", "probit"} or callable, default="logistic"
        Chance to win by the difference; "logistic" is Bradley and Terry's model.

    Examples
    --------
    >>> UtilityModel([1.0, 0.0]).pairwise().P.round(3).tolist()
    [[0.0, 0.731], [0.269, 0.0]]
    """

    utilities: Any
    link: Any = "logistic"

    def pairwise(self) -> PairwiseModel:
        """Return the probabilities of all pairs."""
        u = np.asarray(self.utilities, dtype=np.float64)
        if not callable(self.link):
            check_domain("UtilityModel.link", self.link, _LINKS)
        known: dict[Any, Any] = {"logistic": expit, "probit": norm.cdf}
        link = self.link if callable(self.link) else known[self.link]
        return PairwiseModel.of(link(u[:, None] - u[None, :]))


@dataclass(frozen=True, eq=False)
class Mallows:
    r"""Rankings around a centre: the farther, the less likely.

    .. math:: P(ρ) = α^{d(π, ρ)} / Z, \qquad
              Z = \prod_{i=1}^n \frac{1 - α^i}{1 - α}

    for d the number of pairs ordered differently. With ``normalized`` it is their
    share, which concentrates far less: α is replaced by α^{2/(n(n-1))}.

    Attributes
    ----------
    center : array-like of shape (n_items,)
        Items, the best first.
    alpha : float
        In (0, 1]; 1 makes all rankings alike.

    Examples
    --------
    >>> round(Mallows([0, 1, 2, 3], 0.5).probability([0, 1, 2, 3]), 5)
    0.20317
    """

    center: Any
    alpha: float
    normalized: bool = False

    @property
    def base(self) -> float:
        """The factor of one pair."""
        check_domain("Mallows.alpha", self.alpha, _ALPHA)
        n = len(self.center)
        share = 2.0 / max(n * (n - 1), 1) if self.normalized else 1.0
        return float(float(self.alpha) ** share)

    @property
    def normalizer(self) -> float:
        """Z, exactly: each item is inserted at one of the places so far."""
        n, base = len(self.center), self.base
        return float(np.prod([sum(base**k for k in range(i)) for i in range(1, n + 1)]))

    def probability(self, order: Any) -> float:
        """Return the probability of a ranking, given as items, the best first."""
        one = np.argsort(np.asarray(self.center, dtype=np.intp))
        other = np.argsort(np.asarray(order, dtype=np.intp))
        apart = kendall_distance(one, other, normalized=False)
        return float(self.base**apart / self.normalizer)

    def draw(self, count: int = 1, random_state: Any = None) -> Indices:
        """Return rankings, a row each, by repeated insertion."""
        check_domain("Mallows.draw: count", count, whole(1))
        center, base = np.asarray(self.center, dtype=np.intp), self.base
        draw = np.random.default_rng(random_state)
        out = np.empty((int(count), len(center)), dtype=np.intp)
        # Jumping k places forward contradicts the centre k times.
        powers = [base ** np.arange(i) for i in range(1, len(center) + 1)]
        jumps = np.column_stack(
            [draw.choice(len(p), int(count), p=p / p.sum()) for p in powers]
        )
        for row, places in zip(out, jumps.tolist(), strict=True):
            order: list[int] = []
            for i, item in enumerate(center.tolist()):
                order.insert(i - places[i], item)
            row[:] = order
        return out


def observe(
    P: Any, repeats: int, p_obs: float = 1.0, random_state: Any = None
) -> Comparisons:
    """Draw n_ij ~ Bin(repeats, p_obs) comparisons of each pair, by the matrix P.

    Parameters
    ----------
    P : PairwiseModel or array-like of shape (n_items, n_items)
    repeats : int
        The r of the model: how often each pair may be compared.
    p_obs : float, default=1.0
        Probability that a comparison is seen.

    Examples
    --------
    >>> observe([[0, 1], [0, 0]], 3).matrix().tolist()
    [[0.0, 3.0], [0.0, 0.0]]
    """
    check_domain("observe: repeats", repeats, whole(1))
    check_domain("observe: p_obs", p_obs, closed(0, 1))
    model = P if isinstance(P, PairwiseModel) else PairwiseModel.of(P)
    draw, n = np.random.default_rng(random_state), len(model.P)
    i, j = np.triu_indices(n, 1)
    seen = draw.binomial(int(repeats), p_obs, len(i))
    won = draw.binomial(seen, model.P[i, j])
    counts = won.astype(np.float64), (seen - won).astype(np.float64)
    return Comparisons(list(range(n)), i, j, *counts, np.zeros(len(i)))


def hard_instance(n: int, k: int, gap: float, special: int) -> PairwiseModel:
    """Return the model P_a of the lower bound: k items that win by `gap` more.

    The first k - 1 items and `special`, one of k-1, …, n-1, are the top; they beat the
    others with probability 1/2 + gap, and all else is a fair coin.

    Examples
    --------
    >>> hard_instance(3, 1, 0.1, 2).P.tolist()
    [[0.0, 0.5, 0.4], [0.5, 0.0, 0.4], [0.6, 0.6, 0.0]]
    """
    check_domain("hard_instance: n", n, whole(2))
    check_domain("hard_instance: k", k, whole(1, n - 1))
    check_domain("hard_instance: gap", gap, closed(0, 0.5))
    check_domain("hard_instance: special", special, whole(k - 1, n - 1))
    top = np.zeros(n)
    top[: k - 1] = top[special] = 1.0
    return PairwiseModel.of(0.5 + gap * (top[:, None] - top[None, :]))
