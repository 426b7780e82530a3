"""The three bundle methods: one optimum, a proof, and how they are one idea."""

import numpy as np
import pytest

from infimum.errors import InvalidParameterError
from infimum.study.convexity import (
    Box,
    CuttingPlane,
    LevelBundle,
    Norm,
    Oracle,
    PathFollowing,
    ProximalBundle,
    QuadraticProgram,
    SquaredNorm,
    Translated,
    TrustRegionBundle,
)
from infimum.study.convexity.bundles._plane_program import nearest_below, proximal
from infimum.study.convexity.bundles.trust_region_bundle import within_radius
from infimum.study.convexity.descent.plane_book import PlaneBook

BOX = Box(np.full(3, -5.0), np.full(3, 5.0))
STRENGTH = 0.1
METHODS = {
    "proximal": ProximalBundle(0.2),
    "trust region": TrustRegionBundle(),
    "fixed trust region": TrustRegionBundle(adapt=False),
    "level": LevelBundle(),
}


@pytest.fixture
def margins(rng):
    X = rng.normal(size=(15, 3))
    y = np.sign(X @ np.array([1.0, -1.0, 0.5]) + 0.6 * rng.normal(size=15))
    return y[:, None] * X


def hinge_risk(margins):
    """Return the objective of a linear support vector machine, without intercept."""
    return Oracle(
        lambda w: float(
            np.mean(np.maximum(0.0, 1.0 - margins @ w)) + 0.5 * STRENGTH * w @ w
        ),
        lambda w: -margins.T @ (margins @ w < 1.0) / len(margins) + STRENGTH * w,
    )


def machine_as_program(margins):
    """Return the same problem with a slack for each sample, as a quadratic program."""
    count, size = margins.shape
    zeros = np.zeros((count, count))
    return QuadraticProgram(
        np.block([[STRENGTH * np.eye(size), zeros[:size]], [zeros[:, :size], zeros]]),
        np.concatenate([np.zeros(size), np.full(count, 1.0 / count)]),
        inequality_matrix=np.block(
            [[-margins, -np.eye(count)], [zeros[:, :size], -np.eye(count)]]
        ),
        inequality_limit=np.concatenate([-np.ones(count), np.zeros(count)]),
    )


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("proximal", marks=pytest.mark.syllabus("S0B-016")),
        pytest.param("trust region", marks=pytest.mark.syllabus("S0B-017")),
        pytest.param("fixed trust region", marks=pytest.mark.syllabus("S0B-017")),
        pytest.param("level", marks=pytest.mark.syllabus("S0B-018")),
    ],
)
def test_a_bundle_method_solves_the_support_vector_machine_and_proves_it(name, margins):
    function = hinge_risk(margins)
    exact = PathFollowing().solve(machine_as_program(margins))
    trace = METHODS[name].minimize(function, np.full(3, 3.0), BOX)
    assert trace.reason == "gap"
    assert trace.best == pytest.approx(exact.value, abs=1e-5)
    assert trace.point == pytest.approx(exact.point[:3], abs=1e-2)
    assert np.all(trace.lower_bounds <= exact.value + 1e-8)
    errors = np.minimum.accumulate(trace.values) - exact.value
    assert np.all(errors <= trace.gaps + 1e-8)
    assert np.all(np.diff(trace.lower_bounds) >= 0.0)


@pytest.mark.syllabus("S0B-029", "S3-061", "S2-050")
def test_the_machines_primal_and_dual_have_the_same_optimum(margins):
    count = len(margins)
    program = machine_as_program(margins)
    # Zero weights with all slacks above 1 leave room everywhere: Slater's condition.
    slack = np.concatenate([np.zeros(3), np.full(count, 1.5)])
    assert program.program.is_strictly_feasible(slack)
    primal = PathFollowing().solve(program)
    dual = PathFollowing().solve(
        QuadraticProgram(
            margins @ margins.T / STRENGTH,
            -np.ones(count),
            inequality_matrix=np.vstack([np.eye(count), -np.eye(count)]),
            inequality_limit=np.append(np.full(count, 1.0 / count), np.zeros(count)),
        )
    )
    assert primal.value == pytest.approx(-dual.value, abs=1e-8)
    prices = primal.multipliers.inequality[:count]
    assert margins.T @ prices / STRENGTH == pytest.approx(primal.point[:3], abs=1e-5)


@pytest.fixture
def book(margins, rng):
    planes = PlaneBook(hinge_risk(margins))
    for point in rng.normal(size=(6, 3)):
        planes.visit(point)
    return planes


@pytest.mark.syllabus("S0B-016", "S0B-017")
def test_a_ball_and_a_pull_of_its_multiplier_lead_to_the_same_point(book):
    centre = np.array([1.0, 0.5, -0.5])
    for radius in (0.05, 0.2, 0.5):
        limited, multiplier = within_radius(book, centre, radius, BOX)
        pulled = proximal(book, centre, multiplier, BOX)
        assert multiplier > 0.0
        assert np.linalg.norm(limited.point - centre) == pytest.approx(radius, rel=1e-5)
        assert pulled.point == pytest.approx(limited.point, abs=1e-6)


@pytest.mark.syllabus("S0B-016", "S0B-018")
def test_the_level_reached_by_a_pull_is_reached_no_nearer(book):
    centre = np.array([1.0, 0.5, -0.5])
    pulled = proximal(book, centre, 1.0, BOX)
    nearest = nearest_below(book, centre, pulled.height, BOX)
    assert nearest == pytest.approx(pulled.point, abs=1e-5)


@pytest.mark.syllabus("S0B-016")
def test_a_proximal_step_minimises_model_plus_pull(book, rng):
    centre, weight = np.zeros(3), 0.7
    slopes, offsets = book.planes

    def height(w):
        pull = 0.5 * weight * np.sum((w - centre) ** 2)
        return float(np.max(slopes @ w + offsets)) + pull

    found = proximal(book, centre, weight, BOX).point
    for _ in range(50):
        assert height(found + 0.3 * rng.normal(size=3)) >= height(found) - 1e-9


def test_where_planes_oscillate_bundles_do_not(rng):
    function = Translated(SquaredNorm(), rng.normal(size=5))
    box = Box(np.full(5, -5.0), np.full(5, 5.0))
    level = LevelBundle(tolerance=1e-2).minimize(function, np.zeros(5), box)
    plain = CuttingPlane(1e-2, 2 * level.iterations).minimize(
        function, np.zeros(5), box
    )
    assert level.reason == "gap"
    assert plain.reason == "budget", "twice as many planes are not enough"


def test_bundles_refuse_an_unbounded_box():
    free = Box(np.full(2, -np.inf), np.full(2, np.inf))
    for method in METHODS.values():
        with pytest.raises(InvalidParameterError, match="finite bounds"):
            method.minimize(Norm(1.0), np.ones(2), free)


def test_a_used_up_budget_still_returns_a_gap(margins):
    function = hinge_risk(margins)
    for kind in (ProximalBundle, TrustRegionBundle, LevelBundle):
        trace = kind(max_iterations=3).minimize(function, np.full(3, 3.0), BOX)
        assert trace.reason == "budget"
        assert trace.iterations == 3
        assert 1e-6 < trace.gap < np.inf
