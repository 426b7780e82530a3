"""Losses of learners on streams, by scikit-learn's names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses import (
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Loss,
    Squared,
    SquaredEpsilonInsensitive,
    SquaredHinge,
)
from infimum.parameters import Choice, check_domain, nonnegative
from infimum.typing import Formula, Vector

__all__ = ["ErrorDriven", "ModifiedHuber", "StreamLoss", "named_loss"]


def _error_derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -y up to the margin and 0 beyond: a score of 0 is a mistake."""
    return -y * (y * f <= parameters[0])


def _modified_huber_derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -2y times the lack of margin, at most -4y."""
    return -2.0 * y * np.minimum(np.maximum(1.0 - y * f, 0.0), 2.0)


@dataclass(frozen=True)
class ErrorDriven:
    """The perceptron's loss, max(0, margin - yf), that learns on its kink too."""

    margin: float = field(default=0.0, metadata={"domain": nonnegative})

    derivative_formula: ClassVar[Formula] = staticmethod(_error_derivative)
    prox_formula: ClassVar[Formula | None] = None

    @property
    def parameters(self) -> Vector:
        """The margin, as the formula receives it."""
        return np.array([self.margin], dtype=np.float64)

    def value(self, y: Vector, f: Vector) -> Vector:
        """Return the lack of margin of each sample."""
        return np.maximum(self.margin - y * f, 0.0)


@dataclass(frozen=True)
class ModifiedHuber:
    """A squared hinge whose far end is a line, so that outliers cost less."""

    derivative_formula: ClassVar[Formula] = staticmethod(_modified_huber_derivative)
    prox_formula: ClassVar[Formula | None] = None

    @property
    def parameters(self) -> Vector:
        """Nothing: the formula has no numbers of its own."""
        return np.zeros(0)

    def value(self, y: Vector, f: Vector) -> Vector:
        """Return the squared lack of margin up to 2, and a tangent beyond."""
        margin = y * f
        return np.where(
            margin >= -1.0, np.maximum(1.0 - margin, 0.0) ** 2, -4.0 * margin
        )


#: A loss of the losses' room, or one of the two above.
StreamLoss = Loss | ErrorDriven | ModifiedHuber

_OF_LABELS = ("hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron")
_OF_NUMBERS = (
    "squared_error",
    "huber",
    "epsilon_insensitive",
    "squared_epsilon_insensitive",
)


def named_loss(owner: str, loss: Any, epsilon: float, *, labels: bool) -> StreamLoss:
    """Return the loss called so; a loss of `infimum.losses` is taken as it is."""
    if isinstance(loss, Loss):
        known = ("sign", "real") if labels else ("real", "positive", "count")
        check_domain(f"{owner}.loss.target", loss.target, Choice(known))
        return loss
    names = _OF_LABELS + _OF_NUMBERS if labels else _OF_NUMBERS
    check_domain(f"{owner}.loss", loss, Choice(names))
    made: dict[str, Any] = {
        "hinge": Hinge,
        "log_loss": Logistic,
        "modified_huber": ModifiedHuber,
        "squared_hinge": SquaredHinge,
        "perceptron": ErrorDriven,
        "squared_error": Squared,
        "huber": lambda: Huber(epsilon),
        "epsilon_insensitive": lambda: EpsilonInsensitive(epsilon),
        "squared_epsilon_insensitive": lambda: SquaredEpsilonInsensitive(epsilon),
    }
    chosen: StreamLoss = made[loss]()
    return chosen
