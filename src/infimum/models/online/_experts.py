"""How the advice of experts is read."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["losses_of", "votes_of"]


def votes_of(owner: str, votes: ArrayLike, experts: int) -> Vector:
    """Admit one vote ±1 from each expert."""
    found = np.asarray(votes, dtype=np.float64)
    if found.shape != (experts,) or not np.isin(found, (-1.0, 1.0)).all():
        raise DataError(f"{owner} needs {experts} votes of -1 or 1, one per expert.")
    return found


def losses_of(owner: str, losses: ArrayLike, experts: int) -> Vector:
    """Admit one loss within [0, 1] for each expert."""
    found = np.asarray(losses, dtype=np.float64)
    if found.shape != (experts,) or not ((found >= 0) & (found <= 1)).all():
        raise DataError(f"{owner} needs {experts} losses in [0, 1], one per expert.")
    return found
