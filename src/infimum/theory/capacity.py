"""Capacity: which sets a class shatters, how fast it grows, its VC dimension."""

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.theory.classes import HypothesisClass
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Matrix

__all__ = ["Growth", "VCBracket", "growth_function", "shatters", "vc_bracket"]

_MOST_POINTS, _MOST_SUBSETS = 20, 20_000


@dataclass(frozen=True)
class Growth(PlainRecord):
    """The most labellings of n points: what was found, and what is proved.

    `low` labellings were counted on `points`; the theory of the class allows `high`.
    """

    n: int
    low: int
    high: int
    points: Matrix


@dataclass(frozen=True)
class VCBracket(PlainRecord, told=("sentence",)):
    """Where a VC dimension lies: a shattered set from below, a proof from above.

    Attributes
    ----------
    low, high : float
        The bracket.
    witness : ndarray
        `low` points that the class labels in every way.
    reason : str
        Why it cannot be larger than `high`.
    """

    low: int
    high: float
    witness: Matrix
    reason: str

    @property
    def sentence(self) -> str:
        """The bracket in words."""
        if self.low == self.high:
            return f"The VC dimension is {self.low}: {self.reason}."
        above = "no finite bound is known" if np.isinf(self.high) else self.reason
        return f"The VC dimension is at least {self.low}; {above}."


def shatters(hypotheses: HypothesisClass, X: ArrayLike) -> bool:
    """Tell whether a class labels these points in all 2ⁿ ways.

    Examples
    --------
    >>> from infimum.theory import Intervals, shatters
    >>> shatters(Intervals(), [1, 2]), shatters(Intervals(), [1, 2, 3])
    (True, False)
    """
    n = len(np.asarray(X))
    if n > _MOST_POINTS:
        raise DataError(
            f"shatters would ask for 2^{n} labellings; at most {_MOST_POINTS} points "
            "are tried."
        )
    if n > hypotheses.vc_dimension:
        return False
    return len(hypotheses.patterns(X)) == 1 << n


def growth_function(
    hypotheses: HypothesisClass,
    n: int,
    *,
    tries: int = 50,
    random_state: int = 0,
) -> Growth:
    """Search for n points with as many labellings as possible.

    Examples
    --------
    >>> from infimum.theory import Discs, growth_function
    >>> found = growth_function(Discs(), 4, tries=5)
    >>> found.low, found.high
    (15, 15)
    """
    check_domain("growth_function's n", n, whole(1))
    check_domain("growth_function's tries", tries, whole(1))
    high, best, most = hypotheses.growth(n), None, 0
    for X in _samples(hypotheses, n, tries, random_state):
        count = len(hypotheses.patterns(X))
        best, most = (X, count) if count > most else (best, most)
        if most == high:
            break
    return Growth(n, most, high, np.asarray(best))


def vc_bracket(
    hypotheses: HypothesisClass,
    points: ArrayLike | None = None,
    *,
    tries: int = 50,
    most: int = 12,
    random_state: int = 0,
) -> VCBracket:
    """Bracket the VC dimension of a class by search and by proof.

    Parameters
    ----------
    points : array-like, optional
        If the class matters on these points only, all their subsets are tried and the
        dimension is exact. None searches among random points, and the theorem of the
        class is the upper end.
    tries : int, default=50
        Random sets of each size.
    most : int, default=12
        The largest size that is tried.

    Examples
    --------
    >>> from infimum.theory import Rectangles, vc_bracket
    >>> print(vc_bracket(Rectangles()).sentence)
    The VC dimension is 4: a theorem about Rectangles.
    """
    if points is not None:
        return _exhausted(hypotheses, np.asarray(points, dtype=np.float64))
    witness: Matrix = np.empty((0, hypotheses.dimension))
    top = min(hypotheses.vc_dimension, most)
    for n in range(1, int(top) + 1):
        found = growth_function(hypotheses, n, tries=tries, random_state=random_state)
        if found.low < 2**n:
            break
        witness = found.points
    reason = f"a theorem about {type(hypotheses).__name__}"
    return VCBracket(len(witness), hypotheses.vc_dimension, witness, reason)


def _exhausted(hypotheses: HypothesisClass, points: Matrix) -> VCBracket:
    points = points[:, None] if points.ndim == 1 else points
    witness, n = points[:0], 0
    while n < len(points):
        cost = comb(len(points), n + 1)
        if cost > _MOST_SUBSETS:
            raise DataError(
                f"vc_bracket would try {cost:,} sets of {n + 1} points; "
                f"{_MOST_SUBSETS:,} are allowed."
            )
        sets = combinations(range(len(points)), n + 1)
        shattered = next(
            (list(s) for s in sets if shatters(hypotheses, points[list(s)])), None
        )
        # A set is shattered only if all its subsets are: nothing larger is possible.
        if shattered is None:
            break
        witness, n = points[shattered], n + 1
    reason = f"no {n + 1} of the {len(points)} points are shattered"
    return VCBracket(n, float(n), witness, reason)


def _samples(hypotheses: HypothesisClass, n: int, tries: int, seed: int) -> Any:
    """Yield sets of points: evenly on a sphere, then at random in a ball and a box."""
    generator = np.random.default_rng(seed)
    d = hypotheses.dimension
    if d == 1:
        yield 10.0 ** -np.arange(1, n + 1)[:, None]
        yield np.arange(1, n + 1)[:, None] / (n + 1)
        return
    turn = 2 * np.pi * np.arange(n) / n
    circle = np.zeros((n, d))
    circle[:, 0], circle[:, 1] = np.cos(turn), np.sin(turn)
    yield circle
    yield np.vstack([np.zeros(d), np.eye(d), -np.eye(d)])[:n] if n <= 2 * d else circle
    for _ in range(tries):
        drawn = generator.standard_normal((n, d))
        yield drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        yield drawn
