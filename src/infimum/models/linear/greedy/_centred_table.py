"""Samples and targets as a path reads them: without means, products as means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg

from infimum.data.designs import StandardizedDesign
from infimum.losses import Squared
from infimum.models.linear._problem import LinearProblem
from infimum.typing import Matrix, Vector

__all__ = ["Centred"]

#: Squares of columns may be this many times as large as without their means: products
#: of what is left lose no more than six of 53 bits.
NEAR = 64.0
#: What is left of a square after subtraction, from which its digits are trusted.
TRUSTED = 1e-6
#: Least eigenvalue of correlations with which normal equations lose half the digits.
INDEPENDENT = 1e-6


@dataclass(frozen=True, eq=False)
class Centred:
    """A problem with its targets centred; the columns are formed when asked for."""

    problem: LinearProblem
    #: A row for each target.
    targets: Matrix
    means: Vector

    @classmethod
    def of(cls, X: Any, y: Any, *, intercept: bool) -> Centred:
        """Return the table of samples and one or several targets."""
        columns = tuple(np.asarray(y, dtype=np.float64).reshape(len(y), -1).T)
        problem = LinearProblem.of(X, columns, Squared(), None, intercept=intercept)
        columns = tuple(np.asarray(y, np.float64) for y in problem.targets)
        means = np.array([c.mean() if intercept else 0.0 for c in columns])
        left = np.array(columns) - means[:, None]
        sizes = np.sqrt(np.square(columns).sum(axis=1))
        # A constant target leaves nothing but rounding.
        left[np.sqrt(np.square(left).sum(axis=1)) <= 1e-14 * sizes] = 0.0
        return cls(problem, left / np.sqrt(len(y)), means)

    @property
    def shape(self) -> tuple[int, ...]:
        """Samples and features."""
        return self.problem.design.shape

    @cached_property
    def A(self) -> Matrix:  # noqa: N802
        """The centred columns, scaled so that products are means."""
        design = self.problem.design
        A = np.asarray(design.toarray(), dtype=np.float64)
        fresh = isinstance(design, StandardizedDesign)  # made for us alone
        scaled: Matrix = np.multiply(A, 1.0 / np.sqrt(len(A)), out=A if fresh else None)
        return scaled

    @cached_property
    def pulls(self) -> Matrix:
        """Products of the columns with each target, a row for each."""
        design, n = self.problem.design, self.shape[0]
        return np.array([design.pull_back(t / np.sqrt(n)) for t in self.targets])

    @cached_property
    def gram(self) -> Matrix | None:
        """Products of the columns, where rows abound.

        Means are taken off the products, unless they are so large that digits would
        be lost; then they are taken off the columns.
        """
        design, (n, d) = self.problem.design, self.shape
        if d > n:
            return None
        if isinstance(design, StandardizedDesign) and design.dtype == np.float64:
            gram = design.gram() / n
            if np.all(design.shift**2 <= NEAR * gram.diagonal() * design.scale**2):
                return gram
        return np.asarray(self.A.T @ self.A)

    def squares_left(self, coefs: Matrix) -> Vector:
        """Return the mean square of what each column of coefficients leaves over."""
        target = self.targets[0]
        if self.gram is not None:
            whole, pulls = float(target @ target), self.pulls[0]
            turned = self.gram @ coefs - 2.0 * pulls[:, None]
            told = np.einsum("ij,ij->j", coefs, turned)
            if np.all(whole + told >= TRUSTED * whole):
                return np.asarray(whole + told)
        left = target[:, None] - self.A @ coefs
        return np.asarray(np.square(left).sum(axis=0))

    def nearest(self) -> Vector:
        """Return the coefficients of least squares."""
        if self.gram is not None:
            root = np.sqrt(self.gram.diagonal())
            if root.all():
                values, vectors = linalg.eigh(self.gram / np.outer(root, root))
                if values[0] > INDEPENDENT:
                    turned = vectors.T @ (self.pulls[0] / root)
                    return np.asarray(vectors @ (turned / values) / root)
        return np.asarray(np.linalg.lstsq(self.A, self.targets[0], rcond=None)[0])
