"""A learning problem as the linear estimators state it, before the penalty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.data.designs import Design, as_design, centred
from infimum.losses import Loss, VectorLoss
from infimum.objectives import LinearRisk, Memory, sums_of_products
from infimum.penalties import Penalty
from infimum.typing import Vector

__all__ = ["LinearProblem"]

#: Targets this many deviations from 0 are moved there; sums of numbers so many times
#: as large are made exactly.
FAR = 100.0


@dataclass(frozen=True, eq=False)
class LinearProblem:
    """Samples, one or several targets and a loss, with the design centred.

    Points live in centred coordinates; `unpack` and `pack` translate between them and
    the coefficients and intercept that the user sees.
    """

    #: Where a model keeps what `unpack` returns.
    stored_as: ClassVar[str] = "coef_"

    design: Design
    means: Vector
    targets: tuple[Vector, ...]
    loss: Loss | VectorLoss
    sample_weight: Vector | None
    intercept: bool
    offset: Vector | None = None
    memory: Memory = field(default_factory=Memory)
    #: What was taken off each target, because the intercept can give it back.
    origins: tuple[Any, ...] = (0.0,)

    @classmethod
    def of(
        cls,
        X: Any,
        targets: tuple[Vector, ...],
        loss: Loss | VectorLoss,
        sample_weight: Vector | None,
        *,
        intercept: bool,
        offset: Vector | None = None,
        centre: bool = True,
    ) -> LinearProblem:
        """State the problem of samples, those of weight 0 left out.

        The design is centred, unless told otherwise, when an intercept can absorb it.
        """
        design = as_design(X)
        if sample_weight is not None and not sample_weight.all():
            kept = np.flatnonzero(sample_weight)  # a weight of 0 is no copy at all
            design, sample_weight = design.rows(kept), sample_weight[kept]
            targets = tuple(target[kept] for target in targets)
            offset = None if offset is None else offset[kept]
        means: Vector = np.zeros(design.shape[1])
        if intercept and centre:
            n = design.shape[0]
            weights = np.ones(n) if sample_weight is None else sample_weight
            design, means = centred(design, weights / weights.sum())
        origins: tuple[Any, ...] = (0.0,) * len(targets)
        if intercept and loss.distance_based:
            origins = tuple(_origin(target, sample_weight) for target in targets)
            targets = tuple(y - c for y, c in zip(targets, origins, strict=True))
        return cls(
            design,
            means,
            targets,
            loss,
            sample_weight,
            intercept,
            offset=None if offset is None else offset.T,
            origins=origins,
        )

    @property
    def shares(self) -> Vector:
        """The weights of the samples as parts of 1."""
        n = self.design.shape[0]
        weights = np.ones(n) if self.sample_weight is None else self.sample_weight
        return np.asarray(weights / weights.sum())

    @property
    def total(self) -> float:
        """The total weight of the samples: their number when none are given."""
        if self.sample_weight is None:
            return float(self.design.shape[0])
        return float(self.sample_weight.sum())

    def risks(self, penalties: Penalty | Sequence[Penalty]) -> list[LinearRisk]:
        """Return one risk per target, under one penalty or one each.

        They share what is worth remembering, also with risks under other penalties.
        """
        count = len(self.targets)
        each = [penalties] * count if isinstance(penalties, Penalty) else penalties
        known: list[LinearRisk] | None = self.__dict__.get("_known")
        if known is not None:
            pairs = zip(known, each, strict=True)
            return [risk.with_penalty(penalty) for risk, penalty in pairs]
        moved = max((float(np.abs(c).max()) for c in self.origins), default=0.0)
        made = [
            LinearRisk(
                self.design,
                target,
                self.loss,
                penalty,
                self.sample_weight,
                self.offset,
                intercept=self.intercept,
                moved=moved,
                memory=self.memory,
            )
            for target, penalty in zip(self.targets, each, strict=True)
        ]
        self.__dict__["_known"] = made
        return made

    def unpack(self, point: Vector, target: int = 0) -> tuple[Vector, Vector]:
        """Return coefficients (features last) and intercepts of a target's point."""
        w = point[:-1]
        # BLAS would wake its threads for a product with zeros.
        last = point[-1] - self.means @ w if self.intercept else point[-1]
        return w.T, np.array(last + self.origins[target])

    def pack(self, coef: Vector, intercept: Any, target: int = 0) -> Vector:
        """Return the point with these coefficients (features last) and intercepts."""
        w = np.asarray(coef, dtype=np.float64).T
        b, origin = np.asarray(intercept, dtype=np.float64), self.origins[target]
        means = self.means @ w
        last, size = b - origin + means, np.abs(self.means) @ np.abs(w)
        if np.any(size > FAR * np.abs(last)):  # large numbers that cancel
            exact = self._exactly(w, b, origin)
            last = np.where(np.isfinite(exact), exact, last)
        return np.concatenate([w, last[None, ...]])

    def _exactly(self, w: Vector, b: Vector, origin: Any) -> Vector:
        """Return b - origin + ⟨means, w⟩, rounded once."""
        ends = np.broadcast_arrays(b, origin)
        terms = np.concatenate([w, *(end[None, ...] for end in ends)])
        factors = np.concatenate([self.means, [1.0, -1.0]])
        found, _ = sums_of_products(factors, terms.reshape(len(terms), -1))
        return found.reshape(b.shape)

    @property
    def width(self) -> int:
        """How many coefficients a target has."""
        return self.design.shape[1]

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the points, one per target."""
        scores = getattr(self.loss, "outputs", None)
        size = self.design.shape[1] + 1
        shape = (size,) if scores is None else (size, scores)
        return [shape] * len(self.targets)


def _origin(target: Vector, sample_weight: Vector | None) -> Vector:
    """Return the mean of targets that are far from 0 beside their spread, else 0.

    Differences of large numbers would lose what there is to learn.
    """
    if sample_weight is None:
        mean = target.mean(axis=0)
        left = target - mean
        spread = np.sqrt(np.square(left, out=left).mean(axis=0))
    else:
        mean = np.average(target, axis=0, weights=sample_weight)
        apart = (target - mean) ** 2
        spread = np.sqrt(np.average(apart, axis=0, weights=sample_weight))
    far = np.abs(mean) > FAR * spread
    if not np.any(far):
        return np.zeros(np.shape(far))[()]
    constant = np.all(target == target[:1], axis=0)
    return np.where(far, np.where(constant, target[0], mean), 0.0)
