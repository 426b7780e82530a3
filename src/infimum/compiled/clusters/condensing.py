"""A tree of merges condensed to its large branches, from the top down."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Vector

__all__ = ["condense_tree"]


@inner_loop()
def _part(
    merge: int,
    children: Indices,
    heights: Vector,
    absorbed: Indices,
    stack: Indices,
    parts: Indices,
) -> int:
    """Write the parts that a merge and all below of the same height have joined.

    Which of several merges of one height comes first is chance; together they are not.
    Return how many parts there are.
    """
    count, found, size = children.shape[0] + 1, 0, 1
    stack[0] = merge
    while size:
        size -= 1
        at = stack[size]
        for child in children[at]:
            if child >= count and heights[child - count] == heights[merge]:
                absorbed[child] = 1
                stack[size] = child - count
                size += 1
            else:
                parts[found] = child
                found += 1
    return found


@loop()
def condense_tree(
    children: Indices,
    heights: Vector,
    sizes: Indices,
    least: int,
    home: Indices,
    leaving: Vector,
    parent: Indices,
    birth: Vector,
    members: Indices,
) -> int:
    """Write the branch that each sample leaves and when; return how many there are.

    `sizes` are those of all nodes, samples first. Going down, a branch ends where it
    splits into parts of which at least two have at least so many samples; otherwise
    smaller parts leave it. Time is 1/height. Of each branch the one it came from is
    written (-1 for the first), its birth and its number of samples.
    """
    count = children.shape[0] + 1
    own, gone = np.zeros(2 * count - 1, dtype=np.intp), np.full(2 * count - 1, -1.0)
    absorbed = np.zeros(2 * count - 1, dtype=np.int8)
    stack, parts = np.empty(count, dtype=np.intp), np.empty(count, dtype=np.intp)
    parent[0], birth[0], members[0], branches = -1, 0.0, count, 1
    for merge in range(count - 2, -1, -1):
        node = count + merge
        if absorbed[node]:
            continue
        time = 1.0 / heights[merge] if heights[merge] > 0.0 else np.inf
        found = _part(merge, children, heights, absorbed, stack, parts)
        large = 0
        for part in parts[:found]:
            large += sizes[part] >= least
        for part in parts[:found]:
            own[part], gone[part] = own[node], gone[node]
            if gone[node] >= 0.0:
                continue
            # Samples at the same place do not part: nothing ever splits them.
            if sizes[part] < least or time == np.inf:
                gone[part] = time
            elif large > 1:
                parent[branches], birth[branches] = own[node], time
                members[branches], own[part] = sizes[part], branches
                branches += 1
    home[:], leaving[:] = own[:count], gone[:count]
    return branches
