"""Newton's method for comparisons, and a lower bound that proves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import linalg, sparse

from infimum.certificates import Certificate
from infimum.models.kernel.kernel_ridges._conjugate_gradients import conjugate_gradients
from infimum.models.ranking._families import Davidson, Family
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Differences", "Fit", "Problem"]

#: Systems up to this size are solved by Cholesky factors.
SMALL = 300


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
        ridge = 0.5 * self.strength * float(self.ridged @ beta**2)
        return self.family.value(self.forms @ beta) / self.total + ridge

    def fit(self, start: Vector, tol: float, max_iter: int) -> Fit:
        """Go down by Newton's steps until the gap is proved below `tol`."""
        null = self.value(np.where(self.ridged > 0, 0.0, start))
        count, proof = 0, None
        for count, beta, there, step in self._steps(start, max_iter):  # noqa: B007
            # Half of it is about the gap, so that a proof is worth its time or not.
            along, risk = float(there.gradient @ step), there.risk
            if along <= 100.0 * tol * _scale(null, risk):
                proof = self._certificate(there, step, (null, tol))
            if proof is not None and proof.closed:
                break
        # The last step is taken: it doubles the digits.
        return Fit(beta, replace(self.certify(beta, tol), reason="solved"), count)

    def point(self, start: Vector, tol: float, max_iter: int) -> Vector:
        """Go down by Newton's steps that promise `tol`, without a proof."""
        null, beta = self.value(np.where(self.ridged > 0, 0.0, start)), start
        for _, nearer, there, step in self._steps(start, max_iter):
            beta = nearer
            if float(there.gradient @ step) <= tol * _scale(null, there.risk):
                break
        return beta

    def _steps(
        self, start: Vector, max_iter: int
    ) -> Iterator[tuple[int, Vector, _There, Vector]]:
        """Yield Newton's iterates, with what was seen before and the step to them."""
        beta, risk, first = start, self.value(start), 1e-300
        for count in range(1, max_iter + 1):
            there = self._seen(beta, risk)
            size = float(np.linalg.norm(there.gradient))
            first = max(first, size)
            step = self._solve(there, min(0.1, size / first))
            along = float(there.gradient @ step)
            beta, risk, moved = self._down(beta, risk, step, along)
            yield count, beta, there, step
            if not moved:
                break

    def _seen(self, beta: Vector, risk: float) -> _There:
        d = self.forms @ beta
        s, bend = self.family.slopes(d)
        pull = self._back()(s) / self.total
        return _There(beta, risk, d, s, bend, pull + self.strength * self.ridged * beta)

    def certify(self, beta: Vector, tol: float) -> Certificate:
        """Prove how good any point is, whoever found it."""
        there = self._seen(beta, self.value(beta))
        null = self.value(np.where(self.ridged > 0, 0.0, beta))
        # What the step leaves of the gradient is charged: a hundredth of the gap asked.
        allowed = 1e-2 * tol * _scale(null, there.risk) / np.sqrt(len(beta))
        size = float(np.linalg.norm(there.gradient)) * _reach(beta)
        relative = allowed / size if size > 0 else 1.0
        step = self._solve(there, min(1e-3, max(1e-10, relative)))
        proof = self._certificate(there, step, (null, tol))
        return replace(proof, reason="checked")

    def hessian(self, beta: Vector) -> Matrix:
        """Return second derivatives times the number of games, dense."""
        d = self.forms @ beta
        curved = self._curved(d, self.family.slopes(d)[1])
        forms: Any = self.forms
        forms = forms.matrix() if isinstance(forms, Differences) else forms
        H = np.asarray((forms.T @ curved @ forms).toarray())
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

        Moving the slopes by H step cancels the gradient. What is left by rounding is
        counted: it can lower the bound by as much as parameters like these are large.
        """
        d, s, bend, primal = there.d, there.s, there.bend, there.risk
        null, tol = asked
        through = self.forms @ step
        if isinstance(self.forms, Differences):
            moved = s - bend * through
        else:
            moved = s - self._curved(d, bend) @ through
        dual = self.family.dual(d, moved) / self.total
        balance = self._back()(moved) / self.total
        if self.strength > 0:
            held = self.ridged > 0
            dual -= float(np.sum(balance[held] ** 2)) / (2.0 * self.strength)
            balance = np.where(held, 0.0, balance)
        slack = float(np.abs(balance).sum()) * _reach(there.beta) + 1e-15 * abs(primal)
        how: dict[str, Any] = {"slack": slack + 1e-15}
        return Certificate(
            primal, dual - slack, _scale(null, primal), tol, "solved", **how
        )


def _reach(beta: Vector) -> float:
    """Return how large parameters may be where the bound is asked."""
    return 2.0 * float(np.abs(beta).max(initial=0.0)) + 1.0


def _scale(null: float, risk: float) -> float:
    """Return what scores gain over none, which gaps are a share of."""
    return max(null - risk, 1e-3 * abs(null))
