"""One thread's share of the steps of a growing tree: rows, histograms, questions."""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import (
    BEND,
    BENDS,
    COUNT,
    COUNTS,
    DEPTH,
    EXACT,
    FEATURE,
    LEFT,
    MAX_DEPTH,
    MAX_FEATURES,
    MIN_SPLIT,
    RIGHT,
    SEED,
    SLOPE,
    SLOPES,
    SLOT,
    STRIDE,
)
from infimum.compiled.boosting.boost_frontier import by_size
from infimum.compiled.boosting.boost_parts import (
    Finds,
    Growth,
    Share,
    Split,
    Terms,
)
from infimum.compiled.boosting.boost_rows import divide, fill_strip
from infimum.compiled.boosting.boost_split import best_split
from infimum.compiled.inner_loop import inner_loop

__all__ = ["count", "divide_part", "examine", "own_strip"]


@inner_loop(borrows=True)
def divide_part(at: Any, tree: Growth, share: Share) -> None:
    """Divide one part's rows of a node among its children."""
    node, spans = tree.nodes[at], share.spans
    codes = share.codes[node[FEATURE]]
    middle = divide(codes, tree.sets[at], share.rows, share.spare, spans[at])
    left, right = node[LEFT], node[RIGHT]
    spans[left, 0], spans[left, 1] = spans[at, 0], middle
    spans[right, 0], spans[right, 1] = middle, spans[at, 1]


@inner_loop(borrows=True)
def own_strip(part: Any, parts: Any, d: Any) -> Any:
    """Return the features of a part, fours of them: where they begin and end."""
    fours = -(-d // 4)
    start, stop = -(-fours * part // parts), -(-fours * (part + 1) // parts)
    return np.int64(min(4 * start, d)), np.int64(min(4 * stop, d))


@inner_loop()
def _planes_of(which: int, at: Any, tree: Growth) -> Any:
    """Return a node's histograms; scratch paper for one that has no room of its own."""
    slot = tree.nodes[at, SLOT]
    return tree.slots[-1 if which and slot == 0 else slot]


@inner_loop()
def count(
    part: Any, at: Any, tree: Growth, terms: Terms, share: Share, strip: Any,
    finds: Finds,
) -> None:  # fmt: skip
    """Count one part's rows of a node's children, the smaller alone if that is enough.

    Parts of the rows write into memory of their own, parts of the features where the
    histograms belong.
    """
    small, large, borrowed = by_size(at, tree.nodes)
    stride = terms.limits[STRIDE]
    start, stop = strip[0] * stride, -(-strip[1] // 4) * 4 * stride
    for which, child in enumerate((small, large if borrowed else np.int64(-1))):
        if child < 0:
            continue
        planes = _planes_of(which, child, tree)
        if finds.planes.shape[0]:
            planes = finds.planes[part, which]
        for plane in range(planes.shape[0]):
            planes[plane, start:stop] = 0
        own = share.rows[share.spans[child, 0] : share.spans[child, 1]]
        fill_strip(share.words, own, share.slopes, share.fine, stride, strip, planes)


@inner_loop(borrows=True)
def _join(found: Any, which: int, start: Any, stop: Any, planes: Any) -> None:
    second = min(1, found.shape[0] - 1)
    for plane in range(planes.shape[0]):
        for k in range(start, stop):
            other = found[second, which, plane, k] if second else 0
            planes[plane, k] = found[0, which, plane, k] + other
        for part in range(2, found.shape[0]):
            for k in range(start, stop):
                planes[plane, k] += found[part, which, plane, k]


@inner_loop(borrows=True)
def _subtract(planes: Any, part: Any, start: Any, stop: Any) -> None:
    for plane in range(planes.shape[0]):
        mine, other = planes[plane, start:stop], part[plane, start:stop]
        for k in range(mine.size):
            mine[k] -= other[k]


@inner_loop()
def _features_of(at: Any, openings: Any, terms: Terms) -> Any:
    """Return the features a node may ask for: some of those its path leaves open.

    Of equally good ones the first is asked for.
    """
    groups, limits = terms.groups, terms.limits
    d = groups.shape[1]
    features = np.empty(d, dtype=np.int64)
    count = 0
    for j in range(d):
        for group in range(groups.shape[0]):
            if openings[at, group] and groups[group, j]:
                features[count] = j
                count += 1
                break
    wanted = min(count, limits[MAX_FEATURES])
    if wanted < count or limits[EXACT]:
        state = np.uint64(limits[SEED]) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15)
        for t in range(wanted):
            state += np.uint64(0x9E3779B97F4A7C15)
            mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
            other = t + np.int64(mixed % np.uint64(count - t))
            features[t], features[other] = features[other], features[t]
    return features[:wanted]


@inner_loop()
def _ask(
    at: Any, tree: Growth, planes: Any, terms: Terms, strip: Any, split: Split
) -> None:
    """Find a node's best split among the features of a strip, in memory of its own."""
    node, limits = split.node, terms.limits
    node[:], split.real[:] = tree.nodes[at], tree.reals[at]
    node[FEATURE] = -1
    if at == 0:  # the sums over the bins of any feature
        start = strip[0] * limits[STRIDE]
        node[COUNT] = planes[COUNTS, start : start + limits[STRIDE]].sum()
        node[BEND] = planes[BENDS, start : start + limits[STRIDE]].sum()
        node[SLOPE] = planes[SLOPES, start : start + limits[STRIDE]].sum()
    if node[COUNT] >= limits[MIN_SPLIT] and node[DEPTH] < limits[MAX_DEPTH]:
        features = _features_of(at, tree.openings, terms)
        best_split(split, planes, features, strip, terms)


@inner_loop()
def examine(part: Any, at: Any, tree: Growth, terms: Terms, finds: Finds) -> None:
    """Find the best splits of a node's children among the features of one part.

    Its histograms are completed first: those of the larger child are the node's own,
    less what the smaller has.
    """
    strip = own_strip(part, finds.nodes.shape[0], terms.table.shape[0])
    start = strip[0] * terms.limits[STRIDE]
    stop = -(-strip[1] // 4) * 4 * terms.limits[STRIDE]
    small, large, borrowed = by_size(at, tree.nodes)
    less = _planes_of(0, small, tree)
    for which, child in enumerate((small, large)):
        split = Split(
            finds.nodes[part, which], finds.reals[part, which], finds.sets[part, which]
        )
        split.node[FEATURE] = -1
        if child < 0 or start == stop:
            continue
        planes = _planes_of(which, child, tree)
        if which == 1 and not borrowed:
            _subtract(planes, less, start, stop)
        elif finds.planes.shape[0]:
            _join(finds.planes, which, start, stop, planes)
        _ask(child, tree, planes, terms, strip, split)
