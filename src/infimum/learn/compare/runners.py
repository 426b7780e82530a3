"""Where turns of the comparison run: in this process, or side by side in workers."""

import math
import pickle
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion
from infimum.learn.clock import TimeUpError, check_pressed
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.fold_result import LATE, Shown, Task, perform
from infimum.learn.compare.tally import FoldResult
from infimum.learn.encoded_fold import EncodedFold
from infimum.learn.problem import Problem
from infimum.learn.shared_folds import is_shared, shared_fold, write_problem
from infimum.learn.worker import Crew, WorkerEndedError, cores, free_memory

__all__ = ["Here", "Runner", "SideBySide", "can_be_sent", "crew_for", "crew_size"]

#: Bytes of an encoded fold up to which all folds are kept.
_MOST_BYTES = 2e8
#: Numbers of a table, times its classes, from which on some fits take seconds.
_WORTH = 250_000
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
    if entries * max(1, len(problem.classes)) < _WORTH:
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
