"""Trace a run: where a solver was, how good that is, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from infimum.errors import IncompatibleError
from infimum.objectives import Evaluation, LinearRisk
from infimum.solvers._solver import Solver
from infimum.solvers.progress import INTERRUPTED, Callback, Iterate, Progress
from infimum.study.convexity import Trace
from infimum.study.convexity.descent.trace import TraceRow
from infimum.typing import Indices, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["SolverTrace", "plot_traces", "trace"]


@dataclass(frozen=True, eq=False)
class SolverTrace(Trace):
    """A trace of a solver on a risk; points of a vector loss are written as one row.

    Attributes
    ----------
    name : str
        The solver, with the settings that are not its defaults.
    numbers : ndarray of int
        The iteration of each record: some solvers do not show every one.
    bounds : ndarray
        The best lower bound proved up to each record.
    """

    name: str = ""
    numbers: Indices = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    bounds: Vector = field(default_factory=lambda: np.empty(0))

    @property
    def iterations(self) -> int:
        """The number of iterations made."""
        return int(self.numbers[-1])

    def __iter__(self) -> Iterator[TraceRow]:
        for number, record in zip(self.numbers, super().__iter__(), strict=True):
            yield record._replace(iteration=int(number))

    def plot(self, against: str = "both", name: str = "") -> Figure:
        """Draw this trace alone; `plot_traces` draws several."""
        return plot_traces([replace(self, name=name) if name else self], against)


def plot_traces(traces: Sequence[SolverTrace], against: str = "both") -> Figure:
    """Draw how solvers closed in on the minimum of a risk, on logarithmic scales.

    Above, the best value so far; it is measured from the best bound that any of the
    traces proved, so no distance to the minimum is drawn smaller than it is. Below, the
    gap each of them proved by itself.

    Parameters
    ----------
    traces : sequence of SolverTrace
        Traces of the same risk.
    against : {"both", "iteration", "seconds"}
        What the horizontal axes show.

    Returns
    -------
    plotly.graph_objects.Figure
        Two rows of panels with one line per trace in each.
    """
    from infimum.study.solvers._trace_picture import draw

    if not traces or not all(isinstance(one, SolverTrace) for one in traces):
        raise IncompatibleError(
            "plot_traces draws at least one trace of a solver, and nothing else."
        )
    return draw(traces, against)


def trace(
    solver: Solver,
    risk: LinearRisk,
    start: Vector | None = None,
    callback: Callback | None = None,
) -> SolverTrace:
    """Run a solver and record point, value, gap and time at every iteration.

    A solver that proves its point now and then only is asked to do so each time; what
    the proofs cost does not count as its time.

    Parameters
    ----------
    solver : Solver
        Whose iterations to record, with its own budget.
    risk : LinearRisk
        What it minimises.
    start : ndarray, optional
        Where to start; the null model by default.
    callback : callable, optional
        As in `Solver.solve`.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Squared
    >>> from infimum.penalties import Ridge
    >>> from infimum.solvers import Newton
    >>> from infimum.study.solvers import SteepestDescent, trace
    >>> X = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    >>> y = np.array([1.0, 0.0, 2.0])
    >>> risk = LinearRisk(as_design(X), y, Squared(), Ridge(0.1))
    >>> slow, fast = trace(SteepestDescent(), risk), trace(Newton(), risk)
    >>> slow.iterations > fast.iterations
    True
    >>> bool(np.all(slow.values - fast.best <= slow.gaps + 1e-12))
    True
    """
    if not isinstance(solver, Solver):
        raise IncompatibleError(
            f"trace needs a solver, such as Newton(), got {solver!r}."
        )
    if objection := solver.objection(risk):
        raise IncompatibleError(f"{type(solver).__name__} cannot start: {objection}.")
    name = _name(solver)
    if any(part.name == "check_every" for part in fields(solver)):
        solver = replace(solver, check_every=1)  # type: ignore[call-arg]
    limits = solver.tolerance, solver.max_iterations, solver.max_seconds
    here = risk.at_null if start is None else risk.evaluate(start.copy())
    recorder = _Recorder(risk, limits, callback)
    recorder.note(here)
    try:
        recorder.follow(solver._descend(here))
    except KeyboardInterrupt:
        recorder.reason = INTERRUPTED
    return recorder.trace(name)


class _Recorder(Progress):
    """A progress that keeps every iterate, and time apart from proofs."""

    def __init__(
        self,
        risk: LinearRisk,
        limits: tuple[float, int, float | None],
        callback: Callback | None,
    ) -> None:
        super().__init__(risk, limits, callback)
        self.rows: list[tuple[int, Vector, float, float, float]] = []
        self.proving = 0.0

    def take(self, iterate: Iterate) -> bool:
        came = time.perf_counter()
        ended = super().take(iterate)
        self._write(iterate.iteration, iterate.here, came)
        return ended

    def note(self, here: Evaluation) -> None:
        """Write down the start, at which nothing is proved yet."""
        self._write(0, here, self.started)

    def _write(self, iteration: int, here: Evaluation, came: float) -> None:
        if iteration == 0:
            self.rows.clear()  # the start as the method itself sees it
        seconds = came - self.started - self.proving
        row = (iteration, here.point.ravel(), here.value, self.dual, seconds)
        self.rows.append(row)
        self.proving += time.perf_counter() - came

    def trace(self, name: str) -> SolverTrace:
        """Return what was written."""
        numbers, points, values, bounds, seconds = zip(*self.rows, strict=True)
        best = np.minimum.accumulate(np.array(values))
        lower = np.array(bounds)
        with np.errstate(invalid="ignore"):
            gaps = np.maximum(best - lower, 0.0)
        return SolverTrace(
            np.array(points),
            np.array(values),
            np.where(np.isnan(gaps), np.inf, gaps),
            np.array(seconds),
            self.reason,
            name,
            np.array(numbers, dtype=np.intp),
            lower,
        )


def _name(solver: Solver) -> str:
    """Return the class with the settings that are not its defaults."""
    default = type(solver)()
    budget = {"tolerance", "max_iterations", "max_seconds", "check_every"}
    settings = [
        f"{part.name}={getattr(solver, part.name)!r}"
        for part in fields(solver)
        if part.name not in budget
        and getattr(solver, part.name) is not getattr(default, part.name)
        and getattr(solver, part.name) != getattr(default, part.name)
    ]
    return f"{type(solver).__name__}({', '.join(settings)})".removesuffix("()")
