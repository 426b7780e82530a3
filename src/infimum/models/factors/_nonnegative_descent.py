"""Coordinates of two nonnegative factors in turn, carried on in the way they came."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from infimum.features.columns import is_sparse
from infimum.models.factors._nonnegative_steps import coordinate_step
from infimum.typing import Indices, Matrix

__all__ = ["descend_both", "descend_rows"]

#: Rounds of W alone at the end, and the share of the violation that ends them.
LAST, LEFT = 20, 1e-4

Descended: TypeAlias = tuple[Matrix, Matrix, int]

#: How far factors are carried on at first; by what this grows while the error falls,
#: and its limit with it; by what it shrinks when it rises (Ang & Gillis 2019).
BEGIN, GROW, RAISE, SHRINK = 0.5, 1.05, 1.01, 1.5


def descend_both(
    model: Any, X: Any, W: Matrix, H: Matrix
) -> tuple[Matrix, Matrix, int]:
    """Lower the squared error over both factors; return them and the iterations.

    Each is improved where its last move, done once more in part, has brought it. Where
    the error rises they begin anew from the improved ones.
    """
    costs, W = model._costs(X), np.ascontiguousarray(W)
    H = np.ascontiguousarray(H.T)
    values, XT = (X.data, X.T.tocsr()) if is_sparse(X) else (X, X.T)
    total = float(np.vdot(values, values))
    near_W, near_H = W, H
    first, count, level, most, before = 0.0, 0, 0.0, 1.0, np.inf
    random = check_random_state(model.random_state)
    for count in range(1, int(model.max_iter) + 1):
        order = _order(model, random, W.shape[1])
        product = np.asarray(X @ near_H)
        new_W = near_W.copy()
        found = coordinate_step(new_W, product, near_H.T @ near_H, costs[:2], order)
        near_W = _carried(new_W, W, level)
        pulls, gram = np.asarray(XT @ near_W), near_W.T @ near_W
        new_H = near_H.copy()
        found += coordinate_step(new_H, pulls, gram, costs[2:], order)
        error = total - 2.0 * float(np.vdot(pulls, new_H))
        error += float(np.vdot(gram, new_H.T @ new_H))
        error += _paid(near_W, costs[:2]) + _paid(new_H, costs[2:])
        if error > before:
            near_W, near_H = new_W, new_H
            most, level = level, level / SHRINK
        else:
            near_H = _carried(new_H, H, level)
            level = BEGIN if count == 1 else min(most, GROW * level)
            most = min(1.0, RAISE * most)
        W, H, before = new_W, new_H, error
        if count == 1:
            first = found
            noise = 10.0 * float(np.finfo(W.dtype).eps * np.abs(product).sum())
        _tell(model, count, found)
        if found <= max(noise, model.tol * first):
            break
    H = np.ascontiguousarray(H.T)
    return _ended(X, near_W, H, costs[:2]), H, count


def _ended(X: Any, W: Matrix, H: Matrix, costs: tuple[float, float]) -> Matrix:
    """Return W where it is best for H, but for rounding or so many rounds."""
    W, product, gram = W.copy(), np.asarray(X @ H.T), H @ H.T
    order, first = np.arange(W.shape[1]), 0.0
    for turn in range(LAST):
        found = coordinate_step(W, product, gram, costs, order)
        first = found if turn == 0 else first
        if found <= LEFT * first:
            break
    return W


def descend_rows(
    model: Any, X: Any, W: Matrix, H: Matrix
) -> tuple[Matrix, Matrix, int]:
    """Lower the squared error over W alone; return the factors and the iterations."""
    W, first, count = np.ascontiguousarray(W), 0.0, 0
    product, gram = np.asarray(X @ H.T), H @ H.T
    noise = 10.0 * float(np.finfo(W.dtype).eps * np.abs(product).sum())
    random = check_random_state(model.random_state)
    for count in range(1, int(model.max_iter) + 1):
        order = _order(model, random, W.shape[1])
        found = coordinate_step(W, product, gram, model._costs(X)[:2], order)
        first = found if count == 1 else first
        _tell(model, count, found)
        # A round needs no product with the table: it is cheap to be exact.
        if found <= max(noise, LEFT * model.tol * first):
            break
    return W, H, count


def _order(model: Any, random: Any, count: int) -> Indices:
    order = np.arange(count)
    return np.asarray(random.permutation(order)) if model.shuffle else order


def _carried(new: Matrix, old: Matrix, level: float) -> Matrix:
    """Return a factor after its last move and a part of it again."""
    if not level:
        return new
    found = new - old
    found *= new.dtype.type(level)
    found += new
    return np.maximum(found, 0.0, out=found)


def _paid(part: Matrix, costs: tuple[float, float]) -> float:
    """Return twice what a factor pays."""
    l1, l2 = costs
    return 2.0 * l1 * float(part.sum()) + l2 * float(np.vdot(part, part))


def _tell(model: Any, count: int, found: float) -> None:
    if model.verbose:
        name = type(model).__name__
        sys.stdout.write(f"[{name}] {count}: violation {found:.3e}\n")
