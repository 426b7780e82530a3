"""Machine code made ready before the clock starts: every contender once, on a few rows.

Loops are compiled by the first run on a machine, which takes longer than many a race,
and are on its disk from then on. That time is nobody's fault: it does not count against
the budget, and no contender is judged by it.
"""

import math
import warnings
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.compiling import noticing_compilers
from infimum.evaluation import Split
from infimum.evaluation.scoring import predict_all
from infimum.learn.clock import TimeUpError
from infimum.learn.compare.contenders import Contender
from infimum.learn.encoded_fold import EncodedFold, models_at
from infimum.learn.problem import Problem
from infimum.learn.progress import Progress, Step
from infimum.learn.worker import Crew
from infimum.limits import time_limit
from infimum.models.trees import shapley_values

__all__ = ["Encodings", "both_encodings", "few_rows", "try_out", "warm"]

#: Many rows, and few.
Encodings = tuple[EncodedFold, EncodedFold]

STAGE = "warm"
#: Rows that are enough to make the loops of large tables run, and those of small ones.
_ROWS, _FEW = 1500, 100
#: Seconds after which fits that compile nothing show that the table is slow, not we.
_PATIENCE = 3.0
#: Seconds that the compiler may need for all of them.
_MOST = 600.0
#: Contenders that run the loops of another.
_ALIKE = dict.fromkeys(
    ("forest", "extra-trees", "quantile-forest", "strange-tree"), "tree"
)
#: Fields that this process has made ready.
_ready: set[tuple[object, ...]] = set()


def warm(
    contenders: Sequence[Contender],
    problem: Problem,
    progress: Progress,
    crew: Crew | None = None,
) -> bool:
    """Have ready what the race will run; what goes wrong here is left to the race.

    With the code on the disk it takes about as long as loading it does. A field that
    this process has made ready before is passed over. Returns whether the compiler had
    to work. With a `crew` each worker makes its part ready.
    """
    if crew is not None:
        return _side_by_side(contenders, few_rows(problem), crew)
    kinds = (problem.goal, min(len(problem.classes), 3), sparse.issparse(problem.rows))
    field = (*kinds, problem.weights is None, *(each.name for each in contenders))
    if field in _ready:
        return False
    cold = _try_all(contenders, few_rows(problem), progress)
    _ready.add(field)
    return cold


def _side_by_side(contenders: Sequence[Contender], few: Problem, crew: Crew) -> bool:
    """Let each worker make some contenders ready; one that fails is no loss here."""
    for place in range(crew.count):
        part = contenders[place :: crew.count]
        crew.start(place, _try_all, part, few, kill_at=perf_counter() + _MOST)
    cold = False
    while crew.busy:
        with suppress(TimeUpError):
            cold |= crew.next()[1].get()
    return cold


def _try_all(
    contenders: Sequence[Contender], problem: Problem, progress: Progress | None = None
) -> bool:
    """Try contenders, unless the table is slow though nothing is cold."""
    at_work = _AtWork(progress)
    with noticing_compilers(at_work.notice):
        encodings = both_encodings(problem)
        began = perf_counter()
        for contender in contenders:
            at_work.label = contender.label
            # The race will see again who is slow on few rows.
            with suppress(TimeUpError), time_limit(_PATIENCE):
                try_out(contender, encodings)
            if not at_work.cold and perf_counter() - began > _PATIENCE:
                break
    return at_work.cold


class _AtWork:
    """Who is made ready, and whether the compiler is at work for it."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.label = self.told = ""
        self.cold = False

    def notice(self) -> None:
        """Tell that the compiler is at work."""
        self.cold = True
        if self.told == self.label or self.progress is None:
            return
        self.told = self.label
        self.progress(Step(STAGE, f"compiling, once for this machine: {self.label}"))


def few_rows(problem: Problem, count: int = _ROWS) -> Problem:
    """Return a problem of a few rows, spread over all targets, with every class."""
    # Rows with several labels are spread by how many they have.
    answers = problem.y if problem.y.ndim == 1 else problem.y.sum(axis=1)
    order = np.argsort(answers, kind="stable")
    spread = np.linspace(0, len(order) - 1, min(count, len(order))).astype(int)
    kept = order[spread]
    if len(problem.classes):
        columns = np.atleast_2d(problem.y.T)
        firsts = [np.unique(column, return_index=True)[1] for column in columns]
        kept = np.concatenate([kept, *firsts])
    return problem.only(np.unique(kept))


def both_encodings(problem: Problem) -> Encodings:
    """Return encodings on which many rows and few are learned from and predicted."""
    sizes = problem, few_rows(problem, _FEW)
    everything = [np.arange(len(each.y)) for each in sizes]
    many, few = (
        EncodedFold(each, Split(all_rows, all_rows))
        for each, all_rows in zip(sizes, everything, strict=True)
    )
    return many, few


def try_out(contender: Contender, encodings: Encodings) -> None:
    """Fit a contender and let it predict; a failure will be told by the race.

    Some loops are for few rows, for other settings or for tables without outliers: a
    simple setting and one in the middle meet most of them. Strangers have no loops of
    ours to be compiled.
    """
    many, few = encodings
    # Of settings in stages the first of the middle shape.
    shapes = len(contender.grid) // contender.stages
    middle = float(shapes // 2 * contender.stages)
    turns = ((many, 0.0), (many, middle), (few, middle))
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        if type(contender.make()).__module__.startswith("infimum."):
            for encoded, place in turns if contender.grid else turns[:1]:
                model = _fit_and_predict(contender, encoded, place)
            if contender.view == "trees" and contender.name not in _ALIKE:
                # The evidence will share out answers of trees.
                rows = few.view(contender.view)[2][:2]
                shapley_values(model, rows, rows)


def _fit_and_predict(contender: Contender, encoded: EncodedFold, place: float) -> Any:
    rows = encoded.view(contender.view)[2]
    if sparse.issparse(rows) and not contender.sparse:
        return None
    settings = (place,) if contender.grid else None
    models = models_at(contender, settings, encoded, math.inf)[2]
    predict_all(models[0], rows, encoded.problem.classes)
    return models[0]
