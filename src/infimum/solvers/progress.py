"""How a run is going: the best point, the best bound, the history, and when to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from infimum.certificates import Certificate, best_bound, certify
from infimum.limits import time_is_up
from infimum.objectives import Evaluation, LinearRisk
from infimum.typing import Vector

__all__ = [
    "Callback",
    "Descent",
    "Iterate",
    "Patience",
    "Progress",
    "Record",
    "Run",
    "Solution",
    "interrupt",
]


CLOSED = "gap closed"
#: Why a run ends that can go no further, and one that the user has ended.
STUCK = "no further progress in floating point"
ROUNDED = "rounding hides the rest of the gap"
INTERRUPTED = "interrupted"
#: Why a run ends before it need.
LIMIT, LATE, CALLBACK = "iteration limit", "time limit", "stopped by the callback"
#: Rounding beyond this share of the tolerance cannot be made up for.
MOST_ROUNDING = 0.9
#: Bounds this close are worth a proof where there is nothing to gain.
ROUGHLY = 1e-9
#: Values this close, relative to their size, differ by rounding.
BLUR = 4e-16
#: A share of the risk that a step does not gain by rounding.
DESCENT = 1e-12


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
    #: False where the method knows that a proof cannot succeed, and costs more than the
    #: step: only somebody who watches is told of it.
    worth: bool = True
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


@dataclass
class Patience:
    """Notices when a gap has stopped narrowing: rounding has the last word then.

    A method that never goes up tells where it is: as long as it gets lower by more than
    rounding, its gap may narrow yet.
    """

    iterations: int
    since: int = 0
    narrowest: float = np.inf
    lowest: float = np.inf

    def lost(self, gap: float, iteration: int, value: float = np.inf) -> bool:
        """Tell whether nothing has improved for too many iterations."""
        lower = value < self.lowest - DESCENT * abs(value)
        if gap < 0.9 * self.narrowest or lower:
            self.narrowest, self.since = min(gap, self.narrowest), iteration
            self.lowest = min(value, self.lowest)
        return iteration - self.since >= self.iterations


class Run:
    """The clock, the limits, the history and the callback of a run."""

    def __init__(
        self, limits: tuple[float, int, float | None], callback: Callback | None
    ) -> None:
        self.tolerance, self.max_iterations, self.max_seconds = limits
        self.callback = callback
        self.started = time.perf_counter()
        self.history: list[Record] = []
        self.reason = STUCK

    def record(self, iteration: int, primal: float, dual: float) -> Record:
        """Write down between which bounds the run stands."""
        seconds = time.perf_counter() - self.started
        self.history.append(Record(iteration, seconds, primal, dual))
        return self.history[-1]

    def reason_to_stop(self, record: Record) -> str | None:
        """Say why a run ends here, whoever wants it to; None if nobody does."""
        if self.callback is not None and self.callback(record):
            return CALLBACK
        if record.iteration >= self.max_iterations:
            return LIMIT
        return LATE if self.late else None

    @property
    def late(self) -> bool:
        """Whether the time limit has passed."""
        limit = self.max_seconds
        if limit is not None and time.perf_counter() - self.started >= limit:
            return True
        return time_is_up()


class Progress(Run):
    """The state of one run; every bound it ever saw stays valid."""

    def __init__(
        self,
        risk: LinearRisk,
        limits: tuple[float, int, float | None],
        callback: Callback | None,
    ) -> None:
        super().__init__(limits, callback)
        self.risk = risk
        self.best: Iterate | None = None
        self.best_bound = self.dual = -np.inf
        #: Where the best bound was found.
        self.highest: Iterate | None = None
        #: The slopes that proved most so far, where a kink lets any point use them.
        self.lent: Vector | None = None
        self.lent_bound = -np.inf
        #: The last iterate, if it has been passed over.
        self.passed: Iterate | None = None
        #: The last proof, with the point and the slopes that it is of.
        self._proof: tuple[Evaluation, Vector | None, Certificate] | None = None

    def follow(self, descent: Descent) -> None:
        """Take iterates from a method until there is a reason to stop."""
        iterate = next(descent, None)
        while iterate is not None and not self.take(iterate):
            gap = np.inf
            if self.passed is None and self.best is not None:
                gap = max(self.best.here.value - self.dual, 0.0)
            try:
                iterate = descent.send(gap)
            except StopIteration:
                return

    def take(self, iterate: Iterate) -> bool:
        """Bound and record an iterate; tell whether the run should end."""
        watched = self.callback is not None or self.max_seconds is not None
        last = watched or iterate.worth or iterate.iteration >= self.max_iterations
        self.passed = None if last else iterate
        if not last:
            return False
        bound = best_bound(iterate.here, iterate.slopes)
        # The point that ends a run carries its own proof, or slopes that are kept with
        # it, so that it can be checked again.
        closed = self._closes(iterate.here.value, bound)
        if self.best is None or closed or self._better(iterate.here.value, bound):
            self.best, self.best_bound = iterate, bound
        if bound > self.dual or self.highest is None:
            self.dual, self.highest = bound, iterate
        if iterate.slopes is not None or self.lent is not None:
            closed = self._lend(iterate, bound) or closed
        primal = self.best.here.value
        if self.history:
            primal = min(primal, self.history[-1].primal)
        record = self.record(iterate.iteration, primal, self.dual)
        reason = self._proved_reason() if closed and iterate.settled else None
        reason = reason or self.reason_to_stop(record) or iterate.end
        if reason is not None:
            self.reason = reason
        return reason is not None

    def _closes(self, primal: float, dual: float) -> bool:
        """Tell whether bounds are close enough to be worth a proof."""
        scale = self.risk.scale
        return Certificate(primal, dual, scale, self.tolerance).closed or (
            scale == 0.0 and primal - dual <= ROUGHLY * max(abs(primal), abs(dual))
        )

    def _lend(self, iterate: Iterate, bound: float) -> bool:
        """Keep the slopes that prove most; tell whether they prove the best point."""
        assert self.best is not None
        kinked = not self.risk.smooth
        if kinked and iterate.slopes is not None and bound > self.lent_bound:
            self.lent, self.lent_bound = iterate.slopes, bound
        return self._closes(self.best.here.value, self.lent_bound)

    def _proved_reason(self) -> str | None:
        """Prove the best point, rounding counted; say why the run ends, if it does."""
        proof = self.proof()
        if proof.closed:
            return CLOSED
        # Rounding may be a part of the gap that leaves room for a closed one.
        most = MOST_ROUNDING * self.tolerance * self.risk.scale
        return ROUNDED if proof.rounded and proof.slack > most else None

    def _better(self, primal: float, dual: float) -> bool:
        """Tell whether a point beats the best: by value, by its own bound in a tie.

        Values that differ by rounding alone say nothing; the bound, which is linear in
        the error where the value is quadratic, still does.
        """
        assert self.best is not None
        value = self.best.here.value
        # A point outside a constraint is worse than any inside, by more than rounding.
        blur = BLUR * abs(value) if np.isfinite(value) else 0.0
        if primal < value - blur:
            return True
        return primal <= value + blur and dual > self.best_bound

    def proof(self) -> Certificate:
        """Return the proof of the best point, by its own slopes or the lent ones."""
        assert self.best is not None
        slopes = self._slopes()
        known = self._proof
        if known is None or known[0] is not self.best.here or known[1] is not slopes:
            found = certify(self.risk, self.best.here, slopes)
            proof = replace(found, tolerance=self.tolerance)
            proof = proof.as_fine_as_rounding_allows()
            known = self._proof = self.best.here, slopes, proof
        return known[2]

    def _slopes(self) -> Vector | None:
        """Return the slopes that prove the best point; None if its own do."""
        assert self.best is not None
        if self.lent_bound > self.best_bound:
            return self.lent
        if self.reason != CLOSED and self.highest is not None:
            highest = self.highest
            if self.dual > self.best_bound:
                return highest.here.slopes if highest.slopes is None else highest.slopes
        return self.best.slopes

    def solution(self) -> Solution:
        """Return the best point with its proof."""
        assert self.best is not None
        slopes = self._slopes()
        return Solution(
            self.best.here,
            replace(self.proof(), reason=self.reason),
            tuple(self.history),
            self.best.here.slopes if slopes is None else slopes,
        )
