"""The clock of a job, and what it tells while it runs."""

import math
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from infimum.learn.compare.tally import Entry

__all__ = ["CUT_OFF", "Clock", "Progress", "Step", "TimeUpError"]


#: Why something is missing after Ctrl-C.
CUT_OFF = "Ctrl-C came first; the same command with --resume goes on with this."


class TimeUpError(Exception):
    """There is no time for this, or there was none."""


class Clock:
    """The seconds of a job, as its budget counts them.

    A resumed run shows at least what the clock of the run before it showed when that
    noted what is read again.

    Examples
    --------
    >>> clock = Clock(began=perf_counter() - 5.0)
    >>> clock.reach(60.0)
    >>> bool(clock.seconds >= 60.0)
    True
    """

    def __init__(self, began: float | None = None) -> None:
        self.began = perf_counter() if began is None else began

    @property
    def seconds(self) -> float:
        """What the clock shows."""
        return perf_counter() - self.began

    def reach(self, seconds: float) -> None:
        """Show at least so many seconds from now on."""
        self.began = min(self.began, perf_counter() - seconds)

    def put_back(self, seconds: float) -> None:
        """Do not count so many seconds that have passed."""
        self.began += seconds

    def moment(self, seconds: float) -> float:
        """Return the moment of ``time.perf_counter`` at which it shows so many."""
        return self.began + seconds if math.isfinite(seconds) else seconds

    def reading(self, moment: float) -> float:
        """Return what it shows at a moment of ``time.perf_counter``."""
        return moment - self.began if math.isfinite(moment) else moment


class Step(NamedTuple):
    """A message about how far the job is; the race also shows its scoreboard."""

    stage: str
    note: str = ""
    done: int = 0
    total: int = 0
    board: "tuple[Entry, ...]" = ()
    left: float = math.inf


Progress = Callable[[Step], None]
