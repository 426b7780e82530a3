"""A walk along the exact path of the lasso, or of least angle regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from scipy.linalg import lapack

from infimum.errors import DataError
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["Walk"]

#: Two corners nearer than this, as a share of the largest strength, are one.
TIE = 1e-11
#: A new column that is this little of its own is a combination of the active ones.
DEPENDENT = 1e-10
#: A violation of the optimality conditions that rounding does not explain.
UNRESOLVED = 1e-7


class Walk:
    """Where a path is: strength, coefficients and the set of active features.

    Parameters
    ----------
    A, target : ndarray
        Centred samples and targets, scaled so that products are means.
    l2 : float
        Weight of a squared penalty that stays the same along the path.
    leaves : bool
        Whether a coefficient that reaches 0 leaves (the lasso) or goes on through it
        (least angle regression).
    positive : bool
        Whether coefficients stay at or above 0.
    forgiving : bool
        Whether columns that depend on the active ones are left out without a word;
        otherwise they are refused in one sentence, as are ties beyond resolution.
    """

    def __init__(
        self,
        A: Matrix,
        target: Vector,
        l2: float = 0.0,
        *,
        leaves: bool = True,
        positive: bool = False,
        forgiving: bool = False,
    ) -> None:
        self.A, self.target, self.l2 = A, target, l2
        self.leaves, self.positive, self.forgiving = leaves, positive, forgiving
        #: Products of the columns, where there are no more of them than rows.
        gram = A.T @ A if A.shape[1] <= len(A) else None
        self._begin(gram, A.T @ target)

    @classmethod
    def among(cls, gram: Matrix, pulls: Vector, **how: bool) -> Walk:
        """Return the walk that products of the columns, and with a target, tell of."""
        walk = cls.__new__(cls)
        walk.l2 = 0.0
        walk.leaves, walk.positive = how["leaves"], how["positive"]
        walk.forgiving = how["forgiving"]
        walk._begin(gram, pulls)
        return walk

    def _begin(self, gram: Matrix | None, pulls: Vector) -> None:
        d = len(pulls)
        self.w: Vector = np.zeros(d)
        self.gram, self.pulls = gram, pulls
        #: The correlations of the columns with what is left to explain, at `w`.
        self.pull: Vector = self.pulls
        #: The columns that are neither active nor barred.
        self.idle: Mask = np.ones(d, dtype=bool)
        pull = self._strained(self.pulls)
        self.top = float(pull.max(initial=0.0))
        self.alpha = self.top
        self.active: list[int] = []
        self.barred: list[int] = []
        #: Factor L of the Gram matrix of the active columns, L Lᵀ.
        self.triangle: Matrix = np.zeros((0, 0))
        self.signs: Vector = np.zeros(d)
        self.left = -1
        self.alphas: list[float] = [self.top]
        self.coefs: list[Vector] = [self.w.copy()]
        self.violations: list[float] = [0.0]
        if self.top > 0:
            self._enter(int(np.argmax(pull)))

    def go(self, floor: float, most: int) -> None:
        """Walk until the strength is `floor`, or for `most` steps."""
        while self.alpha > floor and len(self.alphas) <= most:
            if not self.step(floor):
                return

    def step(self, floor: float) -> bool:
        """Go to the next corner; tell whether there may be another."""
        if not self.active:
            return False
        along = self._direction()
        fall, turn = self._next_crossing(along), self._next_entry(along)
        length, rest = min(fall[0], turn[0]), self.alpha - floor
        # At strength 0 every column ties with every other: the end is no corner.
        last = length >= rest - TIE * self.top
        length = rest if last else length
        self.w[self.active] += length * along
        self.pull = self._pull()
        self.alpha = floor if last else self.alpha - length
        self.left = -1
        if not last and length == fall[0]:
            self._leave(fall[1])
        elif not last and not self._enter(turn[1]):
            return True  # nothing turns here
        self._record()
        return not last

    def _strained(self, pull: Vector) -> Vector:
        """Return how hard each column pulls in a direction that it may go."""
        return np.asarray(np.maximum(pull, 0.0) if self.positive else np.abs(pull))

    def _pull(self) -> Vector:
        if self.gram is not None:
            return np.asarray(self.pulls - self.gram @ self.w - self.l2 * self.w)
        residual = self.target - self.A @ self.w
        return np.asarray(self.A.T @ residual - self.l2 * self.w)

    def _products(self, rows: Any, columns: Any) -> Matrix:
        """Return the products of some columns with others, a row for each of `rows`."""
        if self.gram is not None:
            return np.asarray(self.gram[rows][:, columns])
        return np.asarray(self.A[:, rows].T @ self.A[:, columns])

    def _direction(self) -> Vector:
        """Return how the active coefficients change per unit of falling strength."""
        signs = self.signs[self.active]
        along: Vector = lapack.dpotrs(self.triangle, signs, lower=1)[0]
        astray = (self.w[self.active] == 0) & (along * signs < 0)
        if not (self.leaves and astray.any()):
            return along
        # Of several columns that entered at one corner, this one must wait.
        self._leave(self.active[int(np.flatnonzero(astray)[0])])
        return self._direction()

    def _next_crossing(self, along: Vector) -> tuple[float, int]:
        """Return how far it is until an active coefficient reaches 0, and which."""
        if not self.leaves:
            return np.inf, -1
        with np.errstate(divide="ignore", invalid="ignore"):
            lengths = -self.w[self.active] / along
        # One that has just entered stands at 0 and moves away from it; what is no
        # number is not beyond anything either.
        lengths = np.where(lengths > TIE * self.top, lengths, np.inf)
        k = int(lengths.argmin())
        return float(lengths[k]), self.active[k]

    def _next_entry(self, along: Vector) -> tuple[float, int]:
        """Return how far it is until another column pulls as hard as the active."""
        idle = np.flatnonzero(self.idle)
        if not len(idle):
            return np.inf, -1
        c, s = self.pull[idle], self._slopes(along)[idle]
        with np.errstate(divide="ignore", invalid="ignore"):
            upper, lower = (self.alpha - c) / (1.0 - s), (self.alpha + c) / (1.0 + s)
        near = TIE * self.top
        # A column that ties with the active ones all along never overtakes them.
        upper = np.where((1.0 - s > DEPENDENT) & (upper >= -near), upper, np.inf)
        lower = np.where((1.0 + s > DEPENDENT) & (lower >= -near), lower, np.inf)
        both = upper if self.positive else np.minimum(upper, lower)
        lengths = np.maximum(both, 0.0)
        if self.positive:
            lower = np.full_like(lower, np.inf)
        if self.left >= 0:  # what has just left pulls exactly as hard, and less soon
            lengths[idle == self.left] = self._return_of(idle, upper, lower)
        k = int(lengths.argmin())
        return float(lengths[k]), int(idle[k])

    def _slopes(self, along: Vector) -> Vector:
        """Return how the columns' pulls fall per unit of falling strength."""
        if self.gram is not None:
            return np.asarray(self.gram[:, self.active] @ along)
        return np.asarray(self.A.T @ (self.A[:, self.active] @ along))

    def _return_of(self, idle: Indices, upper: Vector, lower: Vector) -> float:
        place = int(np.flatnonzero(idle == self.left)[0])
        both = np.array([upper[place], lower[place]])
        later = both[both > TIE * self.top * 10.0]
        return float(later.min()) if len(later) else np.inf

    def _enter(self, j: int) -> bool:
        size = len(self.active)
        products = self._products([*self.active, j], [j])[:, 0]
        square = float(products[size]) + self.l2
        shadow = products[:size]
        if size:
            shadow = lapack.dtrtrs(self.triangle, shadow, lower=1)[0]
        rest = square - float(shadow @ shadow)
        if rest <= DEPENDENT * square:
            self._refuse(j)
            return False
        grown = np.zeros((size + 1, size + 1), order="F")
        grown[:size, :size], grown[size, :size] = self.triangle, shadow
        grown[size, size] = np.sqrt(rest)
        self.triangle = grown
        self.active.append(j)
        self.idle[j] = False
        self.signs[j] = np.sign(self.pull[j])
        return True

    def _refuse(self, j: int) -> None:
        if not self.forgiving:
            raise DataError(
                f"Column {j} is a combination of the active columns at strength "
                f"{self.alpha:g}, where the lasso has many solutions: set l2 above "
                "0, or min_alpha above that strength."
            )
        self.barred.append(j)
        self.idle[j] = False

    def _leave(self, j: int) -> None:
        self.active.remove(j)
        gram = self._products(self.active, self.active)
        gram += self.l2 * np.eye(len(self.active))
        self.triangle = linalg.cholesky(gram, lower=True)
        if self.w[j] != 0.0:
            self.w[j] = 0.0
            self.pull = self._pull()
        self.signs[j] = 0.0
        self.left = j
        self.idle[[j, *self.barred]] = True
        self.barred = []  # what depended on it may now stand for itself

    def _record(self) -> None:
        self.alphas.append(self.alpha)
        self.coefs.append(self.w.copy())
        if self.forgiving:  # whoever forgives does not ask
            return
        pull, on = self.pull, self.w != 0
        wrong = np.abs(np.abs(pull[on]) - self.alpha).max(initial=0.0)
        if self.leaves:
            wrong = np.abs(pull[on] - self.alpha * np.sign(self.w[on])).max(initial=0.0)
        off = self._strained(pull[~on])
        beyond = np.maximum(off - self.alpha, 0.0).max(initial=0.0)
        self.violations.append(float(max(wrong, beyond)) / self.top)
        if self.violations[-1] > UNRESOLVED:
            raise DataError(
                f"Columns tie at strength {self.alpha:g} in a way that the path cannot "
                "resolve: set l2 above 0, or min_alpha above that strength."
            )
