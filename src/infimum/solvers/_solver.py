"""`Solver`: parameters, objections, and the one loop that drives every method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from infimum.errors import IncompatibleError
from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import check_domains, positive, whole
from infimum.solvers.progress import (
    INTERRUPTED,
    Callback,
    Descent,
    Iterate,
    Progress,
    Solution,
)
from infimum.typing import Vector

__all__ = ["Solver", "not_smooth"]


@dataclass(frozen=True)
class Solver(ABC):
    """A recipe for minimising a risk; all state lives in the call, none here.

    A method is a generator: it yields the points it passes through, as often as it
    thinks a proof is worth its price. `solve` certifies each, keeps the best, records
    the history, asks the callback, watches the budget, and survives an interruption:
    whatever ends the run, the best point so far comes back with its gap.

    Parameters
    ----------
    tolerance : float
        Stop when the gap is below this share of the risk's `scale`.
    max_iterations : int
        Stop after so many iterations.
    max_seconds : float or None
        Stop after so many seconds; None means no limit.
    """

    tolerance: float = field(default=1e-6, metadata={"domain": positive})
    max_iterations: int = field(default=10_000, metadata={"domain": whole(1)})
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        check_domains(self)

    #: Whether the method, or its proof, needs every part of the risk to be convex.
    needs_convexity: ClassVar[bool] = True

    @final
    def objection(self, risk: LinearRisk) -> str | None:
        """Say why this solver cannot minimise `risk`; None means that it can."""
        if risk.by_planes:
            return self._objection_to_planes(risk)
        for part in (risk.loss, risk.penalty):
            if self.needs_convexity and not part.convex:
                return f"{type(part).__name__} is not convex: its valleys may differ"
        if getattr(risk.loss, "positive_scores", ()) and not risk.intercept:
            return (
                f"{type(risk.loss).__name__} is infinite at the score 0: it needs an "
                "intercept to start from"
            )
        return self._objection(risk)

    def _objection_to_planes(self, risk: Any) -> str | None:
        """Say why this solver cannot minimise a risk of which only planes are known."""
        return f"{type(risk).__name__} has no losses of single samples"

    @abstractmethod
    def _objection(self, risk: LinearRisk) -> str | None:
        """Say why this solver cannot minimise a risk whose parts are convex enough."""

    @final
    def solve(
        self,
        risk: LinearRisk,
        start: Vector | Evaluation | None = None,
        callback: Callback | None = None,
    ) -> Solution:
        """Minimise `risk` from `start` (the null model when None).

        A start may be the evaluation that ended another run: what is known there about
        the same data under another penalty is not computed again.
        """
        if objection := self.objection(risk):
            raise IncompatibleError(f"{type(self).__name__} cannot start: {objection}.")
        return self.run(risk, start, callback)

    @final
    def run(
        self,
        risk: LinearRisk,
        start: Vector | Evaluation | None = None,
        callback: Callback | None = None,
    ) -> Solution:
        """Minimise a risk that this solver is known to have no objection to."""
        limits = self.tolerance, self.max_iterations, self.max_seconds
        progress = Progress(risk, limits, callback)
        here = risk.at_null if start is None else _evaluated(risk, start)
        alone = risk.by_planes or not risk.design.pooled
        interrupted = False
        try:
            with nullcontext() if alone else _one_pool(risk):
                if reason := risk.unbounded:
                    progress.take(Iterate(here, 0, end=reason))
                elif not (risk.null_is_optimal and progress.take(Iterate(here, 0))):
                    progress.follow(self._descend(here))
        except KeyboardInterrupt:
            interrupted, progress.callback = True, None
        if progress.passed is not None:
            progress.take(progress.passed._replace(worth=True))
        if not progress.history:
            progress.take(Iterate(here, 0))
        if interrupted:  # even where the first point is proved: somebody waits
            progress.reason = INTERRUPTED
        return progress.solution()

    @abstractmethod
    def _descend(self, here: Evaluation) -> Descent:
        """Yield ever better points, starting from `here`.

        Each yield answers with the gap proved so far. To return is to say that
        floating point allows no further progress.
        """


def not_smooth(risk: LinearRisk) -> str | None:
    """Say what keeps the whole objective from having a gradient; None means nothing."""
    if not risk.loss.smooth:
        return f"{type(risk.loss).__name__} has a kink, and its gradient jumps there"
    if risk.penalty.quadratic is None:
        return f"{type(risk.penalty).__name__} is not quadratic"
    return None


def _evaluated(risk: LinearRisk, start: Vector | Evaluation) -> Evaluation:
    if not risk.by_planes and isinstance(start, Evaluation):
        return start.under(risk)
    given: Any = start
    return risk.evaluate(given.copy())


def _one_pool(risk: LinearRisk) -> AbstractContextManager[Any]:
    """Keep BLAS from spinning on the cores that the products of this risk use."""
    if not isinstance(risk.loss, Loss):
        return nullcontext()
    from infimum.compiled.threads import one_blas_thread  # late: it loads numba

    context: AbstractContextManager[Any] = one_blas_thread()
    return context
