"""Tasks that are a problem, a few ways to solve it, and a formula that judges."""

from dataclasses import dataclass, field
from typing import Any

from benchmarks.task import Contender, present


@dataclass(frozen=True)
class SimpleTask:
    """A task made of functions.

    Parameters
    ----------
    title : str
    tolerance : float
    make : callable
        ``make(quick) -> problem``.
    judge : callable
        ``judge(problem, answer) -> excess``.
    fits : dict
        ``fit(problem, setting)`` by the name of the contender.
    ladders : dict
        Settings by the name of the contender, where there are any.
    needs : dict
        The package that a contender needs, by its name.
    """

    title: str
    tolerance: float
    make: Any
    judge: Any
    fits: dict[str, Any]
    ladders: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    needs: dict[str, str] = field(default_factory=dict)

    def problem(self, *, quick):
        return self.make(quick)

    def contenders(self):
        for name, fit in self.fits.items():
            if present(self.needs.get(name, "scipy")):
                yield Contender(name, fit, self.ladders.get(name, (None,)))

    def excess(self, problem, answer):
        return float(self.judge(problem, answer))
