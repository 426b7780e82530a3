"""The likelihood after each step of a fit, and whether it still rises."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

__all__ = ["ConvergenceMonitor"]


@dataclass
class ConvergenceMonitor:
    """Log-likelihoods, step by step.

    Attributes
    ----------
    tol : float
        A smaller rise ends the fit.
    n_iter : int
        Most steps.
    verbose : bool
        Whether each step writes a line to the standard error.
    history : list of float
        The log-likelihood before each maximisation.

    Examples
    --------
    >>> ConvergenceMonitor(tol=0.1, n_iter=5, history=[-3.0, -2.95]).converged
    True
    """

    tol: float = 1e-2
    n_iter: int = 10
    verbose: bool = False
    history: list[float] = field(default_factory=list)

    def report(self, log_prob: float) -> None:
        """Keep the log-likelihood of one more step, and tell it where asked to."""
        if self.verbose:
            rise = log_prob - self.history[-1] if self.history else float("nan")
            step = len(self.history) + 1
            sys.stderr.write(f"{step:>10d} {log_prob:>16.8f} {rise:>+16.8f}\n")
        self.history.append(log_prob)

    @property
    def iter(self) -> int:
        """How many steps were made."""
        return len(self.history)

    @property
    def converged(self) -> bool:
        """Whether the steps are used up, or the last of them gained little."""
        rise = self.history[-1] - self.history[-2] if len(self.history) > 1 else None
        return self.iter >= self.n_iter or (rise is not None and rise < self.tol)
