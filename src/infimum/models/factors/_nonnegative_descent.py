"""Coordinates of two nonnegative factors in turn, carried on in the way they came."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from infimum.compiled.descent.nonnegative_columns import improve_columns
from infimum.data.short_products import products_of
from infimum.features.columns import is_sparse
from infimum.limits import in_time
from infimum.typing import Indices, Matrix, Vector

__all__ = ["descend_both", "descend_rows"]

#: Rounds of W alone at the end, and the share of the violation that ends them.
LAST, LEFT = 20, 1e-4
#: Sweeps over coordinates for one product with the table: as many as cost half of it.
FEWEST, MOST = 2, 8
#: Dense tables of so many entries are factorised in single precision first, while
#: so many rounds still lower the error by more than this share of what they explain.
LARGE, LOOK, SEEN = 100_000, 20, 1e-7
#: How much larger a part may be in one factor than in the other, as a root.
UNEVEN = 3.0
#: Where values of single precision and their squares neither overflow nor vanish.
SAFE = 1e8

Descended: TypeAlias = tuple[Matrix, Matrix, int]

#: How far factors are carried on at first; by what this grows while the error falls,
#: and its limit with it; by what it shrinks when it rises (Ang & Gillis 2019).
BEGIN, GROW, RAISE, SHRINK = 0.5, 1.05, 1.01, 1.5


@dataclass
class Pair:
    """Two factors of a table on their way down: columns of Wᵀ and of H.

    `next_w` and `next_h` are what has been carried on from `w` and `h`.
    """

    table: Any
    costs: tuple[float, float, float, float]
    w: Matrix
    h: Matrix
    level: float = 0.0
    most: float = 1.0
    error: float = np.inf
    gained: float = 0.0
    next_w: Matrix = field(init=False)
    next_h: Matrix = field(init=False)
    across: Any = field(init=False)
    sweeps: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.next_w, self.next_h = self.w.copy(), self.h.copy()
        self.across = self.table.T.tocsr() if is_sparse(self.table) else self.table.T
        own = (size // (2 * len(self.w)) for size in self.table.shape[::-1])
        of_W, of_H = (int(np.clip(each, FEWEST, MOST)) for each in own)
        self.sweeps = of_W, of_H

    def advance(self, order: Indices) -> float:
        """Improve each factor where it has been carried to; return the violation."""
        l1, l2, m1, m2 = self.costs
        product, gram = _pulled(self.table, self.next_h), _gram(self.next_h, l2)
        found = improve_columns(
            self.next_w, self.w, product, gram, order, l1, self.level, self.sweeps[0]
        )
        product, gram = _pulled(self.across, self.next_w), _gram(self.next_w, m2)
        old = self.h.copy()
        found += improve_columns(
            self.next_h, self.h, product, gram, order, m1, 0.0, self.sweeps[1]
        )
        self.gained = float(np.vdot(product, self.h))
        error = float(np.vdot(gram, self.h @ self.h.T)) - 2.0 * self.gained
        error += 2.0 * m1 * float(self.h.sum()) + _paid(self.next_w, l1, l2)
        self._judge(error, old)
        if not any(self.costs):
            self._balance(np.diagonal(gram))
        return found

    def _judge(self, error: float, old: Matrix) -> None:
        """Carry on farther; where the error rose, go back to what was improved."""
        rounding = np.finfo(self.h.dtype).eps * self.gained
        if error > self.error + rounding:
            self.next_w[:] = self.w
            self.most, self.level = self.level, self.level / SHRINK
        else:
            step = self.next_h.dtype.type(self.level)
            np.maximum(self.h + step * (self.h - old), 0.0, out=self.next_h)
            self.level = min(self.most, GROW * self.level) if self.level else BEGIN
            self.most = min(1.0, RAISE * self.most)
        self.error = error

    def _balance(self, sizes: Vector) -> None:
        """Share the size of a part between its factors where one has most of it.

        What they make together stays as it is, and so does the way down; violations
        are of the size of the other factor.
        """
        others = np.einsum("ij,ij->i", self.next_h, self.next_h)
        there = (sizes > 0.0) & (others > 0.0)
        share = np.divide(others, sizes, out=np.ones_like(sizes), where=there) ** 0.25
        for t in np.flatnonzero((share > UNEVEN) | (share < 1.0 / UNEVEN)):
            for part in (self.w, self.next_w):
                part[t] *= share[t]
            for part in (self.h, self.next_h):
                part[t] /= share[t]

    def noise(self) -> float:
        """Return what a violation may be by rounding alone."""
        product = _pulled(self.table, self.next_h)
        return float(10.0 * np.finfo(product.dtype).eps * np.abs(product).sum())

    def on(self, X: Any) -> Pair:
        """Return the pair on its way with another table, in its precision."""
        parts = (self.w, self.h, self.next_w, self.next_h)
        w, h, *ahead = (part.astype(X.dtype) for part in parts)
        other = Pair(X, self.costs, w, h, self.level, self.most)
        other.next_w, other.next_h = ahead
        return other


def descend_both(model: Any, X: Any, W: Matrix, H: Matrix) -> Descended:
    """Lower the squared error over both factors; return them and the iterations.

    Each is improved where its last move, done once more in part, has brought it. Where
    the error rises they begin anew from the improved ones. Large tables are read in
    single precision at first, which halves the time of products.
    """
    pair = Pair(X, model._costs(X), np.array(W.T, order="C"), np.array(H, order="C"))
    count, first, most = 0, 0.0, int(model.max_iter)
    random = check_random_state(model.random_state)
    if _is_large(pair):
        rough = pair.on(X.astype(np.float32))
        count, first = _descend(model, rough, random, (0, 0.0, most - 1), rough=True)
        pair = rough.on(X)
    count, _ = _descend(model, pair, random, (count, first, most))
    # The last H was found for this W; this is the best W for that H.
    _improve_rows(X, pair.next_w, pair.h, pair.costs[:2], (LAST, LEFT))
    return np.ascontiguousarray(pair.next_w.T), pair.h, count


def _descend(
    model: Any,
    pair: Pair,
    random: Any,
    count: tuple[int, float, int],
    *,
    rough: bool = False,
) -> tuple[int, float]:
    """Go down until the violation is small; return the rounds and the first violation.

    `count` has those so far, and the most of rounds. A rough way ends where rounding
    hides what is gained.
    """
    begun, first, most = count
    noise, mark = pair.noise(), np.inf
    n, d = pair.table.shape
    done = begun
    for done in in_time(range(begun + 1, most + 1)):
        with products_of(n * d * len(pair.h)):
            found = pair.advance(_order(model, random, len(pair.h)))
        first = found if done == 1 else first
        _tell(model, done, found)
        if found <= max(noise, model.tol * first):
            break
        if rough and done % LOOK == 0:
            if mark - pair.error <= SEEN * pair.gained:
                break
            mark = pair.error
    return done, first


def _is_large(pair: Pair) -> bool:
    X = pair.table
    if is_sparse(X) or X.dtype != np.float64 or X.size < LARGE:
        return False
    return all(1 / SAFE < float(part.max()) < SAFE for part in (X, pair.w, pair.h))


def _pulled(X: Any, part: Matrix) -> Matrix:
    """Return the product of a factor's transpose with a table's, in order of C."""
    if is_sparse(X) or X.flags.f_contiguous:
        return np.ascontiguousarray((X @ part.T).T)
    return np.asarray(part @ X.T)


def _gram(part: Matrix, l2: float) -> Matrix:
    gram = part @ part.T
    gram[np.diag_indices_from(gram)] += gram.dtype.type(l2)
    return gram


def descend_rows(model: Any, X: Any, W: Matrix, H: Matrix) -> Descended:
    """Lower the squared error over W alone; return the factors and the iterations."""
    costs, random = model._costs(X)[:2], check_random_state(model.random_state)
    # A round needs no product with the table: it is cheap to be exact.
    goal = int(model.max_iter), LEFT * model.tol
    W = np.array(W.T, order="C")
    count = _improve_rows(X, W, H, costs, goal, (model, random))
    return W.T, H, count


def _improve_rows(
    X: Any,
    W: Matrix,
    H: Matrix,
    costs: tuple[float, float],
    goal: tuple[int, float],
    told: tuple[Any, Any] | None = None,
) -> int:
    """Improve the columns of `W` for a given H; return how many rounds it took."""
    product, gram, kept = _pulled(X, H), _gram(H, costs[1]), W.copy()
    noise = float(10.0 * np.finfo(W.dtype).eps * np.abs(product).sum())
    order: Indices = np.arange(len(W))
    first, count = 0.0, 0
    for count in range(1, goal[0] + 1):
        if told is not None:
            order = _order(*told, len(W))
        found = improve_columns(W, kept, product, gram, order, costs[0], 0.0, 1)
        first = found if count == 1 else first
        if told is not None:
            _tell(told[0], count, found)
        if found <= max(noise, goal[1] * first):
            break
    return count


def _order(model: Any, random: Any, count: int) -> Indices:
    order = np.arange(count)
    return np.asarray(random.permutation(order)) if model.shuffle else order


def _paid(part: Matrix, l1: float, l2: float) -> float:
    """Return twice what a factor pays."""
    paid = 2.0 * l1 * float(part.sum()) if l1 else 0.0
    return paid + (l2 * float(np.vdot(part, part)) if l2 else 0.0)


def _tell(model: Any, count: int, found: float) -> None:
    if model.verbose:
        name = type(model).__name__
        sys.stdout.write(f"[{name}] {count}: violation {found:.3e}\n")
