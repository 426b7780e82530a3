"""How far a conjugate may rise around slopes: in closed form, and by its definition."""

import numpy as np
import pytest

from infimum.losses import MultivariateSquared
from infimum.losses._loss import VectorLoss


@pytest.mark.parametrize("matrix", [((1.0, 0.0), (0.0, 1.0)), ((2.0, 1.0), (1.0, 3.0))])
def test_the_ceiling_of_squares_is_the_largest_of_the_ends_of_all_axes(matrix):
    rng = np.random.default_rng(0)
    loss, y, s = (
        MultivariateSquared(matrix),
        rng.normal(size=(50, 2)),
        rng.normal(size=(50, 2)),
    )
    room = rng.random(50)
    expected = VectorLoss.ceiling(loss, y, s, room)
    np.testing.assert_allclose(loss.ceiling(y, s, room), expected, rtol=1e-12)
    for _ in range(20):  # nothing within the room is higher
        moved = s + room[:, None] * rng.uniform(-1.0, 1.0, s.shape)
        assert np.all(loss.conjugate(y, moved) <= expected + 1e-12)


def test_flat_directions_keep_the_definition():
    rng = np.random.default_rng(1)
    loss = MultivariateSquared(((1.0, 1.0), (1.0, 1.0)))
    y, s, room = rng.normal(size=(5, 2)), np.ones((5, 2)), np.full(5, 0.1)
    np.testing.assert_array_equal(loss.ceiling(y, s, room), np.full(5, np.inf))
