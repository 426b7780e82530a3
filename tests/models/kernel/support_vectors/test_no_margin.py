"""A ν that leaves no margin: said in a sentence, with scores that stay numbers."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_moons

from infimum.models.kernel import SVC, NuSVC
from infimum.models.warnings import UncertifiedWarning


@pytest.mark.parametrize("n", [200, 500, 1500])
def test_overlapping_classes_and_a_small_share_leave_finite_scores(n):
    X, y = make_moons(n, noise=0.3, random_state=0)
    with pytest.warns(UncertifiedWarning, match="found no margin: at nu=0.1"):
        machine = NuSVC(nu=0.1).fit(X, y)
    assert np.abs(machine.decision_function(X)).max() < 1e5
    assert np.isfinite([*machine.equivalent_C_, *machine.intercept_]).all()
    assert machine.certify(X, y).closed == machine.certificate_.closed


def test_the_advice_that_comes_with_it_works():
    X, y = make_moons(200, noise=0.3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        machine = NuSVC(nu=0.4).fit(X, y)
    assert machine.score(X, y) > 0.85


def test_a_margin_that_is_small_is_found_and_nothing_is_said(rng):
    X = rng.standard_normal((80, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    machine = NuSVC(nu=0.1, gamma=2.0, tol=1e-6).fit(X, y)
    price = float(machine.equivalent_C_[0])
    other = SVC(C=price, gamma=2.0, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(
        machine.decision_function(X), other.decision_function(X), atol=1e-3
    )


def test_kernel_values_that_are_all_nought_leave_scores_of_nought():
    X, y = np.zeros((6, 1)), np.array([0, 1, 0, 1, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        machine = NuSVC(kernel="linear").fit(X, y)
    assert np.isfinite(machine.equivalent_C_).all()
    assert not machine.decision_function(X).any()
