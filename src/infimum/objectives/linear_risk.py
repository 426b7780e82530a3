"""The regularised risk of a linear model: where data, loss and penalty meet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from infimum.data.designs import Design
from infimum.errors import DataError
from infimum.losses import Loss, VectorLoss
from infimum.objectives._once import cached_property
from infimum.objectives.evaluation import Evaluation
from infimum.objectives.memory import Memory
from infimum.penalties import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["LinearRisk"]

#: So many units in the last place of its parts may be wrong in a risk.
ULPS = 32.0


@dataclass(frozen=True, eq=False)
class LinearRisk:
    r"""Regularised empirical risk, as one object a solver can minimise.

    .. math:: P(w, b) = \sum_i q_i\, \ell(y_i, x_i^\top w + b + o_i) + \Omega(w),
              \qquad q_i = c_i / \textstyle\sum_j c_j

    A *point* is the vector (w, b), or a matrix with one such column per score of a
    vector loss; the intercept b comes last and is never penalised (it stays 0 when
    `intercept` is false). Sample weights c mean repetition, exactly; offsets o are
    added to the scores, one for each sample, or a row for each score of a vector loss
    (samples last). Losses and penalties never see the design.
    """

    design: Design
    y: Vector
    loss: Loss | VectorLoss
    penalty: Penalty
    sample_weight: Vector | None = None
    offset: Vector | None = None
    intercept: bool = True
    #: Whether only planes are known, not losses of single samples: see `PlaneRisk`.
    by_planes: ClassVar[bool] = False
    #: Products worth keeping, shared by risks that differ in their penalty only.
    memory: Memory = field(default_factory=Memory, repr=False)
    #: The largest number that was taken off a target beforehand.
    moved: float = 0.0

    def __post_init__(self) -> None:
        if len(self.y) != self.design.shape[0]:
            raise DataError(
                f"LinearRisk needs one target for each of the {self.design.shape[0]} "
                f"samples of its design, got {len(self.y)}."
            )

    @cached_property
    def weights(self) -> Vector:
        """The share q of each sample in the risk; they sum to 1."""
        n = len(self.y)
        if self.sample_weight is None:
            return np.full(n, 1.0 / n)
        weight = np.asarray(self.sample_weight, dtype=np.float64)
        return np.asarray(weight / weight.sum())

    @property
    def smooth(self) -> bool:
        """Whether the mean loss has a gradient everywhere."""
        return self.loss.smooth

    @property
    def unbounded(self) -> str:
        """Why the risk has no least value; empty where it has one."""
        return self.loss.unbounded(self.y) or ""

    @property
    def lengths(self) -> Vector:
        """The weighted lengths √(Σ q x²) of the columns, computed once per design."""
        found: _Lengths | None = self.memory.get(_Lengths)
        if found is None:
            squares = self.design.squared_norms(self.weights)
            found = _Lengths(np.sqrt(np.maximum(squares, 0.0)))
            self.memory[_Lengths] = found
        return found.values

    @property
    def reach(self) -> Vector:
        """The lengths as products meet them: see `Design.reach`."""
        found: _Reach | None = self.memory.get(_Reach)
        if found is None:
            found = _Reach(self.design.reach(self.weights, self.lengths))
            self.memory[_Reach] = found
        return found.values

    def with_penalty(self, penalty: Penalty) -> LinearRisk:
        """Return the same risk under another penalty; what was computed is kept.

        What there is to gain is computed for all of them: every run asks for it.
        """
        other = replace(self, penalty=penalty)
        other.__dict__["_to_gain"] = self._to_gain
        for name in ("weights", "null", "least", "least_size", "largest_eigenvalue"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        other.__dict__["at_null"] = self.at_null.under(other)
        return other

    def in_double(self) -> LinearRisk:
        """Return the same risk, its products computed in double precision."""
        return self.afresh(design=self.design.in_double())

    def afresh(self, **changes: Any) -> Self:
        """Return the risk with other parts, and nothing remembered."""
        return replace(self, memory=Memory(), **changes)

    def origin(self) -> Vector:
        """Return the point where every coefficient and the intercept are 0."""
        size = self.design.shape[1] + 1
        if isinstance(self.loss, VectorLoss):
            return np.zeros((size, self.loss.outputs))
        return np.zeros(size)

    @cached_property
    def null(self) -> Vector:
        """The null model: no coefficients, the best constant as intercept."""
        point = self.origin()
        if self.intercept and self.offset is None:
            point[-1] = self.loss.best_constant(self.y, self.weights)
        return point

    @cached_property
    def at_null(self) -> Evaluation:
        """The null model with its scores: where the scale is measured, and runs start.

        Its point is a copy, so that nobody can change the null model.
        """
        point = self.null.copy()
        return Evaluation(self, point, self.scores(point))

    @cached_property
    def scale(self) -> float:
        """Excess risk of the null model over the least conceivable risk.

        The unit in which gaps are judged: 1 % of it is 1 % of all there is to gain. It
        is 0 when rounding hides whether there is anything to gain. Where the penalty
        forbids the null model, the nearest point that it admits takes its place, with
        the best intercept.
        """
        excess, rounding = self._to_gain
        if excess > rounding:
            return excess
        if np.isfinite(self.penalty.value(self.null[:-1])):
            return 0.0
        return max(self._admitted_null() - self.least, 0.0)

    def _admitted_null(self) -> float:
        """Return the mean loss next to the null model, with the best intercept.

        Where that intercept alone serves every sample, the null model's takes its
        place: what rounding leaves is no unit.
        """
        near = self.evaluate(self.prox(self.null, 1.0))
        if isinstance(self.loss, VectorLoss) or not self.intercept:
            return near.empirical
        shift = self.loss.best_shift(self.y, near.scores, self.weights)
        moved = self.evaluate(near.point, near.scores + shift)
        size = float(np.abs(near.scores).max(initial=0.0))
        blur = ULPS * float(np.finfo(float).eps) * size
        served = moved.empirical - self.least <= blur
        return near.empirical if served else min(near.empirical, moved.empirical)

    @cached_property
    def null_is_optimal(self) -> bool:
        """Whether there is nothing to gain: the null model is as good as any."""
        return self.scale == 0.0

    @property
    def unit(self) -> float:
        """A positive number of the order of the risks, for solvers to measure by."""
        return self.scale or abs(self.at_null.empirical) or 1.0

    @cached_property
    def least(self) -> float:
        """The least conceivable risk: every sample at its own best score."""
        used = self.weights > 0.0
        terms = self.weights[used] * self.loss.least(self.y[used])
        return float(terms.sum())

    @cached_property
    def least_size(self) -> float:
        """The sizes of the least losses of all samples, added up."""
        used = self.weights > 0.0
        return float(self.weights[used] @ np.abs(self.loss.least(self.y[used])))

    @cached_property
    def _to_gain(self) -> tuple[float, float]:
        """The excess of the null model, and what rounding may have made of it."""
        start = self.at_null
        if not np.isfinite(self.least):  # a likelihood without a peak: count in nats
            return max(abs(start.empirical), 1.0), 0.0
        # Penalties stay out: some of them forbid the null model.
        levers = np.abs(start.scores.T) + np.abs(self.y.T)
        leverage = (np.abs(start.slopes.T) * levers).T.reshape(len(self.y), -1)
        size = abs(start.empirical) + abs(self.least)
        size += float((self.weights @ leverage).sum())
        if not self.loss.distance_based:  # scores have units of their own
            size += float(np.abs(start.scores).max(initial=0.0))
        return start.empirical - self.least, ULPS * float(np.finfo(float).eps) * size

    def scores(self, point: Vector) -> Vector:
        """Return f = X w + b + o."""
        if point[:-1].any():
            raw = np.asarray(self.design.scores(point[:-1]), dtype=np.float64)
            raw = raw + point[-1]
        else:
            raw = np.zeros((len(self.y), *point.shape[1:])) + point[-1]
        if self.offset is None:
            return np.asarray(raw)
        return np.asarray((raw.T + self.offset).T)

    def evaluate(self, point: Vector, scores: Vector | None = None) -> Evaluation:
        """Return everything known at `point`, each part computed once."""
        return Evaluation(self, point, self.scores(point) if scores is None else scores)

    def judge(self, point: Vector) -> Evaluation:
        """Return an evaluation that knows value and gradient, in one reading of X.

        Where no compiled pass knows this design and this loss, `evaluate` takes over
        and computes them when they are asked for.
        """
        loss = None
        if self.design.pooled and isinstance(self.loss, Loss):
            loss = self.loss.fused
        if loss is not None and self.offset is None and point[:-1].any():
            judged = self.design.judge(point, self.y, self.weights, loss)
            if judged is not None:
                return Evaluation.judged(self, point, judged)
        return Evaluation(self, point, self.scores(point))

    def value(self, point: Vector) -> float:
        """Return P(point)."""
        return self.evaluate(point).value

    def gradient(self, point: Vector) -> Vector:
        """Return the gradient of the smooth part (the empirical risk)."""
        return self.evaluate(point).risk_gradient

    def prox(self, point: Vector, step: float) -> Vector:
        """Return the proximal step on the penalised coordinates only."""
        return np.concatenate([self.penalty.prox(point[:-1], step), point[-1:]])

    def hessian(self, bends: Vector) -> Matrix:
        """Return the matrix of second derivatives for given curvatures per sample.

        `bends` are ∂²ℓ/∂f² at some scores; the last row and column belong to the
        intercept (an identity row when there is none).
        """
        d = self.design.shape[1]
        weighted = self.weights * bends
        matrix = np.zeros((d + 1, d + 1))
        matrix[:d, :d] = self.design.gram(weighted)
        matrix[d, d] = 1.0
        if self.intercept:
            matrix[:d, d] = matrix[d, :d] = self.design.pull_back(weighted)
            matrix[d, d] = weighted.sum()
        if self.penalty.quadratic is not None:
            matrix.reshape(-1)[: d * (d + 2) : d + 2] += self.penalty.quadratic
        return matrix

    @cached_property
    def smoothness(self) -> float:
        """Lipschitz constant of `gradient`: curvature times the largest eigenvalue."""
        return float(self.loss.curvature) * self.largest_eigenvalue

    @cached_property
    def largest_eigenvalue(self) -> float:
        """Largest eigenvalue of the weighted second moments of (x, 1), from above."""
        d, ones = self.design.shape[1], float(self.intercept)

        def moments(point: Vector) -> Vector:
            point = np.ravel(point)
            scores = self.design.scores(point[:-1]) + ones * point[-1]
            s = self.weights * scores
            return np.append(self.design.pull_back(s), ones * s.sum())

        operator = LinearOperator((d + 1, d + 1), matvec=moments, dtype=np.float64)
        start = np.ones(d + 1)  # a fixed start keeps every fit reproducible
        trace = float(self.design.squared_norms(self.weights).sum()) + ones
        if d <= 1 or trace == 0.0:
            return trace
        try:
            found = eigsh(operator, k=1, v0=start, tol=1e-3, return_eigenvectors=False)
        except ArpackError:
            return trace
        return min(float(found[0]) * 1.01, trace)


class _Lengths(NamedTuple):
    """The weighted lengths of the columns of a design."""

    values: Vector


class _Reach(NamedTuple):
    """The lengths of the columns as products meet them."""

    values: Vector
