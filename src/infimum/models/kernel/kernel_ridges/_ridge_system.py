"""The linear system of kernel ridge regression: solved, refined and proved."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import dpotrf, dpotrs, spotrf, spotrs

from infimum.certificates import Certificate
from infimum.models.kernel.kernel_ridges._conjugate_gradients import (
    Product,
    conjugate_gradients,
)
from infimum.models.kernel.kernel_ridges._ridge_rounding import RidgeDoubt
from infimum.solvers import Record
from infimum.typing import Matrix, Vector

__all__ = ["RidgeAnswer", "RidgeSystem", "cholesky_inverse"]

#: From this many samples on the factorisation is done in single precision, which takes
#: half the time, and conjugate gradients restore the digits.
WORTH_SINGLE = 1_500
MOST_REFINEMENTS = 200
#: A gap of so many slacks is rounding; and the coarsest tolerance that rounding sets.
TWICE, COARSEST = 2.0, 1e-7
#: Some roundings of a number, and of a sum of a few.
ROUNDED = 8 * float(np.finfo(np.float64).eps)
#: Residuals, relative to the targets, that are sought one after another.
GOALS = (1e-6, 1e-9, 1e-12, 1e-14)
#: LAPACK's names for factorising and solving.
_ROUTINES: dict[str, Any] = {"float32": (spotrf, spotrs), "float64": (dpotrf, dpotrs)}


@dataclass(frozen=True, eq=False)
class RidgeAnswer:
    """Coefficients (samples × targets), intercepts, and how good they are."""

    coefficients: Matrix
    intercepts: Vector
    certificate: Certificate
    history: tuple[Record, ...]
    iterations: int


@dataclass(frozen=True, eq=False)
class RidgeSystem:
    r"""Kernel ridge regression as equations in one coefficient per sample.

    .. math:: \min_{c, b} \sum_i w_i (y_i - (Kc)_i - b)^2 + α\, c^\top K c
              \;⇐\; (K + α W^{-1})\, c = y - b

    solved in the symmetric form :math:`(W^{1/2} K W^{1/2} + αI) z = W^{1/2} (y - b)`,
    :math:`c = W^{1/2} z`. With an intercept the coefficients sum to 0.

    Attributes
    ----------
    product : callable
        Multiplies K with columns.
    targets : ndarray of shape (n_samples, n_targets)
    weights : ndarray of shape (n_samples,)
        All positive.
    intercept : bool
    definite : bool
        Whether K is known to be positive semi-definite; without it there is no bound.
    doubt : RidgeDoubt or None
        How wrong its products may be; None counts no rounding.
    """

    product: Product
    targets: Matrix
    weights: Vector
    intercept: bool = False
    definite: bool = True
    doubt: RidgeDoubt | None = None

    @cached_property
    def roots(self) -> Vector:
        """The square roots of the weights."""
        return np.sqrt(self.weights)

    def solve(
        self, alpha: float, inverse: Product, tolerance: float, start: int = 2
    ) -> RidgeAnswer:
        """Refine a rough inverse until the gap closes, from ``GOALS[start]`` on."""
        began = time.perf_counter()
        history: list[Record] = []
        used = 0
        for goal in GOALS[start:]:
            found, count = conjugate_gradients(
                self._shifted(alpha),
                inverse,
                self.right_sides(),
                goal,
                MOST_REFINEMENTS,
            )
            used += count
            coefficients, intercepts = self.unpack(found)
            proof = self.certify(coefficients, intercepts, alpha, tolerance)
            seconds = time.perf_counter() - began
            history.append(Record(used, seconds, proof.primal, proof.dual))
            if proof.closed or count >= MOST_REFINEMENTS:
                break
        return RidgeAnswer(coefficients, intercepts, proof, tuple(history), used)

    def closed_form(self, alpha: float, gram: Matrix, tolerance: float) -> RidgeAnswer:
        """Return the shortest solution of a system that may be singular."""
        began = time.perf_counter()
        values, vectors = eigh(gram * np.outer(self.roots, self.roots))
        shifted = values + alpha
        kept = np.abs(shifted) > 1e-14 * len(values) * np.abs(shifted).max()
        right = vectors[:, kept].T @ self.right_sides()
        found = vectors[:, kept] @ (right / shifted[kept, None])
        coefficients, intercepts = self.unpack(found)
        proof = self.certify(coefficients, intercepts, alpha, tolerance)
        record = Record(1, time.perf_counter() - began, proof.primal, proof.dual)
        return RidgeAnswer(coefficients, intercepts, proof, (record,), 1)

    def _shifted(self, alpha: float) -> Product:
        roots = self.roots[:, None]
        return lambda z: roots * self.product(roots * z) + alpha * z

    def right_sides(self) -> Matrix:
        """Return the right-hand sides: targets, and ones for the intercept."""
        right = self.roots[:, None] * self.targets
        return np.column_stack([right, self.roots]) if self.intercept else right

    def unpack(self, found: Matrix) -> tuple[Matrix, Vector]:
        """Return coefficients and intercepts of the solved right-hand sides."""
        found = self.roots[:, None] * found
        if not self.intercept:
            return found, np.zeros(found.shape[1])
        coefficients, ones = found[:, :-1], found[:, -1]
        intercepts = coefficients.sum(axis=0) / ones.sum()
        return coefficients - np.outer(ones, intercepts), intercepts

    def certify(
        self,
        coefficients: Matrix,
        intercepts: Vector,
        alpha: float,
        tolerance: float,
        *,
        strict: bool = False,
    ) -> Certificate:
        """Return the proof of the least certain target, in the space of the kernel."""
        alphas = np.array([alpha])
        [proof] = self.certify_each(
            coefficients, intercepts, alphas, tolerance, strict=strict
        )
        return proof

    def certify_each(
        self,
        coefficients: Matrix,
        intercepts: Vector,
        alphas: Vector,
        tolerance: float,
        *,
        strict: bool = False,
    ) -> list[Certificate]:
        """Return the proofs for several strengths, whose columns stand side by side.

        A tolerance that rounding cannot resolve is raised to what it can, at most to
        1e-7, and the proof says so; not where the tolerance is `strict`.
        """
        count = self.targets.shape[1]
        strengths = np.repeat(alphas, count) / float(self.weights.sum())
        primal, dual, slack = self._bounds(coefficients, intercepts, strengths)
        sizes = np.tile(self._scale(), len(alphas))
        reason = "closed form" if self.definite else "the kernel may be indefinite"
        proofs = []
        for first in range(0, len(strengths), count):
            mine = slice(first, first + count)
            worst = first + int(np.argmax((primal[mine] - dual[mine]) / sizes[mine]))
            resolved = TWICE * float(slack[worst] / sizes[worst])
            possible = resolved if resolved <= COARSEST and not strict else 0.0
            proofs.append(
                Certificate(
                    primal=float(primal[worst]),
                    dual=float(dual[worst]),
                    scale=float(sizes[worst]),
                    tolerance=max(tolerance, possible),
                    reason=reason,
                    slack=float(slack[worst]),
                )
            )
        return proofs

    def _bounds(
        self, coefficients: Matrix, intercepts: Vector, strengths: Vector
    ) -> tuple[Vector, Vector, Vector]:
        """Return the risk of each column, what no function falls below, and the slack.

        The slopes s = f + b - y, with their mean removed for a free intercept, give
        the bound -Σ q (s²/2 + s·y) - (q∘s)ᵀK(q∘s)/(2λ) with λ = α/Σw.
        """
        shares = (self.weights / self.weights.sum())[:, None]
        targets = np.tile(self.targets, len(strengths) // self.targets.shape[1])
        scores = self.product(coefficients)
        norms = np.einsum("ij,ij->j", coefficients, scores)
        slopes = scores + intercepts - targets
        primal = 0.5 * (shares * slopes**2).sum(axis=0) + 0.5 * strengths * norms
        slack = self._slack_above(coefficients, scores, intercepts, strengths)
        if not self.definite:
            return primal, np.full_like(primal, -np.inf), slack
        if not (strengths > 0).all():
            return primal, np.zeros_like(primal), slack  # no square is negative
        if self.intercept:
            slopes = slopes - (shares * slopes).sum(axis=0)
        pulled = shares * slopes
        bound = -(shares * (0.5 * slopes**2 + slopes * targets)).sum(axis=0)
        lengths = np.einsum("ij,ij->j", pulled, self.product(pulled))
        slack = slack + self._slack_below(pulled, slopes, primal, strengths)
        lower = bound - 0.5 * lengths / strengths - slack
        return primal, np.maximum(0.0, lower), slack

    def _slack_above(
        self, coefficients: Matrix, scores: Matrix, intercepts: Vector, scale: Vector
    ) -> Vector:
        """Return by how much the risk of each column may be too small."""
        if self.doubt is None:
            return np.zeros(len(scale))
        shares = (self.weights / self.weights.sum())[:, None]
        targets = np.tile(self.targets, len(scale) // self.targets.shape[1])
        errors = self.doubt.of_products(coefficients)
        norms = np.abs(coefficients) * (errors + ROUNDED * np.abs(scores))
        errors += ROUNDED * (np.abs(scores) + np.abs(intercepts) + np.abs(targets))
        slopes = scores + intercepts - targets
        lost = self.doubt.of_risk(shares, slopes, errors)
        return np.asarray(lost + 0.5 * scale * norms.sum(axis=0))

    def _slack_below(
        self, pulled: Matrix, slopes: Matrix, primal: Vector, scale: Vector
    ) -> Vector:
        """Return by how much the bound of each column may be too large."""
        if self.doubt is None:
            return np.zeros(len(scale))
        shares = (self.weights / self.weights.sum())[:, None]
        targets = np.tile(self.targets, len(scale) // self.targets.shape[1])
        longest = float(self.doubt.lengths.max(initial=0.0))
        farthest = np.abs(targets).max(axis=0) + longest * np.sqrt(2 * primal / scale)
        farthest = farthest if self.intercept else 0.0 * farthest
        lost = self.doubt.of_bound(shares, slopes, targets, farthest)
        norms = (np.abs(pulled) * self.doubt.of_products(pulled)).sum(axis=0)
        return np.asarray(lost + 0.5 * norms / scale)

    def _scale(self) -> Vector:
        """Return the risk of f = 0 for each target, 1 where that is 0."""
        shares = (self.weights / self.weights.sum())[:, None]
        null = self.targets
        if self.intercept:
            null = null - (shares * null).sum(axis=0)
        scale = 0.5 * (shares * null**2).sum(axis=0)
        return np.where(scale > 0, scale, 1.0)


def cholesky_inverse(gram: Matrix, roots: Vector, alpha: float) -> Product | None:
    """Return a rough inverse of W½KW½ + αI by Cholesky; None where there is none."""
    for kind in ("float32", "float64")[len(gram) < WORTH_SINGLE :]:
        matrix: Any = gram.astype(kind)
        if (roots != 1.0).any():
            matrix *= roots.astype(kind)
            matrix *= roots.astype(kind)[:, None]
        matrix.flat[:: len(gram) + 1] += alpha
        factor, solve = _ROUTINES[kind]
        # The matrix is symmetric, and its transpose is in Fortran's order already.
        lower, failed = factor(matrix.T, lower=1, clean=0, overwrite_a=1)
        if not failed:
            return _Cholesky(lower, solve)
    return None


class _Cholesky:
    """Two triangular solves."""

    def __init__(self, lower: Matrix, solve: Any) -> None:
        self.lower, self.solve = lower, solve

    def __call__(self, columns: Matrix) -> Matrix:
        # A scale of 1 keeps tiny residuals within the range of single precision.
        sizes = np.abs(columns).max(axis=0)
        sizes[sizes == 0.0] = 1.0
        right = np.asfortranarray(columns / sizes, dtype=self.lower.dtype)
        found, _ = self.solve(self.lower, right, lower=1, overwrite_b=1)
        return np.asarray(np.asarray(found, dtype=np.float64) * sizes)
