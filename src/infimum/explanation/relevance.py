"""Global relevance: the columns that a transparent model leans on most."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import IncompatibleError
from infimum.evaluation import PlainRecord
from infimum.typing import Vector

__all__ = ["Relevance", "global_relevance"]


@dataclass(frozen=True)
class Relevance(PlainRecord):
    """How much a model leans on each feature, and how that is meant."""

    relevances: Vector
    meaning: str

    def ranked(self) -> list[int]:
        """Return the positions of the features, the most relevant first."""
        return [int(i) for i in np.argsort(-self.relevances, kind="stable")]


def global_relevance(model: Any, X: Any = None) -> Relevance:
    """Read off a linear model or a tree which features are most relevant to it.

    Trees state their importances. The weights of a linear model can be compared only
    in equal units, so each is multiplied by the standard deviation of its feature in
    `X`; without `X` the features are taken to be standardised already.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import global_relevance
    >>> from infimum.models.linear import Ridge
    >>> X = np.random.default_rng(0).standard_normal((50, 2)) * [1.0, 100.0]
    >>> model = Ridge().fit(X, X @ [1.0, 0.1])
    >>> global_relevance(model).ranked(), global_relevance(model, X).ranked()
    ([0, 1], [1, 0])
    """
    if hasattr(model, "feature_importances_"):
        found = np.asarray(model.feature_importances_, dtype=np.float64)
        return Relevance(found, "importance in the splits")
    if not hasattr(model, "coef_"):
        raise IncompatibleError(
            f"{type(model).__name__} shows neither weights nor importances; use "
            "permutation_importance."
        )
    weights = np.abs(np.atleast_2d(np.asarray(model.coef_, dtype=np.float64)))
    sizes = np.asarray(weights.max(axis=0))
    if X is None:
        return Relevance(sizes, "size of the weight")
    spread = np.asarray(X, dtype=np.float64).std(axis=0)
    return Relevance(sizes * spread, "size of the weight times standard deviation")
