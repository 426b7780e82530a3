"""The lasso path from strong to none, followed exactly until the data are met."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import linalg

from infimum.typing import Matrix, Vector

__all__ = ["Walked", "walk"]

#: Sizes below this share of the largest are rounding.
TINY = 1e-12
#: Steps after which the inverse is computed anew.
RENEW = 40
#: A corner in this last share of the way is the end.
NEARLY = 1e-7
#: A column that has gone comes back after this share of the way at the soonest.
AGAIN = 1e-9


class Walked(NamedTuple):
    """Coefficients, a multiple v of the residual, and how many steps it took."""

    coefficients: Vector
    multiplier: Vector
    steps: int
    #: Whether the path came to its end.
    arrived: bool


def walk(W: Matrix, y: Vector, noise: float, max_steps: int) -> Walked:
    """Follow min ½‖Wx - y‖² + λ‖x‖₁ down until ‖Wx - y‖ is `noise`, or λ is 0.

    On the way Wᵀr = λ·signs on the support; r/λ is the multiplier. Between corners
    everything is linear in λ.
    """
    d = W.shape[1]
    x, pulls = np.zeros(d), W.T @ y
    level = float(np.abs(pulls).max(initial=0.0))
    if level == 0.0 or np.linalg.norm(y) <= noise:
        return Walked(x, np.zeros(len(y)), 0, arrived=True)
    support, start, gone = _Support(W), level, -1
    support.add(int(np.argmax(np.abs(pulls))))
    for step in range(1, max_steps + 1):
        signs = support.signs(pulls, level)
        way = support.solve(signs)
        if way is None:
            break
        image = W[:, support.members] @ way
        slopes = W.T @ image
        fall, joins, leaves = _next(x, pulls, slopes, way, level, support, gone)
        reached = _meets(y - W @ x, image, noise, min(fall, level))
        # At λ = 0 the residual is 0, and every pull comes there at the same time.
        if reached is not None or fall >= level * (1.0 - NEARLY):
            fall = level if reached is None else reached
            x[support.members] += fall * way
            level -= fall
            left = y - W @ x
            exact = W[:, support.members] @ way  # the limit of r/λ
            return Walked(
                x, exact if level <= TINY * start else left / level, step, arrived=True
            )
        x[support.members] += fall * way
        pulls, level = pulls - fall * slopes, level - fall
        gone = leaves
        if leaves >= 0:
            x[leaves] = 0.0
            support.drop(leaves)
        else:
            support.add(joins)
    return Walked(x, (y - W @ x) / max(level, 1e-300), max_steps, arrived=False)


class _Support:
    """The columns in use, and the inverse of their Gram matrix."""

    def __init__(self, W: Matrix) -> None:
        self.W, self.members = W, np.empty(0, dtype=np.intp)
        self.inverse = np.empty((0, 0))
        self.outside = np.ones(W.shape[1], dtype=bool)
        self.age = 0

    def signs(self, pulls: Vector, level: float) -> Vector:
        return np.asarray(np.sign(pulls[self.members]))

    def add(self, place: int) -> None:
        """Take a column in: the inverse grows by a border."""
        column = self.W[:, place]
        cross = self.W[:, self.members].T @ column
        led = self.inverse @ cross
        rest = float(column @ column - cross @ led)
        self.members = np.append(self.members, place)
        self.outside[place] = False
        size = len(self.members)
        if rest <= TINY * float(column @ column):
            self.inverse = np.full((size, size), np.nan)
            return
        grown = np.empty((size, size))
        grown[:-1, :-1] = self.inverse + np.outer(led, led) / rest
        grown[-1, :-1] = grown[:-1, -1] = -led / rest
        grown[-1, -1] = 1.0 / rest
        self.inverse = grown
        self._grow_old()

    def drop(self, place: int) -> None:
        """Let a column go."""
        at = int(np.flatnonzero(self.members == place)[0])
        column = np.delete(self.inverse[:, at], at)
        kept = np.delete(np.delete(self.inverse, at, 0), at, 1)
        self.inverse = kept - np.outer(column, column) / self.inverse[at, at]
        self.members = np.delete(self.members, at)
        self.outside[place] = True
        self._grow_old()

    def solve(self, right: Vector) -> Vector | None:
        """Return the solution of (W_SᵀW_S) z = right; None if columns depend."""
        made = self.inverse @ right
        return made if np.isfinite(made).all() else None

    def _grow_old(self) -> None:
        self.age += 1
        if self.age % RENEW == 0:
            used = self.W[:, self.members]
            try:
                self.inverse = linalg.inv(used.T @ used)
            except linalg.LinAlgError:
                self.inverse = np.full((len(self.members),) * 2, np.nan)


def _next(
    x: Vector,
    pulls: Vector,
    slopes: Vector,
    way: Vector,
    level: float,
    support: _Support,
    gone: int,
) -> tuple[float, int, int]:
    """Return how far λ falls until a column joins or leaves, and which.

    One that has just gone is still at the level: rounding must not bring it back.
    """
    least = TINY * level
    with np.errstate(divide="ignore", invalid="ignore"):
        up = (level - pulls) / (1.0 - slopes)
        down = (level + pulls) / (1.0 + slopes)
    falls = np.full(len(pulls), np.inf)
    for each in (up, down):
        usable = support.outside & (each > least)
        if gone >= 0 and each[gone] < AGAIN * level:
            usable[gone] = False
        falls[usable] = np.minimum(falls[usable], each[usable])
    joins = int(np.argmin(falls))
    with np.errstate(divide="ignore", invalid="ignore"):
        zero = -x[support.members] / way
    zero = np.where(zero > least, zero, np.inf)
    first = int(np.argmin(zero))
    if zero[first] < falls[joins]:
        return float(zero[first]), -1, int(support.members[first])
    return float(falls[joins]), joins, -1


def _meets(left: Vector, image: Vector, noise: float, most: float) -> float | None:
    """Return the fall at which the residual is as long as the noise, up to `most`."""
    if noise <= 0.0:
        return None
    a, b = float(image @ image), float(left @ image)
    c = float(left @ left) - noise**2
    root = b * b - a * c
    if root < 0.0 or a == 0.0:
        return None
    fall = (b - np.sqrt(root)) / a
    return fall if 0.0 <= fall <= most else None
