"""The messages of affinity propagation, and the clusters that they end in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.typing import Indices, Mask, Matrix

__all__ = ["Election", "elect", "gather_voters"]


class Election(NamedTuple):
    """The exemplars, the number of each sample's among them, and rounds it took."""

    exemplars: Indices
    labels: Indices
    rounds: int


def elect(
    alike: Matrix, damping: float, most: int, stay: int
) -> tuple[Mask, int, bool]:
    """Return who is an exemplar, after how many rounds, and whether that is settled.

    `alike` has the preferences on its diagonal. The vote is settled when it has been
    the same, and not empty, for `stay` rounds.
    """
    suited, available = np.zeros_like(alike), np.zeros_like(alike)
    room = np.empty_like(alike)
    chosen: Mask = np.zeros(len(alike), dtype=bool)
    same = 0
    for step in range(1, most + 1):
        _ask(alike, suited, available, room, damping)
        _answer(suited, available, room, damping)
        before, chosen = chosen, np.diag(available) + np.diag(suited) > 0.0
        same = same + 1 if step > 1 and np.array_equal(before, chosen) else 1
        if same >= stay and step > stay and chosen.any():
            return chosen, step, True
    return chosen, most, False


def _ask(
    alike: Matrix, suited: Matrix, available: Matrix, room: Matrix, damping: float
) -> None:
    """Compare each candidate with the best of the others."""
    rows = np.arange(len(alike))
    np.add(available, alike, out=room)
    first = room.argmax(axis=1)
    best = room[rows, first]
    room[rows, first] = -np.inf
    second = room.max(axis=1)
    np.subtract(alike, best[:, None], out=room)
    room[rows, first] = alike[rows, first] - second
    _mix(suited, room, damping)


def _answer(suited: Matrix, available: Matrix, room: Matrix, damping: float) -> None:
    """Add up what speaks for each candidate, but for the one who asks."""
    np.maximum(suited, 0.0, out=room)
    np.fill_diagonal(room, np.diag(suited))
    np.subtract(room.sum(axis=0), room, out=room)
    own = np.diag(room).copy()
    np.minimum(room, 0.0, out=room)
    np.fill_diagonal(room, own)
    _mix(available, room, damping)


def _mix(message: Matrix, fresh: Matrix, damping: float) -> None:
    message *= damping
    fresh *= 1.0 - damping
    message += fresh


def gather_voters(alike: Matrix, chosen: Mask, rounds: int) -> Election:
    """Return the clusters of the chosen, each led by its most central member."""
    leaders = np.flatnonzero(chosen)
    if not len(leaders):
        return Election(leaders, np.full(len(alike), -1), rounds)
    label = _follow(alike, leaders)
    for k in range(len(leaders)):
        inside = np.flatnonzero(label == k)
        leaders[k] = inside[alike[np.ix_(inside, inside)].sum(axis=0).argmax()]
    names = leaders[_follow(alike, leaders)]
    exemplars, labels = np.unique(names, return_inverse=True)
    return Election(exemplars, labels, rounds)


def _follow(alike: Matrix, leaders: Indices) -> Indices:
    label = alike[:, leaders].argmax(axis=1)
    label[leaders] = np.arange(len(leaders))
    return np.asarray(label)
