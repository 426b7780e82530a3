"""Ontology softmax loss: the likelihood of a leaf whose path scores together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from infimum.decoders import Ontology
from infimum.typing import Matrix, Vector

__all__ = ["OntologySoftmax"]


@dataclass(frozen=True, eq=False)
class OntologySoftmax:
    r"""Minus the log-likelihood of a leaf under a softmax over all leaves.

    .. math:: \ell(y, f) = \log \sum_{y'} e^{\langle φ(y'), f\rangle}
              - \langle φ(y), f\rangle

    The derivative is E[φ] - φ(y). Splitting probabilities equally among several
    parents is another law where these have different numbers of paths: E[φ] is
    computed from φ itself.

    Examples
    --------
    >>> import numpy as np
    >>> flat = Ontology([("all", "a"), ("all", "b")])
    >>> OntologySoftmax(flat).derivative(["a"], np.zeros((1, 2)))
    array([[-0.5,  0.5]])
    """

    ontology: Ontology

    def value(self, y: Any, f: Matrix) -> Vector:
        """Return the loss of each sample."""
        scores, right = self.ontology.scores(f), self.ontology.codes(y)
        own = scores[np.arange(len(right)), right]
        return np.asarray(logsumexp(scores, axis=1) - own)

    def derivative(self, y: Any, f: Matrix) -> Matrix:
        """Return the gradient in the scores of the nodes, for each sample."""
        scores, right = self.ontology.scores(f), self.ontology.codes(y)
        chances = np.exp(scores - logsumexp(scores, axis=1)[:, None])
        paths = self.ontology.features
        return np.asarray(chances @ paths - paths[right])
