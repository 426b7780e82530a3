"""Finite probability with exact fractions: outcomes, events, random variables."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from infimum.errors import DataError
from infimum.parameters import shown

__all__ = ["Event", "FiniteSpace", "Variable"]

#: A set of outcomes, or a question that every outcome answers with yes or no.
Event: TypeAlias = Iterable[Any] | Callable[[Any], bool]
#: A number, or any value, for every outcome.
Variable: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class FiniteSpace:
    """Finitely many outcomes with exact probabilities.

    Events are sets of outcomes or functions that answer yes or no; random variables
    are functions of an outcome. All answers are `Fraction`, so that independence and
    identities are decided and not approximated.

    Examples
    --------
    >>> die = FiniteSpace.uniform(range(1, 7))
    >>> die.probability({1, 2, 5}), die.conditional({3}, lambda x: x % 2 == 1)
    (Fraction(1, 2), Fraction(1, 3))
    >>> die.expectation(lambda x: x), die.variance(lambda x: x)
    (Fraction(7, 2), Fraction(35, 12))
    """

    weights: Mapping[Any, Fraction]

    def __post_init__(self) -> None:
        try:
            taken = {key: Fraction(value) for key, value in self.weights.items()}
        except (AttributeError, TypeError, ValueError, OverflowError):
            raise DataError(
                "FiniteSpace takes a dictionary from outcomes to exact probabilities, "
                f"got {shown(self.weights)}."
            ) from None
        if not taken or min(taken.values()) < 0 or sum(taken.values()) != 1:
            raise DataError(
                "FiniteSpace takes probabilities that are not negative and sum to 1 "
                f"exactly, got the sum {sum(taken.values())}; give fractions or strings"
                " like '0.1'."
            )
        object.__setattr__(self, "weights", taken)

    @classmethod
    def uniform(cls, outcomes: Iterable[Hashable]) -> FiniteSpace:
        """Return the space in which all outcomes are equally probable."""
        each = list(outcomes)
        if len(set(each)) != len(each) or not each:
            raise DataError("FiniteSpace.uniform takes one or more different outcomes.")
        return cls(dict.fromkeys(each, Fraction(1, len(each))))

    def __mul__(self, other: FiniteSpace) -> FiniteSpace:
        """Return the space of pairs of independent outcomes."""
        pairs = product(self.weights.items(), other.weights.items())
        return FiniteSpace({(a, b): p * q for (a, p), (b, q) in pairs})

    def probability(self, event: Event) -> Fraction:
        """Return P(A)."""
        inside = self._inside(event)
        return sum((p for w, p in self.weights.items() if inside(w)), Fraction(0))

    def conditional(self, event: Event, given: Event) -> Fraction:
        """Return P(A | B) = P(A ∩ B)/P(B)."""
        return self.given(given).probability(event)

    def given(self, event: Event) -> FiniteSpace:
        """Return the space of the outcomes in B, each probability divided by P(B)."""
        inside, whole = self._inside(event), self.probability(event)
        if whole == 0:
            raise DataError("FiniteSpace: an event of probability 0 tells nothing.")
        kept = {w: p / whole for w, p in self.weights.items() if inside(w)}
        return FiniteSpace(kept)

    def total(self, event: Event, parts: Iterable[Event]) -> Fraction:
        """Return Σ P(A | Bᵢ)P(Bᵢ) over a partition: the law of total probability."""
        pieces = [self._inside(part) for part in parts]
        for outcome, share in self.weights.items():
            if share and sum(map(bool, (piece(outcome) for piece in pieces))) != 1:
                raise DataError(
                    f"FiniteSpace.total: {outcome!r} must lie in exactly one part."
                )
        held = [(piece, self.probability(piece)) for piece in pieces]
        return sum(
            (self.conditional(event, piece) * p for piece, p in held if p), Fraction(0)
        )

    def bayes(self, cause: Event, effect: Event) -> Fraction:
        """Return P(B | A) = P(A | B)P(B)/P(A) for a cause B and an effect A."""
        whole = self.probability(effect)
        if whole == 0:
            raise DataError("FiniteSpace: an event of probability 0 tells nothing.")
        share = self.probability(cause)
        return self.conditional(effect, cause) * share / whole if share else Fraction(0)

    def union_bound(self, events: Iterable[Event]) -> tuple[Fraction, Fraction]:
        """Return P(A₁ ∪ … ∪ Aₖ) and the sum of the P(Aᵢ), which bounds it."""
        each = [self._inside(event) for event in events]
        joined = self.probability(lambda w: any(test(w) for test in each))
        return joined, sum((self.probability(test) for test in each), Fraction(0))

    def law(self, variable: Variable) -> dict[Any, Fraction]:
        """Return P(X = x) of a random variable, value -> probability."""
        table: dict[Any, Fraction] = {}
        for outcome, share in self.weights.items():
            value = variable(outcome)
            table[value] = table.get(value, Fraction(0)) + share
        return table

    def joint(self, *variables: Variable) -> dict[tuple[Any, ...], Fraction]:
        """Return P(X = x, Y = y, …), tuple of values -> probability."""
        return self.law(lambda w: tuple(variable(w) for variable in variables))

    def expectation(self, variable: Variable, given: Event | None = None) -> Any:
        """Return E[X], or E[X | B]."""
        space = self if given is None else self.given(given)
        return sum(p * _exact(variable(w)) for w, p in space.weights.items())

    def variance(self, variable: Variable) -> Any:
        """Return E[X²] - (E X)²; exact, so that nothing cancels."""
        return self.covariance(variable, variable)

    def covariance(self, first: Variable, second: Variable) -> Any:
        """Return E[XY] - E[X]E[Y]."""
        both = self.expectation(lambda w: _exact(first(w)) * _exact(second(w)))
        return both - self.expectation(first) * self.expectation(second)

    def correlation(self, first: Variable, second: Variable) -> float:
        """Return the covariance divided by both standard deviations; of [-1, 1]."""
        spread = self.variance(first) * self.variance(second)
        if not spread:
            raise DataError("FiniteSpace.correlation: a variable is constant.")
        return float(self.covariance(first, second)) / math.sqrt(spread)

    def best_linear_predictor(self, x: Variable, y: Variable) -> tuple[Any, Any]:
        """Return slope and intercept of the line with the least E[(Y - aX - b)²]."""
        spread = self.variance(x)
        if not spread:
            raise DataError("FiniteSpace.best_linear_predictor: X is constant.")
        slope = self.covariance(x, y) / spread
        return slope, self.expectation(y) - slope * self.expectation(x)

    def dependence(
        self, first: Variable, second: Variable, given: Variable | None = None
    ) -> tuple[Any, ...] | None:
        """Return values (x, y) or (x, y, z) that refute independence, or None.

        With `given` it is conditional independence: P(X, Y | Z = z) is a product for
        every value z, not for every set of them.
        """
        third = given or (lambda _: None)
        table = self.joint(first, second, third)
        seconds = {y for _, y, _ in table}
        for x, _, z in list(table):
            for y in seconds:
                inside = self.given(lambda w, z=z: third(w) == z)  # type: ignore[misc]
                left = inside.probability(lambda w, x=x: first(w) == x)  # type: ignore[misc]
                right = inside.probability(lambda w, y=y: second(w) == y)  # type: ignore[misc]
                both = inside.joint(first, second).get((x, y), Fraction(0))
                if both != left * right:
                    return (x, y) if given is None else (x, y, z)
        return None

    def independent(
        self, first: Variable, second: Variable, given: Variable | None = None
    ) -> bool:
        """Tell whether two random variables are independent, exactly."""
        return self.dependence(first, second, given) is None

    def independent_events(self, first: Event, second: Event) -> bool:
        """Tell whether P(A ∩ B) = P(A)P(B)."""
        return self.independent(self._inside(first), self._inside(second))

    def sample(self, n: int, random_state: Any = None) -> list[Any]:
        """Draw n independent outcomes."""
        from infimum.distributions.sampling import AliasTable

        outcomes = list(self.weights)
        table = AliasTable([float(self.weights[w]) for w in outcomes])
        return [outcomes[k] for k in table.draw(n, random_state)]

    def _inside(self, event: Event) -> Callable[[Any], bool]:
        if callable(event):
            return event
        members = set(event)
        unknown = members - set(self.weights)
        if unknown:
            raise DataError(
                f"FiniteSpace has no outcome {sorted(unknown, key=repr)[0]!r}."
            )
        return members.__contains__


def _exact(value: Any) -> Any:
    """Return whole numbers and truths as fractions; other numbers as they are."""
    return Fraction(value) if isinstance(value, int) else value
