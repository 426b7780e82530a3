"""Reduce on plateau: shorter steps once progress has stopped."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, nonnegative, opened, whole

__all__ = ["Plateau"]


@dataclass
class Plateau:
    """A watcher of progress that asks for shorter steps when there is none.

    A value is progress when it is below the best so far by the share `threshold` of
    it. After more than `patience` values in a row without progress the step is to be
    multiplied by `shrink`, and the watch begins again.

    Examples
    --------
    >>> watch = Plateau(shrink=0.1, patience=1)
    >>> [watch.factor(error) for error in (3.0, 2.0, 2.0, 2.0, 2.0, 1.0)]
    [1.0, 1.0, 1.0, 0.1, 1.0, 1.0]
    """

    shrink: float = field(default=0.5, metadata={"domain": opened(0, 1)})
    patience: int = field(default=3, metadata={"domain": whole(0)})
    threshold: float = field(default=1e-4, metadata={"domain": nonnegative})
    best: float = np.inf
    idle: int = 0

    def __post_init__(self) -> None:
        check_domains(self)

    def factor(self, value: float) -> float:
        """Return what to multiply the step by, now that progress stands at `value`."""
        margin = self.threshold * abs(self.best) if np.isfinite(self.best) else 0.0
        if value < self.best - margin:
            self.best, self.idle = value, 0
            return 1.0
        self.idle += 1
        if self.idle <= self.patience:
            return 1.0
        self.idle = 0
        return self.shrink
