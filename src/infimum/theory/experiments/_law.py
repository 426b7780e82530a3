"""`JointLaw`: the protocol of a joint distribution that experiments draw from."""

from typing import Any, Protocol

from infimum.typing import Matrix

__all__ = ["JointLaw"]


class JointLaw(Protocol):
    """A law of finitely many inputs (rows) and labels 0 and 1 (columns)."""

    @property
    def probabilities(self) -> Matrix:
        """P(X = x, Y = y)."""

    def risk(self, rule: Any) -> float:
        """Return P(rule(X) ≠ Y)."""

    def bayes_rule(self) -> Any:
        """Return the rule of least risk."""

    def sample(self, n: int, random_state: Any = None) -> Any:
        """Draw positions of inputs, and labels."""
