"""Every support vector machine along a path: each starts where the last one ended."""

import numpy as np
import pytest

from infimum.models.kernel import SVR, NuSVC, NuSVR
from infimum.models.novelty import OneClassSVM, SupportVectorDataDescription
from infimum.objectives import SupportVectorDual


@pytest.fixture
def samples(rng):
    X = rng.normal(size=(150, 3))
    return X, np.sin(2.0 * X[:, 0]) + 0.3 * rng.normal(size=150)


def first_bounds(machines):
    """Sum up the lower bounds with which the machines began."""
    return sum(machine.history_[0].dual for machine in machines)


@pytest.mark.parametrize(
    "machine", [SVR(), SVR(loss="squared_epsilon_insensitive"), NuSVR()], ids=str
)
def test_a_path_of_prices_of_a_regressor_is_as_good_as_single_fits(
    machine, samples, rng
):
    X, y = samples
    prices, weights = [0.1, 0.3, 1.0, 3.0], rng.integers(0, 3, size=150)
    machine.set_params(tol=1e-6)
    path = machine.path(X, y, prices, sample_weight=weights)
    alone = [type(machine)(**{**machine.get_params(), "C": C}) for C in prices]
    for followed, single in zip(path, alone, strict=True):
        single.fit(X, y, weights)
        assert followed.C == single.C
        assert followed.certificate_.closed
        assert followed.predict(X) == pytest.approx(single.predict(X), abs=1e-2)
        assert followed.certify(X, y, weights).relative_gap <= 1e-5
        assert not hasattr(followed, "_begun")
    assert first_bounds(path[1:]) > first_bounds(alone[1:])


@pytest.mark.parametrize("classes", [2, 3])
def test_a_path_of_shares_of_a_classifier_is_as_good_as_single_fits(
    classes, samples, rng
):
    X, y = samples
    y = np.digitize(y, np.arange(1, classes) - 1)
    shares, weights = [0.2, 0.3, 0.4, 0.25], rng.integers(1, 3, size=150)
    path = NuSVC(tol=1e-6).path(X, y, shares, sample_weight=weights)
    alone = [NuSVC(nu=nu, tol=1e-6).fit(X, y, weights) for nu in shares]
    for followed, single in zip(path, alone, strict=True):
        assert followed.nu == single.nu
        assert followed.certificate_.closed
        assert followed.decision_function(X) == pytest.approx(
            single.decision_function(X), abs=1e-2
        )
        assert followed.certify(X, y, weights).relative_gap <= 1e-5
    assert first_bounds(path[1:]) > first_bounds(alone[1:])


@pytest.mark.parametrize("detector", [OneClassSVM, SupportVectorDataDescription])
def test_a_path_of_shares_of_a_detector_is_as_good_as_single_fits(
    detector, samples, rng
):
    X, weights = samples[0], rng.integers(0, 3, size=150)
    shares = [0.1, 0.2, 0.5, 0.3]
    path = detector(tol=1e-6).path(X, shares, sample_weight=weights)
    alone = [detector(nu=nu, tol=1e-6).fit(X, None, weights) for nu in shares]
    for followed, single in zip(path, alone, strict=True):
        assert followed.nu == single.nu
        assert followed.certificate_.closed
        assert followed.score_samples(X) == pytest.approx(
            single.score_samples(X), rel=1e-2
        )
        assert followed.certify(X, sample_weight=weights).relative_gap <= 1e-5
    assert first_bounds(path[1:]) > first_bounds(alone[1:])


@pytest.mark.parametrize("total", [0.5, 3.0, 17.0, 30.0])
def test_a_point_is_made_feasible_in_its_own_direction(total, rng):
    room = rng.uniform(0.5, 1.5, size=30)
    dual = SupportVectorDual.one_class(room, total)
    given = np.where(rng.random(30) < 0.5, room * rng.random(30), 0.0)
    found = dual.feasible(given)
    assert found.sum() == pytest.approx(min(total, room.sum()))
    assert np.all((found >= 0.0) & (found <= room))
    inside = (found < room) & (given > 0.0)
    ratios = found[inside] / given[inside]
    assert np.allclose(ratios, ratios[:1], rtol=1e-12)
    assert dual.feasible(found) == pytest.approx(found, abs=1e-12)


def test_a_feasible_point_of_two_classes_keeps_the_sum_of_each(rng):
    signs = np.where(rng.random(40) < 0.4, 1.0, -1.0)
    before = SupportVectorDual.nu_classification(signs, np.ones(40), 0.2)
    after = SupportVectorDual.nu_classification(signs, np.ones(40), 0.6)
    found = after.feasible(before.start)
    for group in range(2):
        mine = after.groups == group
        assert found[mine].sum() == pytest.approx(after.start[mine].sum())
    assert np.all((found >= after.low) & (found <= after.high))
