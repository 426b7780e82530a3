"""Tables without information or with rounding at work: a result, or one sentence."""

import warnings

import numpy as np
import pytest

from infimum.errors import DataError, IncompatibleError
from infimum.losses import Hinge, compare
from infimum.models.linear import (
    GroupLassoRegressor,
    LogisticRegression,
    RidgeClassifierCV,
    RidgeCV,
    ridge_path,
)
from infimum.solvers._rounded_loss import _nearest_shares
from infimum.study.estimation import JamesSteinRegressor


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    return X, X @ [1.0, 0.0, -2.0, 0.0, 0.5] + rng.normal(size=40)


def test_a_table_of_zeros_has_a_ridge_path_of_zeros(table):
    _, y = table
    X = np.zeros((40, 5))
    model = RidgeCV().fit(X, y)
    np.testing.assert_array_equal(model.coef_, np.zeros(5))
    assert model.intercept_ == pytest.approx(y.mean())
    assert model.certificate_.closed
    assert RidgeClassifierCV().fit(X, y > 0).certificate_.closed
    assert not ridge_path(X, y).coefs.any()


def test_a_far_offset_of_all_columns_raises_no_warning_of_arithmetic(table):
    X, y = table
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        model = LogisticRegression().fit(X + 1e8, y > 0)
    assert model.certificate_.closed


def test_groups_given_as_lists_of_positions_are_refused_in_words(table):
    with pytest.raises(DataError, match="a group for each of the 5 features, got list"):
        GroupLassoRegressor(groups=[[0, 1], [2, 3, 4]]).fit(*table)


def test_a_single_class_is_named_as_the_user_wrote_it(table):
    X, _ = table
    with pytest.raises(DataError, match=r"got 1 class: 'yes'\."):
        LogisticRegression().fit(X, ["yes"] * len(X))


def test_one_loss_alone_is_no_list_of_losses_to_compare():
    with pytest.raises(IncompatibleError, match="give it at least one"):
        compare(Hinge())


def test_weights_are_repetition_for_a_shrunken_fit(table):
    X, y = table
    counts = np.arange(40) % 4
    weighted = JamesSteinRegressor().fit(X, y, sample_weight=counts)
    repeated = JamesSteinRegressor().fit(np.repeat(X, counts, 0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-10)
    assert weighted.shrinkage_ == pytest.approx(repeated.shrinkage_, rel=1e-10)
    assert weighted.intercept_ == pytest.approx(repeated.intercept_, rel=1e-10)


def test_planes_far_below_take_no_share_and_overflow_nothing():
    far = np.array([[0.3, 0.1] + 8 * [-3e307]])
    np.testing.assert_allclose(_nearest_shares(far), [[0.6, 0.4] + 8 * [0.0]])
