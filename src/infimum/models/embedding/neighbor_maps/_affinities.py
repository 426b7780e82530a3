r"""How likely points are neighbours: Gaussian windows of one perplexity.

.. math:: p_{j|i} = \frac{\exp(-d_{ij}^2 / 2σ_i^2)}
                         {\sum_{k ≠ i} \exp(-d_{ik}^2 / 2σ_i^2)}, \qquad
          2^{H_i} = \text{perplexity}, \quad H_i = -\sum_j p_{j|i} \log_2 p_{j|i}

Every σ is found by search; the entropy grows with it.
"""

from dataclasses import dataclass

import numpy as np

from infimum.compiled.maps.perplexities import calibrate_rows
from infimum.compiled.products.symmetric_rows import add_transpose
from infimum.compiled.threads import in_parts
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Affinities", "conditional_affinities", "joint_affinities"]

#: How far, in nats, an entropy may be from the one asked for.
PRECISION = 1e-7


@dataclass(frozen=True)
class Affinities:
    """A symmetric sparse matrix of affinities that add up to 1, as rows.

    `entropy` is Σ p log p over the probabilities the map is judged by, which need not
    be the ones that pull.
    """

    starts: Indices
    names: Indices
    weights: Vector
    entropy: float


def conditional_affinities(
    distances: Matrix, perplexity: float
) -> tuple[Matrix, Vector]:
    """Return p(j|i) and σ_i, from distances of each point i to others.

    Perplexity ranges from the number of nearest points at equal distance to the number
    of others; beyond, the nearest that can be had is taken.
    """
    squares = np.square(distances, dtype=np.float64)
    chances, rates = np.empty_like(squares), np.empty(len(squares))
    target = float(np.log(perplexity))

    def calibrate(rows: slice) -> None:
        calibrate_rows(squares[rows], target, PRECISION, chances[rows], rates[rows])

    in_parts(len(squares), calibrate)
    return chances, np.sqrt(0.5 / rates)


def joint_affinities(chances: Matrix, names: Indices, *, joint: bool) -> Affinities:
    """Return (p(j|i) + p(i|j)) / 2n as rows, and the entropy of the variant.

    If `joint` the entropy is that of these; else the mean of those of the rows p(·|i).
    """
    n = len(names)
    starts, others, weights = add_transpose(names, chances)
    weights /= 2.0 * n
    judged = weights if joint else chances.ravel()
    judged = judged[judged > 0]
    entropy = float(judged @ np.log(judged)) / (1 if joint else n)
    return Affinities(starts, others, weights, entropy)
