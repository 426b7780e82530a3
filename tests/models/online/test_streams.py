"""A stream may be cut anywhere, held densely or sparsely, and resumed after failure."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import is_regressor

from infimum.errors import DataError
from infimum.models.linear import Ridge
from infimum.models.online import (
    MulticlassPerceptron,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    SGDClassifier,
    SGDRegressor,
)

LEARNERS = [
    MulticlassPerceptron(),
    MulticlassPerceptron(average=True),
    PassiveAggressiveClassifier(C=0.2, average=True),
    PassiveAggressiveRegressor(loss="squared_epsilon_insensitive"),
    Perceptron(),
    Perceptron(margin=1.0, average=True),
    Perceptron(penalty="elasticnet", alpha=0.01),
    SGDClassifier("log_loss", penalty="elasticnet", alpha=0.01, average=20),
    SGDClassifier("hinge", alpha=0.5),
    SGDRegressor(penalty="l1", alpha=0.05),
    SGDRegressor(learning_rate="constant", average=True),
]
every_learner = pytest.mark.parametrize("learner", LEARNERS, ids=repr)


def rows(learner, rng, n=90, d=8):
    X = rng.normal(size=(n, d)) * (rng.uniform(size=(n, d)) < 0.5)
    score = X @ rng.normal(size=d) + 0.3 * rng.normal(size=n)
    if is_regressor(learner):
        return X, score, {}
    labels = np.digitize(score, [-1.0, 1.0])
    return X, labels, {"classes": [0, 1, 2]}


def fresh(learner):
    return type(learner)(**learner.get_params())


def state_of(model):
    return np.hstack([np.ravel(model.coef_), np.ravel(model.intercept_)])


@every_learner
def test_batches_of_any_size_give_the_same_model_as_one_by_one(learner, rng):
    X, y, known = rows(learner, rng)
    whole = fresh(learner).partial_fit(X, y, **known)
    single, batches = fresh(learner), fresh(learner)
    for x, target in zip(X, y, strict=True):
        single.learn_one(x, target, **known)
    for part in np.split(np.arange(len(y)), [1, 8, 50]):
        batches.partial_fit(X[part], y[part], **known)
    np.testing.assert_allclose(state_of(single), state_of(whole), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(
        state_of(batches), state_of(whole), rtol=1e-9, atol=1e-11
    )
    if known:
        np.testing.assert_array_equal(single.mistakes_, whole.mistakes_)


@every_learner
def test_sparse_rows_give_the_same_model_as_dense_ones(learner, rng):
    X, y, known = rows(learner, rng)
    dense = fresh(learner).partial_fit(X, y, **known)
    for form in (sparse.csr_array, sparse.csc_array, sparse.csr_matrix):
        thin = fresh(learner).partial_fit(form(X), y, **known)
        np.testing.assert_allclose(
            state_of(thin), state_of(dense), rtol=1e-9, atol=1e-11
        )
    first, second = fresh(learner).fit(X, y), fresh(learner)
    second.set_params(random_state=0)
    first.set_params(random_state=0).fit(X, y)
    np.testing.assert_allclose(
        state_of(second.fit(sparse.csr_array(X), y)), state_of(first), atol=1e-9
    )


@every_learner
def test_a_refused_batch_leaves_the_model_as_it_was(learner, rng):
    X, y, known = rows(learner, rng)
    model = fresh(learner).partial_fit(X[:40], y[:40], **known)
    before, spoilt = state_of(model), X.copy()
    spoilt[3, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(spoilt, y)
    if known:
        with pytest.raises(DataError, match="knows the classes"):
            model.partial_fit(X[40:], np.full(50, 7))
    np.testing.assert_array_equal(state_of(model), before)
    again = pickle.loads(pickle.dumps(model)).partial_fit(X[40:], y[40:])
    straight = fresh(learner).partial_fit(X, y, **known)
    np.testing.assert_allclose(
        state_of(again), state_of(straight), rtol=1e-9, atol=1e-11
    )


def test_a_memory_of_the_wrong_shape_is_not_trusted(rng):
    X, y, known = rows(Perceptron(), rng)
    model = Perceptron().partial_fit(X, y, **known)
    model.memory_ = {**model.memory_, "stored": np.zeros((3, 5))}
    with pytest.raises(DataError, match="shape"):
        model.partial_fit(X, y)


def test_rows_of_weight_0_are_not_there(rng):
    X, y, _ = rows(Perceptron(), rng)
    weights = np.tile([1.0, 0.0, 1.0], 30)
    kept = weights > 0
    for learner in (Perceptron(shuffle=False), SGDClassifier(shuffle=False)):
        first = fresh(learner).fit(X, y, sample_weight=weights)
        second = fresh(learner).fit(X[kept], y[kept])
        np.testing.assert_array_equal(first.coef_, second.coef_)
        third = fresh(learner).fit(X[kept], y[kept], sample_weight=np.full(60, 4.0))
        np.testing.assert_array_equal(third.coef_, second.coef_)


def test_weights_are_repetition_in_the_limit(rng):
    """Both streams end at the minimiser that a certified fit of the weighted data has.

    Steps of 1/t leave an error of about 1/√t: 3 of those for 120,000 steps.
    """
    X = rng.normal(size=(40, 3))
    y = X @ [1.0, -1.0, 0.5] + 0.1 * rng.normal(size=40)
    counts = rng.integers(0, 4, size=40)
    settings = {"alpha": 0.1, "learning_rate": "invscaling", "power_t": 0.6}
    model = SGDRegressor(**settings, eta0=0.3, average=True, tol=None, max_iter=1500)
    model.set_params(random_state=0)
    weighted = fresh(model).fit(X, y, sample_weight=counts).coef_
    rows_of = np.repeat(np.arange(40), counts)
    repeated = fresh(model).fit(X[rows_of], y[rows_of]).coef_
    best = Ridge(alpha=0.1 * counts.sum()).fit(X, y, sample_weight=counts).coef_
    np.testing.assert_allclose(weighted, best, atol=3 / np.sqrt(60_000))
    np.testing.assert_allclose(repeated, best, atol=3 / np.sqrt(60_000))


def test_a_seed_fixes_the_order(rng):
    X, y, _ = rows(Perceptron(), rng)
    first, second, third = (
        Perceptron(random_state=seed).fit(X, y).coef_ for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, third)


def test_a_warm_start_and_given_weights_go_on_from_there(rng):
    X, y, _ = rows(Perceptron(), rng)
    settings = {"tol": None, "shuffle": False}
    twice = Perceptron(max_iter=2, **settings).fit(X, y)
    warm = Perceptron(max_iter=1, warm_start=True, **settings).fit(X, y).fit(X, y)
    once = Perceptron(max_iter=1, **settings).fit(X, y)
    given = Perceptron(max_iter=1, **settings).fit(X, y, once.coef_, once.intercept_)
    np.testing.assert_allclose(warm.coef_, twice.coef_, atol=1e-12)
    np.testing.assert_allclose(given.coef_, twice.coef_, atol=1e-12)
    with pytest.raises(DataError, match="coef_init"):
        once.fit(X, y, coef_init=np.zeros(3))


def test_single_precision_stays_single(rng):
    X, y, _ = rows(Perceptron(), rng)
    assert Perceptron().fit(X.astype(np.float32), y).coef_.dtype == np.float32
