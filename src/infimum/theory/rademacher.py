"""Rademacher complexity: how well a class correlates with pure noise."""

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, opened, whole
from infimum.theory.classes import HypothesisClass
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Matrix, Vector

__all__ = ["Rademacher", "rademacher"]

#: Up to this many points all signs are tried.
_ALL_SIGNS = 20
_EUCLIDEAN, _PER_BLOCK = 2, 1 << 21


@dataclass(frozen=True)
class Rademacher(PlainRecord):
    """A Rademacher complexity on given points, and how it is known.

    `value` lies in [low, high] with probability `confidence` over the signs drawn;
    the ends are equal if the value is exact. `method` is "closed form", "all signs" or
    "draws".
    """

    value: float
    low: float
    high: float
    method: str
    n: int
    draws: int = 0
    confidence: float = 1.0


def rademacher(
    what: Any,
    X: ArrayLike | None = None,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
) -> Rademacher:
    r"""Return the empirical Rademacher complexity of functions on points.

    .. math:: \hat{\mathrm{Rad}} = E_\sigma \sup_{f \in F}
        \frac1n \sum_i \sigma_i f(x_i)

    over independent fair signs σ. Up to 20 points all signs are tried. Otherwise signs
    are drawn; flipping one of them moves the average little, so that McDiarmid's
    inequality gives a short interval.

    Parameters
    ----------
    what : hypothesis class, table of values or convex set
        A class of this room; an array with the values of one function a row; or
        anything with a `support` function, such as a ball of weight vectors, which
        stands for the linear functions with these weights.
    X : array-like of shape (n, d)
        The points; not needed with a table.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.theory import rademacher
    >>> rademacher([[1, 1, 1]]).value, rademacher([[1, 1], [1, -1]]).value
    (0.0, 0.5)
    >>> class UnitBall:
    ...     def support(self, direction):
    ...         return np.linalg.norm(direction)
    >>> round(rademacher(UnitBall(), np.eye(2)).value, 6)
    0.707107
    """
    check_domain("rademacher's draws", draws, whole(1))
    check_domain("rademacher's confidence", confidence, opened(0, 1))
    closed = getattr(what, "rademacher", None)
    if closed is not None:
        value = float(closed(X))
        return Rademacher(value, value, value, "closed form", len(np.asarray(X)))
    greatest, moves = _problem(what, X)
    n = len(moves)
    if n <= _ALL_SIGNS:
        value = _over_all_signs(greatest, n)
        return Rademacher(value, value, value, "all signs", n, 2**n)
    generator = np.random.default_rng(random_state)
    value = float(greatest.drawn(draws, generator).mean() / n)
    width = float(np.linalg.norm(moves)) / sqrt(draws)
    reach = width * sqrt(log(2 / (1 - confidence)) / 2)
    ends = max(0.0, value - reach), value + reach
    return Rademacher(value, *ends, "draws", n, draws, confidence)


class _Values:
    """The largest of finitely many functions, given by their values."""

    def __init__(self, table: Matrix) -> None:
        self.table, self.n = table, table.shape[1]

    def __call__(self, signs: Matrix) -> Vector:
        return np.asarray((self.table @ signs).max(axis=0))

    def drawn(self, draws: int, generator: Any) -> Vector:
        return self(_signs(generator, self.n, draws))


class _Fitted:
    """The largest function of a class, by minimising the error against the signs."""

    def __init__(self, hypotheses: HypothesisClass, X: Any) -> None:
        self.hypotheses, self.X, self.n = hypotheses, X, len(X)

    def __call__(self, signs: Matrix) -> Vector:
        # Σ σ f = n - 2 · (number of disagreements).
        risks = [self.hypotheses.minimize(self.X, each).risk for each in signs.T]
        return self.n * (1 - 2 * np.array(risks))

    def drawn(self, draws: int, generator: Any) -> Vector:
        return self(_signs(generator, self.n, draws))


class _Linear:
    """The largest linear function with weights in a convex set, by its support."""

    def __init__(self, weights: Any, X: Matrix) -> None:
        self.weights, self.X = weights, X

    def __call__(self, signs: Matrix) -> Vector:
        return self._reached(self.X.T @ signs)

    def drawn(self, draws: int, generator: Any) -> Vector:
        """Add up X'σ by blocks of rows, so that the signs never fill the memory.

        Signs are 2 bits - 1. Products are taken in single precision of rows scaled to
        1, which is far below the width of the interval, and added up in double.
        """
        scale = max(self.X.max(initial=0.0), -self.X.min(initial=0.0)) or 1.0
        total = np.zeros((draws, self.X.shape[1]))
        step = max(1, _PER_BLOCK // draws)
        held = np.empty((min(step, len(self.X)), draws), dtype=np.float32)
        for start in range(0, len(self.X), step):
            rows = np.asarray(self.X[start : start + step] / scale, dtype=np.float32)
            held[: len(rows)] = _bits(generator, len(rows), draws)
            total += held[: len(rows)].T @ rows
        ones = np.einsum("ij->j", self.X) / scale
        return self._reached(scale * (2.0 * total - ones).T)

    def _reached(self, directions: Matrix) -> Vector:
        return _supports(self.weights, directions)


def _supports(weights: Any, directions: Matrix, *, both: bool = False) -> Vector:
    """Return the support of each column, or the larger one of it and its opposite."""
    centre = getattr(weights, "centre", None)
    if centre is not None and getattr(weights, "order", None) == _EUCLIDEAN:
        rows = directions.T  # Euclidean balls at once
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        shift = rows @ np.broadcast_to(centre, rows.shape[1:])
        return np.asarray((np.abs(shift) if both else shift) + weights.radius * lengths)
    found = np.array([weights.support(each) for each in directions.T], dtype=float)
    return np.maximum(found, _supports(weights, -directions)) if both else found


def _problem(what: Any, X: Any) -> tuple[Any, Vector]:
    """Return the supremum as a function of signs, and how far one sign moves it."""
    if hasattr(what, "support"):
        points = np.asarray(X, dtype=np.float64)
        moves = 2 * _supports(what, points.T, both=True)
        if not np.isfinite(moves).all():
            raise DataError("rademacher needs a bounded set of weights.")
        return _Linear(what, points), moves / len(points)
    if isinstance(what, HypothesisClass):
        points = np.asarray(X, dtype=np.float64)
        n = len(points)
        listed = n <= _ALL_SIGNS or type(what)._minimize is HypothesisClass._minimize
        seek = _Values(what.patterns(points) * 1.0) if listed else _Fitted(what, points)
        return seek, np.full(n, 2 / n)
    table = np.asarray(what, dtype=np.float64)
    if table.ndim != 2 or table.size == 0 or not np.isfinite(table).all():  # noqa: PLR2004
        raise DataError("rademacher needs a class, a set, or a table of finite values.")
    return _Values(table), 2 * np.abs(table).max(axis=0) / table.shape[1]


def _over_all_signs(greatest: Any, n: int) -> float:
    total, block = 0.0, 1 << min(n, 14)
    for start in range(0, 1 << n, block):
        codes = np.arange(start, start + block)
        signs = 1.0 - 2.0 * ((codes >> np.arange(n)[:, None]) & 1)
        total += float(np.sum(greatest(signs)))
    return total / (1 << n) / n


def _signs(generator: Any, n: int, draws: int) -> Matrix:
    return np.asarray(2.0 * _bits(generator, n, draws) - 1.0)


def _bits(generator: Any, n: int, draws: int) -> Any:
    """Draw fair bits, eight from each random byte."""
    width = -(-draws // 8)
    drawn = np.frombuffer(generator.bytes(n * width), dtype=np.uint8)
    return np.unpackbits(drawn.reshape(n, width), axis=1, count=draws)
