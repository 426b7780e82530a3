"""The dual of every support vector machine, as one problem over a box."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from infimum.objectives.kernel_tiles import KernelTiles
from infimum.typing import Indices, Mask, Vector

__all__ = ["SupportVectorDual"]


@dataclass(frozen=True, eq=False)
class SupportVectorDual:
    r"""A quadratic over a box whose groups of variables keep their sums.

    .. math:: \min_β \tfrac12 β^\top K β + q^\top β + \tfrac12 \sum_v ρ_v β_v^2
              \quad\text{with}\quad l \le β \le u,\;
              \sum_{v \in g} β_v = c_g

    Variables carry their sign (β = yα), so that both classes rise and fall alike and
    the equality that the intercept demands is a plain sum. A variable v reads the
    kernel row of sample ``places[v]``; the two-sided machines of regression have two
    variables a sample. One group serves C-SVC, ε-SVR, one-class and data description,
    two serve the ν-machines. A ρ > 0 makes the hinge a squared hinge.

    The function that a point stands for is :math:`f(x) = \sum_v β_v k(x_v, x)`, and
    the negated minimum equals that of the primal

    .. math:: P(f, b) = \tfrac12\|f\|^2 + \sum_g b_g c_g
              + \sum_v \max_{l_v \le β \le u_v}
              \bigl[-β\,(f(x_v) + q_v + b_g) - \tfrac12 ρ_v β^2\bigr].

    Parameters
    ----------
    low, high : arrays of shape (n_variables,)
        The box.
    linear : array of shape (n_variables,)
        q.
    start : array of shape (n_variables,)
        A point of the box; its sums over the groups are the ones to keep.
    places : array of shape (n_variables,)
        The sample of each variable.
    groups : array of shape (n_variables,)
        0 or 1.
    ridge : array of shape (n_variables,)
        ρ.
    n_samples : int

    References
    ----------
    Schölkopf & Smola (2002), Learning with Kernels, chapters 7 to 10.
    """

    low: Vector
    high: Vector
    linear: Vector
    start: Vector
    places: Indices
    groups: Indices
    ridge: Vector
    n_samples: int
    #: By how much `linear` may be wrong, at most.
    vague: Vector | float = 0.0

    @classmethod
    def classification(
        cls, signs: Vector, bounds: Vector, *, squared: bool = False
    ) -> Self:
        """Return C-SVC: ``bounds`` is what a margin violation of each sample costs.

        Squared, the loss is ``bounds * max(0, 1 - yf)²`` and the box has no ceiling.
        """
        ceiling = np.full(len(signs), np.inf) if squared else bounds
        ridge = 0.5 / bounds if squared else np.zeros(len(signs))
        low = np.where(signs > 0, 0.0, -ceiling)
        high = np.where(signs > 0, ceiling, 0.0)
        return cls._single(low, high, -signs, np.zeros(len(signs)), ridge)

    @classmethod
    def ramp(cls, signs: Vector, bounds: Vector, given_up: Mask) -> Self:
        """Return a convex problem above the ramp loss, for samples given up on.

        The ramp is a hinge less a hinge; the tangent of the second moves the box of a
        sample whose second hinge is at work from [0, C] to [-C, 0]. The primal is then
        the ramp's, less ``bounds * (1 - knee)`` for each such sample, at the function
        whose samples below the knee are those ``given_up``, and above it elsewhere.
        """
        low = np.where(signs > 0, 0.0, -bounds) - np.where(
            given_up, np.sign(signs) * bounds, 0.0
        )
        zero = np.zeros(len(signs))
        return cls._single(low, low + bounds, -signs, zero, zero)

    @classmethod
    def regression(
        cls, y: Vector, bounds: Vector, epsilon: float, *, squared: bool = False
    ) -> Self:
        """Return ε-SVR: one variable a sample pulls up, one pulls down."""
        n = len(y)
        ceiling = np.full(n, np.inf) if squared else bounds
        ridge = np.tile(0.5 / bounds if squared else np.zeros(n), 2)
        low = np.concatenate([np.zeros(n), -ceiling])
        high = np.concatenate([ceiling, np.zeros(n)])
        linear = np.concatenate([epsilon - y, -epsilon - y])
        places, groups = np.tile(np.arange(n), 2), np.zeros(2 * n, dtype=np.int64)
        return cls(low, high, linear, np.zeros(2 * n), places, groups, ridge, n)

    @classmethod
    def nu_classification(cls, signs: Vector, bounds: Vector, nu: float) -> Self:
        """Return ν-SVC: each class has the sum ν·Σ bounds/2 to share out."""
        share = 0.5 * nu * bounds.sum()
        start = np.zeros(len(signs))
        for sign in (1.0, -1.0):
            mine = signs == sign
            start[mine] = sign * _filled(bounds[mine], share)
        low = np.where(signs > 0, 0.0, -bounds)
        high = np.where(signs > 0, bounds, 0.0)
        groups = (signs < 0).astype(np.int64)
        n, zero = len(signs), np.zeros(len(signs))
        return cls(low, high, zero, start, np.arange(n), groups, zero, n)

    @classmethod
    def nu_regression(cls, y: Vector, bounds: Vector, nu: float) -> Self:
        """Return ν-SVR: either side of the tube has ν·Σ bounds/2 to share out."""
        n = len(y)
        half = _filled(bounds, 0.5 * nu * bounds.sum())
        low = np.concatenate([np.zeros(n), -bounds])
        high = np.concatenate([bounds, np.zeros(n)])
        groups = np.repeat([0, 1], n)
        start, places = np.concatenate([half, -half]), np.tile(np.arange(n), 2)
        zero = np.zeros(2 * n)
        return cls(low, high, np.tile(-y, 2), start, places, groups, zero, n)

    @classmethod
    def one_class(cls, bounds: Vector, total: float) -> Self:
        """Return the one-class machine: weights up to `bounds` sum to `total`."""
        zero = np.zeros(len(bounds))
        return cls._single(zero, bounds, zero, _filled(bounds, total), zero)

    @classmethod
    def description(
        cls, bounds: Vector, diagonal: Vector, vague: Vector | float = 0.0
    ) -> Self:
        """Return data description, the smallest ball: weights sum to 1.

        The values k(x, x) on the diagonal may be wrong by `vague`.
        """
        zero = np.zeros(len(bounds))
        start = _filled(bounds, 1.0)
        dual = cls._single(zero, bounds, -0.5 * diagonal, start, zero)
        return replace(dual, vague=0.5 * vague)

    @classmethod
    def _single(
        cls, low: Vector, high: Vector, linear: Vector, start: Vector, ridge: Vector
    ) -> Self:
        n = len(low)
        groups = np.zeros(n, dtype=np.int64)
        return cls(low, high, linear, start, np.arange(n), groups, ridge, n)

    @property
    def sums(self) -> Vector:
        """The sums to keep, one for each group."""
        sums = np.bincount(self.groups, weights=self.start, minlength=2)
        return np.asarray(sums, dtype=np.float64)

    def feasible(self, point: Vector) -> Vector:
        """Return a feasible point in the direction of another, say a neighbour's.

        In each group the variables grow or shrink in proportion until the sum is the
        one to keep, none beyond its bound; what is then missing goes to the first that
        have room. For boxes that begin or end at 0.
        """
        room, out = self.high - self.low, np.zeros_like(point)
        for group in range(2):
            mine = self.groups == group
            total = float(self.start[mine].sum())
            sizes = _in_proportion(np.abs(point[mine]), room[mine], abs(total))
            out[mine] = np.copysign(sizes, total)
        return out

    def coefficients(self, point: Vector) -> Vector:
        """Return the weight of each sample's kernel row in the function."""
        sums = np.bincount(self.places, weights=point, minlength=self.n_samples)
        return np.asarray(sums, dtype=np.float64)

    def scores(self, tiles: KernelTiles, point: Vector) -> Vector:
        """Return f at the samples, recomputed."""
        coefficients = self.coefficients(point)
        support = np.flatnonzero(coefficients)
        return tiles.own_sums(coefficients[support], support)

    def gradient(self, point: Vector, scores: Vector) -> Vector:
        """Return the derivative of the quadratic by each variable."""
        return scores[self.places] + self.linear + self.ridge * point

    def value(self, point: Vector, scores: Vector) -> float:
        """Return the quadratic; its negative bounds the primal from below."""
        inner = 0.5 * float(point @ scores[self.places]) + float(self.linear @ point)
        return inner + 0.5 * float(self.ridge @ point**2)


def _filled(bounds: Vector, total: float) -> Vector:
    """Spend `total` on the first variables, each up to its bound."""
    return np.clip(total - (np.cumsum(bounds) - bounds), 0.0, bounds)


def _in_proportion(sizes: Vector, room: Vector, total: float) -> Vector:
    """Spend `total` in proportion to `sizes`, up to the room of each."""
    given = np.flatnonzero(sizes)
    out = np.zeros_like(room)
    if room[given].sum() <= total:
        out[given] = room[given]
        return out + _filled(room - out, total - float(out.sum()))
    order = given[np.argsort(room[given] / sizes[given])]
    sizes, most = sizes[order], room[order]
    # The first k are full; the others share what these leave.
    factors = (total - np.cumsum(most) + most) / np.cumsum(sizes[::-1])[::-1]
    factor = factors[np.argmax(factors * sizes <= most)]
    out[order] = np.minimum(factor * sizes, most)
    return out
