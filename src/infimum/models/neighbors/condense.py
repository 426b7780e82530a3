"""Fewer samples for the nearest neighbour: editing and condensing."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import table
from infimum.models.neighbors.k_neighbors_classifier import KNeighborsClassifier
from infimum.typing import Indices

__all__ = ["condense", "edit"]


def edit(X: Any, y: Any, n_neighbors: int = 3) -> Indices:
    """Return the positions of the samples whose neighbours confirm their label.

    Every sample is classified by its nearest others; those that are outvoted are
    dropped, which smooths the boundary and removes mislabelled samples.

    Examples
    --------
    >>> edit([[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 0, 0])
    array([0, 1, 3, 4])

    References
    ----------
    Wilson (1972), IEEE Transactions on Systems, Man and Cybernetics 2(3).
    """
    X, y = table(X, y)
    votes = KNeighborsClassifier(n_neighbors).fit(X, y).predict(None)
    return np.flatnonzero(votes == y)


def condense(X: Any, y: Any) -> Indices:
    """Return positions of samples whose nearest-neighbour rule is right on all.

    Samples are read in their order, again and again; whichever the kept ones
    misclassify is kept too. Ends when a pass keeps nothing new, so that the rule of
    the kept samples classifies all samples correctly (of equal samples with different
    labels, the first label).

    Examples
    --------
    >>> condense([[0.0], [1.0], [2.0], [8.0], [9.0]], [0, 0, 0, 1, 1])
    array([0, 3])

    References
    ----------
    Hart (1968), IEEE Transactions on Information Theory 14(3).
    """
    X, y = table(X, y)
    kept = [0]
    squares = np.sum((X - X[0]) ** 2, axis=1)
    nearest = np.zeros(len(X), dtype=np.intp)
    grew = True
    while grew:
        grew = False
        for i in range(len(X)):
            if y[nearest[i]] == y[i] or squares[i] == 0.0:
                continue
            kept.append(i)
            grew = True
            new = np.sum((X - X[i]) ** 2, axis=1)
            closer = new < squares
            squares[closer], nearest[closer] = new[closer], i
    return np.sort(np.array(kept, dtype=np.intp))
