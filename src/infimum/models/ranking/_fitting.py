"""Newton's method for comparisons, and a lower bound that proves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph

from infimum.certificates import Certificate, gamma
from infimum.limits import in_time
from infimum.models.kernel.kernel_ridges._conjugate_gradients import conjugate_gradients
from infimum.models.ranking._families import Davidson, Family, Probit
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "BLOCK",
    "LITTLE_ROOM",
    "SHARES",
    "Differences",
    "Fit",
    "Problem",
    "longest_way",
]

#: Systems up to this size are solved by Cholesky factors.
SMALL = 300
#: What rounding of one slope can add to -f*(s), as a share of its games: some units in
#: the last place, times the logarithm of the least share that is told from 0.
SHARES = 200.0 * 2.0**-53
#: Slopes with less room than this share of the most are left where they are.
LITTLE_ROOM = 1e-10
#: Numbers are added in pairs of blocks of this many at most.
BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters, their certificate, and Newton's steps."""

    point: Vector
    certificate: Certificate
    n_iter: int


@dataclass(frozen=True, eq=False)
class _There:
    """What was seen at a point: risk, forms, slopes, bends, and the gradient."""

    beta: Vector
    risk: float
    d: Vector
    s: Vector
    bend: Vector
    gradient: Vector


@dataclass(frozen=True, eq=False)
class Differences:
    """The forms uᵢ - uⱼ of pairs, which need no matrix."""

    left: Indices
    right: Indices
    count: int

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of pairs and of items, as a matrix has them."""
        return len(self.left), self.count

    def __matmul__(self, u: Vector) -> Vector:
        from infimum.compiled.graphs.compared_pairs import spread_pairs

        out = np.empty(len(self.left))
        spread_pairs(self.left, self.right, np.ascontiguousarray(u), out)
        return out

    def back(self, s: Vector) -> Vector:
        """Return the sums over the pairs of each item, the right one's negative."""
        from infimum.compiled.graphs.compared_pairs import pull_pairs

        out = np.zeros(self.count)
        pull_pairs(self.left, self.right, s, out)
        return out

    def solve(
        self, bend: Vector, ridge: Vector, goal: Vector, tolerance: float
    ) -> Vector:
        """Solve with the second derivatives by conjugate gradients."""
        from infimum.compiled.graphs.compared_pairs import solve_pairs

        out = np.empty(self.count)
        at = (self.left, self.right, bend, ridge, goal)
        solve_pairs(*at, tolerance, 4 * self.count + 100, out)
        return out

    def sizes(self, s: Vector) -> Vector:
        """Return the sums of the sizes of what `back` adds up."""
        from infimum.compiled.graphs.compared_pairs import add_pairs

        out = np.zeros(self.count)
        add_pairs(self.left, self.right, np.abs(s), out)
        return out

    @cached_property
    def terms(self) -> int:
        """How many pairs the item of the most pairs is in."""
        return int(self.sizes(np.ones(len(self.left))).max(initial=0.0))

    def matrix(self) -> Any:
        """Return the forms as a sparse matrix."""
        m = len(self.left)
        signs = np.repeat([1.0, -1.0], m)
        places = np.tile(np.arange(m), 2), np.concatenate([self.left, self.right])
        return sparse.csr_array((signs, places), shape=self.shape)


@dataclass(frozen=True, eq=False)
class Problem:
    """Mean of minus the log-likelihood, plus a ridge: convex in the parameters.

    Parameters
    ----------
    forms : Differences, or csr_array of shape (n_forms, n_parameters)
        The linear forms that the family sees.
    family : Family
    total : float
        The number of games.
    strength : float
        Of the ridge penalty on the parameters marked in `ridged`.
    ridged : ndarray of shape (n_parameters,)
    flat : ndarray of shape (n_parameters,)
        A direction in which nothing changes, or zeros.
    """

    forms: Any
    family: Family
    total: float
    strength: float
    ridged: Vector
    flat: Vector

    def value(self, beta: Vector) -> float:
        """Return the objective."""
        return self.family.value(self.forms @ beta) / self.total + self._ridge(beta)

    def _ridge(self, beta: Vector) -> float:
        return 0.5 * self.strength * float(self.ridged @ beta**2)

    def fit(self, start: Vector, tol: float, max_iter: int) -> Fit:
        """Go down by Newton's steps until the gap is proved below `tol`."""
        null = self.value(np.where(self.ridged > 0, 0.0, start))
        count, there, proof = 0, None, None
        for count, there, risk, along in self._steps(start, max_iter):  # noqa: B007
            proof = None
            # Half of it is about the gap before the step, which doubles the digits.
            if along <= 2.0 * tol * _scale(null, risk):
                proof = self._proved(there, null, tol)
                if proof.closed:
                    break
        there = self._seen(start) if there is None else there
        proof = self._proved(there, null, tol) if proof is None else proof
        return Fit(there.beta, replace(proof, reason="solved"), count)

    def point(self, start: Vector, tol: float, max_iter: int) -> Vector:
        """Go down by Newton's steps that promise `tol`, without a proof."""
        null, beta = self.value(np.where(self.ridged > 0, 0.0, start)), start
        for _, there, risk, along in self._steps(start, max_iter):
            beta = there.beta
            if along <= tol * _scale(null, risk):
                break
        return beta

    def _steps(
        self, start: Vector, max_iter: int
    ) -> Iterator[tuple[int, _There, float, float]]:
        """Yield where Newton's steps led, the risk before, and what was promised."""
        there, first = self._seen(start), 1e-300
        for count in in_time(range(1, max_iter + 1)):
            size = float(np.linalg.norm(there.gradient))
            first = max(first, size)
            step = self._solve(there, min(0.1, size / first))
            along, risk = float(there.gradient @ step), there.risk
            nearer = self._down(there, step, along)
            there = there if nearer is None else nearer
            yield count, there, risk, along
            if nearer is None:
                break

    def _seen(self, beta: Vector) -> _There:
        d = self.forms @ beta
        value, s, bend = self.family.expand(d)
        risk = value / self.total + self._ridge(beta)
        pull = self._back()(s) / self.total + self.strength * self.ridged * beta
        return _There(beta, risk, d, s, bend, pull)

    def certify(self, beta: Vector, tol: float) -> Certificate:
        """Prove how good any point is, whoever found it."""
        null = self.value(np.where(self.ridged > 0, 0.0, beta))
        return self._proved(self._seen(beta), null, tol)

    def _proved(self, there: _There, null: float, tol: float) -> Certificate:
        # What the step leaves of the gradient is charged: little of the gap asked.
        beta = there.beta
        allowed = 1e-3 * tol * _scale(null, there.risk) / np.sqrt(len(beta))
        size = float(np.linalg.norm(there.gradient)) * _reach(beta)
        relative = allowed / size if size > 0 else 1.0
        step = self._solve(there, min(1e-3, max(1e-10, relative)))
        proof = self._certificate(there, step, (null, tol))
        return replace(proof, reason="checked")

    def hessian(self, beta: Vector) -> Matrix:
        """Return second derivatives times the number of games, dense."""
        d = self.forms @ beta
        curved = self._curved(d, self.family.expand(d)[2])
        forms: Any = self.forms
        forms = forms.matrix() if isinstance(forms, Differences) else forms
        H = np.asarray((forms.T @ curved @ forms).toarray())
        return np.asarray(H + self.total * self.strength * np.diag(self.ridged))

    def _down(self, there: _There, step: Vector, along: float) -> _There | None:
        size = 1.0
        for _ in range(40):
            near = self._seen(there.beta - size * step)
            down = there.risk - 1e-4 * size * along
            if near.risk <= down + 1e-15 * abs(there.risk):
                return near
            size *= 0.5
        return None

    def _curved(self, d: Vector, bend: Vector) -> Any:
        diagonal: Any = sparse.diags_array(bend)
        if not isinstance(self.family, Davidson):
            return diagonal
        across: Any = self.family.cross(d)
        m = len(self.family.wins)
        return sparse.csr_array(
            diagonal
            + sparse.diags_array(
                [across, across], offsets=[m, -m], shape=diagonal.shape
            )
        )

    def _back(self) -> Callable[[Vector], Vector]:
        """Return the transposed forms as a function."""
        forms: Any = self.forms
        if isinstance(forms, Differences):
            return forms.back
        transposed = forms.T.tocsr()
        return lambda s: np.asarray(transposed @ s)

    def _solve(self, there: _There, relative: float) -> Vector:
        """Solve H step = right, H with the mean over games.

        Pairs of many items are solved as exactly as it pays at this step.
        """
        d, bend, right = there.d, there.bend, there.gradient
        ridge, p, forms = self.strength * self.ridged, len(right), self.forms
        if isinstance(forms, Differences):
            enough = relative * float(np.linalg.norm(right))
            return forms.solve(bend / self.total, ridge, right, enough)
        curved, back = self._curved(d, bend), self.forms.T.tocsr()
        if p <= SMALL:
            H = (back @ curved @ self.forms).toarray() / self.total + np.diag(ridge)
            level = float(np.trace(H)) / p
            H += level * np.outer(self.flat, self.flat)
            H[np.diag_indices(p)] += 1e-14 * level
            return np.asarray(linalg.solve(H, right, assume_a="pos"))
        squares = self.forms.copy()
        squares.data = squares.data**2
        diagonal = squares.T @ bend / self.total + ridge
        diagonal = np.maximum(diagonal, 1e-12 * diagonal.max())[:, None]
        flat, level = self.flat[:, None], float(diagonal.mean())
        right = right - self.flat * float(self.flat @ right)

        def product(Z: Matrix) -> Matrix:
            through = back @ (curved @ (self.forms @ Z)) / self.total
            # Held in the flat direction, along which rounding would grow.
            held = level * flat * (flat.T @ Z)
            return np.asarray(through + ridge[:, None] * Z + held)

        found, _ = conjugate_gradients(
            product, lambda Z: Z / diagonal, right[:, None], 1e-10, 4 * p, patience=200
        )
        return np.asarray(found[:, 0])

    def _certificate(
        self, there: _There, step: Vector, asked: tuple[float, float]
    ) -> Certificate:
        """Bound the optimum below by slopes that balance exactly.

        Moving the slopes by H step cancels the gradient, up to rounding. Slopes that
        balance exactly are near, and their price is charged, like the rounding of all
        sums. No likelihood is above 1, so that the bound is 0 at least.
        """
        d, s, bend, primal = there.d, there.s, there.bend, there.risk
        null, tol = asked
        through = self.forms @ step
        if isinstance(self.forms, Differences):
            moved = s - bend * through
        else:
            moved = s - self._curved(d, bend) @ through
        games = np.abs(moved)
        if isinstance(self.family, Probit):  # what is moved are the forms
            d = self.family.attained(d, moved)
            _, moved, bend = self.family.expand(d)
            games = games + (1.0 + np.abs(d)) * (self.family.wins + self.family.losses)
        dual = self.family.dual(d, moved) / self.total
        balance = np.abs(self._back()(moved)) + self._lost(games)
        balance = balance / self.total
        if self.strength > 0:
            held = self.ridged > 0
            dual -= float(np.sum(balance[held] ** 2)) / (2.0 * self.strength)
            balance = np.where(held, 0.0, balance)
        size = primal + abs(dual) + float(games @ np.abs(d)) / self.total
        slack = gamma(BLOCK + len(d) / BLOCK + 8.0) * size + SHARES
        if balance.any():
            slack += self._price(*self.family.room(d, moved, bend), balance)
        dual = max(dual - slack, 0.0) if np.isfinite(slack) else 0.0
        slack = slack if np.isfinite(slack) else 0.0
        scale = _scale(null, primal)
        return Certificate(primal, dual, scale, tol, "solved", slack=slack)

    def _lost(self, s: Vector) -> Vector:
        """Bound the rounding of what `_back` adds up."""
        if isinstance(self.forms, Differences):
            return gamma(self.forms.terms + 4.0) * self.forms.sizes(s)
        forms = abs(self.forms).tocsc()
        most = float(np.diff(forms.indptr).max(initial=0))
        return gamma(most + 4.0) * np.asarray(forms.T @ np.abs(s))

    def _price(self, room: Vector, steepest: Vector, balance: Vector) -> float:
        """Bound what f* rises by until slopes balance, by at most `balance`.

        Each slope may move by its room, where f* is no steeper than told. The shortest
        move is bounded by the least eigenvalue of the forms' moments with weights
        `room`, where many items are compared by the longest way in a tree of pairs.
        """
        used = room > LITTLE_ROOM * room.max(initial=0.0)
        lacking, steep = balance * self.total, float(steepest[used].max(initial=0.0))
        if isinstance(self.forms, Differences):
            if not float(lacking.sum()) <= room[used].min(initial=np.inf):
                return np.inf
            pairs = self.forms.left[used], self.forms.right[used]
            far = longest_way(*pairs, self.forms.count, self.forms.count)
            return float(balance.sum()) * far * steep
        # What is priced need not balance, nor an item that all others make up for.
        free = self.ridged <= 0 if self.strength > 0 else np.ones(len(lacking), bool)
        free[np.flatnonzero(self.flat)[:1]] = False
        Z = self.forms.tocsc()[:, np.flatnonzero(free)]
        lacking = lacking[free]
        moments = (Z.T @ (sparse.diags_array(room * used) @ Z)).toarray()
        moved = (np.diag(moments) > 0) | (lacking > 0)
        moments, lacking = moments[np.ix_(moved, moved)], lacking[moved]
        norms = np.sqrt(np.diag(moments))
        if not len(norms) or not norms.all():
            return np.inf if len(norms) else 0.0
        least = float(np.linalg.eigvalsh(moments / np.outer(norms, norms))[0])
        least -= (gamma(len(room) + 8.0) + SHARES) * len(norms) ** 2
        if least <= 0.0:
            return np.inf
        length = float(np.linalg.norm(lacking / norms)) / float(np.sqrt(least))
        if not length <= float(np.sqrt(room[used].min())):
            return np.inf
        return steep * length * float(np.sqrt(room[used].sum())) / self.total


def longest_way(left: Any, right: Any, items: int, count: int) -> float:
    """Return the longest of the shortest ways from the first item to another."""
    graph = sparse.csr_array((np.ones(len(left)), (left, right)), shape=(count, count))
    order, before = csgraph.breadth_first_order(graph, 0, directed=False)
    depths = np.full(count, np.inf)
    depths[0] = 0.0
    for each in order[1:]:
        depths[each] = depths[before[each]] + 1.0
    return float(depths[:items].max())


def _reach(beta: Vector) -> float:
    """Return how large parameters may be where the bound is asked."""
    return 2.0 * float(np.abs(beta).max(initial=0.0)) + 1.0


def _scale(null: float, risk: float) -> float:
    """Return what scores gain over none, which gaps are a share of."""
    return max(null - risk, 1e-3 * abs(null))
