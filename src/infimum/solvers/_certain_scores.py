"""f at the samples for a proof: to the last digit where that makes a difference.

Away from the margin a sample loses nothing, and that its loss is 0 follows from a
rougher f already, if one knows how rough it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.certificates import best_offsets
from infimum.objectives import KernelTiles, SupportVectorDual
from infimum.typing import Mask, Vector

__all__ = ["Sketch", "certain_scores"]


class Sketch(NamedTuple):
    """f at the samples, and by how much it is wrong at most."""

    scores: Vector
    errors: Vector


def certain_scores(
    dual: SupportVectorDual, point: Vector, tiles: KernelTiles, sketch: Sketch
) -> tuple[Vector, Vector]:
    """Return f at the samples, and how wrong it is where it is still the sketch's.

    There it is certain that no variable gains by leaving 0 under the best offsets; so
    the primal and the dual are those of f computed everywhere.
    """
    scores, errors = sketch.scores.copy(), sketch.errors.copy()
    coefficients = dual.coefficients(point)
    members = np.flatnonzero(coefficients)
    factors = coefficients[members]
    errors[members] = 0.0
    others = np.flatnonzero(_doubtful(dual, scores, errors))
    exact = tiles.own_sums(factors, members, others)
    while True:
        scores[members], scores[others] = exact[members], exact[others]
        errors[others] = 0.0
        more = np.flatnonzero(_doubtful(dual, scores, errors))
        if not len(more):
            return scores, errors
        others = more
        exact[others] = tiles.multiply(factors, members, others)


def _doubtful(dual: SupportVectorDual, scores: Vector, errors: Vector) -> Mask:
    """Tell which samples might lose something, were f wrong by its error."""
    offsets = best_offsets(dual, scores)
    pull = -(scores[dual.places] + dual.linear + offsets[dual.groups])
    error = errors[dual.places]
    idle = (pull < -error) & (dual.low == 0.0)
    idle |= (pull > error) & (dual.high == 0.0)
    doubtful = np.zeros(dual.n_samples, dtype=bool)
    doubtful[dual.places[~idle]] = True
    return doubtful & (errors > 0.0)
