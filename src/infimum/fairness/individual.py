"""Individual fairness: similar people should be treated similarly."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.typing import Matrix

__all__ = ["IndividualFairness", "individual_fairness"]


@dataclass(frozen=True)
class IndividualFairness(PlainRecord):
    """The pair of rows that is treated most differently for how similar it is.

    `ratio` is the largest D(f(x), f(x')) / d(x, x'): the smallest Lipschitz constant
    that the answers have on these rows; infinite if equal rows get different answers.
    """

    ratio: float
    first: int
    second: int


def individual_fairness(
    answers: ArrayLike,
    X: ArrayLike,
    *,
    distance: str | Callable[[Any, Any], Any] = "euclidean",
    answer_distance: str | Callable[[Any, Any], Any] = "euclidean",
) -> IndividualFairness:
    """Return how differently the most unlucky pair of similar rows is treated.

    Which rows are similar, and which answers, must be said by the user: both metrics
    may be names or functions of two rows, as SciPy's `cdist` takes them.

    Examples
    --------
    >>> from infimum.fairness import individual_fairness
    >>> individual_fairness([0.0, 0.1, 0.9], [[0.0], [1.0], [1.1]])
    IndividualFairness(ratio=8.0, first=1, second=2)
    """
    rows = np.asarray(X, dtype=np.float64)
    said = np.asarray(answers, dtype=np.float64)
    said = said[:, None] if said.ndim == 1 else said
    if len(rows) != len(said) or len(rows) < 2:  # noqa: PLR2004
        raise DataError(
            "individual_fairness needs an answer for each of at least 2 rows, got "
            f"{len(said)} and {len(rows)}."
        )
    apart: Matrix = cdist(rows, rows, distance)  # type: ignore[arg-type]
    treated: Matrix = cdist(said, said, answer_distance)  # type: ignore[arg-type]
    first, second = np.triu_indices(len(rows), 1)
    near, far = apart[first, second], treated[first, second]
    ratios = np.where(far == 0, 0.0, np.inf)
    np.divide(far, near, out=ratios, where=near > 0)
    worst = int(np.argmax(ratios))
    ratio = float(np.round(ratios[worst], 12))
    return IndividualFairness(ratio, int(first[worst]), int(second[worst]))
