"""Incremental and stochastic gradient: one term of a sum at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

import numpy as np

from infimum.parameters import Choice, check_domains, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.rates import subgradient_bound
from infimum.study.convexity.descent.step_rules import (
    DecayingStep,
    FixedStep,
    Situation,
    StepRule,
)
from infimum.study.convexity.functions.oracle import Oracle
from infimum.typing import Vector

__all__ = ["IncrementalGradient"]


@dataclass(frozen=True)
class IncrementalGradient:
    r"""Go against the gradient of one term of :math:`f = \sum_i g_i` at a time.

    .. math:: w_{t+1} = w_t - γ_t \nabla g_{i_t}(w_t)

    The index runs through the terms in turn (``"cyclic"``) or is drawn again for every
    step (``"random"``, stochastic gradient descent). A step costs one term and not all
    n. The steps must fade, but not too fast: with a constant step the points keep
    wandering, with a summable sequence they may never arrive. The default is
    :math:`γ_t = 1/t`.

    >>> import numpy as np
    >>> from infimum.study.convexity import SquaredNorm, Translated
    >>> terms = [Translated(SquaredNorm(), np.array([x])) for x in (1.0, 2.0, 6.0)]
    >>> trace = IncrementalGradient(passes=1).minimize(terms, np.zeros(1))
    >>> trace.point.round(9).tolist()
    [3.0]
    """

    step: StepRule = field(default_factory=lambda: DecayingStep(power=1.0))
    order: str = field(
        default="cyclic", metadata={"domain": Choice(("cyclic", "random"))}
    )
    passes: int = field(default=10, metadata={"domain": whole(1)})
    random_state: int = 0

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(self, terms: Sequence[ConvexFunction], start: Vector) -> DescentTrace:
        """Make `passes` times as many steps as there are terms, from `start`.

        The trace has one point per pass, with value and gradient of the whole sum.
        """
        total = Oracle(
            lambda w: sum(term.value(w) for term in terms),
            lambda w: np.sum([term.gradient(w) for term in terms], axis=0),
        )
        log, indices = Logbook(total, start), self._indices(len(terms))
        for number in range(self.passes):
            point = log.point.copy()
            for within in range(1, len(terms) + 1):
                term = terms[next(indices)]
                slope = term.gradient(point)
                iteration = number * len(terms) + within
                here = Situation(term, point, slope, -slope, iteration)
                point = point - self.step(here) * slope
            log.move(1.0, point - log.point, to=point)
        return log.close("budget")

    def bound(self, passes: int, premises: Premises, terms: int) -> float:
        """Return `subgradient_bound` after so many passes in turn, for a fixed step.

        Every one of the `terms` has subgradients of at most `premises.lipschitz`. A
        fixed step leaves a rest that no number of passes removes.
        """
        if not isinstance(self.step, FixedStep) or self.order != "cyclic":
            return np.inf
        steps = np.full(passes + 1, self.step.step)
        return subgradient_bound(premises.distance, terms * premises.lipschitz, steps)

    def _indices(self, count: int) -> Iterator[int]:
        if self.order == "cyclic":
            return chain.from_iterable(repeat(range(count)))
        rng = np.random.default_rng(self.random_state)
        return iter(lambda: int(rng.integers(count)), None)
