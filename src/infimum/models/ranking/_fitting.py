"""Newton's method for comparisons, and a lower bound that proves it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import linalg, sparse

from infimum.certificates import Certificate
from infimum.models.kernel.kernel_ridges._conjugate_gradients import conjugate_gradients
from infimum.models.ranking._families import Davidson, Family
from infimum.typing import Matrix, Vector

__all__ = ["Fit", "Problem"]

#: Systems up to this size are solved by Cholesky factors.
SMALL = 300


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters, their certificate, and Newton's steps."""

    point: Vector
    certificate: Certificate
    n_iter: int


@dataclass(frozen=True, eq=False)
class Problem:
    """Mean of minus the log-likelihood, plus a ridge: convex in the parameters.

    Parameters
    ----------
    forms : csr_array of shape (n_forms, n_parameters)
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
        ridge = 0.5 * self.strength * float(self.ridged @ beta**2)
        return self.family.value(self.forms @ beta) / self.total + ridge

    def fit(self, start: Vector, tol: float, max_iter: int) -> Fit:
        """Go down by Newton's steps until the gap is proved below `tol`."""
        beta, risk = start, self.value(start)
        null = self.value(np.where(self.ridged > 0, 0.0, start))
        back = self.forms.T.tocsr()
        proof, count = Certificate(risk, -np.inf), 0
        for count in range(1, max_iter + 1):  # noqa: B007
            d = self.forms @ beta
            s, bend = self.family.slopes(d)
            gradient = back @ s / self.total + self.strength * self.ridged * beta
            step = self._solve(back, d, bend, gradient)
            proof = self._certificate(back, beta, (d, s, bend), step, (null, tol))
            beta, risk, moved = self._down(beta, risk, step, float(gradient @ step))
            if proof.closed:
                # The step is there, and doubles the digits.
                proof = replace(self.certify(beta, tol), reason="solved")
                break
            if not moved:
                break
        return Fit(beta, proof, count)

    def certify(self, beta: Vector, tol: float) -> Certificate:
        """Prove how good any point is, whoever found it."""
        back, d = self.forms.T.tocsr(), self.forms @ beta
        s, bend = self.family.slopes(d)
        gradient = back @ s / self.total + self.strength * self.ridged * beta
        step = self._solve(back, d, bend, gradient)
        null = self.value(np.where(self.ridged > 0, 0.0, beta))
        proof = self._certificate(back, beta, (d, s, bend), step, (null, tol))
        return replace(proof, reason="checked")

    def hessian(self, beta: Vector) -> Matrix:
        """Return second derivatives times the number of games, dense."""
        d = self.forms @ beta
        curved = self._curved(d, self.family.slopes(d)[1])
        H = np.asarray((self.forms.T @ curved @ self.forms).toarray())
        return np.asarray(H + self.total * self.strength * np.diag(self.ridged))

    def _down(
        self, beta: Vector, risk: float, step: Vector, along: float
    ) -> tuple[Vector, float, bool]:
        size = 1.0
        for _ in range(40):
            near = beta - size * step
            value = self.value(near)
            if value <= risk - 1e-4 * size * along + 1e-15 * abs(risk):
                return near, value, True
            size *= 0.5
        return beta, risk, False

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

    def _solve(self, back: Any, d: Vector, bend: Vector, right: Vector) -> Vector:
        """Solve H step = right, H with the mean over games."""
        curved = self._curved(d, bend)
        ridge = self.strength * self.ridged
        p = len(right)
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
        self,
        back: Any,
        beta: Vector,
        there: tuple[Vector, Vector, Vector],
        step: Vector,
        asked: tuple[float, float],
    ) -> Certificate:
        """Bound the optimum below by slopes that balance exactly.

        Moving the slopes by H step cancels the gradient. What is left by rounding is
        counted: it can lower the bound by as much as parameters like these are large.
        """
        (d, s, bend), (null, tol) = there, asked
        primal = self.value(beta)
        moved = s - self._curved(d, bend) @ (self.forms @ step)
        dual = self.family.dual(d, moved) / self.total
        balance = back @ moved / self.total
        if self.strength > 0:
            held = self.ridged > 0
            dual -= float(np.sum(balance[held] ** 2)) / (2.0 * self.strength)
            balance = np.where(held, 0.0, balance)
        reach = 2.0 * float(np.abs(beta).max(initial=0.0)) + 1.0
        slack = float(np.abs(balance).sum()) * reach + 1e-15 * abs(primal)
        scale = max(null - primal, 1e-3 * abs(null))
        return Certificate(
            primal, dual - slack, scale, tol, "solved", slack=slack + 1e-15
        )
