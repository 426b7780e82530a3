"""Domains of hyperparameters, declared once beside what they protect."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from inspect import signature
from numbers import Real
from typing import Any, TypeAlias

from infimum.errors import InvalidParameterError

__all__ = [
    "Besides",
    "Choice",
    "Domain",
    "Domains",
    "Interval",
    "besides",
    "check_domain",
    "check_domains",
    "check_parameters",
    "closed",
    "nonnegative",
    "opened",
    "or_none",
    "positive",
    "shown",
    "whole",
]

#: Letters of a value that a message quotes.
LONGEST_QUOTE = 200


@dataclass(frozen=True)
class Interval:
    """A set of reals that can say itself: ``Interval(0, 1)`` reads ``in [0, 1]``."""

    low: float
    high: float
    open_low: bool = False
    open_high: bool = False
    integer: bool = False

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        number = float(value)
        above = number > self.low if self.open_low else number >= self.low
        below = number < self.high if self.open_high else number <= self.high
        if not math.isfinite(number) or (self.integer and number != int(number)):
            return False
        return above and below

    def __str__(self) -> str:
        left = "(" if self.open_low or self.low == -math.inf else "["
        right = ")" if self.open_high or self.high == math.inf else "]"
        kind = "a whole number in" if self.integer else "in"
        return f"{kind} {left}{self.low:g}, {self.high:g}{right}"


@dataclass(frozen=True)
class Choice:
    """A few admitted values: ``Choice("l1", "l2")`` reads ``one of 'l1', 'l2'``."""

    values: tuple[Any, ...]

    def __contains__(self, value: object) -> bool:
        return any(value is known or value == known for known in self.values)

    def __str__(self) -> str:
        return "one of " + ", ".join(repr(value) for value in self.values)


@dataclass(frozen=True)
class Besides:
    """A domain and a few values besides it, which its words leave out."""

    domain: Interval | Choice
    values: tuple[Any, ...]
    #: How a message says it, where not by the words of the domain.
    words: str | None = None

    def __contains__(self, value: object) -> bool:
        return value in self.domain or any(
            isinstance(value, type(known)) and value == known for known in self.values
        )

    def __str__(self) -> str:
        return str(self.domain) if self.words is None else self.words


Domain: TypeAlias = Interval | Choice | Besides
#: The domain of each parameter of a class, declared beside it as ``_domains``.
Domains: TypeAlias = Mapping[str, Domain]

positive = Interval(0, math.inf, open_low=True)
nonnegative = Interval(0, math.inf)


def closed(low: float, high: float) -> Interval:
    """Return the closed interval [low, high]."""
    return Interval(low, high)


def opened(low: float, high: float) -> Interval:
    """Return the open interval (low, high)."""
    return Interval(low, high, open_low=True, open_high=True)


def whole(low: float, high: float = math.inf) -> Interval:
    """Return the whole numbers of [low, high]."""
    return Interval(low, high, integer=True)


def or_none(domain: Interval | Choice) -> Besides:
    """Return a domain with None, which stands for a choice made elsewhere."""
    return Besides(domain, (None,))


def besides(domain: Interval | Choice, *values: Any) -> Besides:
    """Return a domain with a few values besides, such as "auto"."""
    return Besides(domain, values)


def shown(value: Any) -> str:
    """Return a value as a message may quote it: on one line, and not forever."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def check_domain(owner: str, value: Any, domain: Domain) -> None:
    """Raise InvalidParameterError unless `value` lies in `domain`."""
    if value not in domain:
        raise InvalidParameterError(f"{owner} must be {domain}, got {shown(value)}.")


def check_domains(part: Any) -> None:
    """Raise InvalidParameterError for the first dataclass field outside its domain."""
    for field in fields(part):
        domain = field.metadata.get("domain")
        if domain is not None:
            value = getattr(part, field.name)
            if value not in domain:
                check_domain(f"{type(part).__name__}.{field.name}", value, domain)


def check_parameters(estimator: Any) -> None:
    """Raise InvalidParameterError for the first parameter outside its domain.

    Domains are those that the class of the estimator and its bases declare in
    ``_domains``; a subclass may narrow one.

    Examples
    --------
    >>> from infimum.models.clustering import KMeans
    >>> check_parameters(KMeans(max_iter=0))
    Traceback (most recent call last):
    infimum.errors.InvalidParameterError: KMeans.max_iter must be a whole number in \
[1, inf), got 0.
    """
    kind: Any = type(estimator)
    for name, domain in _declared(kind):
        value = getattr(estimator, name)
        if value not in domain:
            check_domain(f"{kind.__name__}.{name}", value, domain)


@cache
def _declared(kind: type) -> tuple[tuple[str, Domain], ...]:
    """Return the domains of a class and its bases, for the parameters that it has."""
    found: dict[str, Domain] = {}
    for base in reversed(kind.__mro__):
        found.update(vars(base).get("_domains", {}))
    taken = set(signature(kind).parameters)
    return tuple(
        (name, domain)
        for name, domain in found.items()
        if name in taken or hasattr(kind, name)
    )
