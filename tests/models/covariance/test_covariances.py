"""Covariances: scikit-learn's answers, weights as copies, a proof of the sparse."""

import numpy as np
import pytest
import sklearn.covariance as theirs

from infimum.errors import DataError, InvalidParameterError
from infimum.models import covariance as ours
from infimum.models.warnings import UncertifiedWarning

WEIGHED = ["EmpiricalCovariance", "ShrunkCovariance", "LedoitWolf", "OAS"]


@pytest.fixture
def table(rng):
    mixed = np.eye(6) + 0.3 * rng.normal(size=(6, 6))
    return rng.normal(size=(80, 6)) @ mixed


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("name", WEIGHED)
def test_the_closed_forms_are_scikit_learns(table, name, centred):
    mine, other = (
        getattr(room, name)(assume_centered=centred).fit(table)
        for room in (ours, theirs)
    )
    for what in ("covariance_", "precision_", "location_", "shrinkage_"):
        if hasattr(other, what):
            np.testing.assert_allclose(getattr(mine, what), getattr(other, what))
    np.testing.assert_allclose(mine.mahalanobis(table), other.mahalanobis(table))
    assert mine.score(table) == pytest.approx(other.score(table))
    for norm in ("frobenius", "spectral"):
        for scaling in (True, False):
            told = (
                each.error_norm(np.eye(6), norm=norm, scaling=scaling, squared=False)
                for each in (mine, other)
            )
            assert next(told) == pytest.approx(next(told))


@pytest.mark.parametrize("name", [*WEIGHED, "GraphicalLasso"])
def test_a_weight_is_a_number_of_copies(table, name, rng):
    copies = rng.integers(0, 4, size=len(table))
    weighted = getattr(ours, name)().fit(table, sample_weight=copies)
    repeated = getattr(ours, name)().fit(np.repeat(table, copies, axis=0))
    np.testing.assert_allclose(
        weighted.covariance_, repeated.covariance_, rtol=1e-6, atol=1e-9
    )


def test_functions_are_scikit_learns(table):
    spread = ours.empirical_covariance(table)
    np.testing.assert_allclose(spread, theirs.empirical_covariance(table))
    for name in ("ledoit_wolf", "oas"):
        mine, other = getattr(ours, name)(table), getattr(theirs, name)(table)
        np.testing.assert_allclose(mine[0], other[0])
        assert mine[1] == pytest.approx(other[1])
    several = np.stack([spread, np.eye(6)])
    np.testing.assert_allclose(
        ours.shrunk_covariance(several), theirs.shrunk_covariance(several)
    )
    with pytest.raises(InvalidParameterError, match="shrinkage must be in"):
        ours.shrunk_covariance(spread, 2.0)


@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.6])
def test_the_graphical_lasso_is_proved_and_is_scikit_learns(table, alpha):
    mine = ours.GraphicalLasso(alpha, tol=1e-8, max_iter=1000).fit(table)
    other = theirs.GraphicalLasso(alpha, tol=1e-8, enet_tol=1e-8, max_iter=1000)
    other.fit(table)
    assert mine.certificate_.closed
    np.testing.assert_allclose(mine.precision_, other.precision_, atol=1e-4)
    np.testing.assert_allclose(mine.covariance_, other.covariance_, atol=1e-4)
    assert mine.n_iter_ == len(mine.costs_)


def test_the_proof_of_the_graphical_lasso_holds_against_an_attack(table, rng):
    """No definite matrix has a lower objective than the bound says."""
    model = ours.GraphicalLasso(0.3).fit(table)
    spread = ours.empirical_covariance(table)

    def objective(precision):
        off = np.abs(precision).sum() - np.trace(np.abs(precision))
        value = np.sum(spread * precision) + 0.3 * off
        return value - np.linalg.slogdet(precision)[1]

    assert objective(model.precision_) == pytest.approx(model.certificate_.primal)
    for size in (1e-3, 1e-2, 1e-1):
        for _ in range(20):
            step = rng.normal(size=(6, 6)) * size
            near = model.precision_ + step @ step.T + 0.5 * (step + step.T)
            if np.linalg.eigvalsh(near).min() > 0:
                assert objective(near) >= model.certificate_.dual


def test_a_graphical_lasso_without_time_says_so(table):
    with pytest.warns(UncertifiedWarning, match="raise max_iter"):
        ours.GraphicalLasso(0.001, max_iter=1, tol=1e-12).fit(table)


def test_a_given_covariance_needs_no_samples(table):
    spread = ours.empirical_covariance(table)
    given = ours.GraphicalLasso(0.2, covariance="precomputed").fit(spread)
    plain = ours.GraphicalLasso(0.2).fit(table)
    np.testing.assert_allclose(given.covariance_, plain.covariance_, atol=1e-8)
    free, precision = ours.graphical_lasso(spread, 0.0)
    np.testing.assert_allclose(free @ precision, np.eye(6), atol=1e-9)
    with pytest.raises(DataError, match="must be square"):
        ours.graphical_lasso(spread[:3], 0.1)


def test_the_strength_is_chosen_by_held_out_likelihood(table):
    mine = ours.GraphicalLassoCV(cv=4).fit(table)
    other = theirs.GraphicalLassoCV(cv=4).fit(table)
    best = [each.cv_results_["mean_test_score"].max() for each in (mine, other)]
    assert best[0] == pytest.approx(best[1], abs=1e-3)
    assert set(mine.cv_results_) == set(other.cv_results_)
    assert mine.certificate_.closed
    few = ours.GraphicalLassoCV(alphas=[0.1, 0.5], cv=3).fit(table)
    assert few.alpha_ in (0.1, 0.5)


def test_outliers_do_not_spoil_the_robust_covariance(table):
    spoilt = table.copy()
    spoilt[:15] += 30.0
    mine = ours.MinCovDet(random_state=0).fit(spoilt)
    other = theirs.MinCovDet(random_state=0).fit(spoilt)
    assert not mine.support_[:15].any()
    found = np.linalg.slogdet(mine.raw_covariance_)[1]
    assert found <= np.linalg.slogdet(other.raw_covariance_)[1] + 0.1
    assert np.abs(mine.location_).max() < 1.0
    told = ours.EllipticEnvelope(contamination=0.2, random_state=0).fit_predict(spoilt)
    assert (told[:15] == -1).all()
    assert (told == -1).mean() == pytest.approx(0.2, abs=0.02)


def test_one_feature_is_searched_in_full():
    values = np.r_[np.linspace(0.0, 1.0, 20), 50.0, 60.0][:, None]
    location, _, support, _ = ours.fast_mcd(values, random_state=0)
    assert not support[-2:].any()
    assert 0.0 < location[0] < 1.0
