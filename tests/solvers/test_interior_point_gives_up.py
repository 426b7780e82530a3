"""Where rounding has left no matrix to solve with, the interior point method ends."""

import numpy as np
import pytest

from infimum.data.designs import as_design
from infimum.losses import Hinge
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import InteriorPoint, interior_point


@pytest.mark.parametrize(
    "matrix",
    [np.full((2, 2), np.nan), -np.eye(2), np.diag([1.0, -1e-3]), np.diag([1, np.inf])],
    ids=["unknown", "negative", "indefinite", "infinite"],
)
def test_what_cannot_be_factorised_has_no_solution(matrix):
    with np.errstate(invalid="ignore"):
        found = interior_point._factorize(matrix)(np.ones(2))
    assert np.isnan(found).all()


def test_what_is_singular_by_rounding_is_solved():
    matrix = np.array([[1.0, 1.0], [1.0, 1.0 - 1e-13]])
    found = interior_point._factorize(matrix)(np.ones(2))
    np.testing.assert_allclose(matrix @ found, 1.0, rtol=1e-6)


def test_the_best_point_so_far_is_kept(monkeypatch):
    X = np.random.default_rng(0).standard_normal((60, 3))
    risk = LinearRisk(as_design(X), np.sign(X[:, 0] + X[:, 1]), Hinge(), Ridge(0.1))
    factorize, calls = interior_point._factorize, []

    def tiring(matrix):
        calls.append(matrix)
        return factorize(matrix if len(calls) < 4 else -matrix)

    monkeypatch.setattr(interior_point, "_factorize", tiring)
    found = InteriorPoint().solve(risk)
    assert len(calls) == 4
    assert found.reason == "no further progress in floating point"
    assert np.isfinite(found.point).all()
    assert found.here.value < 1
