"""Second moments of a least-squares problem, from one pass over the samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from infimum.data.designs import DenseDesign, Design, SparseDesign, StandardizedDesign
from infimum.data.short_products import products_of
from infimum.losses import Squared
from infimum.models.linear._problem import LinearProblem
from infimum.typing import Matrix, Vector

__all__ = [
    "Moments",
    "centred_targets",
    "moments_of",
    "outer_product",
    "squared_problem",
]

#: Means this many deviations from 0 would cost digits when squares are subtracted.
FAR = 10.0
#: Bytes of a block of rows that is copied before it is multiplied.
BLOCK_BYTES = 1 << 24
#: Rows whose sums are taken before they are added: means lose no digits to many rows.
SUMMED = 1024


@dataclass(frozen=True, eq=False)
class Moments:
    """XᵀQX, XᵀQY and the diagonal of YᵀQY; an intercept centres X and Y.

    Q is diagonal and holds the share of each sample. For the squared loss they hold all
    that a fit and its proof need: the gradient of the risk at w is `gram` w - `pulls`.
    """

    gram: Matrix
    pulls: Matrix
    target_means: Vector
    variances: Vector


def squared_problem(
    X: Any, targets: tuple[Vector, ...], weight: Vector | None, *, intercept: bool
) -> LinearProblem:
    """State a least-squares problem; XᵀQY comes from the pass that finds the means."""
    how: dict[str, Any] = {"intercept": intercept, "centre": False}
    raw = LinearProblem.of(X, targets, Squared(), weight, **how)
    dense = isinstance(raw.design, DenseDesign) and raw.design.dtype == np.float64
    if not (dense and intercept):
        return LinearProblem.of(X, targets, Squared(), weight, intercept=intercept)
    shares = raw.shares
    centred, _ = centred_targets(raw)
    weighted = np.column_stack([shares, shares[:, None] * centred])
    joint = _summed(raw.design.toarray(), weighted)
    means = np.ascontiguousarray(joint[:, 0])
    design = StandardizedDesign(raw.design, means, np.ones_like(means))
    raw.memory.keep(_Pulls(joint[:, 1:]))
    return replace(raw, design=design, means=means)


def moments_of(problem: LinearProblem) -> Moments:
    """Return the moments of a least-squares problem, computed the first time."""
    return problem.memory.made(Moments, lambda: _moments(problem))


class _Pulls(NamedTuple):
    """XᵀQY, found on the way to the means."""

    values: Matrix


def _moments(problem: LinearProblem) -> Moments:
    shares = problem.shares
    targets, means = centred_targets(problem)
    variances = np.einsum("i,ik,ik->k", shares, targets, targets)
    known = problem.memory.pop(_Pulls, None)
    if known is None:
        known = _Pulls(problem.design.pull_back(shares[:, None] * targets))
    gram = _gram(problem.design, None if problem.sample_weight is None else shares)
    pulls = np.asarray(known.values, dtype=np.float64)
    return Moments(gram, pulls, means, variances)


def centred_targets(problem: LinearProblem) -> tuple[Matrix, Vector]:
    """Return the targets as columns, without the means an intercept absorbs."""
    return problem.memory.made(_Centred, lambda: _centred(problem))


class _Centred(NamedTuple):
    """The targets about their means, and these."""

    targets: Matrix
    means: Vector


def _centred(problem: LinearProblem) -> _Centred:
    targets = np.column_stack(problem.targets)
    means = np.zeros(targets.shape[1])
    if problem.intercept:
        means = np.average(targets, axis=0, weights=problem.sample_weight)
        targets = targets - means
    return _Centred(targets, means)


def outer_product(problem: LinearProblem) -> Matrix:
    """Return Q½ X Xᵀ Q½, samples × samples; a sparse X is never filled."""
    design, roots = problem.design, np.sqrt(problem.shares)[:, None]
    inner = design.original if isinstance(design, StandardizedDesign) else design
    if not isinstance(inner, SparseDesign):
        rows = roots * np.asarray(design.toarray(), dtype=np.float64)
        return np.asarray(rows @ rows.T)
    entries = inner.by_row.astype(np.float64)
    outer = np.asarray((entries @ entries.T).toarray())
    if isinstance(design, StandardizedDesign):  # its scale is 1: it only centres
        cross = np.asarray(entries @ design.shift)
        outer += float(design.shift @ design.shift) - cross[:, None] - cross
    return np.asarray(roots * outer * roots.T)


def _gram(design: Design, shares: Vector | None) -> Matrix:
    """Return XᵀQX; equal shares need no copy of X, and far means no cancellation."""
    if not isinstance(design, StandardizedDesign):
        return _plain_gram(design, shares)
    raw = _plain_gram(design.original, shares)
    squares = np.diag(raw)
    shift = design.shift
    if isinstance(design.original, DenseDesign) and bool(
        np.any(FAR**2 * (squares - shift**2) < squares)
    ):
        return _shifted_gram(design.original, shift, shares)
    # Shares sum to 1 and the shift is their mean: E(x-μ)(x-μ)ᵀ = E xxᵀ - μμᵀ.
    return np.asarray(raw - np.outer(shift, shift))


def _summed(X: Matrix, columns: Matrix) -> Matrix:
    """Return Xᵀ columns, added in blocks: an error in a mean enters the moments."""
    starts = range(0, len(X), SUMMED)
    parts = [X[at : at + SUMMED].T @ columns[at : at + SUMMED] for at in starts]
    return np.asarray(np.sum(parts, axis=0))


def _plain_gram(design: Design, shares: Vector | None) -> Matrix:
    if shares is not None:
        return design.gram(shares)
    if isinstance(design, DenseDesign) and design.dtype == np.float32:
        return _shifted_gram(design, np.zeros(design.shape[1]), None)
    return design.gram() / design.shape[0]


def _shifted_gram(design: DenseDesign, shift: Vector, shares: Vector | None) -> Matrix:
    """Sum over blocks of rows that are centred first, in double precision."""
    n, d = design.shape
    total = np.zeros((d, d))
    for rows, block in design.row_blocks(max(64, BLOCK_BYTES // (8 * max(1, d)))):
        near = block.X.astype(np.float64) - shift
        if shares is not None:
            near *= np.sqrt(shares[rows, None])
        with products_of(near.size * d):
            total += near.T @ near
    return total / n if shares is None else total
