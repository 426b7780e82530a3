"""The risk of streamed rows: value, gradient, Gram matrix and bound as sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.threads import one_blas_thread
from infimum.losses import Loss, VectorLoss
from infimum.objectives.plane_risk import Mix, Plane, PlaneEvaluation, PlaneRisk
from infimum.objectives.streamed_passes import (
    ConjugatePass,
    HessianPass,
    NullPass,
    Reading,
    RiskPass,
    curvature,
)
from infimum.penalties import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["StreamedEvaluation", "StreamedRisk", "Touch"]

#: Bounds this many times the tolerance apart are worth the pass that proves them.
NEARLY = 30.0
#: Slopes shortened by a share of the root of the tolerance are asked for ahead, once
#: the gap is so many tolerances wide.
SHRINK, SOON = 0.1, 1e5
#: Sums of slopes this small beside their sizes are rounding.
ROUNDING, SNAP = 1e-13, 1e-10


class Touch(NamedTuple):
    """Where a plane touches, and whether its slopes are balanced for an intercept."""

    point: Vector
    balanced: bool = False


class StreamedRisk(PlaneRisk):
    r"""The mean loss of a linear function of streamed rows, plus a penalty.

    Every question is a pass over the rows that returns sums; nothing as long as the
    rows is held. The least conceivable loss is taken off, so that no mean loss is
    negative; `least` gives it back.

    Parameters
    ----------
    rows : Scan
        Whoever carries out passes: `run`, `leaves`, `statistics`.
    reading : Reading
        What targets and weights mean.
    loss, penalty
        What is minimised.
    null : ndarray
        The best constant score.
    tolerance : float
        The relative gap that is worth proving.
    """

    def __init__(
        self,
        rows: Any,
        reading: Reading,
        loss: Loss | VectorLoss,
        penalty: Penalty,
        *,
        null: Vector,
        lengths: Vector,
        intercept: bool = True,
        tolerance: float = 1e-6,
    ) -> None:
        self.rows, self.reading, self.loss, self.penalty = rows, reading, loss, penalty
        self.lengths, self.intercept, self.tolerance = lengths, intercept, tolerance
        self.size = len(lengths)
        self._null = null
        self.passes = 0
        #: The lowest point so far, for whoever must stop.
        self.lowest: StreamedEvaluation | None = None
        self._planes: dict[bytes, tuple[float, Plane]] = {}
        #: By how much slopes are shortened in the next pass; see `RiskPass`.
        self._shrink = 0.0

    @property
    def smooth(self) -> bool:  # type: ignore[override]
        """Whether the mean loss has a gradient everywhere."""
        return self.loss.smooth

    def run(self, work: Any) -> Any:
        """Make a pass."""
        self.passes += 1
        with np.errstate(over="ignore", invalid="ignore"):
            return self.rows.run(work)

    @cached_property
    def null_and_least(self) -> tuple[float, float]:
        """The mean loss of the best constant, and the least conceivable one."""
        score = self._null if self.intercept else np.zeros_like(self._null)
        shares = self.reading.shares
        if shares is None:
            value, least = self.run(NullPass(self.reading, self.loss, score))
            return value, least
        y = self.reading.targets()
        scores = np.array(np.broadcast_to(score, (len(y), *score.shape)))
        losses = shares @ self.loss.value(y, scores)
        return float(losses), float(shares @ self.loss.least(y))

    @property
    def least(self) -> float:
        """What was taken off every value."""
        return self.null_and_least[1]

    @cached_property
    def scale(self) -> float:
        """What there is to gain: the excess of the best constant."""
        value, least = self.null_and_least
        return max(value - least, 0.0)

    def origin(self) -> Vector:
        """Return the point 0."""
        return np.zeros((self.size + 1, *np.shape(self._null)))

    @property
    def null(self) -> Vector:
        """The null model."""
        point = self.origin()
        if self.intercept:
            point[-1] = self._null
        return point

    @cached_property
    def at_null(self) -> StreamedEvaluation:
        """The null model: where runs start."""
        return self.evaluate(self.null)

    def evaluate(self, point: Vector) -> StreamedEvaluation:
        """Return what is known at a point, computed when asked for."""
        return StreamedEvaluation(self, point)

    judge = evaluate

    def sums_at(self, point: Vector) -> tuple[Any, ...]:
        """Return the sums of the pass that reads the risk at a point."""
        work = RiskPass(self.reading, self.loss, point, self._shrink)
        found: tuple[Any, ...] = self.run(work)
        return *found, self._shrink

    def expect(self, gap: float) -> None:
        """Let the next passes find what a proof needs, if the gap nearly closes."""
        near = gap <= SOON * self.tolerance * self.scale
        scalar = self.smooth and not isinstance(self.loss, VectorLoss)
        if near and scalar and self.intercept:
            self._shrink = min(SHRINK * float(np.sqrt(self.tolerance)), SHRINK)

    def touch(self, point: Vector) -> tuple[float, Plane]:
        return self.evaluate(point).touched

    def keep(self, touch: Touch, found: tuple[float, Plane]) -> tuple[float, Plane]:
        """Remember a plane: whoever checks a proof asks for it again."""
        self._planes[_name(touch)] = found
        return found

    def rebuild(self, witness: Any) -> Plane:
        known = self._planes.get(_name(witness))
        if known is not None:
            return known[1]
        here = self.evaluate(witness.point)
        return here.balanced if witness.balanced else here.touched[1]

    def hessian(self, point: Vector) -> Matrix:
        """Return the second derivatives of the mean loss, and a 1 for no intercept."""
        [found] = self.run(HessianPass(self.reading, self.loss, point))
        return self._without_intercept(found)

    def _without_intercept(self, found: Matrix) -> Matrix:
        if not self.intercept:
            count = getattr(self.loss, "outputs", 1)
            found[-count:, :] = found[:, -count:] = 0.0
            found[-count:, -count:] = np.eye(count)
        return found

    def sample(self, most: int) -> tuple[Any, Vector, Vector]:
        """Return some rows, evenly spread, with targets and shares that sum to 1."""
        spool = self.rows.spool
        count = max(1, min(spool.leaves, most // spool.size))
        chosen = np.unique(np.linspace(0, spool.leaves - 1, count).astype(int))
        Xs, ys, qs = [], [], []
        for leaf in self.rows.leaves(chosen.tolist()):
            y, q = self.reading(leaf)
            Xs.append(leaf.X.copy())
            ys.append(np.array(y))
            qs.append(np.array(q))
        shares = np.concatenate(qs)
        return _stacked(Xs), np.concatenate(ys), shares / shares.sum()

    def sampled_hessian(
        self, sample: tuple[Any, Vector, Vector], point: Vector
    ) -> Matrix:
        """Return the second derivatives that some rows have."""
        X, y, q = sample
        with one_blas_thread():  # too few rows to wait for another thread
            found = curvature(self.loss, X, (y, q), point)
        return self._without_intercept(found)


@dataclass(frozen=True, eq=False)
class StreamedEvaluation(PlaneEvaluation):
    """A point of a streamed risk; each question that is new costs one pass."""

    risk: StreamedRisk

    @cached_property
    def sums(self) -> tuple[Any, ...]:
        """What the pass at this point has found."""
        return self.risk.sums_at(self.point)

    @cached_property
    def touched(self) -> tuple[float, Plane]:
        """The mean loss and the plane that touches it."""
        risk, (value, pulled) = self.risk, self.sums[:2]
        slope = pulled if isinstance(risk.loss, VectorLoss) else pulled.sum(axis=1)
        slope = slope.copy()
        height = value - float(np.sum(slope * self.point))
        if not risk.intercept:
            height += float(np.sum(slope[-1] * self.point[-1]))
            slope[-1] = 0.0
        least = risk.least
        found = value - least, Plane(slope, height - least, Touch(self.point.copy()))
        risk.keep(Touch(self.point), found)
        if np.isfinite(value) and (
            risk.lowest is None or self.value_of(found[0]) < risk.lowest.value
        ):
            risk.lowest = self
        return found

    def value_of(self, mean: float) -> float:
        """Return the regularised risk, given the mean loss."""
        return mean + self.risk.penalty.value(self.point[:-1])

    @cached_property
    def slopes(self) -> Mix:
        """The proof that a point carries: its plane, balanced if that may prove it."""
        plane = self.touched[1]
        if self.risk.smooth:
            least = self._least_gap
            self.risk.expect(least)
            if self._by_chord is not None:
                plane = self._by_chord
            elif least <= NEARLY * self.risk.tolerance * self.risk.scale:
                plane = self.balanced
        return Mix(np.ones(1), (plane.witness,), (plane,))

    @cached_property
    def _least_gap(self) -> float:
        """The gap if a balanced plane could touch at this point; no proof is closer."""
        plane = self.touched[1]
        slope = plane.slope if self._balance is None else self._pulls()
        if isinstance(self.risk.loss, VectorLoss):
            return self._gap(slope, plane.height)
        height = self.touched[0] - float(slope @ self.point)
        return self._gap(slope, height)

    def _gap(self, slope: Vector, height: float) -> float:
        """Return the gap that a plane leaves; infinite where it proves nothing."""
        penalty = self.risk.penalty
        slope = self._snapped(slope[:-1])
        factor = penalty.dual_scale(-slope)
        if not factor:
            return np.inf
        bound = factor * height - penalty.conjugate(-factor * slope)
        return float(self.value - bound)

    @cached_property
    def _by_chord(self) -> Plane | None:
        """A balanced plane from the pass at this point alone, if it is good enough.

        The sum of the conjugates of c·s is convex in c: between two places that are
        known it is below their chord.
        """
        risk, balance, shrink = self.risk, self._balance, self.sums[-1]
        if not shrink or balance is None or balance.min() < 1.0 - shrink:
            return None
        share = (1.0 - balance) / shrink
        whole, short = self.sums[2]
        total = float(np.sum((1.0 - share) * whole + share * short))
        slope, height = self._pulls(), -total - risk.least
        gap, wanted = self._gap(slope, height), risk.tolerance * risk.scale
        if not gap <= max(wanted, 2.0 * self._least_gap):
            return None
        return self._settled(slope, height)

    @cached_property
    def _balance(self) -> Vector | None:
        """What makes the slopes cancel; None where they need not."""
        risk, (_, pulled, slack) = self.risk, self.sums[:3]
        if not risk.intercept:
            return None
        if isinstance(risk.loss, VectorLoss):
            return np.asarray(pulled[-1] / max(slack, 1e-300))
        up, down = float(pulled[-1, 0]), -float(pulled[-1, 1])
        if abs(up - down) <= ROUNDING * (up + down):
            return np.ones(2)
        if min(up, down) <= 0.0:
            return np.zeros(2)
        return np.array([down / up, 1.0] if up > down else [1.0, up / down])

    def _pulls(self) -> Vector:
        """Return Σ q·s·(x, 1) of the balanced slopes, nearly so for several scores."""
        pulled, balance = self.sums[1], self._balance
        assert balance is not None
        several = isinstance(self.risk.loss, VectorLoss)
        return np.asarray(pulled if several else pulled @ balance)

    @cached_property
    def balanced(self) -> Plane:
        """A plane whose slopes cancel in a free intercept: one more pass."""
        risk, balance = self.risk, self._balance
        if balance is None or np.array_equal(balance, np.ones(2)):
            plane = self.touched[1]
            return self._settled(plane.slope.copy(), plane.height)
        work = ConjugatePass(risk.reading, risk.loss, self.point, balance)
        total, pulled = risk.run(work)
        vectors = isinstance(risk.loss, VectorLoss)
        slope = np.array(pulled) if vectors else self._pulls()
        return self._settled(slope, -total - risk.least)

    def _settled(self, slope: Vector, height: float) -> Plane:
        """Return a balanced plane, and remember it."""
        risk, touch = self.risk, Touch(self.point.copy(), balanced=True)
        before = slope.copy()
        if risk.intercept and _cancel(slope[-1], self.sums[3]):
            slope[-1] = 0.0
        slope[:-1] = self._snapped(slope[:-1])
        # What rounding had left of a slope stays where it belongs at this point.
        height += float(np.sum((before - slope) * self.point))
        found = Plane(slope, height, touch)
        risk.keep(touch, (self.touched[0], found))
        return found

    def _snapped(self, slope: Vector) -> Vector:
        """Return slopes that rounding alone keeps from 0 as 0, where that is needed."""
        risk = self.risk
        if risk.penalty.dual_scale(-slope):
            return slope
        limits = SNAP * self.sums[3] * np.maximum(risk.lengths, 1e-300)
        return np.where((limits >= np.abs(slope).T).T, 0.0, slope)


def _cancel(pull: Any, size: float) -> bool:
    return bool(np.all(np.abs(pull) <= 100.0 * ROUNDING * size))


def _name(touch: Any) -> bytes:
    point = np.ascontiguousarray(touch.point)
    return point.tobytes() + (b"b" if touch.balanced else b"t")


def _stacked(parts: list[Any]) -> Any:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    from scipy import sparse

    return sparse.vstack(parts, format="csr")
