"""Dual steps of a structured hinge over chains: one chain after the other.

The dual variables of a chain are shares of labellings that it has met. A visit asks for
the worst labelling, then moves shares from the least violated labelling to the most
violated one, as far as it pays, until little is left to gain among those it knows.
"""

import numpy as np

from infimum.compiled.chains.chain_labels import best_labels
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_blocks"]

#: Moves of shares at one visit.
MOVES = 10
#: A visit ends where a move would gain less than this share of what the first did.
LITTLE = 0.1
#: Violations below this share of the scores are rounding.
ROUNDING = 1e-13


@inner_loop(fastmath={"reassoc", "contract"})
def _raised_scores(
    X: Matrix, start: int, W: Matrix, right: Indices, scores: Matrix
) -> None:
    """Fill the scores of the rows of one chain, plus 1 for every wrong label."""
    for t in range(scores.shape[0]):
        row, out = X[start + t], scores[t]
        out[:] = 1.0
        out[right[start + t]] = 0.0
        for c in range(X.shape[1]):
            value = row[c]
            if value != 0.0:
                for k in range(W.shape[1]):
                    out[k] += value * W[c, k]


@inner_loop(fastmath={"reassoc", "contract"})
def _product(left: Vector, right: Vector) -> float:
    total = 0.0
    for c in range(left.size):
        total += left[c] * right[c]
    return total


@inner_loop()
def _place(said: Indices, part: Vector, fresh: Indices) -> int:
    """Return the column that holds a labelling, or the last free one, filled with it.

    The first column is that of the right labelling, whether it has a share or not.
    """
    free = -1
    for p in range(part.size):
        if p > 0 and part[p] <= 0.0:
            free = p
            continue
        t = 0
        while t < said.shape[0] and said[t, p] == fresh[t]:
            t += 1
        if t == said.shape[0]:
            return p
    for t in range(said.shape[0]):
        said[t, free] = fresh[t]
    return free


@inner_loop()
def _weigh(
    scores: Matrix, across: Matrix, said: Indices, part: Vector, worth: Vector
) -> float:
    """Fill the scores of the labellings that have a share; return their mean."""
    mean = 0.0
    for p in range(part.size):
        if part[p] > 0.0:
            total = scores[0, said[0, p]]
            for t in range(1, said.shape[0]):
                total += scores[t, said[t, p]] + across[said[t - 1, p], said[t, p]]
            worth[p] = total
            mean += part[p] * total
    return mean


@inner_loop()
def _add_pairs(said: Indices, up: int, down: int, size: float, table: Matrix) -> float:
    """Add the pairs of one labelling to a table, take those of another from it.

    From a table of 0 and with a size of 1 the sum of squares is returned.
    """
    grown = 0.0
    for t in range(1, said.shape[0]):
        a, b = said[t - 1, up], said[t, up]
        grown += 2.0 * table[a, b] + 1.0
        table[a, b] += size
        a, b = said[t - 1, down], said[t, down]
        grown -= 2.0 * table[a, b] - 1.0
        table[a, b] -= size
    return grown


@inner_loop()
def _square(
    X: Matrix, start: int, said: Indices, up: int, down: int, gram: Matrix, held: Vector
) -> float:
    """Return the square of how the joint features of two labellings differ, by rows.

    Products of a row with all others are computed when they are first asked for.
    """
    steps, total = said.shape[0], 0.0
    for t in range(steps):
        a, b = said[t, up], said[t, down]
        if a == b:
            continue
        if held[t] == 0.0:
            held[t] = 1.0
            for s in range(steps):
                gram[t, s] = _product(X[start + t], X[start + s])
        for s in range(steps):
            c, d = said[s, up], said[s, down]
            sign = 1 * (a == c) - 1 * (a == d) - 1 * (b == c) + 1 * (b == d)
            total += gram[t, s] * sign
    return total


@inner_loop()
def _move(
    said: Indices,
    up: int,
    down: int,
    step: float,
    gram: Matrix,
    scores: Matrix,
    moved: Matrix,
) -> None:
    """Let the scores follow a step, and remember it for the weights."""
    steps = said.shape[0]
    for t in range(steps):
        a, b = said[t, up], said[t, down]
        if a != b:
            moved[t, a] -= step
            moved[t, b] += step
            for s in range(steps):
                scores[s, a] -= step * gram[t, s]
                scores[s, b] += step * gram[t, s]


@inner_loop()
def _extremes(part: Vector, worth: Vector, up: int) -> tuple[int, int]:
    """Return the most and the least violated labelling, `up` among the former."""
    down = -1
    for p in range(part.size):
        if part[p] > 0.0:
            up = p if worth[p] > worth[up] else up
            down = p if down < 0 or worth[p] < worth[down] else down
    return up, down


@inner_loop()
def _share(
    X: Matrix,
    start: int,
    pull: float,
    known: tuple[Indices, Vector, Vector],
    up: int,
    gain: float,
    scores: Matrix,
    across: Matrix,
    room: tuple[Matrix, Vector, Matrix, Matrix],
) -> None:
    """Move shares between the labellings of one chain, while it pays.

    What is `known` are the labellings, their shares and what they are worth.
    """
    said, part, worth = known
    gram, held, moved, pairs = room
    for turn in range(MOVES):
        up, down = _extremes(part, worth, up)
        rise = worth[up] - worth[down]
        if up == down or rise <= LITTLE * gain:
            return
        size = _square(X, start, said, up, down, gram, held)
        size += _add_pairs(said, up, down, 1.0, pairs)
        _add_pairs(said, up, down, -1.0, pairs)
        share = part[down]
        if size > 0.0 and rise < pull * size * share:
            share = rise / (pull * size)
        part[up] += share
        part[down] = 0.0 if share == part[down] else part[down] - share
        _add_pairs(said, up, down, -share * pull, across)
        _move(said, up, down, share * pull, gram, scores, moved)
        if turn + 1 < MOVES:
            _weigh(scores, across, said, part, worth)


@inner_loop(fastmath={"reassoc", "contract"})
def _carry(X: Matrix, start: int, moved: Matrix, W: Matrix) -> None:
    """Add to the weights what was moved, and forget it."""
    for t in range(moved.shape[0]):
        for k in range(W.shape[1]):
            if moved[t, k] != 0.0:
                for c in range(X.shape[1]):
                    W[c, k] += moved[t, k] * X[start + t, c]
                moved[t, k] = 0.0


@loop()
def chain_blocks(
    X: Matrix,
    bounds: Indices,
    order: Indices,
    right: Indices,
    pulls: Vector,
    W: Matrix,
    across: Matrix,
    labels: Indices,
    shares: Matrix,
) -> float:
    """Visit chains in an order; return the sum of what each could gain, times its pull.

    `labels` has the labellings of all chains in columns, the right one first, `shares`
    a row for each chain; a free column is needed. `pulls` are weights of chains over
    the strength of the ridge: W and `across` are minus the sum of pulls times shares
    times joint features, those of the right labelling subtracted.
    """
    n_labels, longest = across.shape[0], 0
    for i in order:
        longest = max(longest, bounds[i + 1] - bounds[i])
    table, first = np.empty((longest, n_labels)), np.zeros(n_labels)
    fresh, worth = np.empty(longest, dtype=np.int64), np.empty(shares.shape[1])
    pointers = np.empty((longest, n_labels), dtype=np.int64)
    held, moved = np.empty(longest), np.zeros((longest, n_labels))
    room = np.empty((longest, longest)), held, moved, np.zeros((n_labels, n_labels))
    total = 0.0
    for i in order:
        start, steps = bounds[i], bounds[i + 1] - bounds[i]
        scores, said, part = table[:steps], labels[start : start + steps], shares[i]
        _raised_scores(X, start, W, right, scores)
        best = best_labels(scores, first, across, first, pointers, fresh)
        gain = best - _weigh(scores, across, said, part, worth)
        total += pulls[i] * max(gain, 0.0)
        if gain > ROUNDING * (1.0 + abs(best)):
            up = _place(said, part, fresh)
            worth[up], held[:] = best, 0.0
            known = said, part, worth
            _share(X, start, pulls[i], known, up, gain, scores, across, room)
            _carry(X, start, moved[:steps], W)
    return total
