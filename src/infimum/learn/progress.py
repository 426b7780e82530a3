"""What a job tells while it runs: its stage, and the scoreboard of the race."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from infimum.learn.compare.tally import Entry

__all__ = ["Progress", "Step"]


class Step(NamedTuple):
    """A message about how far the job is; the race also shows its scoreboard."""

    stage: str
    note: str = ""
    done: int = 0
    total: int = 0
    board: "tuple[Entry, ...]" = ()
    left: float = math.inf


Progress = Callable[[Step], None]
