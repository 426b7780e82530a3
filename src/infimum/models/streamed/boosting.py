"""Histogram boosting of streamed rows: bins, scores and slopes stay on the disk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.callback import with_callbacks

from infimum.compiled.boosting import boost_columns as column
from infimum.compiled.boosting.boost_grains import measure
from infimum.compiled.boosting.boost_leaves import name_leaves
from infimum.data.doors.labels import class_factors
from infimum.data.doors.streamed_rows import TargetRange, admit_streamed, known_classes
from infimum.data.streams import added, chances
from infimum.data.streams.spool import read_at
from infimum.errors import DataError, IncompatibleError, Interrupted, StreamError
from infimum.limits import time_is_up
from infimum.losses import VectorLoss
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models._rounds import goes_on
from infimum.models.ensembles.boosting._boosted_tree import GrownTree
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._early_stopping import keeps_improving
from infimum.models.ensembles.boosting._gradient_boosting import BoostingPlan, Judged
from infimum.models.ensembles.boosting._growth_state import GrowthPaper, grains
from infimum.models.ensembles.boosting._tree_record import as_tree
from infimum.models.streamed.binned_rows import Block, binned
from infimum.models.streamed.growing import grown_together
from infimum.models.trees import Tree
from infimum.objectives.streamed_passes import Reading
from infimum.typing import Matrix, Vector

__all__ = ["fit_boosting", "refuse_endless"]

#: Numbers of a column that are added in one go; the sum does not depend on it.
RUN = 1 << 20
#: Nodes of a tree that is held while it grows.
MOST_NODES = 1 << 17


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Which rows judge the rounds, and which the trees grow on: a hash decides."""

    seed: int
    share: float
    #: The round whose slopes are read.
    turn: int = 0

    def outside(self, block: Block) -> NDArray[np.bool_]:
        """Return which rows no tree sees."""
        if not self.share:
            return np.zeros(block.count, dtype=bool)
        return chances(self.seed, block.places) < self.share

    def __call__(
        self, block: Block, output: int
    ) -> tuple[NDArray[np.int32], Vector, Vector]:
        """Return the rows of a tree, and the slopes and curvatures of the block."""
        slopes, bends = block.lines(f"slopes{self.turn}", [2 * output, 2 * output + 1])
        return np.flatnonzero(~self.outside(block)).astype(np.int32), slopes, bends


@dataclass(frozen=True, eq=False)
class AdvancePass:
    """Moves the scores by the trees of a round, and writes slopes and curvatures.

    Each round has files of its own: a worker that was paused, and writes late, writes
    what nobody reads any more.

    Returns the largest of these, the sums of their squares, and the weighted loss and
    the weight of the rows that learn and of those that judge.
    """

    reading: Reading
    loss: BoostingLoss
    held: HeldOut
    start: Vector
    #: Nodes, sets and values of the trees of the round, one for each score.
    trees: tuple[tuple[Any, Any, Vector], ...]
    turn: int

    def __call__(self, block: Block) -> tuple[Any, ...]:
        y, w = self.reading(block)
        scores = self._scores(block)
        slopes, bends = np.empty_like(scores), np.empty_like(scores)
        self.loss.write(y, scores, slopes, bends)
        tops, squares = np.empty((2, len(scores), 2))
        table = np.empty((2 * len(scores), block.count))
        for k in range(len(scores)):
            table[2 * k], table[2 * k + 1] = slopes[k] * w, bends[k] * w
            found = np.empty(4)
            measure(table[2 * k], table[2 * k + 1], found)
            tops[k], squares[k] = found[:2], found[2:]
        block.write(f"slopes{self.turn}", table)
        given: Any = scores.T if isinstance(self.loss.loss, VectorLoss) else scores[0]
        values, outside = w * self.loss.loss.value(y, given), self.held.outside(block)
        parts = [values[~outside], w[~outside], values[outside], w[outside]]
        return tops, squares, np.array([part.sum() for part in parts])

    def _scores(self, block: Block) -> Matrix:
        if not self.trees:
            scores = np.repeat(self.start[:, None], block.count, axis=1)
        else:
            lines = range(len(self.start))
            scores = block.lines(f"scores{self.turn - 1}", lines)
            rows = np.arange(block.count, dtype=np.int32)
            names = np.empty(block.count, dtype=np.int64)
            for k, (nodes, sets, values) in enumerate(self.trees):
                name_leaves(nodes, sets, block.words, rows, names)
                scores[k] += values[names]
        block.write(f"scores{self.turn}", scores)
        return scores

    @staticmethod
    def merge(a: Any, b: Any) -> tuple[Any, ...]:
        """Return the larger tops, and the sums of the others."""
        return np.maximum(a[0], b[0]), *added(a[1:], b[1:])


@with_callbacks  # type: ignore[untyped-decorator]
def fit_boosting(model: Any, rows: Any, *given: Any, **named: Any) -> Any:
    """Fit the trees to streamed rows; return the model.

    A fit that is cut short, by Ctrl-C or because nobody reads the rows any more, keeps
    the rounds that it has made.
    """
    with unchanged_on_failure(model):
        admit_streamed(model, rows, (*given, *named.values()), missing=True)
        _refuse(model, rows)
        model._levels, model._codes = {}, None
        run = _Run(model, rows)
        context = model._init_callback_context(max_subtasks=run.plan.rounds)
        context.call_on_fit_task_begin(estimator=model, X=rows, y=None)
        try:
            end = run.learn(context)
        finally:
            run.bins.remove()
        model._keep(run, run.judged)
        if end is not None:
            raise end
    context.call_on_fit_task_end(
        estimator=model, X=rows, y=None, reconstruction_attributes={}
    )
    return model


class _Run:
    """The state of a fit: the trees, and where the numbers of the rows are."""

    def __init__(self, model: Any, rows: Any) -> None:
        self.model, self.rows = model, rows
        self.reading, labels, weights = _targets(model, rows)
        categorical = np.zeros(rows.n_features, dtype=bool)
        plan = model._plan(rows.n_rows, rows.n_features, categorical, None)
        self.plan: BoostingPlan = plan
        loss = model._loss(labels)
        _refuse_loss(model, plan, loss)
        state = model.random_state
        model._seed = int(np.random.RandomState(_seed(state)).randint(2**31 - 1))
        self.loss: BoostingLoss = loss
        self.start = _start(rows, loss, labels, weights)
        #: Of the scores only their number is held.
        self.scores = np.empty((len(self.start), 0))
        self.table, self.bins = binned(rows, plan.max_bins, 0)
        try:
            self.papers = [
                GrowthPaper(self.table, plan.limits, rows.n_rows) for _ in self.start
            ]
            refuse_endless(type(model).__name__, self.papers[0])
        except BaseException:
            self.bins.remove()
            raise
        asked = plan.watched or plan.patience is not None
        share = (plan.validation_fraction or 0.0) if plan.patience is not None else 0.0
        share = share if share < 1 else share / rows.n_rows
        self.held = HeldOut(model._seed, share)
        outside = np.full(1, bool(share))  # only whether any row judges is asked
        self.judged = Judged(self.start, outside, asked)
        self.trees: list[Tree] = []
        #: The mean loss before each round.
        self.losses: list[float] = []

    def learn(self, context: Any) -> BaseException | None:
        """Make rounds; return what has ended them before their time."""
        try:
            self._rounds(context)
        except (KeyboardInterrupt, StreamError) as error:
            whole = self.judged.keep_whole_rounds(self)
            if not whole:
                raise
            if isinstance(error, KeyboardInterrupt):
                return Interrupted(self.model)
            return _told(error, self.model, whole, self.losses)
        return None

    def _rounds(self, context: Any) -> None:
        """Make rounds until there are enough, or none helps any more."""
        plan, judged = self.plan, self.judged
        done: tuple[Any, ...] = ()
        for turn in range(plan.rounds):
            if turn and time_is_up():
                break
            sizes = self._advance(done, turn)
            if plan.patience is not None and not keeps_improving(
                judged.decisive, plan.patience, plan.tol
            ):
                return
            done = self._grow(sizes, turn)
            if not goes_on(self.model, context):
                break
        if judged.asked:
            self._advance(done, len(self.trees) // len(self.scores))

    def _advance(self, done: tuple[Any, ...], turn: int) -> Vector:
        """Move all scores by a round; return how large the derivatives are."""
        work = AdvancePass(self.reading, self.loss, self.held, self.start, done, turn)
        tops, squares, sums = self.rows.run(work, self.bins)
        self.held = replace(self.held, turn=turn)
        self.bins.forget(f"scores{turn - 1}", f"slopes{turn - 1}")
        self.losses.append(sums[0] / sums[1])
        if self.judged.asked:
            self.judged.training.append(-self.losses[-1])
            if self.held.share and sums[3] > 0.0:
                self.judged.validation.append(-sums[2] / sums[3])
        return np.concatenate([tops, squares], axis=1)

    def _grow(self, sizes: Vector, turn: int) -> tuple[Any, ...]:
        """Grow the trees of a round; return what moves the scores."""
        limits, n, seed = self.plan.limits, self.rows.n_rows, self.model._seed
        count = n if not self.held.share else round(n * (1.0 - self.held.share))
        trees = [
            (
                k,
                (seed + 7919 * turn + 104729 * k) % (2**62),
                grains(limits, own[None, :], n, count),
            )
            for k, own in enumerate(sizes)
        ]
        weighted = self.rows.layout.weights is not None
        heavy = self.rows.statistics.total
        unit = 2.0 ** (60 - np.ceil(np.log2(max(heavy, 1e-300))))
        grown = grown_together(
            self._pass, self.papers, trees, self.held,
            _weights if weighted else None, [unit] * len(trees),
        )  # fmt: skip
        return tuple(self._keep(*each, weighted=weighted) for each in grown)

    def _pass(self, work: Any) -> Any:
        return self.rows.run(work, self.bins)

    def _keep(
        self, grown: GrownTree, masses: Vector, *, weighted: bool
    ) -> tuple[Any, Any, Vector]:
        values = grown.newton_values(self.plan.limits.l2_regularization)
        values = self.plan.learning_rate * values
        if not weighted:
            masses = grown.nodes[:, column.COUNT].astype(np.float64)
        self.trees.append(as_tree(grown, self.table, values, masses))
        return grown.nodes, grown.sets, values


def _told(
    error: StreamError, model: Any, rounds: int, losses: list[float]
) -> StreamError:
    """Return the error of a fit whose rounds are kept, and how good they were."""
    found = StreamError(
        f"{error} The model keeps {rounds} rounds; after {len(losses) - 1} of them the "
        f"mean loss was {losses[-1]:.6g}."
    )
    found.__cause__, found.estimator, found.point = error, model, model
    return found


def _weights(block: Block, output: int) -> Vector:
    return block.w


def _seed(state: Any) -> Any:
    return state if state is None or isinstance(state, int) else state.randint(2**31)


def _refuse(model: Any, rows: Any) -> None:
    owner, why = type(model).__name__, None
    if rows.sparse:
        why = "it needs dense rows, got svmlight files"
    elif model.warm_start:
        why = "warm_start must be False"
    elif getattr(model, "scoring", "loss") != "loss":
        why = "scoring must be 'loss'"
    elif model.subsample < 1.0:
        why = "subsample must be 1"
    elif getattr(model, "categorical_features", None) not in (None, "from_dtype"):
        why = "words become features of their own: categorical_features must be None"
    if why is not None:
        raise IncompatibleError(f"{owner} and streamed rows: {why}.")


def _refuse_loss(model: Any, plan: BoostingPlan, loss: BoostingLoss) -> None:
    owner = type(model).__name__
    if not (loss.newton or isinstance(loss.loss, VectorLoss)):
        raise IncompatibleError(
            f"{owner} and streamed rows: the leaves of {type(loss.loss).__name__} need "
            "all of their rows at once; take loss='squared_error', or "
            "RiskMinimizer(Quantile(0.5), 'ridge'), which streams."
        )


def refuse_endless(owner: str, paper: GrowthPaper) -> None:
    """Refuse trees that could grow as many nodes as there are rows."""
    if paper.max_nodes > MOST_NODES:
        raise IncompatibleError(
            f"{owner} and streamed rows: a tree may have {paper.max_nodes // 2:,} "
            f"leaves, {MOST_NODES // 2:,} are the most; set max_leaf_nodes, max_depth "
            "or min_samples_leaf."
        )


def _targets(model: Any, rows: Any) -> tuple[Reading, Any, Vector | None]:
    """Return how targets are read, those of each class or their range, and weights."""
    owner = type(model).__name__
    if not hasattr(model, "predict_proba") and not hasattr(model, "decision_function"):
        if rows.spooled.words is not None:
            raise DataError(f"{owner} needs numbers as targets.")
        return Reading(1.0), TargetRange(*rows.statistics.y_range), None
    classes, numbers, weights = known_classes(owner, rows)
    model.classes_ = classes
    codes = np.arange(len(classes))
    factors = None
    if getattr(model, "class_weight", None) is not None:
        factors = class_factors(owner, model.class_weight, classes, codes, weights)
        weights = weights * factors
    targets = model._as_targets(codes)
    signed = bool(targets.min() < 0)
    return Reading(1.0, numbers, 1 if signed else None, factors), targets, weights


def _start(
    rows: Any, loss: BoostingLoss, labels: Any, weights: Vector | None
) -> Vector:
    """Return the best constant scores: of numbers, by their mean."""
    if weights is not None:
        return loss.start(labels, weights)
    total = _added(rows, 0, rows.n_rows, of_targets=True)
    mean = total / _added(rows, 0, rows.n_rows, of_targets=False)
    return loss.start(np.array([mean]), np.ones(1))


def _added(rows: Any, start: int, count: int, *, of_targets: bool) -> float:
    """Return Σ w·y or Σ w of some rows, added as NumPy adds a whole column.

    So a fit begins with the same bits as in memory.
    """
    if count > RUN:
        half = count // 2
        half -= half % 8
        first = _added(rows, start, half, of_targets=of_targets)
        return first + _added(rows, start + half, count - half, of_targets=of_targets)
    folder, weights = rows.spool.folder, np.empty(count)
    read_at(folder / "w", 8 * start, weights)
    if not of_targets:
        return float(weights.sum())
    y = np.empty(count)
    read_at(folder / "y", 8 * start, y)
    return float((y * weights).sum())
