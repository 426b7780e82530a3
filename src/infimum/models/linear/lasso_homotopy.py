"""The exact lasso path: piecewise linear, found corner by corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from infimum.data.validation import accept_weights
from infimum.errors import DataError
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LassoPath", "lasso_homotopy"]

#: Two corners nearer than this, as a share of the largest strength, are one.
TIE = 1e-11
#: A new column that is this little of its own is a combination of the active ones.
DEPENDENT = 1e-10
#: A violation of the optimality conditions that rounding does not explain.
UNRESOLVED = 1e-7


@dataclass(frozen=True, eq=False)
class LassoPath:
    """All solutions of a lasso at once: linear in the strength between its corners.

    Attributes
    ----------
    alphas : ndarray of shape (n_corners,)
        Strengths at which the set of active features changes, decreasing; above the
        first all coefficients are 0.
    coefs : ndarray of shape (n_corners, n_features)
        The solution at each corner.
    intercepts : ndarray of shape (n_corners,)
        Its intercepts.
    violations : ndarray of shape (n_corners,)
        The largest violation of the optimality conditions at each corner, as a share
        of the first strength: 0 up to rounding.
    """

    alphas: Vector
    coefs: Matrix
    intercepts: Vector
    violations: Vector

    def at(self, alpha: float) -> tuple[Vector, float]:
        """Return coefficients and intercept at any strength from the last corner up."""
        check_domain("LassoPath.at.alpha", alpha, nonnegative)
        if alpha < self.alphas[-1]:
            raise DataError(
                f"The path ends at {self.alphas[-1]:g}, before the strength {alpha:g}."
            )
        if alpha >= self.alphas[0]:
            return self.coefs[0].copy(), float(self.intercepts[0])
        k = int(np.searchsorted(-self.alphas, -alpha))
        high, low = self.alphas[k - 1], self.alphas[k]
        share = (high - alpha) / (high - low)
        coef = (1.0 - share) * self.coefs[k - 1] + share * self.coefs[k]
        both = self.intercepts[k - 1 : k + 1]
        return coef, float((1.0 - share) * both[0] + share * both[1])


def lasso_homotopy(
    X: Any,
    y: Any,
    *,
    l2: float = 0.0,
    fit_intercept: bool = True,
    sample_weight: Any = None,
    min_alpha: float = 0.0,
    max_corners: int = 10_000,
) -> LassoPath:
    r"""Follow the solution of the lasso from the strongest penalty to the weakest.

    .. math:: \min_w \tfrac{1}{2n} \|y - Xw - b\|_2^2 + \alpha \|w\|_1
              + \tfrac{\text{l2}}{2} \|w\|_2^2

    The solution is a piecewise linear function of α: between corners the active
    coefficients move along a straight line, at a corner one enters or leaves. Every
    corner is checked against the optimality conditions. The work is that of one least
    squares fit per corner; for many features and few strengths `Lasso` is faster.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Targets.
    l2 : float, default=0.0
        Weight of a squared penalty that stays the same along the path: the elastic
        net, whose solution is unique even where columns are tied.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    sample_weight : array-like of shape (n_samples,), optional
        A weight of k means the same as k copies of the sample.
    min_alpha : float, default=0.0
        Where to end.
    max_corners : int, default=10_000
        End after so many corners at the latest.

    Returns
    -------
    LassoPath

    Notes
    -----
    A column that is a combination of the active ones (a copy, for instance) is left
    out while they are active: the lasso then has many solutions, and this is one. Of
    columns that tie exactly, those enter that move as their pull says; ties that this
    does not resolve are refused in one sentence. A small `l2` makes every solution
    unique.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    >>> path = lasso_homotopy(X, [2.0, 1.0, -2.0, -1.0])
    >>> path.alphas
    array([1. , 0.5, 0. ])
    >>> path.at(0.25)[0]
    array([1.5, 0.5])

    References
    ----------
    Osborne, Presnell & Turlach (2000), IMA J. Numerical Analysis 20. Efron, Hastie,
    Johnstone & Tibshirani (2004), Annals of Statistics 32.
    """
    check_domain("lasso_homotopy.l2", l2, nonnegative)
    check_domain("lasso_homotopy.min_alpha", min_alpha, nonnegative)
    A, target, means = _centred(X, y, sample_weight, intercept=fit_intercept)
    walk = _Walk(A, target, float(l2))
    while walk.alpha > min_alpha and len(walk.alphas) < max_corners:
        if not walk.step(float(min_alpha)):
            break
    coefs = np.array(walk.coefs)
    intercepts = means[-1] - coefs @ means[:-1]
    return LassoPath(
        np.array(walk.alphas), coefs, intercepts, np.array(walk.violations)
    )


def _centred(
    X: Any, y: Any, sample_weight: Any, *, intercept: bool
) -> tuple[Matrix, Vector, Vector]:
    """Return X and y without their means and scaled so that the mean is a sum."""
    A, target = np.array(X, dtype=np.float64), np.array(y, dtype=np.float64)
    if A.ndim != 2 or target.shape != A.shape[:1] or not A.size:  # noqa: PLR2004
        raise DataError(
            "lasso_homotopy takes a table X and one target for each of its rows, got "
            f"shapes {A.shape} and {target.shape}."
        )
    if not (np.isfinite(A).all() and np.isfinite(target).all()):
        raise DataError("lasso_homotopy takes finite numbers only.")
    given = accept_weights(sample_weight, A)
    weights = np.ones(len(A)) if given is None else given
    weights = weights / weights.sum()
    means = np.zeros(A.shape[1] + 1)
    if intercept:
        means = np.append(weights @ A, weights @ target)
    root = np.sqrt(weights)
    left = (target - means[-1]) * root
    if linalg.norm(left) <= 1e-14 * linalg.norm(target * root):
        left[:] = 0.0  # a constant target leaves nothing but rounding
    return (A - means[:-1]) * root[:, None], left, means


class _Walk:
    """Where the path is: strength, coefficients and the set of active features."""

    def __init__(self, A: Matrix, target: Vector, l2: float) -> None:
        self.A, self.target, self.l2 = A, target, l2
        self.w: Vector = np.zeros(A.shape[1])
        pull = A.T @ target
        self.top = float(np.abs(pull).max(initial=0.0))
        self.alpha = self.top
        self.active: list[int] = []
        self.signs: Vector = np.zeros(A.shape[1])
        self.left = -1
        self.alphas: list[float] = [self.top]
        self.coefs: list[Vector] = [self.w.copy()]
        self.violations: list[float] = [0.0]
        if self.top > 0:
            self._enter(pull, int(np.argmax(np.abs(pull))))

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
        self.alpha = floor if last else self.alpha - length
        self.left = -1
        if not last and length == fall[0]:
            self._leave(fall[1])
        elif not last:
            self._enter(self._pull(), turn[1])
        self._record()
        return not last

    def _pull(self) -> Vector:
        """Return the correlations of the columns with what is left to explain."""
        residual = self.target - self.A @ self.w
        return np.asarray(self.A.T @ residual - self.l2 * self.w)

    def _direction(self) -> Vector:
        """Return how the active coefficients change per unit of falling strength."""
        block = self.A[:, self.active]
        gram = block.T @ block + self.l2 * np.eye(len(self.active))
        signs = self.signs[self.active]
        along = np.asarray(linalg.solve(gram, signs, assume_a="pos"))
        astray = (self.w[self.active] == 0) & (along * signs < 0)
        if not astray.any():
            return along
        # Of several columns that entered at one corner, this one must wait.
        self._leave(self.active[int(np.flatnonzero(astray)[0])])
        return self._direction()

    def _next_crossing(self, along: Vector) -> tuple[float, int]:
        """Return how far it is until an active coefficient reaches 0, and which."""
        with np.errstate(divide="ignore", invalid="ignore"):
            lengths = -self.w[self.active] / along
        # One that has just entered stands at 0 and moves away from it.
        lengths = np.where(lengths > TIE * self.top, lengths, np.inf)
        lengths = np.where(np.isnan(lengths), np.inf, lengths)
        k = int(np.argmin(lengths))
        return float(lengths[k]), self.active[k]

    def _next_entry(self, along: Vector) -> tuple[float, int]:
        """Return how far it is until another column pulls as hard as the active."""
        pull = self._pull()
        slope = self.A.T @ (self.A[:, self.active] @ along)
        idle = np.setdiff1d(np.arange(len(self.w)), self.active)
        if not len(idle):
            return np.inf, -1
        c, s = pull[idle], slope[idle]
        with np.errstate(divide="ignore", invalid="ignore"):
            upper, lower = (self.alpha - c) / (1.0 - s), (self.alpha + c) / (1.0 + s)
        near = TIE * self.top
        # A column that ties with the active ones all along never overtakes them.
        upper = np.where((1.0 - s > DEPENDENT) & (upper >= -near), upper, np.inf)
        lower = np.where((1.0 + s > DEPENDENT) & (lower >= -near), lower, np.inf)
        lengths = np.maximum(np.minimum(upper, lower), 0.0)
        if self.left >= 0:  # what has just left pulls exactly as hard, and less soon
            lengths[idle == self.left] = self._return_of(idle, upper, lower)
        k = int(np.argmin(lengths))
        return float(lengths[k]), int(idle[k])

    def _return_of(self, idle: Indices, upper: Vector, lower: Vector) -> float:
        place = int(np.flatnonzero(idle == self.left)[0])
        both = np.array([upper[place], lower[place]])
        later = both[both > TIE * self.top * 10.0]
        return float(later.min()) if len(later) else np.inf

    def _enter(self, pull: Vector, j: int) -> None:
        block = self.A[:, self.active]
        column = self.A[:, j]
        if self.active and self.l2 == 0.0:
            rest = column - block @ linalg.lstsq(block, column)[0]
            if rest @ rest <= DEPENDENT * (column @ column):
                raise DataError(
                    f"Column {j} is a combination of the active columns at strength "
                    f"{self.alpha:g}, where the lasso has many solutions: set l2 above "
                    "0, or min_alpha above that strength."
                )
        self.active.append(j)
        self.signs[j] = np.sign(pull[j])

    def _leave(self, j: int) -> None:
        self.active.remove(j)
        self.w[j] = self.signs[j] = 0.0
        self.left = j

    def _record(self) -> None:
        self.alphas.append(self.alpha)
        self.coefs.append(self.w.copy())
        pull = self._pull()
        on = self.w != 0
        wrong = np.abs(pull[on] - self.alpha * np.sign(self.w[on])).max(initial=0.0)
        beyond = np.maximum(np.abs(pull[~on]) - self.alpha, 0.0).max(initial=0.0)
        self.violations.append(float(max(wrong, beyond)) / self.top)
        if self.violations[-1] > UNRESOLVED:
            raise DataError(
                f"Columns tie at strength {self.alpha:g} in a way that the path cannot "
                "resolve: set l2 above 0, or min_alpha above that strength."
            )
