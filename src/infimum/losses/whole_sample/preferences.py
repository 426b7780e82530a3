"""Preferences: the price of scores against a list of wishes, cycles allowed."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.losses.whole_sample._sample_loss import SampleLoss, read_scores
from infimum.typing import Vector

__all__ = ["Preferences"]


@dataclass(frozen=True)
class Preferences(SampleLoss):
    r"""Mean hinge loss of pairs (i, j) of which j should have the higher score.

    .. math:: \ell(f) = \frac1{|P|} \sum_{(i, j) \in P} C(i, j) \max(0, 1 + f_i - f_j)

    P is any list of pairs and need not be an order; `PreferenceGraph` groups wishes
    without cycles. `costs` is C, 1 by default. Targets are not read: pass None.

    Examples
    --------
    >>> Preferences(((0, 1), (1, 2), (2, 0))).value(None, [0.0, 1.0, 2.0])
    1.0
    """

    pairs: tuple[tuple[int, int], ...] = ((0, 1),)
    costs: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        pairs = np.array(self.pairs)
        whole = pairs.dtype.kind in "iu" and pairs.size > 0
        if not whole or pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.min() < 0:  # noqa: PLR2004
            raise InvalidParameterError(
                "Preferences.pairs must be one or more pairs of positions, got "
                f"{self.pairs!r}."
            )
        costs = np.array(self.costs, dtype=np.float64)
        if len(costs) not in (0, len(pairs)) or not (costs >= 0).all():
            raise InvalidParameterError(
                "Preferences.costs must be a number of at least 0 for each pair, got "
                f"{self.costs!r}."
            )

    def evaluate(self, y: Any, f: Any) -> tuple[float, Vector]:
        pairs = np.array(self.pairs)
        scores = read_scores("Preferences", f)
        scores = read_scores("Preferences", f, max(len(scores), int(pairs.max()) + 1))
        costs = np.array(self.costs) if self.costs else np.ones(len(pairs))
        costs = costs / len(pairs)
        short = 1.0 + scores[pairs[:, 0]] - scores[pairs[:, 1]]
        paid = np.where(short > 0.0, costs, 0.0)
        slopes = np.zeros(len(scores))
        np.add.at(slopes, pairs[:, 0], paid)
        np.subtract.at(slopes, pairs[:, 1], paid)
        return float(paid @ np.maximum(short, 0.0)), slopes
