"""Sum: the law of a sum of independent variables, by convolution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, ClassVar

import numpy as np
from scipy.signal import fftconvolve

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import laws
from infimum.errors import IncompatibleError
from infimum.typing import Mask, Vector

__all__ = ["Sum"]

#: Cells of the finest grid, and the tail that no cell holds.
CELLS, TAIL = 1 << 15, 1e-13


@dataclass(frozen=True, eq=False)
class Sum(Distribution):
    r"""The law of a sum of independent variables: the convolution of their laws.

    .. math:: p_Z = p_X * p_Y, \qquad \varphi_Z = \varphi_X\, \varphi_Y

    Discrete laws of whole numbers are convolved exactly. Continuous ones are divided
    into cells of width `step` whose probabilities are exact; the density of the sum is
    then right up to the square of the step.

    Examples
    --------
    >>> from infimum.distributions import Discrete
    >>> die = Discrete.uniform(range(1, 7))
    >>> (36 * Sum((die, die)).density([2, 7, 12])).round(6)
    array([1., 6., 1.])
    """

    laws: tuple[Distribution, ...]

    support: ClassVar[str] = "the sums of values of the supports"

    def __post_init__(self) -> None:
        given = laws("Sum.laws", self.laws, scalar=True)
        object.__setattr__(self, "laws", given)
        kinds = {law.discrete for law in self.laws}
        if len(kinds) > 1:
            raise IncompatibleError("Sum takes laws that are all discrete or none.")
        object.__setattr__(self, "discrete", kinds.pop())

    @cached_property
    def step(self) -> float:
        """The distance between neighbouring cells."""
        if self.discrete:
            return 1.0
        widths = [np.ptp(law.quantile([TAIL, 1.0 - TAIL])) for law in self.laws]
        return float(sum(widths)) / CELLS

    @cached_property
    def _grid(self) -> tuple[float, Vector]:
        """The first cell's middle, and the probabilities of all cells."""
        parts = [self._cells(law) for law in self.laws]
        shares = reduce(fftconvolve, (cells for _, cells in parts))
        shares = np.maximum(shares, 0.0)
        return sum(first for first, _ in parts), shares / shares.sum()

    def _cells(self, law: Distribution) -> tuple[float, Vector]:
        if self.discrete:
            values = law.atoms()
            if not (values == np.floor(values)).all():
                raise IncompatibleError("Sum takes discrete laws of whole numbers.")
            grid = np.arange(values[0], values[-1] + 1.0)
            return float(values[0]), law.density(grid)
        low, high = law.quantile([TAIL, 1.0 - TAIL]).tolist()
        first = np.floor(low / self.step)
        middles = (first + np.arange(np.ceil(high / self.step) - first + 1)) * self.step
        edges = np.append(middles, middles[-1] + self.step) - 0.5 * self.step
        return float(middles[0]), np.diff(law.cdf(edges))

    def covers(self, y: Vector) -> Mask:
        low, high = self.ends
        inside = (y >= low) & (y <= high) & np.isfinite(y)
        return np.asarray(inside & (y == np.floor(y)) if self.discrete else inside)

    def _log_density(self, y: Vector) -> Vector:
        first, shares = self._grid
        with np.errstate(divide="ignore"):
            if self.discrete:
                places = (y - first).astype(np.intp)
                known = (places >= 0) & (places < len(shares))
                found = np.where(known, shares[np.where(known, places, 0)], 0.0)
                return np.asarray(np.log(found))
            middles = first + self.step * np.arange(len(shares))
            found = np.interp(y, middles, shares / self.step, left=0.0, right=0.0)
            return np.asarray(np.log(found))

    @property
    def mean(self) -> float:
        return float(sum(law.mean for law in self.laws))

    @property
    def variance(self) -> float:
        return float(sum(law.variance for law in self.laws))

    @property
    def ends(self) -> tuple[float, float]:
        sides = np.array([law.ends for law in self.laws])
        return float(sides[:, 0].sum()), float(sides[:, 1].sum())

    def _cdf(self, y: Vector) -> Vector:
        first, shares = self._grid
        sums = np.minimum(np.append(0.0, np.cumsum(shares)), 1.0)
        if self.discrete:
            places = np.clip((y - first).astype(np.intp) + 1, 0, len(shares))
            return np.asarray(sums[places])
        edges = first + self.step * (np.arange(len(sums)) - 0.5)
        return np.asarray(np.interp(y, edges, sums))

    def _characteristic(self, omega: Vector) -> Any:
        parts = [law.characteristic(omega) for law in self.laws]
        return np.prod(np.array(parts), axis=0)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return np.asarray(np.sum([law.sample(n, rng) for law in self.laws], axis=0))
