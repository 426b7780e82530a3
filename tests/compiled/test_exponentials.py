"""Exponentials of rows are those of NumPy, also where they replace their arguments."""

import numpy as np
import pytest

from infimum.compiled.exponentials import exponentiate_into


@pytest.mark.parametrize(("kind", "least"), [(np.float64, -700.0), (np.float32, -86.0)])
def test_exponentials_are_those_of_numpy_in_place_too(kind, least):
    rows = np.random.default_rng(0).uniform(least, 0.0, (3, 2_100)).astype(kind)
    expected, apart = np.exp(rows), np.empty_like(rows)
    exponentiate_into(rows, apart, np.arange(3), 0)
    np.testing.assert_allclose(apart, expected, rtol=4 * np.finfo(kind).eps)
    exponentiate_into(rows, rows, np.arange(3), 0)
    np.testing.assert_array_equal(rows, apart)
