"""Where contenders run: in this process, or side by side in workers; made ready before.

Loops are compiled by the first run on a machine, which takes longer than many a race,
and are on its disk from then on. That time is nobody's fault: what goes beyond a third
of the budget does not count against it, and no contender is judged by it.
"""

import math
import pickle
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy import sparse

from infimum.compiled.compiling import noticing_compilers
from infimum.data.column import ColumnKind
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion, predict_all
from infimum.learn.clock import Progress, Step, TimeUpError
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.fits import LATE, Shown, Task, models_at, perform
from infimum.learn.compare.tally import FoldResult
from infimum.learn.folds import EncodedFold, is_shared, shared_fold, write_problem
from infimum.learn.problem import Problem
from infimum.learn.worker import Crew, WorkerEndedError, cores, free_memory
from infimum.limits import check_pressed, time_limit
from infimum.models.trees import shapley_values

__all__ = [
    "Encodings",
    "Here",
    "Runner",
    "SideBySide",
    "both_encodings",
    "can_be_sent",
    "crew_for",
    "crew_size",
    "few_rows",
    "try_out",
    "warm",
]


#: Bytes of an encoded fold up to which all folds are kept.
_MOST_BYTES = 2e8
#: Numbers of a table, times its classes, from which on some fits take seconds.
_WORTH = 250_000
#: Kinds of columns that are encoded as several, and as how many at most.
_IN_LEVELS, _MOST_LEVELS = (ColumnKind.CATEGORICAL, ColumnKind.TEXT), 1_000
#: Bytes that a worker takes for itself, and copies of the table while it learns.
_EACH, _COPIES = 4e8, 6.0
_MOST_WORKERS = 8
#: Seconds that a task has at least after its fold was encoded.
_LEAST = 2.0


class Runner(Protocol):
    """Runs tasks, some of them at the same time; or `waits` for each."""

    waits: bool

    @property
    def busy(self) -> bool:
        """Whether there is an answer to wait for."""

    def takes(self, task: Task) -> bool:
        """Whether a task can be started now."""

    def start(self, key: Any, task: Task, kill_at: float = math.inf) -> None:
        """Start a task."""

    def next(self) -> tuple[Any, Shown]:
        """Wait for the next that is done."""

    def close(self) -> None:
        """End what is at work."""


class Here:
    """Runs one task after the other in this process, where nothing can be ended."""

    waits = True

    def __init__(
        self, problem: Problem, splits: Sequence[Split], criterion: Criterion
    ) -> None:
        self.problem, self.splits, self.criterion = problem, splits, criterion
        self.encodings: dict[int, EncodedFold] = {}
        self._done: list[tuple[Any, Shown]] = []

    @property
    def busy(self) -> bool:
        """Whether a result has not been asked for."""
        return bool(self._done)

    def takes(self, task: Task) -> bool:
        """Whether a task can be started now."""
        return not self._done

    def start(self, key: Any, task: Task, kill_at: float = math.inf) -> None:
        """Run a task."""
        shown = perform(task, self.encoded(task.fold), self.criterion)
        check_pressed()
        self._done.append((key, shown))

    def next(self) -> tuple[Any, Shown]:
        """Return what the task has shown."""
        return self._done.pop()

    def close(self) -> None:
        """Forget the folds."""
        self.encodings.clear()

    def encoded(self, place: int) -> EncodedFold:
        """Return a fold; each is encoded once if there is memory for all of them."""
        if place not in self.encodings:
            encoded = EncodedFold(self.problem, self.splits[place])
            if any(each.size > _MOST_BYTES for each in self.encodings.values()):
                return encoded
            self.encodings[place] = encoded
        return self.encodings[place]


class SideBySide:
    """Runs tasks in workers, which share the folds; who is late is ended."""

    waits = False

    def __init__(
        self,
        problem: Problem,
        splits: Sequence[Split],
        criterion: Criterion,
        crew: Crew,
    ) -> None:
        self.criterion, self.crew = criterion, crew
        self.folder = Path(tempfile.mkdtemp(dir=crew.folder))
        write_problem(problem, splits, self.folder)
        self.encoding: dict[Any, _Encoding] = {}

    @property
    def busy(self) -> bool:
        """Whether somebody is at work."""
        return self.crew.busy

    def takes(self, task: Task) -> bool:
        """Whether somebody is free, and nobody else encodes the same."""
        view = _view(task)
        made = [_view(each.task) for each in self.encoding.values()]
        return self.crew.free and view not in made

    def start(self, key: Any, task: Task, kill_at: float = math.inf) -> None:
        """Send a task to a worker, which encodes the fold first if nobody has."""
        if is_shared(self.folder, *_view(task)):
            self._send(key, task, kill_at)
            return
        self.encoding[key] = _Encoding(task, kill_at, time.perf_counter())
        self.crew.start(key, _encode, self.folder, *_view(task))

    def _send(self, key: Any, task: Task, kill_at: float) -> None:
        given = self.folder, task, self.criterion
        self.crew.start(key, _perform, *given, kill_at=kill_at)

    def next(self) -> tuple[Any, Shown]:
        """Wait for the next that is done, or that is ended."""
        key, answer = self.crew.next()
        try:
            while key in self.encoding:
                task, kill_at, began = self.encoding.pop(key)
                answer.get()
                spent = time.perf_counter() - began
                if task.owed:
                    self._send(key, task, kill_at + spent)
                else:
                    left = task._replace(seconds=task.seconds - spent)
                    self._send(key, left, max(kill_at, time.perf_counter() + _LEAST))
                key, answer = self.crew.next()
            return key, answer.get()
        except TimeUpError:
            return key, Shown(None, LATE)
        except WorkerEndedError as error:
            return key, Shown(FoldResult("", (), [], [], [], failure=f"{error}"))

    def close(self) -> None:
        """End who is at work, and remove the folds."""
        self.crew.give_up()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Encoding(NamedTuple):
    """A task that waits for its fold to be encoded, since when, and its end."""

    task: Task
    kill_at: float
    began: float


def _view(task: Task) -> tuple[int, str]:
    return task.fold, task.contender.view


def _encode(folder: Path, place: int, view: str) -> None:
    shared_fold(folder, place).view(view)


def _perform(folder: Path, task: Task, criterion: Criterion) -> Shown:
    return perform(task, shared_fold(folder, task.fold), criterion)


@contextmanager
def crew_for(
    problem: Problem, contenders: Sequence[Contender], asked: int | None
) -> Iterator[Crew | None]:
    """Yield the processes that learn side by side, None where they do not pay."""
    count = crew_size(problem) if asked is None else asked
    if not count or not can_be_sent(contenders):
        yield None
        return
    with Crew(count) as crew:
        yield crew


def crew_size(problem: Problem) -> int:
    """Return how many processes learn side by side: none where all fits are short."""
    rows, columns = problem.rows.shape
    entries = getattr(problem.rows, "nnz", rows * columns)
    # Linear models see a column for each level, and for many words of a text.
    width = sum(
        min(note.distinct, _MOST_LEVELS)
        for note in problem.columns
        if note.used and note.kind in _IN_LEVELS
    )
    if (entries + rows * width) * max(1, len(problem.classes)) < _WORTH:
        return 0
    room = free_memory() / (_EACH + _COPIES * 8.0 * entries)
    return int(max(1, min(cores(), _MOST_WORKERS, room)))


def can_be_sent(contenders: Sequence[Contender]) -> bool:
    """Whether other processes can make these contenders."""
    try:
        pickle.dumps(list(contenders))
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


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
        self.label = self.shown = ""
        self.cold = False

    def notice(self) -> None:
        """Tell that the compiler is at work."""
        self.cold = True
        if self.shown == self.label or self.progress is None:
            return
        self.shown = self.label
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
