"""Kernels with few features are solved from inside; no answer is worse than none."""

import time
import warnings

import numpy as np
import pytest

from infimum.kernels import Gaussian, Linear, Polynomial
from infimum.models._interior_start import few_features
from infimum.models.kernel import SVC, SVR
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.solvers import WorkingSetDescent


@pytest.fixture
def badly_scaled(rng):
    X = rng.normal(size=(200, 4)) * [1.0, 10.0, 1e3, 1e5]
    return X, (X[:, 0] + 0.5 * rng.normal(size=200) > 0).astype(int)


def test_features_of_a_low_rank_kernel_have_its_values_as_products(rng):
    X = rng.normal(size=(60, 3))
    for kernel, rank in ((Linear(), 3), (Polynomial(2, 1.0), 10)):
        found = few_features(kernel, X)
        assert found.shape == (60, rank)
        assert found @ found.T == pytest.approx(kernel(X), abs=1e-8)
    assert few_features(None, Polynomial(2, 0.0)(X)).shape == (60, 6)


def test_a_kernel_of_full_rank_has_no_few_features(rng):
    assert few_features(Gaussian(0.1), rng.normal(size=(400, 5))) is None


def test_badly_scaled_features_under_a_linear_kernel_are_certified(badly_scaled):
    X, y = badly_scaled
    machine = SVC(kernel="linear", C=100.0).fit(X, y)
    assert machine.certificate_.closed
    assert machine.score(X, y) > 0.8
    assert machine.certify(X, y).closed
    line = SVR(kernel="linear", C=100.0).fit(X, X[:, 0])
    assert line.certificate_.closed
    assert line.score(X, X[:, 0]) > 0.9


def test_under_a_huge_price_the_answer_is_no_worse_than_no_function(badly_scaled):
    X, y = badly_scaled
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        machine = SVC(kernel="linear", C=1e7, max_iter=5).fit(X[:50], y[:50])
    null = 2e7 * min(y[:50].sum(), 50 - y[:50].sum())
    assert machine.certificate_.primal <= null * (1.0 + 1e-9)
    assert machine.certificate_.dual <= machine.certificate_.primal


@pytest.mark.parametrize(
    ("units", "price"), [((1.0, 10.0, 1e3, 1e5), 1e6), ((1.0, 1.0, 1e5), 1e7)], ids=repr
)
def test_what_rounding_forbids_ends_soon_with_the_best_point_and_its_gap(
    units, price, rng
):
    X = rng.normal(size=(120, len(units))) * units
    y = X[:, 0] + 0.5 * rng.normal(size=120) > 0
    with pytest.warns(UncertifiedWarning, match="relative duality gap of") as told:
        machine = SVC(kernel="linear", C=price).fit(X, y)
    proof = machine.certificate_
    assert proof.reason in ("no further progress in floating point", "iteration limit")
    assert machine.n_iter_[0] <= 300
    assert -np.inf < proof.dual <= proof.primal
    assert proof.primal <= 2.0 * price * min(y.sum(), (~y).sum()) * (1.0 + 1e-9)
    [sentence] = {str(warning.message) for warning in told}
    assert "scale the features" in sentence
    assert machine.certify(X, y).gap == pytest.approx(proof.gap, rel=0.1)


def test_a_time_limit_is_kept_inside_a_working_set(badly_scaled):
    X, y = (
        np.tile(part, reps)
        for part, reps in zip(badly_scaled, ((6, 1), 6), strict=True)
    )
    X = X + np.linspace(0.0, 1.0, len(X))[:, None]
    dual = SupportVectorDual.classification(np.where(y, 1.0, -1.0), np.full(1200, 1e6))

    def run(seconds):
        solver = WorkingSetDescent(max_seconds=seconds)
        return solver.solve(dual, lambda kind: kernel_tiles(Linear(), X, None, kind))

    run(1e-3)  # compiles
    before = time.perf_counter()
    found = run(1.0)
    assert time.perf_counter() - before <= 10.0  # without a limit: minutes
    assert found.certificate.reason == "time limit"
    assert np.isfinite(found.certificate.gap)
    assert len(found.history) <= 120
