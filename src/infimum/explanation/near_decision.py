"""The rows nearest to the decision: where a model is least sure of itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import PlainRecord
from infimum.explanation._response import answers
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Vector

__all__ = ["NearDecision", "rows_near_decision"]


@dataclass(frozen=True)
class NearDecision(PlainRecord):
    """Rows whose decision hangs by a thread, the thinnest first.

    Attributes
    ----------
    rows : ndarray
        Positions in the table.
    decisions : ndarray
        What the model says about them.
    distances : ndarray
        Best probability (or score) minus the next; the distance of a single score
        from 0.
    """

    rows: Indices
    decisions: NDArray[Any]
    distances: Vector


def rows_near_decision(model: Any, X: Any, most: int = 5) -> NearDecision:
    """Return the rows about which a classifier nearly decided otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import rows_near_decision
    >>> from infimum.models.linear import LogisticRegression
    >>> X = np.array([[-3.0], [-0.2], [0.1], [4.0]])
    >>> model = LogisticRegression().fit(X, [0, 0, 1, 1])
    >>> rows_near_decision(model, X, most=2).rows
    array([2, 1])
    """
    check_domain("rows_near_decision's most", most, whole(1))
    decided, distances = answers(model, X)
    order = np.argsort(distances, kind="stable")[:most]
    return NearDecision(order, decided[order], distances[order])
