"""McDiarmid's inequality, for functions that no single argument moves much."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import inf, log, prod, sqrt
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import Choice, positive
from infimum.theory.concentration._concentration import Concentration
from infimum.typing import Vector

__all__ = ["McDiarmid", "bounded_differences"]

_MOST_POINTS = 1_000_000


@dataclass(frozen=True)
class McDiarmid(Concentration):
    r"""A function of n independent arguments, moved by each of them by scale/n at most.

    .. math:: P(|f - E f| \ge \varepsilon)
        \le 2 \exp\Bigl(-\frac{2 \varepsilon^2}{\sum_i c_i^2}\Bigr), \qquad
        c_i = \text{scale} / n

    For the mean of draws from [a, b] the scale is b - a, which gives Hoeffding's
    inequality. `from_differences` takes any c.

    Examples
    --------
    >>> from infimum.theory import McDiarmid
    >>> two = McDiarmid.from_differences([0.3, 0.4])
    >>> round(two.probability(2, 0.5), 4) == round(2 * 2.718281828**-2, 4)
    True
    """

    scale: float = field(default=1.0, metadata={"domain": positive})
    sides: int = field(default=2, metadata={"domain": Choice((1, 2))})
    assumption: ClassVar[str] = (
        "arguments are independent and each moves the function by little"
    )

    @classmethod
    def from_differences(cls, differences: ArrayLike, sides: int = 2) -> Self:
        """Return the inequality for one function with these c; ask it at their n."""
        c = np.asarray(differences, dtype=np.float64)
        return cls(sqrt(len(c)) * float(np.linalg.norm(c)), sides)

    def _log_probability(self, n: int, epsilon: float) -> float:
        return log(self.sides) - 2 * n * (epsilon / self.scale) ** 2

    def _radius(self, n: int, log_delta: float) -> float:
        return self.scale * sqrt((log(self.sides) - log_delta) / (2 * n))

    def _sample_size(self, epsilon: float, log_delta: float) -> float:
        return (log(self.sides) - log_delta) / 2 * (self.scale / epsilon) ** 2


def bounded_differences(
    function: Callable[..., float], domains: Sequence[Sequence[Any]]
) -> Vector:
    """Return how much each argument alone can change a function, by trying all.

    Parameters
    ----------
    function : callable
        Takes one value of each domain.
    domains : sequence of sequences
        The values that each argument can take; at most a million combinations.

    Examples
    --------
    >>> from infimum.theory import bounded_differences
    >>> bounded_differences(lambda a, b: a + 2 * b, [(0, 1), (0, 1)])
    array([1., 2.])
    """
    shape = [len(values) for values in domains]
    cost = prod(shape)
    if not shape or cost == 0:
        raise DataError("bounded_differences needs a value in every domain.")
    if cost > _MOST_POINTS:
        raise DataError(
            f"bounded_differences would call the function {cost:,} times; "
            f"{_MOST_POINTS:,} are allowed."
        )
    values = np.array([function(*point) for point in product(*domains)], dtype=float)
    table = values.reshape(shape)
    return np.array(
        [np.max(np.ptp(table, axis=axis), initial=-inf) for axis in range(table.ndim)]
    )
