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
    """A contender's averages over the folds that count, strongest penalty first."""

    heat: Heat
    folds: int
    values: tuple[float, ...]
    means: Vector
    spreads: Vector
    weights: Vector
    metrics: tuple[tuple[dict[str, float | None], ...], ...]

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
        values = [fold[metric] for fold in self.metrics[setting]]
        known = [value for value in values if value is not None]
        return float(np.mean(known)) if known else None


def standings(heats: Sequence[Heat]) -> tuple[Standing, ...]:
    """Average every contender over the folds that all of them finished.

    Laps that ended before the last of those folds are left out: their averages would
    be of other rows. If the race ended within its first fold, those who finished it
    count.
    """
    alive = [heat for heat in heats if not heat.failure]
    folds = max(min((heat.folds for heat in alive), default=0), 1)
    racing = [heat for heat in alive if heat.folds >= folds]
    if not racing:
        raise DataError("No contender finished a fold; give the race more time.")
    return tuple(_standing(heat, folds) for heat in racing)


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
        value=standing[place].values[setting],
        score=float(criterion.error(means[winner])),
        spread=float(spreads[winner]),
        weights=round(weights[winner]),
        best_name=leader.contender.name,
        best_label=leader.contender.label,
        best_value=standing[best_place].values[best_setting],
        best_score=float(criterion.error(means[best])),
        threshold=float(criterion.error(means[best] + spreads[best])),
    )
    return choice, place


def _standing(heat: Heat, folds: int) -> Standing:
    laps = [lap for lap in heat.laps if lap.folds >= folds]
    values = np.concatenate([lap.values for lap in laps])
    # A small C is a strong penalty, a small alpha a weak one.
    order = np.argsort(values if heat.parameter == "C" else -values, kind="stable")
    errors = np.hstack([lap.errors[:folds] for lap in laps])[:, order]
    used: Any = np.hstack([lap.weights[:folds] for lap in laps])[:, order]
    metrics = [
        tuple(fold[place] for fold in lap.metrics[:folds])
        for lap in laps
        for place in range(len(lap.values))
    ]
    table = ErrorTable(errors.T)
    return Standing(
        heat,
        folds,
        tuple(values[order].tolist()),
        table.means,
        table.standard_errors,
        used.mean(axis=0),
        tuple(metrics[place] for place in order),
    )


def _simplest_first(weights: Vector) -> Indices:
    return np.lexsort((np.arange(len(weights)), weights))


def _path_share(standing: Standing) -> Vector:
    return np.arange(len(standing.means)) / max(len(standing.means) - 1, 1)
