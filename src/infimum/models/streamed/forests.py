"""Forests of streamed rows: trees on bins, each on its own draw of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson
from sklearn.utils import check_random_state

from infimum.data.doors.labels import class_factors
from infimum.data.doors.streamed_rows import admit_streamed, known_classes
from infimum.data.streams import chances
from infimum.errors import DataError, IncompatibleError, Interrupted, StreamError
from infimum.limits import time_is_up
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.ensembles.boosting._growth_state import (
    GrowthLimits,
    GrowthPaper,
    free_bits,
)
from infimum.models.ensembles.boosting._tree_record import as_tree
from infimum.models.ensembles.forests._forest import forget_layout
from infimum.models.streamed.binned_rows import BinnedRows, Block, binned
from infimum.models.streamed.boosting import refuse_endless
from infimum.models.streamed.growing import grown_together
from infimum.models.trees import Tree
from infimum.models.trees._tree_model import SEEDS
from infimum.models.trees._tree_parameters import read_constraints, read_rules
from infimum.models.trees.bins import BinnedTable
from infimum.objectives.streamed_passes import Reading
from infimum.parameters import check_parameters
from infimum.typing import Vector

__all__ = ["fit_forest"]

#: Bytes for what trees that grow side by side keep, all of them and each.
MEMORY, OWN = 1 << 27, 1 << 24
#: Bins of a feature, and different weights whose draws have a table each.
BINS, TABLES = 255, 16
#: What criteria of sums of squares multiply the fall by.
SCALES = {"gini": 2.0, "squared_error": 1.0, "friedman_mse": 1.0}


@dataclass(frozen=True, eq=False)
class Draws:
    """How often each tree draws each row: Poisson counts, by a hash of row and tree.

    A tree draws about as many rows as there are, as a bootstrap does, and nobody has to
    know all rows to say how often one is drawn.
    """

    reading: Reading
    factors: Vector | None
    seeds: tuple[int, ...]
    #: How many draws a row of weight 1 is worth; None for each row as it is.
    rate: float | None
    shift: float

    def weighed(self, block: Block, tree: int) -> tuple[Vector, Vector]:
        """Return the targets of a block, and what its rows weigh for a tree."""
        y, w = self.reading(block)
        heavy = w if self.rate is None else self._drawn(block, w, tree)
        if self.factors is not None:
            heavy = heavy * self.factors[y.astype(np.intp)]
        return y, heavy

    def _drawn(self, block: Block, w: Vector, tree: int) -> Vector:
        assert self.rate is not None
        luck = chances(self.seeds[tree], block.places)
        values, kinds = np.unique(w, return_inverse=True)
        if len(values) > TABLES:
            return np.asarray(poisson.ppf(luck, self.rate * w))
        drawn = np.empty(len(w))
        for k, value in enumerate(values.tolist()):
            own = kinds == k
            drawn[own] = np.searchsorted(_shares(self.rate * value), luck[own])
        return drawn

    def __call__(
        self, block: Block, tree: int
    ) -> tuple[NDArray[np.int32], Vector, Vector]:
        """Return the rows that a tree draws, and slopes and curvatures of squares."""
        y, heavy = self.weighed(block, tree)
        rows = np.flatnonzero(heavy).astype(np.int32)
        return rows, heavy * (self.shift - y), heavy

    def squares(self, block: Block, tree: int) -> Vector:
        """Return the weighted squares of the targets."""
        y, heavy = self.weighed(block, tree)
        return heavy * (y - self.shift) ** 2


def _shares(rate: float) -> Vector:
    """Return the chances of at most 0, 1, 2, … draws, as far as they differ from 1."""
    return np.asarray(poisson.cdf(np.arange(_most_draws(rate) + 1), rate))


def _most_draws(rate: float) -> int:
    return int(poisson.ppf(1.0 - 2.0**-53, rate)) + 1


@dataclass(frozen=True)
class HeaviestPass:
    """The largest weight of all rows."""

    def __call__(self, block: Block) -> tuple[float]:
        return (float(block.w.max()),)

    @staticmethod
    def merge(a: tuple[float], b: tuple[float]) -> tuple[float]:
        """Return the larger."""
        return max(a, b)


def fit_forest(model: Any, rows: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Grow the trees of streamed rows; return the model, which lists no samples.

    A fit that is cut short keeps the trees that it has grown.
    """
    with unchanged_on_failure(model):
        check_parameters(model)
        admit_streamed(model, rows, (y, sample_weight), missing=True)
        _refuse(model, rows)
        draws = _draws(model, rows)
        table, bins = binned(rows, BINS, 0)
        trees: list[Tree] = []
        end = None
        try:
            for some in _grown(model, rows, (table, bins), draws):
                trees += some
        except (KeyboardInterrupt, StreamError) as error:
            if not trees:
                raise
            end = _told(error, model, len(trees))
        finally:
            bins.remove()
        model.trees_ = trees
        model._seeds = np.array(draws.seeds[: len(trees)])
        model._draws, model._chances = rows.n_rows, np.zeros(0)
        forget_layout(model)
        if end is not None:
            raise end
    return model


def _told(error: BaseException, model: Any, trees: int) -> BaseException:
    """Return what a fit ends with that was cut short, and keeps the trees before."""
    if isinstance(error, KeyboardInterrupt):
        return Interrupted(model)
    found = StreamError(f"{error} The model keeps {trees} trees.")
    found.__cause__, found.estimator, found.point = error, model, model
    return found


def _refuse(model: Any, rows: Any) -> None:
    from infimum.models.ensembles import RandomForestClassifier, RandomForestRegressor

    owner, why = type(model).__name__, None
    if not isinstance(model, RandomForestClassifier | RandomForestRegressor):
        why = "RandomForestClassifier and RandomForestRegressor take them"
    elif rows.sparse:
        why = "it needs dense rows, got svmlight files"
    elif model.criterion not in SCALES:
        why = f"criterion must be 'gini' or 'squared_error', got {model.criterion!r}"
    elif model.warm_start or model.oob_score or model.ccp_alpha > 0.0:
        why = "warm_start and oob_score must be False, ccp_alpha 0"
    elif model.categorical_features is not None:
        why = "words become features of their own: categorical_features must be None"
    elif getattr(model, "class_weight", None) == "balanced_subsample":
        why = "class_weight must be 'balanced', a dict or None"
    if why is not None:
        raise IncompatibleError(f"{owner} and streamed rows: {why}.")


def _draws(model: Any, rows: Any) -> Draws:
    """Record what is told of the target; return how rows are drawn."""
    owner, factors, shift = type(model).__name__, None, 0.0
    reading = Reading(1.0)
    if hasattr(model, "class_weight"):
        classes, numbers, weights = known_classes(owner, rows)
        if len(classes) > 2:  # noqa: PLR2004
            raise IncompatibleError(
                f"{owner} streams two classes, got {len(classes)}: take "
                "HistGradientBoostingClassifier."
            )
        reading, model.classes_, model.n_classes_ = Reading(1.0, numbers), classes, 2
        if model.class_weight is not None:
            codes = np.arange(2)
            factors = class_factors(owner, model.class_weight, classes, codes, weights)
    elif rows.spooled.words is not None:
        raise DataError(f"{owner} needs numbers as targets.")
    else:
        low, high = rows.statistics.y_range
        shift = low / 2.0 + high / 2.0
    model.n_outputs_ = 1
    generator = check_random_state(model.random_state)
    seeds = generator.randint(SEEDS, size=model.n_estimators).tolist()
    rate = None
    if model.bootstrap:
        asked, total = model.max_samples, rows.statistics.total
        rate = 1.0
        if asked is not None:
            rate = asked / total if isinstance(asked, int) else float(asked)
    return Draws(reading, factors, tuple(seeds), rate, shift)


def _grown(
    model: Any, rows: Any, held: tuple[BinnedTable, BinnedRows], draws: Draws
) -> Iterator[list[Tree]]:
    """Yield trees, as many as grow side by side; none after the time is up."""
    table, bins = held
    limits, n, scale = _limits(model, rows), rows.n_rows, SCALES[model.criterion]
    paper = GrowthPaper(table, limits, n, OWN)
    refuse_endless(type(model).__name__, paper)
    beside = max(1, min(len(draws.seeds), MEMORY // paper.slots.nbytes))
    papers = [paper, *(GrowthPaper(table, limits, n, OWN) for _ in range(beside - 1))]

    def run(work: Any) -> Any:
        return rows.run(work, bins)

    tops = _tops(rows, draws, run(HeaviestPass())[0])
    finest = np.array([2.0 ** free_bits(top, n) for top in tops])
    third = None if hasattr(model, "classes_") else draws.squares
    for first in range(0, len(draws.seeds), beside):
        if first and time_is_up():
            return
        some = range(first, min(first + beside, len(draws.seeds)))
        chosen = [
            (k, draws.seeds[k], (finest[:2], finest[:2], True)) for k in some
        ]  # fmt: skip
        units = [float(finest[2])] * len(chosen)
        grown = grown_together(run, papers, chosen, draws, third, units)
        yield [_recorded(each, table, draws.shift, scale, third) for each in grown]


def _recorded(
    found: Any, table: BinnedTable, shift: float, scale: float, third: Any
) -> Tree:
    """Return a grown tree as forests keep it: answers, impurities, falls of these."""
    grown, squares = found
    means, heavy = grown.newton_values(0.0), np.maximum(grown.bend, 1e-300)
    tree = as_tree(grown, table, means, grown.bend)
    if third is None:
        value = np.column_stack([1.0 - means, means])
        impurity = 2.0 * means * (1.0 - means)
    else:
        value = (means + shift)[:, None]
        impurity = squares / heavy - (grown.slope / heavy) ** 2
    gain = 2.0 * tree.gain * scale / heavy[0]
    impurity = np.maximum(impurity, 0.0)
    return replace(tree, value=value, impurity=impurity, gain=gain)


def _tops(rows: Any, draws: Draws, heavy: float) -> tuple[float, float, float]:
    """Return bounds of slopes, curvatures and weighted squares."""
    most = heavy if draws.rate is None else float(_most_draws(draws.rate * heavy))
    most *= 1.0 if draws.factors is None else float(draws.factors.max())
    far = 1.0
    if draws.reading.numbers is None:
        low, high = rows.statistics.y_range
        far = max(high - draws.shift, draws.shift - low, 1e-300)
    return most * far, most, most * far**2


def _limits(model: Any, rows: Any) -> GrowthLimits:
    n, d = rows.n_rows, rows.n_features
    names = getattr(model, "feature_names_in_", None)
    _, monotone, groups = read_constraints(model, d, names)
    rules = read_rules(model, n, d, rows.statistics.total, SCALES[model.criterion])
    return GrowthLimits(
        model.max_leaf_nodes,
        model.max_depth,
        rules.min_leaf,
        max_features=(rules.max_features + 0.5) / d,
        min_curvature=rules.min_weight,
        min_samples_split=rules.min_split,
        min_gain=rules.min_decrease,
        monotone=monotone.astype(np.int64) if monotone.any() else None,
        groups=groups.astype(np.uint8) if len(groups) else None,
    )
