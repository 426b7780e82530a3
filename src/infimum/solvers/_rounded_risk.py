"""A regularised risk with both parts rounded: what one Newton solve minimises."""

from __future__ import annotations

import numpy as np

from infimum.objectives import LinearRisk
from infimum.penalties import SeparablePenalty
from infimum.solvers._rounded_loss import rounded_loss
from infimum.solvers.second_order._affine_products import AffineProducts
from infimum.solvers.second_order._newton_direction import factorized
from infimum.typing import Matrix, Vector

__all__ = ["RoundedRisk"]

#: Curvature added to that of the data, relative to it: at first, the least, which
#: keeps flat directions finite, and the most.
FIRST, FAINT, STRONGEST = 1e-2, 1e-10, 1e6
#: The share of a step below which more is added.
STOPPED_SHORT = 0.1
#: The least steps, relative to those that match the curvature of the data.
SHORTEST, SHORTEST_ALIKE = 1e-6, 1e-3
#: The least share of the data's pull that a penalty is taken to oppose, and how much
#: narrower each of the first roundings is than the one before.
NARROWEST, NEXT_WIDTH = 1e-6, 0.1
#: How many times the mean square of one feature another's may be under one width.
ALIKE = 1e4
#: Mean squares that mean nothing, by themselves and beside the largest, and the least
#: share of the largest that counts as a unit.
TINY, NOTHING, FLOOR = 1e-280, 1e-24, 1e-12
MAX_STEPS = 100
#: So many steps without half the promise end a solve, once the promise is no more than
#: so many times what is asked for: rounding has the last word.
STALE, BLUR = 8, 1e5
MAX_TRIALS = 40
#: A line is followed up to so many times the Newton step.
FARTHEST = 1e3
#: How much flatter than at its start a line must be where its search ends.
FLATTER = 0.5
#: A rise this small beside the slope at the start is none.
LEVEL = 1e-3


class RoundedRisk:
    r"""Augmented Lagrangian of a risk whose coefficients are split, w = z.

    .. math:: L(w, b) + \min_z\, \Omega(z)
              + \tfrac{1}{2 \tau} \| w + \tau v - z \|^2

    L is the loss, rounded where it has kinks; v is what the penalty pulls with. The
    function is convex and has a (generalised) Hessian, so Newton's method minimises it
    whatever the units of the features. The step τ is one number, or one for each
    feature where the penalty takes as many. Points are matrices, one column per score.
    """

    def __init__(self, risk: LinearRisk, point: Matrix) -> None:
        self.risk = risk
        self.products = AffineProducts(risk)
        scores = self.scores(point)
        self.loss = rounded_loss(risk, scores)
        self.pull = np.zeros_like(point[:-1])
        squares = _units(risk)
        bends = np.abs(self.loss.bends(scores)).max(axis=(1, 2))
        bend = max(float(risk.weights @ bends), 1e-3)
        steps = 1.0 / (bend * squares)
        self.step: float | Vector
        self.shortest: float | Vector
        if risk.penalty.many_steps:
            self.step, self.shortest = steps, SHORTEST * steps
        else:
            self.step = float(np.median(steps))
            self.shortest = min(
                SHORTEST_ALIKE * float(steps.min()), SHORTEST * float(self.step)
            )
        self.wider = _widths(risk, self.loss.slopes(scores), squares)
        self.unit = np.repeat(bend * np.append(squares, 1.0), point.shape[1])
        self.damping = FIRST

    def scores(self, point: Matrix) -> Matrix:
        """Return the scores at a point, one column for each."""
        scores = self.products.scores(point)
        if self.risk.offset is not None:
            scores = (scores.T + self.risk.offset).T
        return scores

    def approach(self, point: Matrix, precision: float) -> Matrix:
        """Return a start, from roundings so wide that Newton's method sees them."""
        sharp, wider = self.step, self.wider
        while np.max(wider) > 1.0:
            self.step = sharp * wider
            point, _, _ = self.minimize(point, precision)
            wider = np.maximum(NEXT_WIDTH * wider, 1.0)
        self.step = sharp
        return point

    def minimize(self, point: Matrix, precision: float) -> tuple[Matrix, Matrix, int]:
        """Return the minimiser, its scores, and how many Newton steps it took."""
        scores = self.scores(point)
        gradient = self._gradient(point, scores)
        last, floor = np.inf, _Floor(BLUR * precision)
        for step in range(MAX_STEPS):
            hessian = self._hessian(point, scores)
            hessian[np.diag_indices_from(hessian)] += self.damping * self.unit
            direction = factorized(hessian, gradient.ravel()).reshape(point.shape)
            slope = float((gradient * direction).sum())
            if self.damping <= FAINT and floor.reached(-slope):
                return point, scores, step
            if not -slope > precision:
                # Steps that still pay are cheap digits for the proof.
                plain = self.damping <= FAINT or last < np.inf
                if plain and not 0.0 < -slope < 0.1 * last:
                    return point, scores, step
                self.damping, last = FAINT, -slope
            line = point, scores, direction
            share, point, scores, gradient = self._search(line, gradient, slope)
            # Flat directions outrun the others until a kink stops them all.
            if share < STOPPED_SHORT:
                self.damping = min(100.0 * self.damping, STRONGEST)
            elif share >= 1.0:
                self.damping = max(0.1 * self.damping, FAINT)
        return point, scores, MAX_STEPS

    def settle(self, point: Matrix, scores: Matrix) -> tuple[Matrix, Matrix]:
        """Move the multipliers; return feasible coefficients and slopes."""
        self.pull, feasible = self._split(point)
        return feasible, self.loss.settle(scores)

    def sharpen(self, factor: float) -> None:
        """Round less, by a factor below 1, or more."""
        self.loss.sharpen(factor)
        self.step = np.maximum(factor * self.step, self.shortest)

    def _search(
        self, line: tuple[Matrix, Matrix, Matrix], gradient: Matrix, slope: float
    ) -> tuple[float, Matrix, Matrix, Matrix]:
        """Return how far a line becomes flat enough; point, scores, gradient there.

        Slopes alone decide: near the minimum they still differ when values do not.
        """
        point, scores, direction = line
        shift = self.products.scores(direction)
        low, high, share = (0.0, slope), (np.inf, np.inf), 1.0
        best = 0.0, point, scores, gradient
        for trial in range(MAX_TRIALS):
            there = point + share * direction
            moved = scores + share * shift
            rise = np.inf
            if self.loss.finite(moved):
                fresh = self._gradient(there, moved)
                rise = float((fresh * direction).sum())
            flat = abs(rise) <= FLATTER * -slope and _lower(low, (share, rise), slope)
            if rise < 0.0 or flat:
                best = share, there, moved, fresh
            if flat or (rise < 0.0 and share >= FARTHEST):
                break
            if rise < 0.0:
                low = share, rise
            else:
                high = share, rise
            share = _between(low, high, trial)
        return best

    def _gradient(self, point: Matrix, scores: Matrix) -> Matrix:
        weighted = self.risk.weights[:, None] * self.loss.slopes(scores)
        pulled = self.products.pull_back(weighted)
        pulled[:-1] += self._split(point)[0]
        return pulled

    def _split(self, point: Matrix) -> tuple[Matrix, Matrix]:
        """Return the penalty's pull at a point, and the coefficients it pulls to."""
        step, target = self._target(point)
        feasible = self.risk.penalty.prox(target, step).reshape(point[:-1].shape)
        apart = target.reshape(feasible.shape) - feasible
        return apart / np.reshape(step, (-1, 1)), feasible

    def _target(self, point: Matrix) -> tuple[float, Vector]:
        """Return the step and the point the proximal step starts from, as it reads."""
        target = point[:-1] + np.reshape(self.step, (-1, 1)) * self.pull
        if self.risk.origin().ndim == 1:
            return self.step, target[:, 0]  # type: ignore[return-value]
        step = self.step if np.ndim(self.step) == 0 else self.step[:, None]  # type: ignore[index]
        return step, target  # type: ignore[return-value]

    def _hessian(self, point: Matrix, scores: Matrix) -> Matrix:
        d, k = point[:-1].shape
        bends = self.risk.weights[:, None, None] * self.loss.bends(scores)
        blocks = np.zeros((d + 1, k, d + 1, k))
        for a in range(k):
            for b in range(a + 1):
                block = self.products.gram(np.ascontiguousarray(bends[:, a, b]))
                blocks[:, a, :, b] = blocks[:, b, :, a] = block
        if not self.risk.intercept:
            blocks[d, range(k), d, range(k)] = 1.0
        matrix = blocks.reshape((d + 1) * k, (d + 1) * k)
        step, target = self._target(point)
        matrix[: d * k, : d * k] += self.risk.penalty.stiffness(target, step)
        return matrix


def _units(risk: LinearRisk) -> Vector:
    """Return the mean square of each feature, as a unit.

    A feature that is 0 throughout has none of its own, and takes that of the largest.
    """
    squares = np.asarray(risk.design.squared_norms(risk.weights), dtype=np.float64)
    largest = float(squares.max(initial=0.0))
    if largest <= TINY:
        return np.ones_like(squares)
    nothing = squares <= NOTHING * largest
    return np.where(nothing, largest, np.maximum(squares, FLOOR * largest))


class _Floor:
    """Notices that the promise of Newton steps has stopped falling."""

    def __init__(self, level: float) -> None:
        self.level, self.least, self.stale = level, np.inf, 0

    def reached(self, promise: float) -> bool:
        """Tell whether a small promise has not halved for many steps."""
        self.stale = self.stale + 1 if promise > 0.5 * self.least else 0
        self.least = min(self.least, promise)
        return self.stale >= STALE and promise <= self.level


def _widths(risk: LinearRisk, slopes: Matrix, squares: Vector) -> float | Vector:
    """Return how much wider than a step of the data's the first rounding must be.

    A weak penalty pulls with little force, so that its kinks, which the step times
    that force rounds, would be narrow beside the coefficients to come. Along a
    direction in which the loss is flat, as that of scores which rise together, they
    are all that Newton's method can see. One width for each feature where each has its
    own price; one for all would not suit features of very different units.
    """
    penalty, weighted = risk.penalty, risk.weights[:, None] * slopes
    if isinstance(penalty, SeparablePenalty):
        pulls = np.sqrt(squares * float((weighted * slopes).sum()))
        prices = np.broadcast_to(penalty.corner, pulls.shape)
        opposed = (prices > 0.0) & (pulls > 0.0)
        shares = np.divide(prices, pulls, out=np.ones_like(pulls), where=opposed)
        return np.asarray(1.0 / np.clip(shares, NARROWEST, 1.0))
    if squares.max(initial=0.0) > ALIKE * squares.min(initial=np.inf):
        return 1.0
    pulled = np.asarray(risk.design.pull_back(weighted), dtype=np.float64)
    share = penalty.dual_scale(pulled if risk.origin().ndim > 1 else pulled[:, 0])
    return 1.0 / max(share, NARROWEST) if share > 0.0 else 1.0


def _lower(low: tuple[float, float], there: tuple[float, float], slope: float) -> bool:
    """Tell whether a convex function is lower there than where its line begins.

    It falls to `low` by the way times the slope at its end, and rises from there by no
    more than the way times the slope at the other end. Kinks on the way may turn the
    slope at once: a slope that is small at the end does not tell.
    """
    fallen, risen = -low[0] * low[1], (there[0] - low[0]) * there[1]
    return risen <= fallen or there[1] <= LEVEL * -slope


def _between(low: tuple[float, float], high: tuple[float, float], trial: int) -> float:
    """Return the next share of a line to try, from the slopes at the ends."""
    if not np.isfinite(high[0]):
        return 4.0 * low[0]
    width = high[0] - low[0]
    if not np.isfinite(high[1]) or trial % 3 == 2:  # noqa: PLR2004
        return low[0] + 0.5 * width
    share = low[1] / (low[1] - high[1])
    return low[0] + width * float(np.clip(share, 0.05, 0.95))
