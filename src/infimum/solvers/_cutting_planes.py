"""Cutting planes of an empirical risk, and the point that is lowest above them."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.optimize import linprog

from infimum.objectives import Evaluation, LinearRisk, Mix, Plane
from infimum.typing import Matrix, Vector

__all__ = ["CuttingPlanes", "RecentPlanes", "minimize_on_simplex"]

#: A plane that carried no weight for so many rounds is forgotten.
PATIENCE, NO_WEIGHT = 30, 1e-9
MAX_STEPS = 80
#: Planes that a descent keeps for its proof, and the least share that counts there.
RECENT, LEAST_SHARE = 8, 1e-3
#: The share of what there is to gain up to which their mix is the best.
RECENT_PRECISION = 1e-9
#: Steps that shares are sought by under an elastic net.
MIX_STEPS = 200
#: The share of the way to the nearest wall that a step may go.
KEEP_INSIDE = 0.99


class CuttingPlanes:
    r"""Linear lower bounds on an empirical risk, one for each vector of slopes met.

    .. math:: R(w, b) \ge \langle a_k, w\rangle + \langle c_k, b\rangle + d_k

    With :math:`a_k = X^\top (q \circ s_k)`, :math:`c_k = \sum_i q_i s_{ki}` and
    :math:`d_k = -\sum_i q_i \ell^*(y_i, s_{ki})` a plane is valid for any slopes, and
    tight where they are the derivatives of the loss. The slopes 0 give the first
    plane, the least conceivable risk. Memory: one array of slopes per plane in use.
    A `PlaneRisk` has no conjugates: its planes come as it touches them, the first is 0,
    and the proof is their mix.
    """

    def __init__(self, risk: LinearRisk, reach: float, precision: float) -> None:
        self.risk = risk
        self.reach = reach
        self.precision = precision
        self.strength = float(risk.penalty.quadratic or 0.0)
        self._slopes: list[Any] = [None]
        height = 0.0
        if not risk.by_planes:
            nothing = np.zeros_like(risk.evaluate(risk.origin()).slopes)
            self._slopes, height = [nothing], self._height(nothing)
        self._gradients = np.zeros((1, risk.origin().size))
        self._heights = np.array([height])
        self._gram = np.zeros((1, 1))
        self._idle = np.zeros(1, dtype=np.intp)

    def add(self, here: Evaluation) -> None:
        """Add the plane that touches the risk at an evaluated point."""
        gradient = here.risk_gradient.ravel()
        d = gradient.size - here.risk_gradient[-1:].size
        cross = self._gradients[:, :d] @ gradient[:d]
        last = np.append(cross, gradient[:d] @ gradient[:d])
        self._gram = np.block([[self._gram, cross[:, None]], [last[None, :]]])
        self._gradients = np.vstack([self._gradients, gradient])
        self._heights = np.append(self._heights, here.height)
        self._slopes.append(here.slopes)
        self._idle = np.append(self._idle, 0)

    def minimize(self, centre: Vector) -> tuple[Vector, Any]:
        """Return the minimiser of bound + penalty, and slopes that prove the bound.

        The intercept has no penalty: it must stay within `reach` of the centre's, and
        the reach doubles when that limit is met.
        """
        last = centre[-1:].size
        split = self._gradients.shape[1] - last
        A, C = self._gradients[:, :split], self._gradients[:, split:]
        middle, gram = centre[-1:].ravel(), self._gram / self.strength
        weights, b = minimize_on_simplex(
            gram, self._heights, C, (middle, self.reach), self.precision
        )
        if not self.risk.intercept:
            b = middle
        elif np.abs(b - middle).max() > 0.99 * self.reach:
            self.reach *= 2.0
        w = -(weights @ A) / self.strength
        slopes = self._proof(weights)
        self._forget(weights)
        return np.concatenate([w, b]).reshape(centre.shape), slopes

    def _proof(self, weights: Vector) -> Any:
        """Return the mean of the slopes, or of the planes, that proves the bound."""
        if not self.risk.by_planes:
            mean = sum(p * s for p, s in zip(weights, self._slopes, strict=True))
            return np.asarray(mean)
        used = [k for k in range(1, len(weights)) if weights[k] > NO_WEIGHT]
        witnesses = tuple(self._slopes[k].witnesses[0] for k in used)
        planes = tuple(
            Plane(self._gradients[k], float(self._heights[k]), witness)
            for k, witness in zip(used, witnesses, strict=True)
        )
        return Mix(weights[used], witnesses, planes)

    def _height(self, slopes: Vector) -> float:
        conjugates = self.risk.loss.conjugate(self.risk.y, slopes)
        if self.risk.offset is not None:
            pulls = (slopes.T * self.risk.offset).T.reshape(len(self.risk.y), -1)
            conjugates = conjugates - pulls.sum(axis=1)
        return -float(self.risk.weights @ conjugates)

    def _forget(self, weights: Vector) -> None:
        self._idle = np.where(weights > NO_WEIGHT, 0, self._idle + 1)
        kept = np.flatnonzero((self._idle < PATIENCE) | (np.arange(len(weights)) == 0))
        if len(kept) < len(weights):
            self._slopes = [self._slopes[k] for k in kept]
            self._gradients, self._idle = self._gradients[kept], self._idle[kept]
            self._heights = self._heights[kept]
            self._gram = self._gram[np.ix_(kept, kept)]


class RecentPlanes:
    """The planes of the last points of a descent, and the mix that proves most.

    The plane of one point is the mix of shares 1 and 0, so that nothing is lost.
    """

    def __init__(self, risk: Any) -> None:
        self.risk = risk
        self._held: deque[Plane] = deque(maxlen=RECENT)

    def add(self, here: Evaluation) -> None:
        """Keep the plane that touches the risk at an evaluated point."""
        mix: Any = here.slopes
        self._held.extend(mix.planes)

    def mix(self) -> Mix | None:
        """Return the best mix under a ridge, a lasso or an elastic net; else None."""
        if len(self._held) < 2 or self.risk.intercept:  # noqa: PLR2004
            return None
        penalty, planes = self.risk.penalty, tuple(self._held)
        slopes = np.stack([plane.slope[:-1] for plane in planes])
        heights = np.array([plane.height for plane in planes])
        if penalty.quadratic:
            shares = self._under_ridge(slopes, heights)
        elif getattr(penalty, "elastic", None) is None:
            return None
        else:
            shares = _under_corner(slopes, heights, penalty.elastic)
        used = np.flatnonzero(shares > LEAST_SHARE)
        if len(used) == 0:
            return None
        kept, shares = tuple(planes[k] for k in used), shares[used]
        if penalty.quadratic:
            shares = shares / shares.sum()
        return Mix(shares, tuple(plane.witness for plane in kept), kept)

    def _under_ridge(self, slopes: Matrix, heights: Vector) -> Vector:
        nothing: tuple[Vector, float] = np.zeros(0), 1.0
        gram = slopes @ slopes.T / float(self.risk.penalty.quadratic)
        precision = RECENT_PRECISION * float(self.risk.unit)
        return minimize_on_simplex(
            gram, heights, np.zeros((len(heights), 0)), nothing, precision
        )[0]


def _under_corner(slopes: Matrix, heights: Vector, prices: Any) -> Vector:
    r"""Return shares that prove most under an l1 price, with or without a square.

    .. math:: \max_{p \ge 0,\ \sum p \le 1} \langle h, p\rangle
              - \tfrac1{2\lambda}\|(|A^\top p| - c)_+\|^2

    Without a square no slope may exceed c: a linear program, in the slopes that could.
    """
    corner, ridge = prices
    m, near = len(heights), np.abs(slopes).max(axis=0) > corner
    table = slopes[:, near]
    if not ridge > 0.0:
        sides = np.vstack([table.T, -table.T, np.ones((1, m))])
        limits = np.append(np.full(2 * table.shape[1], corner), 1.0)
        found = linprog(-heights, A_ub=sides, b_ub=limits, method="highs")
        return np.zeros(m) if found.x is None else np.maximum(found.x, 0.0)
    p, ahead, speed = np.eye(m)[-1], np.eye(m)[-1], 1.0
    step = ridge / max(float(np.linalg.norm(table, 2)) ** 2, np.finfo(float).tiny)
    for _ in range(MIX_STEPS):
        pull = ahead @ table
        excess = np.sign(pull) * np.maximum(np.abs(pull) - corner, 0.0)
        moved = _below_simplex(ahead + step * (heights - table @ excess / ridge))
        faster = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * speed**2))
        ahead = moved + (speed - 1.0) / faster * (moved - p)
        p, speed = moved, faster
    return np.asarray(p)


def _below_simplex(p: Vector) -> Vector:
    """Return the nearest shares that are not negative and sum to 1 at most."""
    cut = np.maximum(p, 0.0)
    if cut.sum() <= 1.0:
        return np.asarray(cut)
    ordered = np.sort(p)[::-1]
    level = (np.cumsum(ordered) - 1.0) / np.arange(1, len(p) + 1)
    last = int(np.flatnonzero(ordered > level)[-1])
    return np.asarray(np.maximum(p - level[last], 0.0))


def minimize_on_simplex(
    gram: Matrix,
    heights: Vector,
    pulls: Matrix,
    box: tuple[Vector, float],
    precision: float,
) -> tuple[Vector, Vector]:
    r"""Return weights on a simplex and the multipliers b of their balance.

    .. math:: \min_{p \in \text{simplex}} \tfrac12 p^\top G p - \langle h, p\rangle
              - \langle \text{centre}, C^\top p\rangle
              + \text{reach}\, \|C^\top p\|_1

    By an interior-point method with the variables (p, u, v), Cᵀp = u - v: within reach
    of the centre the multipliers are free and Cᵀp vanishes. The value is within
    `precision` of the least.
    """
    (t, k), (centre, reach) = pulls.shape, box
    size = t + 2 * k
    H = np.zeros((size, size))
    H[:t, :t] = gram
    linear = np.concatenate([-heights, reach - centre, reach + centre])
    E = np.zeros((1 + k, size))
    E[0, :t] = 1.0
    E[1:, :t], E[1:, t : t + k], E[1:, t + k :] = pulls.T, -np.eye(k), np.eye(k)
    e = np.zeros(1 + k)
    e[0] = 1.0
    x, multipliers = _interior_point(H, linear, E, e, precision)
    weights = np.maximum(x[:t], 0.0)
    return weights / weights.sum(), multipliers[1:]


def _interior_point(
    H: Matrix, linear: Vector, E: Matrix, e: Vector, precision: float
) -> tuple[Vector, Vector]:
    """Minimise ½xᵀHx + linear·x subject to Ex = e, x ≥ 0; return x and multipliers."""
    size = len(linear)
    unit = max(1.0, float(np.abs(linear).max()), float(np.abs(np.diag(H)).max()))
    x, z, nu = np.full(size, 1.0 / size), np.full(size, unit), np.zeros(len(e))
    for _ in range(MAX_STEPS):
        dual = H @ x + linear - E.T @ nu - z
        primal = E @ x - e
        mu = float(x @ z) / size
        if size * mu <= precision:
            break
        try:
            newton = _Newton(H, E, x, z)
        except LinAlgError:
            break
        dx, _, dz = newton.direction(dual, primal, x * z)
        reach = min(_reach(x, dx), _reach(z, dz))
        after = float((x + reach * dx) @ (z + reach * dz)) / size
        target = mu * (after / mu) ** 3
        dx, d_nu, dz = newton.direction(dual, primal, x * z + dx * dz - target)
        pace = min(1.0, KEEP_INSIDE * min(_reach(x, dx), _reach(z, dz)))
        x, nu, z = x + pace * dx, nu + pace * d_nu, z + pace * dz
    return x, nu


class _Newton:
    """The linearised optimality conditions at one point, factorised once."""

    def __init__(self, H: Matrix, E: Matrix, x: Vector, z: Vector) -> None:
        self.E, self.x, self.z = E, x, z
        self.factor = cho_factor(H + np.diag(z / x), check_finite=False)
        self.across = cho_solve(self.factor, E.T, check_finite=False)
        self.schur = E @ self.across

    def direction(
        self, dual: Vector, primal: Vector, products: Vector
    ) -> tuple[Vector, Vector, Vector]:
        """Return the changes of x, multipliers and z that cancel the residuals."""
        right = -dual - products / self.x
        base = cho_solve(self.factor, right, check_finite=False)
        # The rows of E may depend on one another: the shortest multipliers will do.
        missing = -primal - self.E @ base
        d_nu = np.linalg.lstsq(self.schur, missing, rcond=1e-13)[0]
        d_x = base + self.across @ d_nu
        return d_x, d_nu, (-products - self.z * d_x) / self.x


def _reach(value: Vector, change: Vector) -> float:
    falling = change < 0
    return float((value[falling] / -change[falling]).min(initial=1.0))
