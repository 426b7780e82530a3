"""Types under another name, as NumPy 2.5 spells its arrays, are what they stand for."""

from typing import Any, TypeVar

import numpy as np
import pytest
from typing_extensions import TypeAliasType

from infimum.errors import DataError
from infimum.persistence.types import check_types

Scalar = TypeVar("Scalar", bound=np.generic)
Named = TypeAliasType(
    "Named", np.ndarray[tuple[Any, ...], np.dtype[Scalar]], type_params=(Scalar,)
)
Plain = TypeAliasType("Plain", int | None)


@pytest.mark.parametrize(
    ("hint", "value", "fits"),
    [
        (Named[np.float64], np.ones(2), True),
        (Named[np.float64], np.ones(2, dtype=int), False),
        (Named[np.float64], [1.0], False),
        (Named[np.float64] | None, None, True),
        (Plain, 3, True),
        (Plain, "3", False),
    ],
)
def test_an_alias_is_what_it_stands_for(hint, value, fits):
    if fits:
        check_types("Record", {"field": value}, {"field": hint})
        return
    with pytest.raises(DataError, match=r"Record\.field cannot be"):
        check_types("Record", {"field": value}, {"field": hint})
