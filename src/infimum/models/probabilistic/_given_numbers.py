"""Arrays of numbers that a user gives as a parameter."""

from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import shown
from infimum.typing import Matrix

__all__ = ["given_numbers"]


def given_numbers(owner: str, value: Any) -> Matrix:
    """Return the numbers in float64, or say whose parameter is no array of numbers."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidParameterError(
            f"{owner} must be numbers, got {shown(value)}."
        ) from None
