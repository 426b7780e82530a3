"""Detectors: distances they claim, shares they flag, promises they keep."""

import numpy as np
import pytest
from sklearn.covariance import EmpiricalCovariance
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors as Stranger
from sklearn.svm import OneClassSVM as StrangerSVM

from infimum.errors import InvalidParameterError
from infimum.models.novelty import (
    ConformalDetector,
    GaussianDetector,
    NeighborDistanceDetector,
    OneClassSVM,
    SupportVectorDataDescription,
)
from infimum.persistence import load, save


@pytest.fixture
def cloud():
    rng = np.random.default_rng(4)
    return rng.normal(size=(300, 3)) @ rng.normal(size=(3, 3))


def test_gaussian_scores_are_mahalanobis_distances(cloud):
    ours = GaussianDetector(shrinkage=0.0).fit(cloud).score_samples(cloud)
    theirs = EmpiricalCovariance().fit(cloud).mahalanobis(cloud)
    np.testing.assert_allclose(-ours, theirs, rtol=1e-5)


def test_full_shrinkage_looks_at_every_feature_by_itself(cloud):
    ours = GaussianDetector(shrinkage=1.0).fit(cloud).score_samples(cloud)
    apart = (((cloud - cloud.mean(axis=0)) / cloud.std(axis=0)) ** 2).sum(axis=1)
    np.testing.assert_allclose(-ours, apart, rtol=1e-6)


def test_a_feature_that_never_changes_alarms_when_it_does(cloud):
    flat = np.column_stack([cloud, np.ones(300)])
    detector = GaussianDetector().fit(flat)
    changed = flat[:1].copy()
    changed[0, -1] = 2.0
    assert detector.predict(changed) == -1


def test_neighbour_scores_are_distances_to_the_last_neighbour(cloud):
    ours = NeighborDistanceDetector(n_neighbors=4).fit(cloud[:200])
    theirs = Stranger(n_neighbors=4).fit(cloud[:200]).kneighbors(cloud[200:])[0]
    np.testing.assert_allclose(-ours.score_samples(cloud[200:]), theirs[:, -1])


@pytest.mark.parametrize("detector", [GaussianDetector, NeighborDistanceDetector])
def test_the_share_asked_for_is_flagged(cloud, detector):
    flagged = detector(contamination=0.1).fit(cloud).predict(cloud) < 0
    assert flagged.sum() == 30


@pytest.mark.parametrize("rate", [0.05, 0.2])
@pytest.mark.parametrize("inner", [None, NeighborDistanceDetector(n_neighbors=3)])
def test_false_alarms_are_as_rare_as_promised(inner, rate):
    alarms = []
    for seed in range(60):
        X = np.random.default_rng(seed).exponential(size=(160, 2))
        watch = ConformalDetector(inner, alarm_rate=rate, random_state=seed)
        alarms.append(np.mean(watch.fit(X[:80]).predict(X[80:]) < 0))
    # The chance is at most the rate, and at least a place in the order less.
    noise = 4 * np.std(alarms) / np.sqrt(60)
    assert rate - 1 / 41 - noise < np.mean(alarms) < rate + noise


def test_a_p_value_counts_the_unseen_samples_as_strange(cloud):
    watch = ConformalDetector(alarm_rate=0.1).fit(cloud)
    scores, kept = watch.score_samples(cloud), watch.calibration_scores_
    told = watch.p_values(cloud)
    for place in (0, 10, 20):
        as_strange = np.sum(kept <= scores[place])
        assert told[place] == (1 + as_strange) / (len(kept) + 1)
    np.testing.assert_array_equal(watch.predict(cloud) < 0, told <= 0.1)


def test_too_few_samples_for_a_promise_raise_no_alarm(cloud):
    watch = ConformalDetector(alarm_rate=0.001).fit(cloud)
    assert watch.predict(1e6 * np.ones((1, 3))) == 1


def test_a_convex_detector_keeps_its_proof(cloud):
    watch = ConformalDetector(OneClassSVM(nu=0.1)).calibrate(
        OneClassSVM(nu=0.1).fit(cloud[:200]), cloud[200:]
    )
    assert watch.certify(cloud[:200]).closed
    assert not hasattr(ConformalDetector().fit(cloud), "certify")


def test_detectors_are_saved_and_say_the_same(cloud, tmp_path):
    for inner in (GaussianDetector(), NeighborDistanceDetector()):
        watch = ConformalDetector(inner).fit(cloud)
        save(watch, tmp_path / "watch.infimum")
        again = load(tmp_path / "watch.infimum")
        np.testing.assert_array_equal(again.p_values(cloud), watch.p_values(cloud))


def test_senseless_settings_are_refused(cloud):
    for wrong in (
        GaussianDetector(shrinkage=2.0),
        NeighborDistanceDetector(n_neighbors=0),
        NeighborDistanceDetector(contamination=0.9),
        ConformalDetector(alarm_rate=0.0),
        ConformalDetector(calibration_size=1.0),
    ):
        with pytest.raises(InvalidParameterError, match=type(wrong).__name__):
            wrong.fit(cloud)


@pytest.mark.syllabus("S0A-022")
def test_unusual_digits_are_rated_as_a_stranger_rates_them():
    X, label = load_digits(return_X_y=True)
    X, label = X[:600] / 16, label[:600]
    ours = OneClassSVM(nu=0.1, gamma=0.05, tol=1e-6).fit(X).score_samples(X)
    theirs = StrangerSVM(nu=0.1, gamma=0.05, tol=1e-6).fit(X).score_samples(X)
    np.testing.assert_allclose(ours, theirs, rtol=1e-3)
    unusual = np.argsort(ours)[:8]
    assert set(unusual) == set(np.argsort(theirs)[:8])
    shown = [f"{label[k]}: {ours[k]:.2f}" for k in unusual]
    assert len(set(shown)) == 8
    # A rating is no probability, and typical digits need not be told apart.
    assert ours.sum() != pytest.approx(1)
    assert ours[unusual].max() < np.median(ours)


def test_a_ball_of_single_precision_rows_has_the_diagonal_of_its_sums(rng):
    X = (100.0 * rng.standard_normal((5, 3))).astype(np.float32)
    told = {"kernel": "poly", "degree": 3, "coef0": 1.0, "gamma": 1.0, "tol": 1e-6}
    ball = SupportVectorDataDescription(**told).fit(X)
    double = SupportVectorDataDescription(**told).fit(X.astype(np.float64))
    assert ball.certificate_.dual == pytest.approx(double.certificate_.dual, rel=1e-12)
