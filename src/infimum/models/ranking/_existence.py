"""Whether scores can grow without end, so that none are the likeliest."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from infimum.errors import DataError
from infimum.models.ranking.comparisons import Comparisons
from infimum.typing import Vector

__all__ = ["endless_direction", "refuse_endless"]

#: What a direction must gain, of 1 for a game, to be one.
SURE = 1e-6


def refuse_endless(games: Comparisons, forms: Any, ties: str | None) -> None:
    """Raise if parameters can grow without end; see `endless_direction`."""
    way = endless_direction(games, forms, ties)
    if way is None:
        return
    n, p = len(games.items), forms.shape[1]
    far = np.abs(way) > SURE * np.abs(way).max()
    if ties is not None and far[-1]:
        what = "the weight of ties"
    elif p == n + 1 and far[n]:
        what = "the advantage of the left side"
    elif p >= n and np.ptp(way[:n]) > 0:
        what = f"the score of {games.items[int(np.argmax(way[:n]))]!r}"
    else:
        what = "what is said of covariates"
    raise DataError(
        f"BradleyTerryRanker: no parameters are likeliest, for {what} can grow or fall "
        "without end and no game gets less likely; set strength above 0, or leave it "
        "out."
    )


def endless_direction(
    games: Comparisons, forms: Any, ties: str | None
) -> Vector | None:
    """Return a direction along which no game gets less likely, and some get likelier.

    Without one the likeliest parameters are finite. A game's probability falls nowhere
    along a direction if its outcome stays the greatest of all that are possible:
    linear inequalities, which a linear program holds against each other.

    Parameters
    ----------
    games : Comparisons
    forms : sparse matrix of shape (n_pairs, n_parameters)
        Differences of scores, with the home advantage; not the ties' parameter.
    ties : {"davidson", "rao_kupper"} or None
        Models of ties have a parameter more, the last one. None: ties are halves.
    """
    won, lost, tied = (count > 0 for count in (games.wins, games.losses, games.ties))
    d = sparse.csr_array(forms)
    if ties is None:
        rows = [d[won | tied], -d[lost | tied]]
    else:
        one = sparse.csr_array(np.ones((d.shape[0], 1)))
        half = 0.5 if ties == "davidson" else 1.0
        ahead = sparse.csr_array(sparse.hstack([half * d, -one]))
        behind = sparse.csr_array(sparse.hstack([-half * d, -one]))
        even = [sparse.csr_array(-part)[tied] for part in (ahead, behind)]
        rows = [ahead[won], behind[lost], *even]
        d = sparse.csr_array(sparse.hstack([d, 0.0 * one]))
        # With a weight of ties that falls, a win must still not be a loss.
        rows += [d[won], -d[lost]]
    A = sparse.csr_array(sparse.vstack(rows))
    both: Any = sparse.vstack([A, -A])
    found: Any = linprog(
        -np.asarray(A.sum(axis=0)).ravel(),
        A_ub=both,
        b_ub=np.repeat([1.0, 0.0], A.shape[0]),
        bounds=(-1e3, 1e3),
    )
    if found.x is None or -found.fun <= SURE:
        return None
    return np.asarray(found.x)
