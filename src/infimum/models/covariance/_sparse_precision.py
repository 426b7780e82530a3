"""Sparse precisions by sweeps over columns and Newton steps, one part at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse.csgraph import connected_components

from infimum.certificates import Certificate, gamma
from infimum.certificates.rounding import UNIT
from infimum.data.short_products import products_of
from infimum.errors import DataError
from infimum.typing import Matrix

__all__ = ["SparsePrecision", "solve_precision", "symmetric"]

#: The halves of a covariance may differ by this share of the two deviations.
SYMMETRIC = 1e-8
#: A step is taken whole, half, ... if the objective falls by this share of the model's.
ENOUGH = 1e-3
HALVINGS = 40
#: A Newton step is found to this share of its first sweep, in at most so many sweeps;
#: what needs more is left to so many conjugate gradients, to this share of the slope.
SHARE, SWEEPS = 0.05, 8
ROUNDS, SLIGHT = 60, 0.02
#: Up to so many features a Newton step more costs nothing, and is found to this share.
FEW, SHARP = 50, 1e-6
#: Sweeps before the Newton steps of a larger part.
BEFORE = 30
#: Off the diagonal sweeps start from so much of the covariance, which is definite.
DRAWN_IN = 0.95
#: Up to about 280 features factors and products stay on one thread: for each entry so
#: many multiplications count.
SHORT = 50
#: They come in where a step leaves more than this share of the gap.
MOST = 0.3


@dataclass(frozen=True, eq=False)
class SparsePrecision:
    """A solution: covariance, sparse precision, values and gaps of all steps."""

    covariance: Matrix
    precision: Matrix
    costs: list[tuple[float, float]]
    certificate: Certificate


@dataclass
class _Part:
    """A precision on the way: its inverse, what it costs, and what proves it."""

    sample: Matrix
    alpha: float
    precision: Matrix
    costs: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root, self.value = self._at(self.precision)
        self.covariance = _inverse(self.root)

    def _at(self, precision: Matrix) -> tuple[Matrix, float]:
        """Return Cholesky's root and the objective; infinite where there is none."""
        root, failed = linalg.lapack.dpotrf(precision, lower=True, clean=True)
        if failed:
            return root, math.inf
        value = -2.0 * float(np.log(root.diagonal()).sum())
        value += float(np.vdot(self.sample, precision))
        return root, value + self.alpha * _off_diagonal(precision)

    def look(self) -> float:
        """Write down the objective and its distance from what a dual point proves."""
        near = _feasible(self.sample, self.covariance, self.alpha)
        root, failed = linalg.lapack.dpotrf(near, lower=True, clean=True)
        lower = -math.inf
        if not failed:
            lower = 2.0 * float(np.log(root.diagonal()).sum()) + len(near)
        self.costs.append((self.value, self.value - lower))
        return self.value - lower

    def settle(self, aim: float, most: int) -> None:
        """Take steps until the gap is at most `aim`, or there were `most` of them."""
        swept = min(most, BEFORE)
        if self._sweep(aim, swept):
            if len(self.sample) <= FEW and len(self.costs) < most:
                self._sharpen()
            return
        self.covariance = _inverse(self.root)
        for _ in range(most - swept):
            fell = self.improve()
            if self.look() <= aim or not fell:
                return

    def _sharpen(self) -> None:
        """Take one exact step; the covariance stays if it proves more."""
        swept, gap = self.covariance, self.costs[-1][1] if self.costs else math.inf
        self.covariance = _inverse(self.root)
        if not self.improve(SHARP) or self.look() > gap:
            self.covariance = swept

    def _sweep(self, aim: float, most: int) -> bool:
        """Solve the lasso of each feature on the others; tell whether that closes."""
        from infimum.compiled.descent.precision_columns import (
            sweep_columns,  # late: it loads numba
        )

        covariance = DRAWN_IN * self.sample
        np.fill_diagonal(covariance, self.sample.diagonal())
        slopes = np.zeros_like(covariance)
        fine = aim * float(covariance.diagonal().min())
        for _ in range(most):
            sweep_columns(self.sample, covariance, slopes, self.alpha, fine)
            precision = _implied(covariance, slopes)
            root, value = self._at(precision)
            if value < self.value:
                self.precision, self.root, self.value = precision, root, value
                self.covariance = covariance.copy()
            if self.look() <= aim:
                return True
        return False

    def improve(self, share: float = SHARE) -> bool:
        """Take a Newton step; tell whether the objective fell."""
        from infimum.compiled.descent.precision_step import (
            newton_step,  # late: it loads numba
        )

        gradient = self.sample - self.covariance
        active = (np.abs(gradient) > self.alpha) | (self.precision != 0.0)
        np.fill_diagonal(active, val=True)
        places = np.nonzero(np.triu(active))
        rows, columns = (np.ascontiguousarray(each) for each in places)
        step = np.zeros_like(self.precision)
        most = SWEEPS if share == SHARE else 10 * SWEEPS
        sweeps = newton_step(
            self.covariance, gradient, self.precision, self.alpha, rows, columns,
            most, share, step,
        )  # fmt: skip
        if sweeps == SWEEPS and self._slow():
            step = self._refined(gradient, step)
        whole = _off_diagonal(self.precision + step)
        fall = float(np.vdot(gradient, step))
        fall += self.alpha * (whole - _off_diagonal(self.precision))
        length = 1.0
        for _ in range(HALVINGS):
            root, value = self._at(self.precision + length * step)
            if value < self.value + min(ENOUGH * length * fall, 0.0):
                self.precision = self.precision + length * step
                self.root, self.value = root, value
                self.covariance = _inverse(self.root)
                return True
            length *= 0.5
        return False

    def _slow(self) -> bool:
        """Tell whether the last step left most of the gap."""
        before = [gap for _, gap in self.costs[-2:]]
        return len(before) == 2 and not before[1] < MOST * before[0]  # noqa: PLR2004

    def _refined(self, gradient: Matrix, step: Matrix) -> Matrix:
        """Return a step to a lower value of the model: signs stay, or become 0."""
        W, signs = self.covariance, np.sign(self.precision + step)
        np.fill_diagonal(signs, 0.0)
        free = signs != 0.0
        np.fill_diagonal(free, val=True)
        bends = W**2 + np.outer(W.diagonal(), W.diagonal())
        found = step.copy()
        rest = np.where(free, -gradient - self.alpha * signs - W @ found @ W, 0.0)
        way, first = np.zeros_like(rest), float(np.linalg.norm(rest))
        before = 1.0
        for _ in range(ROUNDS):
            if np.linalg.norm(rest) <= SLIGHT * first:
                break
            scaled = rest / bends
            now = float(np.vdot(rest, scaled))
            way = scaled + now / before * way if way.any() else scaled
            bent = np.where(free, W @ way @ W, 0.0)
            length = now / float(np.vdot(way, bent))
            found += length * way
            rest -= length * bent
            before = now
        found = 0.5 * (found + found.T)  # to the last bit, so that zeros come in pairs
        crossed = np.sign(self.precision + found) * signs < 0.0
        found[crossed] = -self.precision[crossed]
        return min(step, found, key=lambda each: self._model(gradient, each))

    def _model(self, gradient: Matrix, step: Matrix) -> float:
        """Return what Newton's model says of a step."""
        bent = self.covariance @ step
        value = float(np.vdot(gradient, step)) + 0.5 * float(np.vdot(bent, bent.T))
        return value + self.alpha * _off_diagonal(self.precision + step)


def solve_precision(
    sample: Matrix,
    alpha: float,
    *,
    tol: float,
    max_iter: int,
    start: Matrix | None = None,
) -> SparsePrecision:
    r"""Minimise ``-log det Θ + tr(SΘ) + α Σ_{i≠j} |Θ_ij|``, and prove it.

    Features that no covariance above α links lie in different parts of the solution
    (Witten, Friedman & Simon 2011). In each part Newton's model is minimised over the
    entries that are not 0 or want to leave it (Hsieh et al. 2014). A covariance W with
    the variances of S and no entry farther than α from it bounds the minimum from below
    by ``log det W + p``.
    """
    flat = np.flatnonzero(sample.diagonal() <= 0.0)
    if len(flat):
        raise DataError(
            f"A sparse precision needs features that vary; feature {flat[0]} does not."
        )
    if alpha == 0.0:
        return _without_penalty(sample, tol)
    # Who is linked with nobody is solved already.
    covariance = np.diag(sample.diagonal())
    precision = np.diag(1.0 / sample.diagonal())
    histories = []
    for places in _parts(sample, alpha):
        own = np.ascontiguousarray(sample[places])
        aim = 0.5 * tol * len(own) / len(sample)
        with products_of(SHORT * own.size):
            part = _begun(own, alpha, None if start is None else start[places])
            part.settle(aim, max(1, max_iter))
        covariance[places], precision[places] = part.covariance, part.precision
        histories.append(part.costs)
    upper, lower = _bounds(sample, covariance, precision, alpha)
    costs = _added(histories)
    costs[-1] = (upper, upper - lower)
    reason = "gap closed" if upper - lower <= tol else "iteration limit"
    proof = Certificate(upper, lower, 1.0, tol, reason)
    return SparsePrecision(covariance, precision, costs, proof)


def symmetric(sample: Matrix) -> Matrix:
    """Return the covariance without what rounding tells its two halves apart by."""
    scales = np.sqrt(np.abs(sample.diagonal()))
    apart = np.abs(sample - sample.T) > SYMMETRIC * np.outer(scales, scales)
    if apart.any():
        i, j = (int(k) for k in np.argwhere(apart)[0])
        raise DataError(
            f"A covariance must be symmetric: entry ({i}, {j}) is {sample[i, j]:g}, "
            f"entry ({j}, {i}) is {sample[j, i]:g}."
        )
    return np.asarray(0.5 * (sample + sample.T))


def _begun(sample: Matrix, alpha: float, start: Matrix | None) -> _Part:
    """Return a part at a given precision, or at the better of two that are known.

    One links nobody. The other is the inverse of a covariance that is feasible: that of
    the sample, drawn in until no entry is farther than `alpha` from it.
    """
    if start is not None:
        return _Part(sample, alpha, np.array(start, dtype=np.float64))
    own = np.diag(sample.diagonal())
    alone = _Part(sample, alpha, np.diag(1.0 / sample.diagonal()))
    share = alpha / float(np.abs(sample - own).max())
    root, failed = linalg.lapack.dpotrf(
        (1.0 - share) * sample + share * own, lower=True, clean=True
    )
    if failed:
        return alone
    linked = _Part(sample, alpha, _inverse(root))
    return min(alone, linked, key=lambda each: each.value)


def _inverse(root: Matrix) -> Matrix:
    """Return the inverse of a matrix from Cholesky's root, exactly symmetric."""
    half, _ = linalg.lapack.dpotri(root, lower=True)
    found = np.tril(half)
    return np.ascontiguousarray(found + np.tril(found, -1).T)


def _parts(sample: Matrix, alpha: float) -> Iterator[Any]:
    """Return where the parts of at least two features lie in a matrix.

    Few features are one part: to find more costs as much as to solve it.
    """
    if len(sample) <= FEW:
        if np.any(np.abs(sample - np.diag(sample.diagonal())) > alpha):
            yield np.ix_(*2 * [np.arange(len(sample))])
        return
    _, part_of = connected_components(np.abs(sample) > alpha, directed=False)
    for name in np.flatnonzero(np.bincount(part_of) > 1):
        members = np.flatnonzero(part_of == name)
        yield np.ix_(members, members)


def _added(histories: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Return objectives and gaps of all parts after each step; who is ready waits."""
    most = max(map(len, histories), default=0)
    if not most:
        return [(0.0, 0.0)]
    full = [each + each[-1:] * (most - len(each)) for each in histories]
    sums = np.array(full).sum(axis=0)
    return [(float(value), float(gap)) for value, gap in sums]


def _implied(covariance: Matrix, slopes: Matrix) -> Matrix:
    """Return the precision that the coefficients of all columns imply, symmetric."""
    own = np.einsum("ij,ij->i", covariance, slopes)
    diagonal = 1.0 / (covariance.diagonal() - own)
    found = -slopes * diagonal[:, None]
    np.fill_diagonal(found, diagonal)
    # Where one of two columns says 0, the pair is not linked.
    linked = (found != 0.0) & (found.T != 0.0)
    return np.asarray(np.where(linked, 0.5 * (found + found.T), 0.0))


def _off_diagonal(matrix: Matrix) -> float:
    return float(np.abs(matrix).sum() - np.abs(matrix.diagonal()).sum())


def _feasible(sample: Matrix, covariance: Matrix, alpha: float) -> Matrix:
    """Return the nearest covariance that proves something."""
    found: Matrix = np.clip(covariance, sample - alpha, sample + alpha)
    np.fill_diagonal(found, sample.diagonal())
    return found


def _without_penalty(sample: Matrix, tol: float) -> SparsePrecision:
    scales = np.sqrt(sample.diagonal())
    precision = np.asarray(linalg.inv(sample / np.outer(scales, scales)))
    precision = 0.5 * (precision + precision.T) / np.outer(scales, scales)
    upper, lower = _bounds(sample, sample, precision, 0.0)
    proof = Certificate(upper, lower, 1.0, tol, "closed form")
    return SparsePrecision(sample.copy(), precision, [(upper, upper - lower)], proof)


def _bounds(
    sample: Matrix, covariance: Matrix, precision: Matrix, alpha: float
) -> tuple[float, float]:
    """Return the objective at the precision, and a number that none goes below.

    Rounding is counted in both.
    """
    off = np.abs(precision)
    np.fill_diagonal(off, 0.0)
    terms = sample * precision
    logarithm, doubt = _log_determinant(precision)
    upper = -logarithm + float(terms.sum()) + alpha * float(off.sum())
    sizes = abs(logarithm) + float(np.abs(terms).sum()) + alpha * float(off.sum())
    upper += doubt + gamma(terms.size + 8.0) * sizes
    feasible = _feasible(sample, covariance, alpha)
    logarithm, doubt = _log_determinant(feasible)
    lower = logarithm - doubt + len(sample)
    lower -= gamma(8.0) * (abs(logarithm) + len(sample))
    finite = math.isfinite(upper), math.isfinite(lower)
    return upper if finite[0] else math.inf, lower if finite[1] else -math.inf


def _log_determinant(matrix: Matrix) -> tuple[float, float]:
    """Return the logarithm of the determinant, and how wrong it can be.

    Cholesky's factor R is exact for M + E, |E| at most γ√(mᵢᵢmⱼⱼ), however badly the
    diagonal is scaled (Demmel 1989); the logarithm of each eigenvalue of the scaled
    matrix is moved by E by less than its share of the least one. A last place more pays
    for limits that were rounded. Without a proof that all are positive, it is infinite.
    """
    n, scales = len(matrix), np.sqrt(np.abs(matrix.diagonal()))
    try:
        root = linalg.cholesky(matrix, check_finite=False)
        inverse = linalg.solve_triangular(root / scales, np.eye(n))
    except (linalg.LinAlgError, ValueError):
        return -math.inf, math.inf
    # The inverse of a triangle is right to a few n·u of its own condition.
    share = 2.0 * n * (gamma(n + 1.0) + 4.0 * UNIT) * float(np.sum(inverse**2))
    logarithms = np.log(root.diagonal())
    if not share < 0.5:
        return -math.inf, math.inf
    summed = gamma(n + 8.0) * 2.0 * float(np.abs(logarithms).sum())
    return 2.0 * float(logarithms.sum()), 2.0 * n * share + summed + n * UNIT
