"""Shannon's sampling theorem, and what it forbids to tell apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import array
from infimum.parameters import check_domain, nonnegative, positive
from infimum.typing import Vector

__all__ = ["alias", "shannon_reconstruct"]


def shannon_reconstruct(samples: Any, rate: float, times: Any, start: float = 0) -> Any:
    """Return a signal between its samples, taken `rate` times a second from `start`.

    Exact for endless samples of a signal without frequencies above rate/2.

    Examples
    --------
    >>> t = np.arange(-400, 401) / 8.0
    >>> said = shannon_reconstruct(np.cos(2 * np.pi * t), 8.0, [0.05], start=-50.0)
    >>> bool(abs(said[0] - np.cos(0.1 * np.pi)) < 1e-2)
    True
    """
    check_domain("shannon_reconstruct.rate", rate, positive)
    values: Vector = array(samples, ensure_2d=False)
    asked: Vector = array(times, ensure_2d=False)
    places = np.arange(len(values))
    return np.sinc((asked[:, None] - start) * rate - places) @ values


def alias(frequency: float, rate: float) -> float:
    """Return the frequency of [0, rate/2] with the same samples of its cosine.

    Examples
    --------
    >>> alias(7.0, 8.0), alias(3.0, 8.0)
    (1.0, 3.0)
    """
    check_domain("alias.frequency", frequency, nonnegative)
    check_domain("alias.rate", rate, positive)
    folded = frequency % rate
    return float(min(folded, rate - folded))
