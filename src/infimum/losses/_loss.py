"""`Loss` and `VectorLoss`: value, derivative, conjugate, and what follows from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar

import numpy as np

from infimum.errors import IncompatibleError
from infimum.parameters import check_domains
from infimum.typing import Formula, Matrix, Vector

__all__ = ["ROUNDING", "SURE", "Loss", "VectorLoss"]

#: Slopes this far outside the domain of a conjugate count as inside.
ROUNDING = 1e-12
#: A sum of slopes this close to 0, as a share of their range, is 0.
FLAT = 1e-14
#: What 0.1 called the formulas of a loss; such names are still read, and still given.
FORMER_NAMES = {
    "slope": "derivative_formula",
    "bend": "hessian_formula",
    "ease": "prox_formula",
}
#: The score of what is certain: exp(-SURE) is 0 in double precision.
SURE = 800.0


class Loss(ABC):
    """ℓ(y, f): the price of predicting the score f when the truth is y.

    A loss sees one target and one score at a time: never features, weights or a
    solver. Subclasses are frozen dataclasses; the laws of `tests/laws` prove that the
    pieces below belong to the same convex function.
    """

    #: What y is: "real", "positive", "sign" (±1), "count" (0, 1, 2, …) or "fraction".
    target: ClassVar[str]
    #: Whether ℓ is convex in f; proofs of optimality need it, lower bounds do not.
    convex: ClassVar[bool] = True
    #: Whether ℓ depends on the residual f - y alone; so it is for real targets.
    distance_based: ClassVar[bool]
    #: Whether ℓ is differentiable everywhere in f; so it is with a hessian formula.
    smooth: ClassVar[bool] = False
    #: Whether ∂²ℓ/∂f² is 1 everywhere, so that second-order models are exact.
    constant_curvature: ClassVar[bool] = False
    #: Upper bound on ∂²ℓ/∂f²; infinity when there is none.
    curvature: ClassVar[float]
    #: ``derivative_formula(y, f, parameters)`` = ∂ℓ/∂f, or a subgradient at a kink.
    derivative_formula: ClassVar[Formula]
    #: ``hessian_formula(y, f, parameters)`` = ∂²ℓ/∂f²; None when ℓ has a kink.
    hessian_formula: ClassVar[Formula | None] = None
    #: Name and parameter by which the compiled pass over X knows the loss, if it does.
    fused: ClassVar[tuple[str, float] | None] = None
    #: ``prox_formula(y, f, step, parameters)`` = argmin over g of
    #: (g - f)²/(2·step) + ℓ(y, g); None when it has no closed form.
    prox_formula: ClassVar[Formula | None] = None

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        for old, new in FORMER_NAMES.items():
            if old in vars(cls):
                setattr(cls, new, vars(cls)[old])
            elif new in vars(cls):
                setattr(cls, old, vars(cls)[new])
        if "smooth" not in vars(cls):
            cls.smooth = cls.hessian_formula is not None
        if "target" in vars(cls) and "distance_based" not in vars(cls):
            cls.distance_based = cls.target == "real"

    __post_init__ = check_domains

    @property
    def margin_based(self) -> bool:
        """Whether ℓ depends on the margin y·f alone."""
        return self.target == "sign"

    @property
    def parameters(self) -> Vector:
        """The loss's own numbers, in field order, as the formulas receive them.

        They are not kept in the loss: a fit changes nothing in a user's parameters.
        """
        return np.array([getattr(self, name) for name in _names(type(self))], float)

    def derivative(self, y: Vector, f: Vector) -> Vector:
        """Return ∂ℓ/∂f for each sample (a subgradient where ℓ has a kink)."""
        return np.asarray(type(self).derivative_formula(y, f, self.parameters))

    def hessian(self, y: Vector, f: Vector) -> Vector:
        """Return ∂²ℓ/∂f² for each sample."""
        formula = type(self).hessian_formula
        if formula is None:
            raise IncompatibleError(f"{type(self).__name__} has a kink: no curvature.")
        return np.asarray(formula(y, f, self.parameters))

    def curve(self, y: Vector, f: Vector, u: Vector) -> Vector:
        """Return the change of the derivative per unit of movement along `u`."""
        return self.hessian(y, f) * u

    def prox(self, y: Vector, f: Vector, step: float | Vector) -> Vector:
        """Return the minimiser over g of (g - f)²/(2·step) + ℓ(y, g), per sample."""
        formula = type(self).prox_formula
        if formula is None:
            raise IncompatibleError(
                f"{type(self).__name__} has no proximal step in closed form."
            )
        return np.asarray(formula(y, f, step, self.parameters))

    @abstractmethod
    def value(self, y: Vector, f: Vector) -> Vector:
        """Return ℓ(y, f) for each sample."""

    @abstractmethod
    def conjugate(self, y: Vector, s: Vector) -> Vector:
        """Return ℓ*(y, s) = sup over f of s·f - ℓ(y, f); +inf outside its domain."""

    @abstractmethod
    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        """Return the ends of the interval of slopes on which ℓ*(y, ·) is finite."""

    def cancelled(self, y: Vector, f: Vector) -> Vector | float:
        """Return the size of terms of the formulas that may cancel in a value.

        Rounding is a share of these, however small the value is; 0 where none cancel.
        """
        return 0.0

    def majorant(self, y: Vector, f: Vector) -> tuple[Loss, Vector, Vector]:
        """Return a convex loss above ℓ, up to constants, that touches it at f.

        With it come the targets it reads and a shift of the scores: the majorant is
        ``loss.value(targets, scores + shift)``.
        """
        return self, y, np.zeros_like(f)

    def least(self, y: Vector) -> Vector:
        """Return the infimum of ℓ(y, ·) for each sample: -ℓ*(y, 0)."""
        return -self.conjugate(y, np.zeros(len(y)))

    def unbounded(self, y: Vector) -> str | None:
        """Say why the risk of constant scores has no lower bound; None if it has."""
        return None

    def pieces(self, y: Vector) -> list[tuple[Vector, Vector, Vector]] | None:
        """Write ℓ as a sum of Σ max(low·(f - kink), high·(f - kink)), if it is one.

        Returns (kink, low, high) per sample for each term, or None.
        """
        return None

    def planes(self, y: Vector) -> tuple[Matrix, Matrix] | None:
        """Write ℓ as a sum of maxima of planes, if it is one; see `VectorLoss`."""
        if (pieces := self.pieces(y)) is None:
            return None
        slopes = np.array([(low, high) for _, low, high in pieces], dtype=np.float64)
        kinks = np.array([kink for kink, _, _ in pieces], dtype=np.float64)
        heights = -slopes * kinks[:, None, :]
        return np.moveaxis(slopes, 2, 0)[..., None], np.moveaxis(heights, 2, 0)

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        """Return the score that minimises the weighted total loss, by bisection.

        With the two values ±1 weighted p and 1 - p this is the Bayes score at a point
        where p is the probability of the positive class.
        """
        if self.distance_based and np.all(y == y[0]):
            return float(y[0])  # bisection would miss it by a few units
        return self.best_shift(y, np.zeros(len(y)), weights)

    def best_shift(
        self, y: Vector, scores: Vector, weights: Vector | None = None
    ) -> float:
        """Return what to add to all scores to make the weighted total loss least."""
        weights = np.ones(len(y)) if weights is None else weights
        if self.distance_based and (pieces := self.pieces(y)) is not None:
            first = _first_lowest(pieces, scores, weights)
            return max(first, float((y - scores).min()))

        def total(shift: float) -> float:
            return float(weights @ self.derivative(y, scores + shift))

        low, high = self._bracket(y - scores, total)
        unit = high - low if self.distance_based else max(1.0, abs(low), abs(high))
        if self.smooth and total(low) < 0.0 < total(high):
            return _crossing(total, low, high, 1e-15 * unit)
        while high - low > 1e-15 * unit:
            middle = 0.5 * (low + high)
            if middle in {low, high}:
                break
            low, high = (middle, high) if total(middle) < 0 else (low, middle)
        return 0.5 * (low + high)

    def _bracket(
        self, apart: Vector, total: Callable[[float], float]
    ) -> tuple[float, float]:
        """Return shifts between which the best one lies, or as far out as one goes."""
        if self.distance_based:  # the best score lies among the targets
            return float(apart.min()), float(apart.max())
        low, high, reach = -1.0, 1.0, 2.0**60
        while total(low) > 0 and low > -reach:
            low *= 2.0
        while total(high) < 0 and high < reach:
            high *= 2.0
        return low, high

    def bayes_target(self, chance: Vector) -> Vector:
        """Return the best score where the label is +1 with the given chance, else -1.

        Whoever minimises the expected loss over all functions finds this one: what a
        loss makes its learner estimate. Losses for signs have it in closed form.
        """
        if self.target not in {"sign", "real"}:
            raise IncompatibleError(
                f"{type(self).__name__} reads no signs: its best score for a "
                "distribution of targets is `best_constant`."
            )
        labels = np.array([-1.0, 1.0])
        chance = np.asarray(chance, dtype=np.float64)
        scores = [
            self.best_constant(labels, np.array([1.0 - p, p])) for p in chance.ravel()
        ]
        return np.array(scores).reshape(chance.shape)


def _first_lowest(
    pieces: Sequence[tuple[Vector, Any, Any]], scores: Vector, weights: Vector
) -> float:
    """Return the first shift at which a weighted sum of two-sided hinges is least."""
    kinks = np.concatenate([kink - scores for kink, _, _ in pieces])
    jumps = np.concatenate([weights * (high - low) for _, low, high in pieces])
    start = sum(float((weights * low).sum()) for _, low, _ in pieces)
    order = np.argsort(kinks)
    # Rounding must not decide between the ends of a flat stretch.
    reached = start + np.cumsum(jumps[order]) >= -FLAT * float(jumps.sum())
    return float(kinks[order[int(reached.argmax()) if reached.any() else -1]])


def _crossing(
    total: Callable[[float], float], low: float, high: float, width: float
) -> float:
    """Return where an increasing function is 0, between a point below and one above.

    By chords; the value of an end that stays twice is halved (the Illinois method).
    """
    below, above, side = total(low), total(high), 0
    while high - low > width:
        middle = low - below * (high - low) / (above - below)
        if not low < middle < high:
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
        here = total(middle)
        if here == 0.0:
            return middle
        if here < 0.0:
            low, below, above = middle, here, above * (0.5 if side < 0 else 1.0)
            side = -1
        else:
            high, above, below = middle, here, below * (0.5 if side > 0 else 1.0)
            side = 1
    return 0.5 * (low + high)


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


class VectorLoss(ABC):
    """ℓ(y, f) for one label y and a whole vector f of scores, one score per class.

    Arrays of scores, slopes and derivatives have one row per sample. What y is follows
    from `target`: a label 0, 1, … ("class"), a number ("real"), a row of measurements
    ("vector") or a row of zeros and ones, one for each label ("labels").
    """

    target: ClassVar[str]
    convex: ClassVar[bool] = True
    #: Positions of the scores that must be positive; the value is infinite elsewhere.
    positive_scores: ClassVar[tuple[int, ...]] = ()
    #: Whether ℓ* is finite wherever slopes go from its domain, so that `slack` is 1.
    unlimited: ClassVar[bool] = False
    #: Whether ℓ depends on the residual f - y alone.
    distance_based: ClassVar[bool] = False
    #: Whether a number added to all scores changes nothing, so that slopes sum to 0.
    shift_invariant: ClassVar[bool] = False

    __post_init__ = check_domains

    @property
    def smooth(self) -> bool:
        """Whether ℓ is differentiable everywhere in f."""
        return bool(np.isfinite(self.curvature))

    @property
    @abstractmethod
    def curvature(self) -> float:
        """Upper bound on the curvature of ℓ in f; infinity when there is none."""

    def bayes_target(self, chances: Matrix) -> Matrix:
        """Return the best scores wherever the labels have the given chances (a row).

        Whoever minimises the expected loss over all functions finds this one.
        """
        if self.target != "class":
            raise IncompatibleError(
                f"{type(self).__name__} reads no single label: its best scores for a "
                "distribution of targets are `best_constant`."
            )
        labels = np.arange(self.outputs, dtype=np.float64)
        return np.array([self.best_constant(labels, row) for row in chances])

    @property
    @abstractmethod
    def outputs(self) -> int:
        """How many scores the loss reads per sample."""

    @abstractmethod
    def value(self, y: Vector, f: Matrix) -> Vector:
        """Return ℓ(y, f) for each sample."""

    @abstractmethod
    def derivative(self, y: Vector, f: Matrix) -> Matrix:
        """Return the gradient in f for each sample."""

    @abstractmethod
    def curve(self, y: Vector, f: Matrix, u: Matrix) -> Matrix:
        """Return the change of the derivative per unit of movement along `u`."""

    def bending(self, y: Vector, f: Matrix) -> Callable[[Matrix], Matrix]:
        """Return `curve` as a function of `u`, for many of them at the same scores."""
        return lambda u: self.curve(y, f, u)

    @abstractmethod
    def conjugate(self, y: Vector, s: Matrix) -> Vector:
        """Return ℓ*(y, s) for each sample; +inf outside its domain."""

    def least(self, y: Vector) -> Vector:
        """Return the infimum of ℓ(y, ·) for each sample: -ℓ*(y, 0)."""
        return -self.conjugate(y, np.zeros((len(y), self.outputs)))

    def unbounded(self, y: Vector) -> str | None:
        """Say why the risk of constant scores has no lower bound; None if it has."""
        return None

    def planes(self, y: Vector) -> tuple[Matrix, Matrix] | None:
        """Write ℓ as a sum of maxima of planes, Σₜ maxₚ ⟨slope, f⟩ + height, if it is.

        Slopes have the shape (samples, terms, planes, scores), heights lack the last
        axis; a height of -inf means that there is no such plane. None for other losses.
        """
        return None

    @abstractmethod
    def slack(self, y: Vector, s: Matrix) -> Vector:
        """Return how far each slope vector may move in any entry and stay feasible.

        It is concave in the slopes, and below 0 where rounding left them outside.
        """

    def ceiling(self, y: Vector, s: Matrix, room: Vector) -> Vector:
        """Return what ℓ*(y, ·) does not exceed where slopes moved by `room` at most.

        On the domain of a maximum of planes it is largest at the slope of one of them.
        """
        if (planes := self.planes(y)) is not None:
            heights, real = planes[1], planes[1] > -np.inf
            return np.asarray(-heights.min(axis=2, initial=0.0, where=real).sum(axis=1))
        reach = self.outputs * room
        above = [
            self.conjugate(y, s + sign * np.multiply.outer(reach, axis))
            for axis in np.eye(self.outputs)
            for sign in (-1.0, 1.0)
        ]
        return np.asarray(np.max(above, axis=0))

    def centre(self, y: Vector, weights: Vector) -> Matrix:
        """Return slopes whose weighted sum is 0, as far inside the domain as is easy.

        For a smooth loss the slopes at the best constant scores are such.
        """
        constant = self.best_constant(y, weights)
        return self.derivative(y, np.tile(constant, (len(y), 1)))

    @abstractmethod
    def best_constant(self, y: Vector, weights: Vector | None = None) -> Vector:
        """Return the vector of scores that minimises the weighted total loss."""
