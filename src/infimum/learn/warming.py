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
from infimum.learn.compare.contenders import Contender
from infimum.learn.encoded_fold import EncodedFold, models_at
from infimum.learn.problem import Problem
from infimum.learn.progress import Progress, Step
from infimum.learn.stopping import TimeUpError, alarm
from infimum.models.trees import shapley_values

__all__ = ["Encodings", "both_encodings", "few_rows", "try_out", "warm"]

#: Many rows, and few.
Encodings = tuple[EncodedFold, EncodedFold]

STAGE = "warm"
#: Rows that are enough to make the loops of large tables run, and those of small ones.
_ROWS, _FEW = 1500, 100
#: Seconds after which fits that compile nothing show that the table is slow, not we.
_PATIENCE = 3.0
#: Seconds that the compiler may need for a loop, from when it was last heard.
_ONE_LOOP = 40.0
#: Contenders that run the loops of another.
_ALIKE = dict.fromkeys(
    ("forest", "extra-trees", "quantile-forest", "strange-tree"), "tree"
)
#: Fields that this process has made ready.
_ready: set[tuple[object, ...]] = set()


def warm(contenders: Sequence[Contender], problem: Problem, progress: Progress) -> bool:
    """Have ready what the race will run; what goes wrong here is left to the race.

    With the code on the disk it takes about as long as loading it does. A field that
    this process has made ready before is passed over. Returns whether the compiler had
    to work.
    """
    kinds = (problem.goal, min(len(problem.classes), 3), sparse.issparse(problem.rows))
    field = (*kinds, problem.weights is None, *(each.name for each in contenders))
    if field in _ready:
        return False
    crew = _Crew(contenders, few_rows(problem), progress)
    with noticing_compilers(crew.notice):
        crew.run()
    _ready.add(field)
    return crew.cold


class _Crew:
    """Makes contenders ready, and tells when the compiler is at work."""

    def __init__(
        self, contenders: Sequence[Contender], problem: Problem, progress: Progress
    ) -> None:
        self.contenders, self.problem = contenders, problem
        self.progress = progress
        self.current = self.told = ""
        self.cold = False
        self.heard = 0.0

    def run(self) -> None:
        """Make all ready, unless the table is slow though nothing is cold."""
        encodings = both_encodings(self.problem)
        began = perf_counter()
        for contender in self.contenders:
            self._try(contender, encodings)
            if not self.cold and perf_counter() - began > _PATIENCE:
                return

    def notice(self) -> None:
        """Tell that the compiler is at work."""
        self.heard = perf_counter()
        self.cold = True
        if self.told != self.current:
            self.told = self.current
            self.progress(
                Step(STAGE, f"compiling, once for this machine: {self.current}")
            )

    def _try(self, contender: Contender, encodings: Encodings) -> None:
        """Make a contender ready; the race will see again who is slow on few rows."""
        self.current = contender.label
        late = perf_counter() + _PATIENCE
        with suppress(TimeUpError), alarm(late, unless=self._compiles):
            try_out(contender, encodings)

    def _compiles(self) -> bool:
        return self.cold and perf_counter() - self.heard < _ONE_LOOP


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
