"""From the results of the race to one setting of one contender."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from infimum.errors import DataError
from infimum.evaluation import ErrorTable
from infimum.evaluation.scoring import Criterion
from infimum.evaluation.selection_rules import not_clearly_beaten, standard_error
from infimum.learn.compare.tally import Sweep, Tally, setting_of
from infimum.learn.result import Choice
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = [
    "Field",
    "HeldBack",
    "Standing",
    "choose",
    "held_back_answers",
    "standings",
    "words",
]


_SEVERAL = 2
#: How often a model may be taken where nothing predicts the target.
_BY_LUCK = 0.05
#: From this rank on nobody reads a model.
_ILLEGIBLE = 3


class Standing(NamedTuple):
    """A contender's averages over the folds that count, strongest penalty first.

    `extreme` counts, setting by fold, answers far from every target seen; `leads` tell
    by how many standard errors of the rows held back the constant answer is beaten.
    """

    tally: Tally
    folds: int
    values: tuple[float, ...]
    errors: Matrix
    weights: Vector
    metrics: tuple[tuple[dict[str, float | None], ...], ...]
    origins: tuple[tuple[int, int], ...]
    extreme: Matrix | None = None
    leads: Matrix | None = None

    @property
    def means(self) -> Vector:
        """Average error of each setting."""
        return ErrorTable(self.errors).means

    @property
    def spreads(self) -> Vector:
        """Standard error of each average."""
        return ErrorTable(self.errors).standard_errors

    @property
    def best(self) -> int:
        """Position of the setting with the least average error."""
        return int(np.nanargmin(self.means))

    @property
    def pick(self) -> int:
        """Position of the simplest setting that the best one does not clearly beat."""
        order = _simplest_first(self.weights)
        return not_clearly_beaten(self.errors, order, np.any(self.fragile, axis=1))

    @property
    def pace(self) -> float:
        """Seconds that a fit on a fold took."""
        return self.tally.seconds / max(self.tally.fits, 1)

    @property
    def fragile(self) -> Mask:
        """Which settings answered out of all proportion, fold by fold."""
        if self.extreme is None:
            return np.zeros(self.errors.shape, dtype=bool)
        return np.asarray(self.extreme > 0)

    def average(self, metric: str, setting: int) -> float | None:
        """Return the average of a metric at a setting, None if it is not known."""
        values = [fold[metric] for fold in self.metrics[setting]]
        known = [value for value in values if value is not None]
        return float(np.mean(known)) if known else None

    def said(self, setting: int) -> list[NDArray[Any]] | None:
        """Return the predictions of a setting for the held rows of each fold."""
        sweep, place = self.origins[setting]
        kept = self.tally.sweeps[sweep].said[: self.folds]
        tables = [each[place] for each in kept if each is not None]
        return tables if len(tables) == self.folds else None


class Field:
    """All settings of all contenders in one list, with their order of simplicity."""

    def __init__(self, standing: Sequence[Standing]) -> None:
        self.standing = standing
        self.owners = [
            (i, j) for i, each in enumerate(standing) for j in range(len(each.values))
        ]
        self.errors = np.concatenate([each.errors for each in standing])
        self.fragile = np.concatenate([each.fragile for each in standing])
        self.leads = np.concatenate([_leads(each) for each in standing])
        self.weights = np.concatenate([each.weights for each in standing])
        self.ranks = np.concatenate(
            [[each.tally.contender.rank] * len(each.values) for each in standing]
        )
        self.share = np.concatenate([_path_share(each) for each in standing])
        constant = [i for i, (k, _) in enumerate(self.owners) if _constant(standing[k])]
        self.constant = constant[0] if constant else None

    def order(self, errors: Matrix) -> Indices:
        """Return all settings, simplest first.

        Families first, then features in use, then the place on the own path; among
        those that nobody reads, only how good they are by the errors given.
        """
        legible = self.ranks < _ILLEGIBLE
        means = ErrorTable(errors).means
        return np.lexsort(
            (means, self.share * legible, self.weights * legible, self.ranks)
        )

    def winner(self, folds: Indices | None = None) -> int:
        """Return the choice by some of the folds, or by all."""
        kept = self._every if folds is None else folds
        errors, fragile = self.errors[:, kept], np.any(self.fragile[:, kept], axis=1)
        return not_clearly_beaten(errors, self.order(errors), fragile)

    def nested_errors(self) -> Vector:
        """Return the error on each fold of what the other folds would choose."""
        every = self._every
        picked = [self.chosen(every[every != fold]) for fold in every]
        return np.asarray(self.errors[picked, every])

    def chosen(self, folds: Indices | None = None) -> int:
        """Return the winner, or the constant answer if the search does not beat it.

        The best of a hundred settings beats a constant by luck; what is chosen without
        a look at a fold does not. So such choices must gain more than a standard error
        of the folds, and their leads over the constant, row by row, are put together to
        a one-sided test (Stouffer). A single fold has chosen and judges as well: there
        the level is divided by the number of contenders (Bonferroni).
        """
        kept = self._every if folds is None else folds
        winner = self.winner(kept)
        if self.constant is None:
            return winner
        if len(kept) < _SEVERAL:
            level = _BY_LUCK / max(len(self.standing) - 1, 1)
            return self._unless_by_luck(winner, self.leads[winner, kept], level)
        searched = [self.winner(kept[kept != fold]) for fold in kept]
        gain = self.errors[self.constant, kept] - self.errors[searched, kept]
        if not gain.mean() > standard_error(gain):
            return self.constant
        return self._unless_by_luck(winner, self.leads[searched, kept], _BY_LUCK)

    def _unless_by_luck(self, winner: int, leads: Vector, level: float) -> int:
        """Return the winner if its normal scores, together, are above the level.

        Where nothing is known of the rows, the folds are believed.
        """
        together = float(leads.sum() / np.sqrt(len(leads)))
        return int(self.constant or 0) if together < norm.isf(level) else winner

    @property
    def _every(self) -> Indices:
        return np.arange(self.errors.shape[1])


def standings(tallies: Sequence[Tally]) -> tuple[Standing, ...]:
    """Average every contender over the folds that all of them finished.

    Sweeps that ended before the last of those folds are left out: their averages would
    be of other rows. If the race ended within its first fold, those who finished it
    count; those who retired within the first sweep do not.
    """
    alive = [tally for tally in tallies if not tally.failure]
    level = [tally.folds for tally in alive if tally.racing or len(tally.sweeps) > 1]
    level = level or [tally.folds for tally in alive]
    folds = max(min(level, default=0), 1)
    racing = [tally for tally in alive if tally.folds >= folds]
    if not racing:
        raise DataError("No contender finished a fold; give the race more time.")
    return tuple(_standing(tally, folds) for tally in racing)


def choose(standing: Sequence[Standing], criterion: Criterion) -> tuple[Choice, int]:
    """Pick the simplest setting of all contenders that the best does not clearly beat.

    Simple means a family that is easy to read, then few features in use; between
    equals, the stronger regularisation on its own path. Returns the choice and the
    position of its contender.
    """
    field = Field(standing)
    winner = field.chosen()
    table = ErrorTable(field.errors)
    means, spreads = table.means, table.standard_errors
    best = int(np.nanargmin(means))
    (place, setting), (best_place, best_setting) = (
        field.owners[winner],
        field.owners[best],
    )
    chosen, leader = standing[place].tally, standing[best_place].tally
    value = standing[place].values[setting]
    choice = Choice(
        name=chosen.contender.name,
        label=chosen.contender.label,
        parameter=chosen.parameter,
        value=value,
        score=float(criterion.error(means[winner])),
        spread=float(spreads[winner]),
        weights=round(field.weights[winner]),
        best_name=leader.contender.name,
        best_label=leader.contender.label,
        best_value=standing[best_place].values[best_setting],
        best_score=float(criterion.error(means[best])),
        threshold=float(criterion.error(means[best] + spreads[best])),
        words=words(chosen, value),
        **_nested(field, criterion),
    )
    return choice, place


class HeldBack(NamedTuple):
    """A fold's rows held back: targets, answers, and from which moment on they are."""

    truth: NDArray[Any]
    said: Matrix
    after: str = ""


def held_back_answers(
    choice: Choice,
    standing: Sequence[Standing],
    problem: Any,
    splits: Sequence[Any],
) -> tuple[HeldBack, ...]:
    """Return what the folds' models said of the rows held back, if that was kept.

    That is the prediction of a number, or the probabilities of all classes.
    """
    chosen = [each for each in standing if each.tally.contender.name == choice.name]
    if not chosen or problem.y.ndim > 1:
        return ()
    if choice.value not in chosen[0].values:
        return ()
    tables = chosen[0].said(chosen[0].values.index(choice.value)) or ()
    return tuple(
        HeldBack(
            problem.y[split.held_back],
            said.astype(float),
            _first_moment(problem, split.held_back),
        )
        for split, said in zip(splits, tables, strict=False)
    )


def _first_moment(problem: Any, rows: Indices) -> str:
    """Return the first moment of some rows as people write it; nothing without time."""
    name = problem.options.time
    return "" if name is None else str(problem.rows[name][rows].min())


def words(tally: Tally, value: float) -> str:
    """Say what a setting sets."""
    setting = setting_of(tally.contender, tally.parameter, value)
    return ", ".join(
        f"{name} = {each:.4g}" if isinstance(each, float) else f"{name} = {each}"
        for name, each in setting.items()
    )


def _nested(field: Field, criterion: Criterion) -> dict[str, Any]:
    if field.errors.shape[1] < _SEVERAL:
        return {}
    errors = field.nested_errors()
    return {
        "nested_score": float(criterion.error(float(errors.mean()))),
        "nested_spread": standard_error(errors),
    }


def _standing(tally: Tally, folds: int) -> Standing:
    sweeps = [
        (i, sweep) for i, sweep in enumerate(tally.sweeps) if sweep.folds >= folds
    ]
    values = np.concatenate([sweep.values for _, sweep in sweeps])
    # A small alpha is a weak penalty; a small C and the first of a grid are simple.
    order = np.argsort(-values if tally.parameter == "alpha" else values, kind="stable")
    errors = np.hstack([sweep.errors[:folds] for _, sweep in sweeps])[:, order]
    used: Any = np.hstack([sweep.weights[:folds] for _, sweep in sweeps])[:, order]
    extreme: Any = np.hstack([_extreme(sweep, folds) for _, sweep in sweeps])[:, order]
    leads: Any = np.hstack([_kept_leads(sweep, folds) for _, sweep in sweeps])[:, order]
    origins = [(i, place) for i, sweep in sweeps for place in range(len(sweep.values))]
    metrics = [
        tuple(fold[place] for fold in tally.sweeps[i].metrics[:folds])
        for i, place in origins
    ]
    return Standing(
        tally,
        folds,
        tuple(values[order].tolist()),
        np.ascontiguousarray(errors.T),
        used.mean(axis=0),
        tuple(metrics[place] for place in order),
        tuple(origins[place] for place in order),
        np.ascontiguousarray(extreme.T),
        np.ascontiguousarray(leads.T),
    )


def _extreme(sweep: Sweep, folds: int) -> Matrix:
    found = sweep.extreme[:folds] or [[0] * len(sweep.values)] * folds
    return np.asarray(found, dtype=float)


def _kept_leads(sweep: Sweep, folds: int) -> Matrix:
    found = sweep.leads[:folds] or [[np.nan] * len(sweep.values)] * folds
    return np.asarray(found, dtype=float)


def _leads(standing: Standing) -> Matrix:
    if standing.leads is None:
        return np.full(standing.errors.shape, np.nan)
    return standing.leads


def _constant(standing: Standing) -> bool:
    return standing.tally.contender.rank == 0


def _simplest_first(weights: Vector) -> Indices:
    return np.lexsort((np.arange(len(weights)), weights))


def _path_share(standing: Standing) -> Vector:
    return np.arange(len(standing.values)) / max(len(standing.values) - 1, 1)
