"""Machine code made ready before the clock starts: every contender once, on a few rows.

Loops are compiled by the first run on a machine, which takes longer than many a race,
and are on its disk from then on. That time is nobody's fault: it does not count against
the budget, and no contender is judged by it. Where there are two cores, a second
process takes its part of the work from the other end of the field.
"""

import math
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.compiling import noticing_compilers
from infimum.compiled.threads import cores
from infimum.evaluation import Split
from infimum.learn.alarm import TimeUpError, alarm
from infimum.learn.contenders import Contender
from infimum.learn.ground import Ground, models_at
from infimum.learn.problem import Problem
from infimum.learn.progress import Progress, Step
from infimum.learn.scoring import predict_all
from infimum.models.trees import shapley_values

__all__ = ["Claims", "Grounds", "both_grounds", "few_rows", "try_out", "warm"]

#: Many rows, and few.
Grounds = tuple[Ground, Ground]

STAGE = "warm"
#: Rows that are enough to make the loops of large tables run, and those of small ones.
_ROWS, _FEW = 1500, 100
#: Seconds after which fits that compile nothing show that the table is slow, not we.
_PATIENCE = 3.0
#: Seconds that the compiler may need for a loop, from when it was last heard.
_ONE_LOOP = 40.0
#: Seconds that the second process may take for its last part.
_LONGEST = 120.0
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
    with _folder() as folder:
        crew = _Crew(folder, contenders, few_rows(problem), progress)
        with noticing_compilers(crew.notice):
            crew.run()
    _ready.add(field)
    return crew.cold


@contextmanager
def _folder() -> Iterator[Path | None]:
    """Make a folder that two processes share; None where nothing can be written."""
    try:
        made = tempfile.TemporaryDirectory(
            prefix="infimum-", ignore_cleanup_errors=True
        )
    except OSError:
        yield None
        return
    with made as name:
        yield Path(name)


class Claims:
    """Who makes which contender ready: a file each, which only one process can make.

    Without a folder there is one process, and everything is its own.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.mine: set[str] = set()

    def take(self, contender: Contender) -> bool:
        """Claim a contender, and all that run the same loops; False if it is taken."""
        name = _ALIKE.get(contender.name, contender.name)
        if name in self.mine or self.folder is None:
            return True
        try:
            (self.folder / f"{name}.claim").touch(exist_ok=False)
        except FileExistsError:
            return False
        self.mine.add(name)
        return True


class _Crew:
    """The process of the job and, once the compiler is at work, a second one."""

    def __init__(
        self,
        folder: Path | None,
        contenders: Sequence[Contender],
        problem: Problem,
        progress: Progress,
    ) -> None:
        self.folder, self.contenders, self.problem = folder, contenders, problem
        self.progress = progress
        self.current = self.told = ""
        self.cold = False
        self.heard = 0.0
        self.second: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Make all contenders ready, whoever does it."""
        claims, grounds = Claims(self.folder), both_grounds(self.problem)
        began = perf_counter()
        others: list[Contender] = []
        try:
            for contender in self.contenders:
                if not claims.take(contender):
                    others.append(contender)
                    continue
                self._try(contender, grounds)
                if not self.cold and perf_counter() - began > _PATIENCE:
                    return
            self._finish(others, grounds)
        finally:
            if self.second is not None:
                self.second.kill()
                self.second.wait()

    def notice(self) -> None:
        """Tell that the compiler is at work; get help the first time."""
        self.heard = perf_counter()
        if not self.cold:
            self.cold = True
            with suppress(Exception):
                self.second = _second_process(self.folder, self.problem)
        if self.told != self.current:
            self.told = self.current
            self.progress(
                Step(STAGE, f"compiling, once for this machine: {self.current}")
            )

    def _finish(self, others: Sequence[Contender], grounds: Grounds) -> None:
        """Wait for the second process, then load from the disk what it has made."""
        if self.second is not None:
            with suppress(subprocess.TimeoutExpired):
                self.second.wait(_LONGEST)
        for contender in others:
            self._try(contender, grounds)

    def _try(self, contender: Contender, grounds: Grounds) -> None:
        """Make a contender ready; the race will see again who is slow on few rows."""
        self.current = contender.label
        late = perf_counter() + _PATIENCE
        with suppress(TimeUpError), alarm(late, unless=self._compiles):
            try_out(contender, grounds)

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


def both_grounds(problem: Problem) -> Grounds:
    """Return grounds on which many rows and few are learned from and predicted."""
    sizes = problem, few_rows(problem, _FEW)
    everything = [np.arange(len(each.y)) for each in sizes]
    many, few = (
        Ground(each, Split(all_rows, all_rows))
        for each, all_rows in zip(sizes, everything, strict=True)
    )
    return many, few


def try_out(contender: Contender, grounds: Grounds) -> None:
    """Fit a contender and let it predict; a failure will be told by the race.

    Some loops are for few rows, for other settings or for tables without outliers: a
    simple setting and one in the middle meet most of them. Strangers have no loops of
    ours to be compiled.
    """
    many, few = grounds
    # Of settings in stages the first of the middle shape.
    shapes = len(contender.grid) // contender.stages
    middle = float(shapes // 2 * contender.stages)
    turns = ((many, 0.0), (many, middle), (few, middle))
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        if type(contender.make()).__module__.startswith("infimum."):
            for ground, place in turns if contender.grid else turns[:1]:
                model = _fit_and_predict(contender, ground, place)
            if contender.view == "trees" and contender.name not in _ALIKE:
                # The evidence will share out answers of trees.
                rows = few.view(contender.view)[2][:2]
                shapley_values(model, rows, rows)


def _fit_and_predict(contender: Contender, ground: Ground, place: float) -> Any:
    rows = ground.view(contender.view)[2]
    if sparse.issparse(rows) and not contender.sparse:
        return None
    settings = (place,) if contender.grid else None
    models = models_at(contender, settings, ground, math.inf)[2]
    predict_all(models[0], rows, ground.problem.classes)
    return models[0]


def _second_process(
    folder: Path | None, problem: Problem
) -> "subprocess.Popen[bytes] | None":
    """Start a process that works from the other end of the field, if a core is free."""
    if cores() == 1 or not sys.executable or folder is None:
        return None
    import pickle

    # The folder is this user's alone, and so is what is read from it.
    (folder / "problem.pickle").write_bytes(pickle.dumps(problem))
    return subprocess.Popen(
        [sys.executable, "-m", "infimum.learn.warming_aside", str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
