"""From the results of the race to one setting of one contender."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.evaluation import ErrorTable, one_standard_error
from infimum.learn.race import Heat
from infimum.learn.result import Choice
from infimum.learn.scoring import Criterion
from infimum.typing import Indices, Vector

__all__ = ["Standing", "choose", "standings"]


class Standing(NamedTuple):
    """A contender's averages over the folds that count."""

    heat: Heat
    folds: int
    means: Vector
    spreads: Vector
    weights: Vector

    @property
    def best(self) -> int:
        """Position of the setting with the least average error."""
        return int(np.nanargmin(self.means))

    @property
    def pick(self) -> int:
        """Position of the simplest setting that the best one does not clearly beat."""
        return one_standard_error(
            self.means, self.spreads, _simplest_first(self.weights)
        )

    def average(self, metric: str, setting: int) -> float | None:
        """Return the average of a metric at a setting, None if it is not known."""
        values = [fold[setting][metric] for fold in self.heat.metrics[: self.folds]]
        known = [value for value in values if value is not None]
        return float(np.mean(known)) if known else None


def standings(heats: Sequence[Heat]) -> tuple[Standing, ...]:
    """Average every contender over the folds that the leaders all finished.

    Contenders that did not get that far are left out: their averages would be of other
    rows. If the race ended within its first fold, those who finished it count.
    """
    racing = [heat for heat in heats if not heat.failure and heat.folds]
    if not racing:
        raise DataError("No contender finished a fold; give the race more time.")
    slowest = min(heat.folds for heat in heats if not heat.failure)
    folds = max(slowest, 1)
    return tuple(_standing(heat, folds) for heat in racing if heat.folds >= folds)


def choose(standing: Sequence[Standing], criterion: Criterion) -> tuple[Choice, int]:
    """Pick by the one-standard-error rule over all settings of all contenders.

    Simple means few weights in use; between equals, the stronger regularisation on its
    own path. Returns the choice and the position of its contender.
    """
    owners = [(i, j) for i, each in enumerate(standing) for j in range(len(each.means))]
    means = np.concatenate([each.means for each in standing])
    spreads = np.concatenate([each.spreads for each in standing])
    weights = np.concatenate([each.weights for each in standing])
    share = np.concatenate([_path_share(each) for each in standing])
    order = np.lexsort((means, share, weights))
    winner = one_standard_error(means, spreads, order)
    best = int(np.nanargmin(means))
    (place, setting), (best_place, best_setting) = owners[winner], owners[best]
    chosen, leader = standing[place].heat, standing[best_place].heat
    choice = Choice(
        name=chosen.contender.name,
        label=chosen.contender.label,
        parameter=chosen.parameter,
        value=chosen.values[setting],
        score=float(criterion.error(means[winner])),
        spread=float(spreads[winner]),
        weights=round(weights[winner]),
        best_name=leader.contender.name,
        best_label=leader.contender.label,
        best_value=leader.values[best_setting],
        best_score=float(criterion.error(means[best])),
        threshold=float(criterion.error(means[best] + spreads[best])),
    )
    return choice, place


def _standing(heat: Heat, folds: int) -> Standing:
    table = ErrorTable(heat.error_matrix(folds).T)
    used: Any = np.asarray(heat.weights[:folds], dtype=float).mean(axis=0)
    return Standing(heat, folds, table.means, table.standard_errors, used)


def _simplest_first(weights: Vector) -> Indices:
    return np.lexsort((np.arange(len(weights)), weights))


def _path_share(standing: Standing) -> Vector:
    return np.arange(len(standing.means)) / max(len(standing.means) - 1, 1)
