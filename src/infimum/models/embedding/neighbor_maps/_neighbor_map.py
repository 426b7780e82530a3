r"""The divergence of a map from the affinities it should show, and its gradient.

.. math:: C = \sum_{ij} p_{ij} \log\frac{p_{ij}}{q_{ij}}, \qquad
          w_{ij} = k(\| y_i - y_j \|^2)

with q = w / Σw over all pairs ("joint"), or q(j|i) = w / Σw over each row, whose
divergences are averaged ("rowwise"). Let φ be the field of unit charges, so that
:math:`Z_i = φ(y_i) - 1` is the sum of a row. The gradient is attraction and repulsion:

.. math:: \frac{∂C}{∂y_i} = 4 \sum_j p_{ij}\, a_{ij} (y_i - y_j)
          + \frac{2}{Z} ∇φ(y_i), \qquad Z = \sum_i Z_i

with a = w for the Cauchy kernel and 1 for the Gaussian one. For rows,
:math:`1/Z` becomes :math:`(1/Z_i + 1/Z_j) / 2n`: charges 1 and 1/Z_j.
"""

from dataclasses import dataclass, replace

import numpy as np

from infimum.compiled.maps.attraction import (
    attract_plane,
    attract_space,
    sum_log_affinities,
)
from infimum.compiled.threads import in_parts
from infimum.models.embedding.neighbor_maps._affinities import Affinities
from infimum.models.embedding.neighbor_maps._charges import Charges, GridCharges
from infimum.typing import Matrix

__all__ = ["NeighborMap"]

#: Into how many parts the points are cut.
PARTS = 16


@dataclass(frozen=True)
class NeighborMap:
    """A problem: affinities, the field that pushes apart, and the variant."""

    affinities: Affinities
    charges: Charges
    joint: bool = True
    heavy: bool = True
    exaggeration: float = 1.0

    def __post_init__(self) -> None:
        """Round what a grid need not know more exactly than it is itself."""
        near = self.affinities
        if isinstance(self.charges, GridCharges) and near.weights.dtype != np.float32:
            rounded = replace(near, weights=near.weights.astype(np.float32))
            object.__setattr__(self, "affinities", rounded)

    def exaggerated(self, factor: float) -> "NeighborMap":
        """Return the problem whose points attract `factor` times as strongly."""
        return replace(self, exaggeration=factor)

    def attraction(self, Y: Matrix) -> Matrix:
        """Return the part of the gradient that pulls neighbours together."""
        out = np.empty_like(Y)
        single = isinstance(self.charges, GridCharges)
        places = _rounded(Y) if single else Y

        def pull(rows: slice) -> None:
            self._pull(places, rows, out)

        in_parts(len(Y), pull, min(PARTS, len(Y)))
        return out

    def _pull(self, Y: Matrix, rows: slice, out: Matrix) -> None:
        near = self.affinities
        graph = (near.starts, near.names, near.weights, Y, rows.start)
        if isinstance(self.charges, GridCharges):
            attract_plane(*graph, out[rows])
        else:
            attract_space(*graph, int(self.heavy), out[rows])
        out[rows] *= 4.0 * self.exaggeration

    def repulsion(self, Y: Matrix) -> Matrix:
        """Return the part of the gradient that pushes all points apart."""
        n = len(Y)
        potential, slope = self.charges.field(Y, np.ones(n))
        sums = np.maximum(potential - 1.0, np.finfo(float).tiny)
        if self.joint:
            slope *= 2.0 / sums.sum()
            return slope
        _, others = self.charges.field(Y, 1.0 / sums)
        return np.asarray((slope / sums[:, None] + others) / n)

    def gradient(self, Y: Matrix) -> Matrix:
        """Return the gradient of the divergence in all points."""
        if not isinstance(self.charges, GridCharges):
            return np.asarray(self.repulsion(Y) + self.attraction(Y))
        # A transform keeps one core busy: the others pull meanwhile.
        pulls = np.empty_like(Y)
        single = _rounded(Y)
        pushes = []

        def work(task: slice) -> None:
            part = task.start - 1
            if part < 0:
                pushes.append(self.repulsion(Y))
            else:
                rows = slice(part * len(Y) // PARTS, (part + 1) * len(Y) // PARTS)
                self._pull(single, rows, pulls)

        in_parts(PARTS + 1, work, PARTS + 1)
        pulls += pushes[0]
        return pulls

    def divergence(self, Y: Matrix) -> float:
        """Return the divergence, never exaggerated: a sum of rows is their mean."""
        near, n = self.affinities, len(Y)

        def add_up(rows: slice) -> float:
            graph = (near.starts, near.names, near.weights, Y, rows.start, rows.stop)
            return sum_log_affinities(*graph, int(self.heavy))

        distance = sum(in_parts(n, add_up, min(PARTS, n)))
        potential, _ = self.charges.field(Y, np.ones(n))
        sums = np.maximum(potential - 1.0, np.finfo(float).tiny)
        share = np.log(sums.sum()) if self.joint else np.log(sums).mean()
        return float(near.entropy + distance + share)


def _rounded(Y: Matrix) -> Matrix:
    with np.errstate(over="ignore"):  # the field says when a map flies apart
        return Y.astype(np.float32)
