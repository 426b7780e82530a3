"""Streams whose law changes: drifting and dependent samples with a known truth."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.parameters import Choice, Interval, check_domain, closed, whole
from infimum.typing import Matrix, Vector

__all__ = ["DriftingStream", "drifting_stream"]

_DRIFTS = Choice(("none", "sudden", "gradual"))
_MEMORY = Interval(0, 1, open_high=True)


@dataclass(frozen=True, eq=False)
class DriftingStream:
    """Rows in the order of time, and the rule that was true for each.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        0 or 1.
    weights : ndarray of shape (n, d)
        The best linear score of each moment is ⟨weights, x⟩.
    """

    X: Matrix
    y: Any
    weights: Matrix


def drifting_stream(
    n: int = 1000,
    d: int = 2,
    *,
    drift: str = "gradual",
    turn: float = 0.5,
    memory: float = 0.0,
    noise: float = 0.0,
    random_state: Any = None,
) -> DriftingStream:
    """Return a stream of two classes parted by a plane that turns.

    Parameters
    ----------
    n, d : int
        Rows, and columns (two or more).
    drift : {"none", "sudden", "gradual"}, default="gradual"
        Whether the plane stays, turns at half time, or turns all the time.
    turn : float, default=0.5
        By how many half circles it turns in all.
    memory : float, default=0.0
        Correlation of each row with the one before: 0 for independent rows.
    noise : float, default=0.0
        Probability of a wrong label.

    Examples
    --------
    >>> stream = drifting_stream(100, drift="sudden", turn=1.0, random_state=0)
    >>> stream.weights[0].round(6).tolist(), stream.weights[-1].round(6).tolist()
    ([1.0, 0.0], [-1.0, 0.0])
    """
    check_domain("drifting_stream: n", n, whole(1))
    check_domain("drifting_stream: d", d, whole(2))
    check_domain("drifting_stream: drift", drift, _DRIFTS)
    check_domain("drifting_stream: memory", memory, _MEMORY)
    check_domain("drifting_stream: noise", noise, closed(0, 1))
    draw = np.random.default_rng(random_state)
    X = draw.standard_normal((int(n), int(d)))
    for row in range(1, int(n)):
        X[row] = memory * X[row - 1] + np.sqrt(1.0 - memory**2) * X[row]
    times: Vector = np.arange(int(n)) / max(int(n) - 1, 1)
    done = {"none": 0.0 * times, "sudden": (times >= 0.5) * 1.0, "gradual": times}
    angles = np.pi * turn * done[drift]
    weights = np.zeros((int(n), int(d)))
    weights[:, 0], weights[:, 1] = np.cos(angles), np.sin(angles)
    y = (np.einsum("ij,ij->i", X, weights) > 0).astype(int)
    y = np.where(draw.random(int(n)) < noise, 1 - y, y)
    return DriftingStream(X, y, weights)
