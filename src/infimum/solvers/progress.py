"""How a run is going: the best point, the best bound, the history, and when to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from infimum.certificates import Certificate, certify
from infimum.objectives import Evaluation, LinearRisk
from infimum.typing import Vector

__all__ = [
    "Callback",
    "Descent",
    "Iterate",
    "Patience",
    "Progress",
    "Record",
    "Solution",
    "interrupt",
]


CLOSED = "gap closed"
#: Why a run ends that can go no further, and one that the user has ended.
STUCK = "no further progress in floating point"
INTERRUPTED = "interrupted"
#: Values this close, relative to their size, differ by rounding.
BLUR = 4e-16


class Record(NamedTuple):
    """One line of a history: where a run stood, when, between which bounds."""

    iteration: int
    seconds: float
    primal: float
    dual: float


class Iterate(NamedTuple):
    """A point a method passes through; dual methods add the slopes they hold."""

    here: Evaluation
    iteration: int
    slopes: Vector | None = None
    #: False while a method that converges fast has cheap digits left to give.
    settled: bool = True
    #: Why the method ends here, if it does.
    end: str | None = None


#: A method at work: it yields iterates and is told the gap proved so far.
Descent: TypeAlias = Generator[Iterate, float, None]
#: Called after each certified iterate; returning True stops the run.
Callback: TypeAlias = Callable[[Record], bool | None]


def interrupt(record: Record) -> bool:
    """End a run as Ctrl-C does: the callback of runs after one that met it."""
    raise KeyboardInterrupt


@dataclass(frozen=True, eq=False)
class Solution:
    """Where a solver stopped, why, and how good that place provably is."""

    here: Evaluation
    certificate: Certificate
    history: tuple[Record, ...]
    slopes: Vector

    @property
    def point(self) -> Vector:
        """The best point found, with the intercept last."""
        return self.here.point

    @property
    def reason(self) -> str:
        """Why the run ended, in words."""
        return self.certificate.reason

    @property
    def iterations(self) -> int:
        """How many iterations the method made."""
        return self.history[-1].iteration

    @property
    def certified(self) -> bool:
        """Whether the gap closed to the tolerance that was asked for."""
        return self.certificate.closed


class Patience:
    """Notices when a gap has stopped narrowing: rounding has the last word then."""

    def __init__(self, iterations: int) -> None:
        self.iterations = iterations
        self.narrowest, self.since = np.inf, 0

    def lost(self, gap: float, iteration: int) -> bool:
        """Tell whether the gap has not narrowed for too many iterations."""
        if gap < 0.9 * self.narrowest:
            self.narrowest, self.since = gap, iteration
        return iteration - self.since >= self.iterations


class Progress:
    """The state of one run; every bound it ever saw stays valid."""

    def __init__(
        self,
        risk: LinearRisk,
        limits: tuple[float, int, float | None],
        callback: Callback | None,
    ) -> None:
        self.risk = risk
        self.tolerance, self.max_iterations, self.max_seconds = limits
        self.callback = callback
        self.started = time.perf_counter()
        self.history: list[Record] = []
        self.reason = STUCK
        self.best: Iterate | None = None
        self.best_bound = self.dual = -np.inf
        #: The slopes that proved most so far, where a kink lets any point use them.
        self.lent: Vector | None = None
        self.lent_bound = -np.inf

    def follow(self, descent: Descent) -> None:
        """Take iterates from a method until there is a reason to stop."""
        iterate = next(descent, None)
        while iterate is not None and not self.take(iterate):
            try:
                iterate = descent.send(self.certificate().gap)
            except StopIteration:
                return

    def take(self, iterate: Iterate) -> bool:
        """Certify and record an iterate; tell whether the run should end."""
        proof = certify(self.risk, iterate.here, iterate.slopes)
        # The point that ends a run carries its own proof, or slopes that are kept with
        # it, so that it can be checked again.
        closed = replace(proof, tolerance=self.tolerance).closed
        if self.best is None or closed or self._better(proof):
            self.best, self.best_bound = iterate, proof.dual
        self.dual = max(self.dual, proof.dual)
        closed = self._lend(iterate, proof.dual) or closed
        seconds = time.perf_counter() - self.started
        primal = self.best.here.value
        if self.history:
            primal = min(primal, self.history[-1].primal)
        record = Record(iterate.iteration, seconds, primal, self.dual)
        self.history.append(record)
        closed = closed and iterate.settled
        reason = self._reason_to_stop(record, closed=closed) or iterate.end
        if reason is not None:
            self.reason = reason
        return reason is not None

    def _lend(self, iterate: Iterate, bound: float) -> bool:
        """Keep the slopes that prove most; tell whether they prove the best point."""
        assert self.best is not None
        kinked = not self.risk.loss.smooth
        if kinked and iterate.slopes is not None and bound > self.lent_bound:
            self.lent, self.lent_bound = iterate.slopes, bound
        value, scale = self.best.here.value, self.risk.scale
        return Certificate(value, self.lent_bound, scale, self.tolerance).closed

    def _better(self, proof: Certificate) -> bool:
        """Tell whether a point beats the best: by value, by its own bound in a tie.

        Values that differ by rounding alone say nothing; the bound, which is linear in
        the error where the value is quadratic, still does.
        """
        assert self.best is not None
        value = self.best.here.value
        blur = BLUR * abs(value)
        if proof.primal < value - blur:
            return True
        return proof.primal <= value + blur and proof.dual > self.best_bound

    def _reason_to_stop(self, record: Record, *, closed: bool) -> str | None:
        if closed:
            return CLOSED
        if self.callback is not None and self.callback(record):
            return "stopped by the callback"
        if record.iteration >= self.max_iterations:
            return "iteration limit"
        if self.max_seconds is not None and record.seconds >= self.max_seconds:
            return "time limit"
        return None

    def certificate(self) -> Certificate:
        """Return the best value and the best bound seen so far, as a certificate."""
        assert self.best is not None
        primal, scale = self.best.here.value, self.risk.scale
        own = max(self.best_bound, self.lent_bound)
        dual = own if self.reason == CLOSED else self.dual
        return Certificate(primal, dual, scale, self.tolerance)

    def solution(self) -> Solution:
        """Return the best point with its proof."""
        assert self.best is not None
        slopes = self.best.slopes
        if self.lent_bound > self.best_bound:
            slopes = self.lent
        return Solution(
            self.best.here,
            replace(self.certificate(), reason=self.reason),
            tuple(self.history),
            self.best.here.slopes if slopes is None else slopes,
        )
