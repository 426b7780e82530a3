"""Mirror descent and its best known instance, exponentiated gradient."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.rates import mirror_bound
from infimum.study.convexity.descent.step_rules import (
    DecayingStep,
    FixedStep,
    Situation,
    StepRule,
)
from infimum.study.convexity.functions.squared_norm import SquaredNorm
from infimum.typing import Vector

__all__ = ["ExponentiatedGradient", "MirrorMethod"]


@dataclass(frozen=True)
class MirrorMethod:
    r"""Gradient steps taken among the gradients of a distance generator f.

    .. math:: w_{t+1} = (\nabla f)^{-1}(\nabla f(w_t) - \eta_t \nabla J(w_t)),
              \quad (\nabla f)^{-1} = \nabla f^*

    It minimises :math:`\eta_t\langle\nabla J(w_t), w\rangle + D_f(w, w_t)`. With f
    σ-strongly convex the best of the first T points obeys `mirror_bound`. J needs only
    subgradients. The negative entropy keeps the points on the simplex.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, NegativeEntropy
    >>> method = MirrorMethod(NegativeEntropy(), max_iterations=100)
    >>> linear = Affine(np.array([1.0, 0.0, 2.0]))
    >>> method.minimize(linear, np.ones(3) / 3).point.round(3).tolist()
    [0.0, 1.0, 0.0]
    """

    generator: ConvexFunction = field(default_factory=SquaredNorm)
    step: StepRule = field(default_factory=DecayingStep)
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(self, function: ConvexFunction, start: Vector) -> DescentTrace:
        """Take `max_iterations` steps from `start` and return the trace."""
        log = Logbook(function, start)
        for iteration in range(1, self.max_iterations + 1):
            gradient = log.gradient
            here = Situation(function, log.point, gradient, -gradient, iteration)
            step = self.step(here)
            log.move(step, -gradient, to=self.update(log.point, step * gradient))
        return log.close("budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the promise of `mirror_bound` for decaying or fixed steps.

        `premises.distance` is the divergence of a minimiser from the start, and
        `premises.lipschitz` bounds the gradients in the norm dual to the generator's.
        """
        times = range(1, iterations + 2)
        if isinstance(self.step, DecayingStep):
            steps = np.array([self.step.step(t) for t in times])
        elif isinstance(self.step, FixedStep):
            steps = np.array([self.step.step for _ in times])
        else:
            return np.inf
        norms = np.full(steps.size, premises.lipschitz)
        sigma = self.generator.strong_convexity
        return mirror_bound(premises.distance, sigma, steps, norms)

    def update(self, point: Vector, push: Vector) -> Vector:
        """Return the point whose mirror image lies `push` below that of `point`."""
        image = self.generator.gradient(point) - push
        return self.generator.conjugate().gradient(image)


@dataclass(frozen=True)
class ExponentiatedGradient(MirrorMethod):
    """Multiplicative updates: w · exp(-η gradient), entry by entry.

    Mirror descent with the un-normalised entropy or, `normalized` to a constant total,
    with the entropy on the simplex. Entries stay positive.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, FixedStep
    >>> once = ExponentiatedGradient(step=FixedStep(np.log(2)), max_iterations=1)
    >>> once.minimize(Affine(np.array([1.0, -1.0])), np.ones(2)).point.round(9).tolist()
    [0.5, 2.0]
    """

    normalized: bool = False

    def update(self, point: Vector, push: Vector) -> Vector:
        if not self.normalized:
            return np.asarray(point * np.exp(-push))
        # A common factor cancels; taking out the largest avoids overflow.
        grown = point * np.exp(np.min(push) - push)
        return np.asarray(grown * (np.sum(point) / np.sum(grown)))
