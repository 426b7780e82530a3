"""Structured logistic loss: minus the log-likelihood of a labelling of a chain."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.decoders import Chain
from infimum.typing import Matrix

__all__ = ["StructuredLogistic"]


@dataclass(frozen=True, eq=False)
class StructuredLogistic:
    r"""Loss of a conditional random field.

    .. math:: \ell(y, f) = \log \sum_{y'} e^{s(y')} - s(y)

    s is the score of a `Chain`. The gradient is that of expected labels minus the
    right ones.

    Examples
    --------
    >>> import numpy as np
    >>> loss = StructuredLogistic(Chain(np.zeros((2, 2))))
    >>> round(loss.value(np.array([0, 1]), np.zeros((2, 2))), 6)  # log 4
    1.386294
    """

    chain: Chain

    def value(self, y: Any, f: Matrix) -> float:
        """Return the loss of one sequence of labels y and scores f."""
        labels = np.asarray(y, dtype=np.intp)
        own = self.chain.score(f, labels)[0]
        return float(self.chain.log_partition(f)[0] - own)

    def derivative(self, y: Any, f: Matrix) -> Matrix:
        """Return the gradient in the scores."""
        slopes = self.chain.marginals(f).labels
        slopes[np.arange(len(slopes)), np.asarray(y, dtype=np.intp)] -= 1.0
        return slopes
