"""What users hand to laws: numbers, and seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import shown

__all__ = ["family", "function", "generator", "law", "laws", "numbers"]


def numbers(owner: str, given: ArrayLike) -> NDArray[np.float64]:
    """Return an array of real numbers, or refuse what is none; None counts as NaN."""
    try:
        found = np.asarray(given)
        if found.dtype.kind in "biufO":
            return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise DataError(f"{owner} takes real numbers, got {shown(given)}.")


def generator(owner: str, random_state: Any) -> np.random.Generator:
    """Return a generator of random numbers from what says where it starts."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise InvalidParameterError(
            f"{owner}.random_state must be a whole number that is not negative, a "
            f"Generator or None, got {random_state!r}."
        ) from None


def family(owner: str, given: Any) -> Any:
    """Return a law of an exponential family, or refuse it."""
    from infimum.distributions.exponential_family import ExponentialFamily

    if not isinstance(given, ExponentialFamily):
        raise DataError(
            f"{owner} must be a law of an exponential family, got {shown(given)}."
        )
    return given


def function(owner: str, given: Any) -> Any:
    """Return what can be called, or refuse it."""
    if not callable(given):
        raise DataError(f"{owner} must be a function, got {shown(given)}.")
    return given


def law(owner: str, given: Any, *, scalar: bool = False) -> Any:
    """Return a law, of single numbers if `scalar`, or refuse it."""
    from infimum.distributions._distribution import Distribution

    if not isinstance(given, Distribution):
        raise DataError(f"{owner} must be a Distribution, got {shown(given)}.")
    if scalar:
        given._refuse_vectors(owner.rpartition(".")[0] or owner)
    return given


def laws(owner: str, given: Any, *, scalar: bool = False) -> tuple[Any, ...]:
    """Return one law or more, or refuse them."""
    if not isinstance(given, list | tuple) or not given:
        raise DataError(f"{owner} must be a list of laws, got {shown(given)}.")
    return tuple(law(owner, each, scalar=scalar) for each in given)
