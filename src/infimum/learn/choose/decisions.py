"""Decisions that hang on the clock: taken once, and repeated by a resumed run.

A run that goes on after a kill has another clock. What was decided by the old one, and
led to what was done next, is not asked again: it stands in the journal.
"""

import math
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from infimum.learn.choose.rule import Standing
from infimum.learn.clock import TimeUpError, check_pressed
from infimum.learn.journal import Journal
from infimum.limits import time_limit

__all__ = ["Decisions"]

Made = TypeVar("Made")

#: Fits are told to end so many seconds, or so large a part of their time, too early.
_HEARING, _EARLY = 2.0, 0.1


class Decisions:
    """What was done in time after a race, in the journal of its run.

    Parameters
    ----------
    journal : Journal, optional
        Where decisions are kept; without one they are forgotten.
    standing : sequence of Standing
        What the race has shown: decisions after another race are not repeated.
    deadline, latest : float
        Moments of `time.perf_counter`: when what is made for the report alone must be
        done, and when the final model must be.

    Attributes
    ----------
    stopped : bool
        Whether Ctrl-C came when the final model was there already: nothing more is to
        be made then.

    Examples
    --------
    >>> asked = Decisions(latest=0.0)
    >>> print(asked.in_time("a blend", lambda: "made", asked.latest))
    None
    """

    def __init__(
        self,
        journal: Journal | None = None,
        standing: Sequence[Standing] = (),
        *,
        deadline: float = math.inf,
        latest: float = math.inf,
    ) -> None:
        self.journal = journal or Journal(None)
        self._about = _digest(standing)
        clock = self.journal.clock
        self._ends = clock.reading(deadline), clock.reading(latest)
        self.stopped = False

    @property
    def deadline(self) -> float:
        """When what is made for the report alone must be done."""
        return self.journal.clock.moment(self._ends[0])

    @property
    def latest(self) -> float:
        """When the final model must be fitted."""
        return self.journal.clock.moment(self._ends[1])

    def told(self, name: str) -> Any:
        """Return what was decided before the run was killed; None if nothing was."""
        kept = self.journal.peek(_place(name))
        if kept is None or kept["about"] != self._about:
            return None
        self.journal.noted(_place(name))  # whose time has been used up before
        return kept["said"]

    def note(self, name: str, said: Any) -> None:
        """Keep a decision; it must not be None."""
        self.journal.note(_place(name), {"about": self._about, "said": said})

    def once(self, name: str, ask: Callable[[], Any]) -> Any:
        """Return what was decided, or decide it now; the answer must not be None."""
        told = self.told(name)
        if told is None:
            told = ask()
            check_pressed()
            self.note(name, told)
        return told

    def in_time(
        self,
        name: str,
        make: Callable[[], Made],
        end: float,
        *,
        expected: float = 0.0,
    ) -> Made | None:
        """Return what is made, None if it is not made, or was not, by the `end`.

        What was in time before is made again, however long it takes now; what was too
        late, or is `expected` to be, is not begun.
        """
        clock = self.journal.clock
        last = clock.reading(end)
        kept = self.journal.peek(_place(name))
        if kept is not None and kept["about"] == self._about:
            made = make() if kept["said"] else None
            self.told(name)
            return made
        made, left = None, last - clock.seconds
        in_time = bool(expected <= left)
        try:
            # A fit ends by itself then, with what it has.
            early = min(_HEARING, _EARLY * max(left, 0.0))
            with time_limit(left - early):
                made = make() if in_time else None
        except TimeUpError:
            in_time = False
        check_pressed()
        self.note(name, in_time)
        return made


def _place(name: str) -> str:
    return f"decision-{name}"


def _digest(standing: Sequence[Standing]) -> str:
    """Return a name for what a race has shown."""
    seen = blake2b(digest_size=12)
    for each in standing:
        seen.update(repr((each.tally.contender.name, each.values)).encode())
        seen.update(each.errors.tobytes())
    return seen.hexdigest()
