"""Common substrings of texts, in time linear in their lengths.

A suffix automaton reads exactly the substrings of a text. Each state stands for all
substrings with the same end positions: those of length link.length + 1 to length.
"""

from typing import Any

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["match_substrings"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
#: The most entries of a table of steps, 32 MB; without one, edges are looked up.
_TABLE = 4_000_000


@loop()
def match_substrings(
    text: Indices,
    alphabet: int,
    cumulative: Vector,
    others: Indices,
    starts: Indices,
    out: Vector,
) -> Any:
    """Write Σ_s w(|s|)·#(text, s)·#(other, s) for each of the other texts.

    `cumulative[l]` is w(1) + … + w(l); `others` holds the texts end to end, and
    `starts` where each begins. Returns how many states and edges the automaton has,
    and how many steps the matching took.
    """
    length, link, total, edges, keys, places, used = _build(text, alphabet)
    below, order = _weigh(length, link, total, used[0], cumulative)
    letters = starts[-1] - starts[0]
    if used[0] * alphabet <= min(letters, _TABLE):
        table = _tabulate(length, link, edges, keys, places, order, alphabet)
        # All suffixes of a match end together: the longest ones in its state, the
        # others in the states its links lead to. Their weight is linear in the
        # cumulative weight of the match's length.
        lines = np.zeros((used[0], 2))
        for state in range(1, used[0]):
            up = link[state]
            lines[state, 0] = below[up] - total[state] * cumulative[length[up]]
            lines[state, 1] = total[state]
        _by_table(table, alphabet, lines, cumulative, others, starts, out)
        used[2] = letters
        return used
    for number in range(starts.size - 1):
        state, reach, value = 0, 0, 0.0
        for place in range(starts[number], starts[number + 1]):
            symbol = others[place]
            slot = _slot(keys, state * alphabet + symbol)
            while state != 0 and keys[slot] == -1:
                state = link[state]
                reach = length[state]
                slot = _slot(keys, state * alphabet + symbol)
                used[2] += 1
            used[2] += 1
            if keys[slot] != -1:
                state = edges[places[slot], 1]
                reach += 1
                up = link[state]
                inside = cumulative[reach] - cumulative[length[up]]
                value += below[up] + total[state] * inside
        out[number] = value
    return used


@inner_loop()
def _tabulate(
    length: Indices,
    link: Indices,
    edges: Indices,
    keys: Indices,
    places: Indices,
    order: Indices,
    alphabet: int,
) -> Any:
    """Return for each state and symbol the next state, and how long a match may be.

    Where a state has no edge, its links are followed once and for all; a state whose
    links have been followed before it (`order` is by length) passes them on.
    """
    table = np.zeros((order.size * alphabet, 2), np.int32)
    for state in order:
        for symbol in range(alphabet):
            entry = state * alphabet + symbol
            slot = _slot(keys, entry)
            if keys[slot] != -1:
                table[entry, 0] = edges[places[slot], 1]
                table[entry, 1] = length[state] + 1
            elif state != 0:
                shorter = link[state] * alphabet + symbol
                table[entry, 0] = table[shorter, 0]
                table[entry, 1] = table[shorter, 1]
    return table


@inner_loop()
def _by_table(
    table: Any,
    alphabet: int,
    lines: Matrix,
    cumulative: Vector,
    others: Indices,
    starts: Indices,
    out: Vector,
) -> None:
    for number in range(starts.size - 1):
        state, reach, value = np.int64(0), np.int64(0), 0.0
        for place in range(starts[number], starts[number + 1]):
            entry = state * alphabet + others[place]
            state = np.int64(table[entry, 0])
            reach = min(reach + 1, np.int64(table[entry, 1]))
            value += lines[state, 0] + lines[state, 1] * cumulative[reach]
        out[number] = value


@inner_loop()
def _slot(keys: Indices, key: Any) -> Any:
    mask = keys.size - 1
    place = np.int64((np.uint64(key) * _GOLDEN) >> _HALF) & mask
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@inner_loop()
def _add_edge(
    state: int,
    symbol: int,
    target: int,
    alphabet: int,
    edges: Indices,
    heads: Indices,
    keys: Indices,
    places: Indices,
    used: Indices,
) -> None:
    slot = _slot(keys, state * alphabet + symbol)
    edge = used[1]
    used[1] += 1
    keys[slot] = state * alphabet + symbol
    places[slot] = edge
    edges[edge, 0] = symbol
    edges[edge, 1] = target
    edges[edge, 2] = heads[state]
    heads[state] = edge


@inner_loop()
def _build(text: Indices, alphabet: int) -> Any:
    most = 2 * text.size + 1
    length, heads = np.zeros(most, np.int64), np.full(most, -1, np.int64)
    link, total = np.full(most, -1, np.int64), np.zeros(most)
    edges = np.empty((3 * text.size + 3, 3), np.int64)
    capacity = 8
    while capacity < 6 * text.size + 6:
        capacity *= 2
    keys, places = np.full(capacity, -1, np.int64), np.empty(capacity, np.int64)
    used = np.array([1, 0, 0])
    last = 0
    for symbol in text:
        new, state = used[0], last
        used[0] += 1
        length[new] = length[last] + 1
        total[new] = 1.0
        while state != -1 and keys[_slot(keys, state * alphabet + symbol)] == -1:
            _add_edge(state, symbol, new, alphabet, edges, heads, keys, places, used)
            state = link[state]
        link[new] = 0
        if state != -1:
            slot = _slot(keys, state * alphabet + symbol)
            target = edges[places[slot], 1]
            if length[state] + 1 == length[target]:
                link[new] = target
            else:
                table = edges, heads, keys, places, used
                link[new] = _split(state, symbol, alphabet, length, link, table)
        last = new
    return length, link, total, edges, keys, places, used


@inner_loop()
def _split(
    state: int, symbol: int, alphabet: int, length: Indices, link: Indices, table: Any
) -> Any:
    """Give the shorter substrings of a state a state of their own; return it."""
    edges, heads, keys, places, used = table
    slot = _slot(keys, state * alphabet + symbol)
    old, new = edges[places[slot], 1], used[0]
    used[0] += 1
    length[new] = length[state] + 1
    edge = heads[old]
    while edge != -1:
        _add_edge(
            new, edges[edge, 0], edges[edge, 1], alphabet,
            edges, heads, keys, places, used,
        )  # fmt: skip
        edge = edges[edge, 2]
    link[new] = link[old]
    link[old] = new
    while state != -1:
        slot = _slot(keys, state * alphabet + symbol)
        if keys[slot] == -1 or edges[places[slot], 1] != old:
            break
        edges[places[slot], 1] = new
        state = link[state]
    return new


@inner_loop()
def _weigh(
    length: Indices, link: Indices, total: Vector, states: int, cumulative: Vector
) -> Any:
    """Count occurrences along the links; return the weight of each state's suffixes.

    Returns the states by length, too.
    """
    longest = 0
    for state in range(states):
        longest = max(longest, length[state])
    starts = np.zeros(longest + 2, np.int64)
    for state in range(states):
        starts[length[state] + 1] += 1
    starts = np.cumsum(starts)
    order = np.empty(states, np.int64)
    for state in range(states):
        order[starts[length[state]]] = state
        starts[length[state]] += 1
    for place in range(states - 1, 0, -1):
        total[link[order[place]]] += total[order[place]]
    below = np.zeros(states)
    for place in range(1, states):
        state = order[place]
        up = link[state]
        inside = cumulative[length[state]] - cumulative[length[up]]
        below[state] = below[up] + total[state] * inside
    return below, order
