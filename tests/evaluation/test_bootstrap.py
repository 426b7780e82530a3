"""Bootstrap distributions, and losses that are right or wrong."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.metrics import zero_one_loss as their_loss

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import bootstrap_distribution, zero_one_loss
from infimum.models.linear import LinearRegression, coefficient_table


@pytest.mark.syllabus("S4A-169")
def test_the_standard_error_of_a_mean_is_the_classic_one(rng):
    y = rng.gamma(2.0, size=150)
    found = bootstrap_distribution(np.mean, y, n_resamples=2000)
    assert found.estimate == y.mean()
    assert found.standard_error == pytest.approx(y.std() / np.sqrt(150), rel=0.06)
    assert found.mean == pytest.approx(y.mean(), abs=0.05 * found.standard_error + 0.01)
    theirs = stats.bootstrap(
        (y,), np.mean, n_resamples=2000, method="percentile", rng=rng
    ).confidence_interval
    low, high = found.interval(0.95)
    width = theirs.high - theirs.low
    assert (low, high) == pytest.approx(tuple(theirs), abs=0.06 * width)


@pytest.mark.syllabus("S4A-169", "S4A-170")
def test_coefficients_of_a_model_vary_as_the_theory_says():
    X, y = load_diabetes(return_X_y=True)

    def coefficients(rows, targets):
        return LinearRegression().fit(rows, targets).coef_

    found = bootstrap_distribution(coefficients, X[:, :4], y, n_resamples=300)
    model = LinearRegression().fit(X[:, :4], y)
    table = coefficient_table(model, X[:, :4], y)
    matched = [np.flatnonzero(np.isclose(table.estimates, w))[0] for w in model.coef_]
    np.testing.assert_allclose(found.standard_error, table.errors[matched], rtol=0.25)
    # The mean of the estimates is the bagged estimate.
    np.testing.assert_allclose(found.mean, found.estimates.mean(axis=0))
    assert (np.abs(found.bias) < found.standard_error).all()


@pytest.mark.syllabus("S4A-169")
def test_smaller_resamples_vary_more_and_may_be_drawn_without_replacement(rng):
    y = rng.normal(size=200)
    small = bootstrap_distribution(np.mean, y, size=50, replace=False)
    told = y.std(ddof=1) / np.sqrt(50) * np.sqrt(1 - 50 / 200)
    assert small.standard_error == pytest.approx(told, rel=0.1)
    whole = bootstrap_distribution(np.mean, y, replace=False, n_resamples=5)
    assert whole.standard_error == pytest.approx(0, abs=1e-12)


def test_the_same_seed_gives_the_same_estimates_on_any_number_of_threads(rng):
    y = rng.normal(size=60)
    alone = bootstrap_distribution(np.median, y, n_resamples=50, seed=3)
    shared = bootstrap_distribution(np.median, y, n_resamples=50, seed=3, n_jobs=-1)
    assert (alone.estimates == shared.estimates).all()
    other = bootstrap_distribution(np.median, y, n_resamples=50, seed=4)
    assert (alone.estimates != other.estimates).any()


def test_what_cannot_be_resampled_is_refused():
    with pytest.raises(DataError, match="data of one length"):
        bootstrap_distribution(np.mean, [1, 2], [1])
    with pytest.raises(InvalidParameterError, match="size"):
        bootstrap_distribution(np.mean, [1, 2], size=3, replace=False)


@pytest.mark.syllabus("S4A-009")
def test_the_zero_one_loss_is_one_for_each_wrong_answer(rng):
    truth, said = rng.integers(3, size=(2, 50))
    losses = zero_one_loss(truth, said)
    for loss, y, z in zip(losses, truth, said, strict=True):
        assert loss == (0 if y == z else 1)
        assert loss == their_loss([y], [z])
    assert losses.mean() == pytest.approx(their_loss(truth, said))
    with pytest.raises(DataError, match="a prediction for each sample"):
        zero_one_loss([1, 2], [1])
