"""Ontology hinge loss: mistakes between labels far apart cost more."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.decoders import Ontology
from infimum.typing import Matrix, Vector

__all__ = ["OntologyHinge"]


@dataclass(frozen=True, eq=False)
class OntologyHinge:
    r"""Structured hinge loss over the leaves of an ontology.

    .. math:: \ell(y, f) = \max_{y'} \langle φ(y') - φ(y), f\rangle + \Delta(y, y')

    f has a score for each node; Δ is half the difference of the paths. Nodes that both
    paths share get no slope. An ontology of a root and its leaves leaves the multiclass
    hinge loss.

    Examples
    --------
    >>> import numpy as np
    >>> flat = Ontology([("all", "a"), ("all", "b")])
    >>> OntologyHinge(flat).value(["a"], np.zeros((1, 2)))
    array([1.])
    """

    ontology: Ontology

    def value(self, y: Any, f: Matrix) -> Vector:
        """Return the loss of each sample."""
        return self.evaluate(y, f)[0]

    def derivative(self, y: Any, f: Matrix) -> Matrix:
        """Return a subgradient in the scores of the nodes, for each sample."""
        return self.evaluate(y, f)[1]

    def evaluate(self, y: Any, f: Matrix) -> tuple[Vector, Matrix]:
        """Return values and subgradients at once."""
        right = self.ontology.codes(y)
        scores = self.ontology.scores(f)
        rows = np.arange(len(right))
        augmented = scores - scores[rows, right][:, None]
        augmented += self.ontology.costs()[right]
        worst = np.argmax(augmented, axis=1)
        paths = self.ontology.features
        return augmented[rows, worst], paths[worst] - paths[right]
