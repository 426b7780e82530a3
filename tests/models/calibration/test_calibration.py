"""Rising functions are proved nearest; calibrated probabilities are scikit-learn's."""

from fractions import Fraction

import numpy as np
import pytest
import sklearn.calibration
import sklearn.isotonic
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from infimum.errors import DataError
from infimum.models import calibration as ours


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"increasing": False},
        {"increasing": "auto", "out_of_bounds": "clip"},
        {"y_min": -0.5, "y_max": 0.5},
    ],
)
def test_isotonic_regression_is_scikit_learns_and_proved(rng, how):
    x = rng.normal(size=100).round(1)
    y, weights = x + rng.normal(size=100), rng.integers(0, 3, size=100)
    rooms = ours, sklearn.isotonic
    mine, other = (r.IsotonicRegression(**how).fit(x, y, weights) for r in rooms)
    places = np.linspace(-2.0, 2.0, 41)
    np.testing.assert_allclose(mine.predict(places), other.predict(places))
    np.testing.assert_allclose(mine.X_thresholds_, other.X_thresholds_)
    np.testing.assert_allclose(mine.f_(0.3), other.f_(0.3))
    assert mine.certificate_.closed
    again = ours.IsotonicRegression(**how)
    again.fit(np.repeat(x, weights), np.repeat(y, weights))
    np.testing.assert_allclose(mine.predict(places), again.predict(places))


def test_the_bound_below_isotonic_regression_survives_an_attack(rng):
    x, y = np.arange(30.0), np.arange(30.0) / 10 + rng.normal(size=30)
    model = ours.IsotonicRegression().fit(x, y)
    for _ in range(200):
        rival = np.sort(model.predict(x) + 0.3 * rng.normal(size=30))
        assert 0.5 * np.mean((rival - y) ** 2) >= model.certificate_.dual


def test_functions_of_isotonic_are_scikit_learns(rng):
    y, weights = rng.normal(size=40), rng.uniform(0.1, 2.0, size=40)
    for increasing in (True, False):
        told = (
            room.isotonic_regression(y, sample_weight=weights, increasing=increasing)
            for room in (ours, sklearn.isotonic)
        )
        np.testing.assert_allclose(next(told), next(told))
    assert ours.check_increasing([1, 2, 3, 4], [4, 3, 2, 1]) is False


def test_what_is_outside_is_told_as_asked():
    model = ours.IsotonicRegression(out_of_bounds="raise").fit([1, 2, 3], [1, 2, 3])
    with pytest.raises(DataError, match="outside of the training range"):
        model.predict([9.0])
    model.set_params(out_of_bounds="nan")
    assert np.isnan(model.predict([9.0])).all()
    with pytest.raises(DataError, match="1d array or 2d array with 1"):
        model.predict([[1.0, 2.0]])


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
@pytest.mark.parametrize("base", [GaussianNB(), LinearSVC()])
@pytest.mark.parametrize("classes", [2, 3])
def test_calibrated_probabilities_are_scikit_learns(
    rng, classes, base, method, ensemble
):
    X, y = make_classification(
        200, 6, n_informative=4, n_classes=classes, random_state=0
    )
    weights = rng.uniform(0.5, 2.0, size=200)
    mine, other = (
        room.CalibratedClassifierCV(base, method=method, ensemble=ensemble).fit(
            X, y, weights
        )
        for room in (ours, sklearn.calibration)
    )
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-6)
    assert (mine.predict(X) == other.predict(X)).mean() > 0.99
    assert len(mine.calibrated_classifiers_) == len(other.calibrated_classifiers_)
    if mine.uncalibrated_error_ is not None and method != "temperature":
        assert mine.calibration_error_ < mine.uncalibrated_error_ + 0.02


def test_a_frozen_classifier_is_only_calibrated():
    X, y = make_classification(120, 4, random_state=1)
    fitted = GaussianNB().fit(X[:60], y[:60])
    model = ours.CalibratedClassifierCV(FrozenEstimator(fitted)).fit(X[60:], y[60:])
    theirs = sklearn.calibration.CalibratedClassifierCV(FrozenEstimator(fitted))
    theirs.fit(X[60:], y[60:])
    np.testing.assert_allclose(
        model.predict_proba(X), theirs.predict_proba(X), atol=1e-6
    )
    with pytest.raises(DataError, match="LeaveOneOut"):
        ours.CalibratedClassifierCV(GaussianNB(), cv=LeaveOneOut()).fit(X, y)
    with pytest.raises(DataError, match="less than 70 examples"):
        ours.CalibratedClassifierCV(GaussianNB(), cv=70).fit(X, y)


@pytest.mark.parametrize("size, shift", [(1.0, 0.0), (1.0, 1e10), (1e200, 0.0)])
def test_the_bound_of_a_monotone_fit_counts_its_rounding(size, shift, rng):
    x = rng.standard_normal(30)
    y = shift + size * rng.standard_normal(30)
    model = ours.IsotonicRegression().fit(x, y)
    proof = model.certificate_
    assert proof.dual <= proof.primal
    if size == 1.0:
        order = np.argsort(x)
        numbers, values = (
            [Fraction(v) for v in u[order].tolist()] for u in (y, model.predict(x))
        )
        off = [(a - b) ** 2 for a, b in zip(numbers, values, strict=True)]
        assert Fraction(proof.dual) <= sum(off) / 60
        assert proof.slack > 0.0


def test_no_bound_is_above_another_monotone_function_far_from_nought(rng):
    for _ in range(40):
        x = np.round(rng.standard_normal(40), 1)
        y = 1e-6 * rng.standard_normal(40) + 10.0 ** rng.uniform(0, 10)
        w = 10.0 ** rng.uniform(-8, 8, 40)
        proof = ours.IsotonicRegression().fit(x, y, sample_weight=w).certificate_
        theirs = sklearn.isotonic.IsotonicRegression().fit(x, y, sample_weight=w)
        shares = w.astype(np.longdouble) / w.astype(np.longdouble).sum()
        risk = 0.5 * shares @ (y.astype(np.longdouble) - theirs.predict(x)) ** 2
        assert proof.dual <= risk
