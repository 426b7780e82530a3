"""Base of the multiclass margin losses: the worst label, priced and scaled."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from scipy.special import softmax

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.losses._loss import ROUNDING, VectorLoss
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LabelMargin", "square"]

#: The temperatures at which the best constant scores are cooled down.
TEMPERATURES = 0.5 ** np.arange(35)
NEWTON_STEPS = 20


class LabelMargin(VectorLoss):
    r"""Largest scaled shortfall of the right label against any other.

    .. math:: \ell(y, f) = \max_{y'} \Gamma_{yy'} (f_{y'} - f_y + \Delta_{yy'}),
              \qquad \Delta_{yy} = 0

    A slope is :math:`s = \sum_{y'} p_{y'} \Gamma_{yy'} (e_{y'} - e_y)` with p in the
    simplex, so the conjugate is finite where all entries but the one of y are
    non-negative, the entries sum to 0 and
    :math:`\sum_{y' \ne y} s_{y'} / \Gamma_{yy'} \le 1`; its value there is
    :math:`-\sum_{y' \ne y} s_{y'} \Delta_{yy'}`.
    """

    target: ClassVar[str] = "class"
    shift_invariant: ClassVar[bool] = True
    curvature: ClassVar[float] = np.inf

    @property
    @abstractmethod
    def margins(self) -> Matrix:
        """The margin Δ asked of each label (row) against each other (column)."""

    @property
    @abstractmethod
    def factors(self) -> Matrix:
        """The factor Γ of each label (row) against each other (column)."""

    def value(self, y: Vector, f: Matrix) -> Vector:
        return np.asarray(self._shortfalls(_codes(y), f).max(axis=1))

    def derivative(self, y: Vector, f: Matrix) -> Matrix:
        # Ties go to the first label, so the subgradient is always the same one.
        codes, rows = _codes(y), np.arange(len(y))
        worst = self._shortfalls(codes, f).argmax(axis=1)
        pull = np.where(worst == codes, 0.0, self.factors[codes, worst])
        slopes = np.zeros(f.shape)
        slopes[rows, worst] += pull
        slopes[rows, codes] -= pull
        return slopes

    def curve(self, y: Vector, f: Matrix, u: Matrix) -> Matrix:
        raise IncompatibleError(f"{type(self).__name__} has a kink: no curvature.")

    def conjugate(self, y: Vector, s: Matrix) -> Vector:
        codes = _codes(y)
        others, left = self._shares(codes, s)
        inside = (
            (others.min(axis=1) >= -ROUNDING)
            & (left >= -10.0 * ROUNDING)
            & (np.abs(s.sum(axis=1)) <= 10.0 * ROUNDING * (1.0 + np.abs(others).sum(1)))
        )
        value = -(others * self.margins[codes]).sum(axis=1)
        return np.asarray(np.where(inside, value, np.inf))

    def planes(self, y: Vector) -> tuple[Matrix, Matrix] | None:
        codes, units = _codes(y), np.eye(self.outputs)
        factors = self.factors[codes]
        slopes = factors[:, :, None] * (units[None, :, :] - units[codes][:, None, :])
        heights = factors * self.margins[codes]
        heights[np.arange(len(codes)), codes] = 0.0
        return slopes[:, None], heights[:, None]

    def slack(self, y: Vector, s: Matrix) -> Vector:
        codes = _codes(y)
        others, left = self._shares(codes, s)
        others[np.arange(len(codes)), codes] = np.inf
        spread = self._inverse(codes).sum(axis=1)
        return np.asarray(np.minimum(others.min(axis=1), left / spread))

    def centre(self, y: Vector, weights: Vector) -> Matrix:
        # Every label pulls towards the mix of labels; what y gains from the others
        # is what the others gain from y, so the sum is 0.
        codes, rows = _codes(y), np.arange(len(y))
        shares = np.bincount(codes, weights=weights, minlength=self.outputs)
        rivals = ~np.eye(self.outputs, dtype=bool)
        slopes = 0.5 * self.factors[rivals].min() * np.tile(shares, (len(y), 1))
        slopes[rows, codes] -= slopes.sum(axis=1)
        return np.asarray(slopes)

    def best_constant(self, y: Vector, weights: Vector | None = None) -> Vector:
        shares = np.bincount(_codes(y), weights=weights, minlength=self.outputs)
        return _coolest(shares / shares.sum(), self.margins, self.factors)

    def _shortfalls(self, codes: Indices, f: Matrix) -> Matrix:
        right = np.take_along_axis(f, codes[:, None], axis=1)
        shortfalls = self.factors[codes] * (f - right + self.margins[codes])
        shortfalls[np.arange(len(codes)), codes] = 0.0
        return np.asarray(shortfalls)

    def _shares(self, codes: Indices, s: Matrix) -> tuple[Matrix, Vector]:
        """Return the slopes of the wrong labels, and the share left for the right."""
        others = np.array(s, dtype=np.float64)
        others[np.arange(len(codes)), codes] = 0.0
        with np.errstate(invalid="ignore"):
            shares = np.where(others == 0.0, 0.0, others * self._inverse(codes))
        return others, 1.0 - shares.sum(axis=1)

    def _inverse(self, codes: Indices) -> Matrix:
        with np.errstate(divide="ignore"):
            inverse = (1.0 / self.factors)[codes]
        inverse[np.arange(len(codes)), codes] = 0.0
        return np.asarray(inverse)


def square(owner: str, entries: tuple[tuple[float, ...], ...], size: int) -> Matrix:
    """Return a table of non-negative numbers as a square matrix of that size."""
    table = np.array(entries, dtype=np.float64)
    if table.shape != (size, size) or not np.all(np.isfinite(table) & (table >= 0)):
        raise InvalidParameterError(
            f"{owner} must be {size} rows of {size} non-negative numbers, "
            f"got {entries!r}."
        )
    return table


def _codes(y: Vector) -> Indices:
    return np.asarray(y, dtype=np.intp)


def _coolest(shares: Vector, margins: Matrix, factors: Matrix) -> Vector:
    """Minimise the mean loss over constant scores by Newton steps on a soft maximum.

    The soft maximum at temperature T exceeds the maximum by at most T·log(labels).
    """
    scores = np.zeros(len(shares))
    for temperature in TEMPERATURES * max(1.0, float(margins.max())):
        tables = float(temperature), shares, margins, factors
        for _ in range(NEWTON_STEPS):
            value, gradient, hessian = _soft(scores, *tables)
            step = -np.linalg.lstsq(hessian, gradient, rcond=1e-12)[0]
            promised = float(gradient @ step)
            if -promised <= 1e-3 * temperature:
                break
            while _soft(scores + step, *tables)[0] > value + 0.1 * promised:
                step, promised = 0.5 * step, 0.5 * promised
                if -promised <= 1e-6 * temperature:
                    break
            scores = scores + step
    return np.asarray(scores - scores.mean())


def _soft(
    scores: Vector, temperature: float, shares: Vector, margins: Matrix, factors: Matrix
) -> tuple[float, Vector, Matrix]:
    """Return value, gradient and Hessian of the mean soft maximum."""
    heights = factors * (scores[None, :] - scores[:, None] + margins)
    np.fill_diagonal(heights, 0.0)
    top = heights.max(axis=1, keepdims=True)
    total = np.exp((heights - top) / temperature).sum(axis=1)
    value = float(shares @ (top.ravel() + temperature * np.log(total)))
    weights = softmax(heights / temperature, axis=1) * factors
    np.fill_diagonal(weights, 0.0)
    slopes = weights - np.diag(weights.sum(axis=1))
    gradient = shares @ slopes
    # Per label: Σ p γ² (e - e_y)(e - e_y)ᵀ - slope slopeᵀ, over the temperature.
    hessian = np.zeros((len(scores), len(scores)))
    for label, share in enumerate(shares):
        moves = np.eye(len(scores))
        moves[:, label] -= 1.0
        squares = (moves.T * (weights[label] * factors[label])) @ moves
        hessian += share * (squares - np.outer(slopes[label], slopes[label]))
    return value, np.asarray(gradient), hessian / temperature
