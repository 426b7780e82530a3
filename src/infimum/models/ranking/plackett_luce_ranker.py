"""Plackett and Luce's model: rankings as choices, one place after another."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from scipy.special import xlogy

from infimum.certificates import Certificate, gamma
from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.kernel.kernel_ridges._conjugate_gradients import conjugate_gradients
from infimum.models.ranking._fitting import (
    BLOCK,
    LITTLE_ROOM,
    SHARES,
    longest_way,
)
from infimum.models.ranking._ranker import Ranker
from infimum.parameters import (
    Domains,
    check_parameters,
    nonnegative,
    or_none,
    positive,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["PlackettLuceRanker"]


class PlackettLuceRanker(Ranker):
    r"""Scores of items from rankings of any of them, or from choices among some.

    .. math:: P(i_1 ≻ i_2 ≻ …) = \prod_k \frac{e^{u_{i_k}}}{\sum_{l ≥ k} e^{u_{i_l}}}

    Parameters
    ----------
    strength : float, default=0.0
        Of the ridge penalty beside the mean of -log P over all choices; 0 for maximum
        likelihood.
    top : int, optional
        How many places of a ranking are told; the rest of it was there, in no order.
        1 for choices: the first of each row was taken from all of them.
    tol : float, default=1e-9
        Proved gap, as a share of what scores gain over none.
    max_iter : int, default=100

    Attributes
    ----------
    items_, scores_, order_, ranking_
        As in `BradleyTerryRanker`.
    certificate_ : Certificate
    n_iter_ : int

    Examples
    --------
    >>> rows = ["abc", "acb", "bac", "cab", "bca"]
    >>> model = PlackettLuceRanker().fit([list(row) for row in rows])
    >>> model.ranking_, model.certificate_.closed
    (['a', 'b', 'c'], True)

    References
    ----------
    Plackett (1975), Applied Statistics 24. Hunter (2004), Annals of Statistics 32.
    """

    _domains: ClassVar[Domains] = {
        "strength": nonnegative,
        "tol": positive,
        "max_iter": whole(1),
        "top": or_none(whole(1)),
    }

    def __init__(
        self,
        *,
        strength: float = 0.0,
        top: int | None = None,
        tol: float = 1e-9,
        max_iter: int = 100,
    ) -> None:
        self.strength = strength
        self.top = top
        self.tol = tol
        self.max_iter = max_iter

    @whole_or_not_at_all
    def fit(self, rankings: Any, sample_weight: Any = None) -> Self:
        """Find the scores; return self.

        Parameters
        ----------
        rankings : list of lists
            Items, the best first; rows may differ in length.
        sample_weight : array-like of shape (n_rankings,), optional
            Copies of each ranking.
        """
        check_parameters(self)
        self.items_, choices = _choices(rankings, sample_weight, self.top)
        if self.strength == 0 and (why := choices.obstacle(self.items_)):
            raise DataError(
                f"PlackettLuceRanker: no scores are likeliest, for {why}; set strength "
                "above 0."
            )
        u, proof, count = np.zeros(len(self.items_)), Certificate(0.0, -np.inf), 0
        for count in in_time(range(1, int(self.max_iter) + 1)):  # noqa: B007
            step, proof = choices.step(u, float(self.strength), float(self.tol))
            if proof.closed:
                break
            size = choices.length(u, step, float(self.strength))
            u = u - size * step
        self.scores_, self.certificate_, self.n_iter_ = u - u.mean(), proof, count
        return self

    def predict_proba(self, choices: Any) -> list[Vector]:
        """Return, for each list of items, how likely each of them is chosen."""
        self._need_fit()
        rows = [self.scores_[[self._place(name) for name in row]] for row in choices]
        shares = [np.exp(row - row.max()) for row in rows]
        return [share / share.sum() for share in shares]


class _Choices:
    """Choices in flat arrays: in each of them one of some items was taken."""

    def __init__(
        self, owner: Indices, item: Indices, taken: Indices, weight: Vector, n: int
    ) -> None:
        self.owner, self.item, self.taken, self.n = owner, item, taken, n
        self.weight, self.total = weight, float(weight.sum())
        self.wins = np.bincount(taken, weight, minlength=n)

    def obstacle(self, items: list[Any]) -> str | None:
        """Tell why no finite scores are likeliest, or None."""
        edges = sparse.csr_array(
            (np.ones(len(self.item)), (self.taken[self.owner], self.item)),
            shape=(self.n, self.n),
        )
        count, own = csgraph.connected_components(edges, connection="strong")
        if count == 1:
            return None
        group = [items[i] for i in np.flatnonzero(own == own[0])][:4]
        return (
            f"no chain of choices leads from each item to each other one: they fall "
            f"into {count} groups, one with {', '.join(map(repr, group))}"
        )

    def value(self, u: Vector, strength: float) -> float:
        """Return the mean of -log P, plus the ridge."""
        logs, _ = self._shares(u)
        told = float(self.weight @ logs - self.wins @ u)
        return told / self.total + 0.5 * strength * float(u @ u)

    def step(
        self, u: Vector, strength: float, tol: float
    ) -> tuple[Vector, Certificate]:
        """Return Newton's step, and the certificate of where one is."""
        _, q = self._shares(u)
        held = self.weight[self.owner] * q
        sums = np.bincount(self.item, held, minlength=self.n)
        gradient = (sums - self.wins) / self.total + strength * u
        diagonal = sums / self.total + strength

        def product(Z: Matrix) -> Matrix:
            moved = (
                Z[self.item, 0]
                - np.bincount(self.owner, q * Z[self.item, 0])[self.owner]
            )
            out = np.bincount(self.item, held * moved, minlength=self.n)
            return np.asarray(out / self.total + strength * Z[:, 0])[:, None]

        scale = np.maximum(diagonal, 1e-12 * diagonal.max())[:, None]
        found, _ = conjugate_gradients(
            product,
            lambda Z: Z / scale,
            gradient[:, None],
            1e-12,
            20 * self.n + 20,
            patience=200,
        )
        step = found[:, 0] - (found[:, 0].mean() if strength == 0 else 0.0)
        return step, self._proof(u, q, step, strength, tol)

    def length(self, u: Vector, step: Vector, strength: float) -> float:
        """Return how much of a step goes down."""
        size, here = 1.0, self.value(u, strength)
        while size > 1e-9 and self.value(u - size * step, strength) > here:
            size *= 0.5
        return size

    def _shares(self, u: Vector) -> tuple[Vector, Vector]:
        """Return the logarithm of each choice's sum, and the shares of its items."""
        scores = u[self.item]
        tops = np.full(len(self.taken), -np.inf)
        np.maximum.at(tops, self.owner, scores)
        raw = np.exp(scores - tops[self.owner])
        sums = np.bincount(self.owner, raw)
        return tops + np.log(sums), raw / sums[self.owner]

    def _proof(
        self, u: Vector, q: Vector, step: Vector, strength: float, tol: float
    ) -> Certificate:
        """Bound the optimum below by the entropy of shares that balance exactly."""
        moved = step[self.item]
        mean = np.bincount(self.owner, q * moved)[self.owner]
        shares = q - q * (moved - mean)
        primal = self.value(u, strength)
        dual = -np.inf
        if shares.min() >= 0:
            dual = -float(self.weight[self.owner] @ xlogy(shares, shares)) / self.total
        held = self.weight[self.owner] * shares
        sums: Any = np.bincount(self.item, held, minlength=self.n)
        balance = (sums - self.wins) / self.total
        # Shares that add up to 1 exactly are that near.
        off = float(np.abs(np.bincount(self.owner, shares) - 1.0).max())
        off += gamma(float(np.bincount(self.owner).max()))
        terms = gamma(float(np.bincount(self.item).max()) + 8.0)
        balance = np.abs(balance) + (off + terms) * (sums + self.wins) / self.total
        size = float(self.wins @ np.abs(u)) / self.total
        slack = gamma(BLOCK + len(u) / BLOCK + 8.0) * (abs(primal) + 2.0 * size)
        slack += (gamma(BLOCK + len(shares) / BLOCK + 8.0) + off) * abs(dual)
        slack += SHARES + off
        if strength > 0:
            dual -= float(balance @ balance) / (2.0 * strength)
        else:
            slack += self._price(held, shares, balance)
        null = self.value(np.zeros(self.n), strength)
        scale = max(null - primal, 1e-3 * abs(null))
        if not np.isfinite(slack):
            dual, slack = 0.0, 0.0
        return Certificate(primal, max(dual - slack, 0.0), scale, tol, "solved", slack)

    def _price(self, held: Vector, shares: Vector, balance: Vector) -> float:
        """Bound what shares that balance exactly cost, moved along a tree of choices.

        No share falls by more than half, so that logarithms are off by log 2 at most.
        """
        used = held > LITTLE_ROOM * held.max()
        if not float(balance.sum()) * self.total <= 0.5 * held[used].min():
            return np.inf
        steepest = 2.0 - float(np.log(shares[used].min()))
        pairs = self.item[used], self.n + self.owner[used]
        far = longest_way(*pairs, self.n, self.n + len(self.taken))
        return float(balance.sum()) * far * steepest


def _choices(
    rankings: Any, sample_weight: Any, top: int | None
) -> tuple[list[Any], _Choices]:
    rows = [list(row) for row in rankings]
    if not rows or all(len(row) < 2 for row in rows):  # noqa: PLR2004
        raise DataError("PlackettLuceRanker needs a ranking of two items or more.")
    weights = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight)
    if weights.shape != (len(rows),) or not (weights >= 0).all() or not weights.any():
        raise DataError(
            f"PlackettLuceRanker: sample_weight needs {len(rows)} numbers that are not "
            "negative, and not all 0."
        )
    met = dict.fromkeys(name for row in rows for name in row)
    try:
        items = sorted(met)
    except TypeError:
        items = list(met)
    place = {name: i for i, name in enumerate(items)}
    owner: list[int] = []
    item: list[int] = []
    taken: list[int] = []
    weight: list[float] = []
    for row, copies in zip(rows, weights, strict=True):
        numbers = [place[name] for name in row]
        if len(set(numbers)) < len(numbers):
            raise DataError(f"PlackettLuceRanker: an item is twice in {row!r}.")
        stages = len(row) - 1 if top is None else min(int(top), len(row) - 1)
        for k in range(stages if copies > 0 else 0):
            owner += [len(taken)] * (len(row) - k)
            item += numbers[k:]
            taken.append(numbers[k])
            weight.append(float(copies))
    one, two, three = (np.array(a, dtype=np.intp) for a in (owner, item, taken))
    return items, _Choices(one, two, three, np.array(weight), len(items))
