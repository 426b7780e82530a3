"""The growth of one boosted tree, by threads that keep step.

Threads, the parts, take a strip of the features each: they count the rows of a node's
children in them and find the best question there is. The first compares what the parts
have found, and bears the children of the next node. Where rows are many the parts share
the counting, too, by rows: then they meet before each joins its own strip.
"""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import FILL
from infimum.compiled.boosting.boost_frontier import conclude
from infimum.compiled.boosting.boost_parts import Finds, Growth, Share, Terms
from infimum.compiled.boosting.boost_share import (
    count,
    divide_part,
    examine,
    own_strip,
)
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.spin_wait import announce, wait_for

__all__ = ["DONE", "NEXT", "OVER", "grow", "settle"]

#: Places of the clock that threads share: the turn, the node it is about and, part by
#: part, the last turn done (of the first: begun) and then the last one counted, on
#: lines of the cache of their own.
TURN, NEXT, DONE = 0, 1, 8
#: What stands for no node any more.
OVER = -2


@loop()
def settle(at: Any, tree: Growth, terms: Terms, finds: Finds) -> Any:
    """Make a node's step from histograms that others have filled; return the next."""
    if at < 0 or tree.tally[FILL]:
        examine(0, at, tree, terms, finds)
    return conclude(at, tree, terms, finds)


@inner_loop()
def _meet(clock: Any, part: Any, parts: Any, turn: Any) -> None:
    """Wait until all parts have counted."""
    announce(clock, DONE * (parts + part), turn)
    for other in range(parts):
        wait_for(clock, DONE * (parts + other), turn)


@inner_loop()
def _share_step(
    clock: Any, turn: Any, part: Any, at: Any, tree: Growth, terms: Terms,
    share: Share, finds: Finds,
) -> None:  # fmt: skip
    """Do one part's share of a node's step."""
    parts, d = finds.nodes.shape[0], terms.table.shape[0]
    if at >= 0:
        divide_part(at, tree, share)
        if not tree.tally[FILL]:
            return
    strip = own_strip(part, parts, d)
    if finds.planes.shape[0]:
        strip = np.int64(0), np.int64(d)
    count(part, at, tree, terms, share, strip, finds)
    if finds.planes.shape[0]:
        _meet(clock, part, parts, turn)
    examine(part, at, tree, terms, finds)


@loop()
def grow(
    clock: Any, part: int, tree: Growth, terms: Terms, share: Share, finds: Finds
) -> None:
    """Do one part's share of a whole tree; the first says what comes next.

    With room in `finds` for the histograms of each part, a part has rows of its own;
    without, it has all of them, and counts them for its own features alone.
    """
    at, turn, parts = np.int64(-1), 0, finds.nodes.shape[0]
    while True:
        turn += 1
        if part == 0:
            clock[NEXT] = at
            announce(clock, TURN, turn)
        else:
            wait_for(clock, TURN, turn)
            at = clock[NEXT]
        if at == OVER:
            return
        _share_step(clock, turn, part, at, tree, terms, share, finds)
        if part:
            announce(clock, DONE * part, turn)
            continue
        for other in range(1, parts):
            wait_for(clock, DONE * other, turn)
        at = conclude(at, tree, terms, finds)
        at = at if at >= 0 else np.int64(OVER)
