"""One decomposition of a least-squares problem, and what follows for every strength."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from infimum.data.designs import Design, SparseDesign, StandardizedDesign
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.closed_form._moments import (
    centred_targets,
    moments_of,
    outer_product,
)
from infimum.objectives import Memory
from infimum.typing import Matrix, Vector

__all__ = ["RidgeEigen"]

#: Eigenvalues below this share of the largest count as 0.
NEGLIGIBLE = 1e-13
#: What is left of a residual's factor is noise below this.
LEAST_SLACK = 1e-14
#: Numbers in a block of samples.
BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class RidgeEigen:
    r"""X as V and eigenvalues s of XᵀQX, so that any strength λ is a division.

    .. math:: w_λ = V \operatorname{diag}\bigl(1 / (s + λ)\bigr) V^⊤ X^⊤ Q y

    With fewer samples than features the samples × samples matrix is decomposed; its
    eigenvectors, one per sample, are then kept as `left`.
    """

    problem: LinearProblem
    values: Vector
    vectors: Matrix
    loadings: Matrix
    left: Matrix | None = None
    left_values: Vector | None = None

    @classmethod
    def of(cls, problem: LinearProblem, *, by_svd: bool = False) -> RidgeEigen:
        """Decompose a problem: by its second moments, or by singular values of X.

        Singular values need a dense X; a sparse one keeps to its moments.
        """
        problem = _in_double_precision(problem)
        n, d = problem.design.shape
        if by_svd and not isinstance(_inner(problem.design), SparseDesign):
            return cls._by_svd(problem)
        if d < n:
            moments = moments_of(problem)
            values, vectors = np.linalg.eigh(moments.gram)
            kept = values > NEGLIGIBLE * max(values[-1], 0.0)
            values, vectors = values[kept], vectors[:, kept]
            return cls(problem, values, vectors, vectors.T @ moments.pulls)
        values, left = np.linalg.eigh(outer_product(problem))
        return cls._from_left(problem, np.maximum(values, 0.0), left)

    @classmethod
    def _by_svd(cls, problem: LinearProblem) -> RidgeEigen:
        """Decompose X itself: its condition is not squared."""
        roots = np.sqrt(problem.shares)[:, None]
        rows = roots * problem.design.toarray()
        left, singular, right = np.linalg.svd(rows, full_matrices=False)
        kept = singular**2 > NEGLIGIBLE**2 * singular.max(initial=0.0) ** 2
        targets, _ = centred_targets(problem)
        loadings = (singular[:, None] * (left.T @ (roots * targets)))[kept]
        n, d = problem.design.shape
        whole = (left, singular**2) if n <= d else (None, None)
        return cls(problem, singular[kept] ** 2, right[kept].T, loadings, *whole)

    @classmethod
    def _from_left(
        cls, problem: LinearProblem, values: Vector, left: Matrix
    ) -> RidgeEigen:
        roots = np.sqrt(problem.shares)[:, None]
        kept = values > NEGLIGIBLE * values[-1]
        # An eigenvector u of the outer product gives Xᵀu, of length √s, of the inner.
        pulled = problem.design.pull_back(roots * left[:, kept])
        vectors = np.asarray(pulled) / np.sqrt(values[kept])
        targets, _ = centred_targets(problem)
        loadings = np.sqrt(values[kept, None]) * (left[:, kept].T @ (roots * targets))
        # A direction without variance has none, or small strengths would see rounding.
        whole = np.where(kept, values, 0.0)
        return cls(problem, values[kept], vectors, loadings, left, whole)

    def weights(self, strengths: Vector) -> Matrix:
        """Return the coefficients, (strengths, targets, features)."""
        shrunken = self.loadings[:, :, None] / (self.values[:, None, None] + strengths)
        targets = self.loadings.shape[1]
        flat = self.vectors @ shrunken.reshape(
            len(self.values), targets * len(strengths)
        )
        shape = len(flat), targets, len(strengths)
        return flat.reshape(shape).transpose(2, 1, 0)

    def left_out_residuals(self, strengths: Vector) -> Matrix:
        """Return target minus prediction where each sample is left out of the fit.

        The shape is (samples, targets, strengths). With leverage h the residual of a
        fit without sample i is that of the fit with it, divided by 1 - hᵢ. A sample is
        left out whole, with all the copies that its weight stands for.
        """
        if self.left is not None:
            return self._from_samples(strengths)
        targets, _ = centred_targets(self.problem)
        shares, count = self.problem.shares, targets.shape[1]
        shrink = 1.0 / (self.values[:, None] + strengths)
        slopes = (self.loadings[:, :, None] * shrink[:, None, :]).reshape(
            len(self.values), count * len(strengths)
        )
        out = np.empty((len(targets), count, len(strengths)))
        for rows, block in _blocks(self.problem.design):
            rotated = np.asarray(block.scores(self.vectors))
            fits = (rotated @ slopes).reshape(-1, count, len(strengths))
            leverage = np.square(rotated) @ shrink + float(self.problem.intercept)
            slack = 1.0 - shares[rows, None] * leverage
            residuals = targets[rows, :, None] - fits
            out[rows] = residuals / np.maximum(slack, LEAST_SLACK)[:, None, :]
        return out

    def _from_samples(self, strengths: Vector) -> Matrix:
        """Divide what the strength takes away, exact also where fits interpolate."""
        assert self.left is not None
        assert self.left_values is not None
        shares = self.problem.shares
        roots, (targets, _) = np.sqrt(shares), centred_targets(self.problem)
        taken = strengths / (self.left_values[:, None] + strengths)
        loadings = self.left.T @ (roots[:, None] * targets)
        spread = (loadings[:, :, None] * taken[:, None, :]).reshape(len(taken), -1)
        residuals = (self.left @ spread).reshape(len(roots), -1, len(strengths))
        slack = np.square(self.left) @ taken
        slack -= float(self.problem.intercept) * shares[:, None]
        slack = np.maximum(slack, LEAST_SLACK) * roots[:, None]
        return np.asarray(residuals / slack[:, None, :])

    def worst_gap(self, strengths: Vector) -> float:
        """Return the largest relative gap that these weights leave open, over all.

        The gap is ‖∇P‖²/(2λ), in units of half the variance of the target.
        """
        targets, _ = centred_targets(self.problem)
        shares, design = self.problem.shares, self.problem.design
        halves = 0.5 * np.einsum("i,ik,ik->k", shares, targets, targets)
        worst = 0.0
        for strength, w in zip(
            strengths.tolist(), self.weights(strengths), strict=True
        ):
            if design.shape[1] < design.shape[0]:
                moments = moments_of(self.problem)
                gradient = moments.gram @ w.T - moments.pulls
            else:
                residuals = np.asarray(design.scores(w.T)) - targets
                gradient = np.asarray(design.pull_back(shares[:, None] * residuals))
            gaps = np.square(gradient + strength * w.T).sum(axis=0) / (2.0 * strength)
            used = halves > 0.0
            worst = max(worst, float((gaps[used] / halves[used]).max(initial=0.0)))
        return worst


def _in_double_precision(problem: LinearProblem) -> LinearProblem:
    """Return the problem with float64 samples: differences of leverages need them."""
    design = problem.design
    inner = _inner(design)
    if inner.dtype == np.float64:
        return problem
    wide: Design = type(inner)(inner.X.astype(np.float64))  # type: ignore[attr-defined, call-arg]
    if isinstance(design, StandardizedDesign):
        wide = replace(design, original=wide)
    return replace(problem, design=wide, memory=Memory())


def _inner(design: Design) -> Design:
    return design.original if isinstance(design, StandardizedDesign) else design


def _blocks(design: Design) -> Iterator[tuple[slice, Design]]:
    """Yield blocks of samples; a dense one is a view, centred or not."""
    size = max(64, BLOCK // max(1, design.shape[1]))
    if not isinstance(design, StandardizedDesign):
        yield from design.row_blocks(size)
        return
    for rows, block in design.original.row_blocks(size):
        yield rows, replace(design, original=block)
