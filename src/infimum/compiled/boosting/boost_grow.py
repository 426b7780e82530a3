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
def settle(
    at: Any, nodes: Any, reals: Any, sets: Any, tally: Any, slots: Any, groups: Any,
    openings: Any, table: Any, rules: Any, limits: Any, found: Any, best: Any,
) -> Any:  # fmt: skip
    """Make a node's step from histograms that others have filled; return the next."""
    if at < 0 or tally[FILL]:
        examine(0, at, nodes, reals, slots, groups, openings, table, rules, limits,
                found, best)  # fmt: skip
    return conclude(at, nodes, reals, sets, tally, groups, openings, table, rules,
                    limits, best)  # fmt: skip


@inner_loop()
def _meet(clock: Any, part: Any, parts: Any, turn: Any) -> None:
    """Wait until all parts have counted."""
    announce(clock, DONE * (parts + part), turn)
    for other in range(parts):
        wait_for(clock, DONE * (parts + other), turn)


@inner_loop()
def _share_step(
    clock: Any, turn: Any, part: Any, at: Any, nodes: Any, reals: Any, sets: Any,
    tally: Any, slots: Any, groups: Any, openings: Any, table: Any, rules: Any,
    limits: Any, codes: Any, words: Any, slopes: Any, fine: Any, rows: Any, spare: Any,
    spans: Any, found: Any, best: Any,
) -> None:  # fmt: skip
    """Do one part's share of a node's step."""
    parts, d = best[0].shape[0], table.shape[0]
    if at >= 0:
        divide_part(at, nodes, sets, codes, rows, spare, spans)
        if not tally[FILL]:
            return
    strip = own_strip(part, parts, d)
    if found.shape[0]:
        strip = np.int64(0), np.int64(d)
    count(part, at, nodes, slots, limits, words, slopes, fine, rows, spans, strip,
          found)  # fmt: skip
    if found.shape[0]:
        _meet(clock, part, parts, turn)
    examine(part, at, nodes, reals, slots, groups, openings, table, rules, limits,
            found, best)  # fmt: skip


@loop()
def grow(
    clock: Any, part: int, nodes: Any, reals: Any, sets: Any, tally: Any, slots: Any,
    groups: Any, openings: Any, table: Any, rules: Any, limits: Any, codes: Any,
    words: Any, slopes: Any, fine: Any, rows: Any, spare: Any, spans: Any, found: Any,
    best: Any,
) -> None:  # fmt: skip
    """Do one part's share of a whole tree; the first says what comes next.

    With room in `found` for the histograms of each part, a part has rows of its own;
    without, it has all of them, and counts them for its own features alone.
    """
    at, turn, parts = np.int64(-1), 0, best[0].shape[0]
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
        _share_step(clock, turn, part, at, nodes, reals, sets, tally, slots, groups,
                    openings, table, rules, limits, codes, words, slopes, fine, rows,
                    spare, spans, found, best)  # fmt: skip
        if part:
            announce(clock, DONE * part, turn)
            continue
        for other in range(1, parts):
            wait_for(clock, DONE * other, turn)
        at = conclude(at, nodes, reals, sets, tally, groups, openings, table, rules,
                      limits, best)  # fmt: skip
        at = at if at >= 0 else np.int64(OVER)
