"""What a benchmark task is, and how tasks are found.

A task is one small file of ``benchmarks/tasks`` that ends in ``TASK = Something()``.
It builds a problem, names the contenders, and judges their answers by its own formula,
so that no contender is trusted to say how well it did.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

__all__ = ["OURS", "Contender", "Task", "load_task", "present", "task_names"]

OURS = "infimum"


@dataclass(frozen=True)
class Contender:
    """One way to solve a task's problem.

    Parameters
    ----------
    name : str
        The library; ``"infimum"`` is ours, and the others are compared with it.
    fit : callable
        ``fit(problem, setting) -> answer``. This call is timed. It imports its
        library itself, so that a cold start includes the import.
    ladder : tuple
        Settings to try, loosest first; the runner times the first that reaches the
        quality. Usually tolerances. A method without one keeps the default.
    limit : float or None, default=None
        Seconds after which a fit is stopped, for a peer that may take hours.
    """

    name: str
    fit: Callable[[Any, Any], Any]
    ladder: tuple[Any, ...] = field(default=(None,))
    limit: float | None = None


class Task(Protocol):
    """A problem, its contenders, and an independent judge of their answers."""

    title: str
    #: Largest excess (see below) at which an answer counts as solved.
    tolerance: float

    def problem(self, *, quick: bool) -> Any:
        """Build the data, and the optimum the answers are judged by; not timed."""

    def contenders(self) -> Sequence[Contender]:
        """Return ours and the peers that are installed (see `present`)."""

    def excess(self, problem: Any, answer: Any) -> float:
        """Return how far the answer's objective lies above the optimum, relatively.

        Computed here, from the answer's coefficients and the task's own formula.
        """


def present(library: str) -> bool:
    """Return whether a peer is installed, without importing it."""
    return find_spec(library) is not None


def task_names() -> list[str]:
    """Return the names of all tasks, which are the files of ``benchmarks/tasks``."""
    files = (Path(__file__).parent / "tasks").glob("[!_]*.py")
    return sorted(file.stem for file in files)


def load_task(name: str) -> Task:
    """Return the task of that name: one of ours, or the module that is called so."""
    module = f"benchmarks.tasks.{name}" if name in task_names() else name
    task: Task = import_module(module).TASK
    return task
