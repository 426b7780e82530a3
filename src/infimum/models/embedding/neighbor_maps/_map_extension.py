r"""New points on a map that is at rest.

Each new point minimises its own divergence, the old points being fixed:

.. math:: \min_y\ \sum_j p_j \log\frac{p_j}{q_j}, \qquad
          q_j = \frac{w_j}{\sum_k w_k}, \quad w_j = k(\| y - y_j \|^2)

New points do not see each other, so where one lands does not depend on its company.
"""

import numpy as np

from infimum.models.embedding.neighbor_maps._affinities import conditional_affinities
from infimum.models.embedding.neighbor_maps._charges import (
    Charges,
    FullCharges,
    TreeCharges,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["place"]

STEPS = 60
#: Rows placed at a time.
BLOCK = 4096
#: Up to so many points on the map all of them are added up.
FEW = 2000
#: Opening angle of the tree otherwise, finer than a fit's: it acts once.
ANGLE = 0.3
#: Dimensions in which cells can be told apart quickly.
TREE_SIDES = 3


def place(
    Y: Matrix, distances: Matrix, names: Indices, perplexity: float, *, heavy: bool
) -> Matrix:
    """Return places for new points with these distances to their neighbours on a map.

    A point at distance 0 of an old one is put there.
    """
    few = len(Y) <= FEW or Y.shape[1] > TREE_SIDES or not heavy
    charges: Charges = FullCharges(heavy) if few else TreeCharges(ANGLE)
    placed = np.empty((len(names), Y.shape[1]))
    for begin in range(0, len(names), BLOCK):
        rows = slice(begin, begin + BLOCK)
        near = names[rows]
        chances, _ = conditional_affinities(distances[rows], perplexity)
        placed[rows] = _settle(Y, chances, near, charges, heavy=heavy)
        known = distances[rows, 0] == 0.0
        placed[rows][known] = Y[near[known, 0]]
    return placed


def _settle(
    Y: Matrix, chances: Matrix, near: Indices, charges: Charges, *, heavy: bool
) -> Matrix:
    """Descend from the mean of the neighbours; each point has its own step.

    The attraction alone would be minimised by jumping to a weighted mean of the
    neighbours, which gives the scale of a step; a step that leads uphill is taken back
    and halved.
    """
    places = np.einsum("ij,ijs->is", chances, Y[near])
    steps = np.ones(len(places))
    cost, downhill = _judge(Y, chances, near, charges, places, heavy=heavy)
    for _ in range(STEPS):
        trial = places + steps[:, None] * downhill
        trial_cost, trial_downhill = _judge(
            Y, chances, near, charges, trial, heavy=heavy
        )
        better = trial_cost < cost
        places[better], cost[better] = trial[better], trial_cost[better]
        downhill[better] = trial_downhill[better]
        steps = np.where(better, np.minimum(1.3 * steps, 1.0), 0.5 * steps)
    return np.asarray(places)


def _judge(
    Y: Matrix,
    chances: Matrix,
    near: Indices,
    charges: Charges,
    places: Matrix,
    *,
    heavy: bool,
) -> tuple[Vector, Matrix]:
    """Return the cost of each place up to a constant, and a scaled way downhill."""
    gaps = places[:, None, :] - Y[near]
    squares = np.einsum("ijs,ijs->ij", gaps, gaps)
    potential, slope = charges.field(Y, np.ones(len(Y)), places)
    potential = np.maximum(potential, np.finfo(float).tiny)
    pulls = chances / (1.0 + squares) if heavy else chances
    far = np.log1p(squares) if heavy else squares
    cost = np.einsum("ij,ij->i", chances, far) + np.log(potential)
    gradient = 2.0 * np.einsum("ij,ijs->is", pulls, gaps) + slope / potential[:, None]
    return cost, -gradient / (2.0 * pulls.sum(axis=1))[:, None]
