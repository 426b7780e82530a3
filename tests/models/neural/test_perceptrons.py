"""Networks of dense layers: scikit-learn's own weights, and what it does not have."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import neural_network as reference
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

from infimum.errors import DataError, InvalidParameterError
from infimum.losses import Absolute, Huber
from infimum.models.neural import MLPClassifier, MLPRegressor

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SETTINGS = [
    {},
    {"shuffle": False},
    {"solver": "sgd", "learning_rate": "invscaling", "learning_rate_init": 0.1},
    {"solver": "sgd", "learning_rate": "adaptive", "nesterovs_momentum": False},
    {"activation": "tanh", "hidden_layer_sizes": (20, 10), "alpha": 0.1},
    {"activation": "logistic", "early_stopping": True},
    {"activation": "identity", "batch_size": 64, "momentum": 0.5},
]


def _digits(n=400):
    X, y = load_digits(return_X_y=True)
    return X[:n] / 16.0, y[:n]


def _cells():
    X, y = load_breast_cancer(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def _patients():
    X, y = load_diabetes(return_X_y=True)
    return 20.0 * X, (y - y.mean()) / y.std()


PAIRS = [
    (MLPClassifier, reference.MLPClassifier, _digits),
    (MLPClassifier, reference.MLPClassifier, _cells),
    (MLPRegressor, reference.MLPRegressor, _patients),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("ours, theirs, data", PAIRS)
def test_the_weights_are_those_of_scikit_learn(ours, theirs, data, settings):
    X, y = data()
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    for given in (None, weights):
        mine = ours(**settings, max_iter=5, random_state=0).fit(X, y, given)
        other = theirs(**settings, max_iter=5, random_state=0).fit(X, y, given)
        for one, two in zip(
            mine.coefs_ + mine.intercepts_,
            other.coefs_ + other.intercepts_,
            strict=True,
        ):
            assert np.abs(one - two).max() < 1e-8
        assert np.allclose(mine.loss_curve_, other.loss_curve_, atol=1e-8)
        for name in ("n_iter_", "t_", "n_outputs_", "n_layers_", "out_activation_"):
            assert getattr(mine, name) == getattr(other, name)
        assert np.allclose(
            mine.validation_scores_ or [0.0], other.validation_scores_ or [0.0]
        )
        assert np.array_equal(mine.predict(X[:50]), other.predict(X[:50])) or (
            np.allclose(mine.predict(X[:50]), other.predict(X[:50]), atol=1e-8)
        )


def test_a_quasi_newton_method_reaches_the_objective_of_scikit_learn():
    X, y = _cells()
    mine = MLPClassifier(solver="lbfgs", random_state=0).fit(X, y)
    other = reference.MLPClassifier(solver="lbfgs", random_state=0).fit(X, y)
    assert mine.loss_ == pytest.approx(other.loss_, abs=1e-6)


def test_batches_and_resumed_fits_go_on_as_scikit_learns():
    X, y = _digits()
    mine, other = MLPClassifier(random_state=0), reference.MLPClassifier(random_state=0)
    for start in range(0, 400, 100):
        batch = slice(start, start + 100)
        mine.partial_fit(X[batch], y[batch], classes=range(10))
        other.partial_fit(X[batch], y[batch], classes=range(10))
    assert np.abs(mine.coefs_[0] - other.coefs_[0]).max() < 1e-8
    again = MLPClassifier(max_iter=3, warm_start=True, random_state=0)
    theirs = reference.MLPClassifier(max_iter=3, warm_start=True, random_state=0)
    for _ in range(2):
        again.fit(X, y)
        theirs.fit(X, y)
    assert np.abs(again.coefs_[1] - theirs.coefs_[1]).max() < 1e-8
    assert again.t_ == theirs.t_


def test_several_labels_counts_and_sparse_rows_agree_too():
    X, y = _digits()
    labels = np.column_stack([y % 2, y > 4, y == 3]).astype(int)
    for mine, other, target in (
        (MLPClassifier, reference.MLPClassifier, labels),
        (MLPRegressor, reference.MLPRegressor, labels.astype(float)),
    ):
        one = mine(max_iter=4, random_state=0).fit(sparse.csr_array(X), target)
        two = other(max_iter=4, random_state=0).fit(X, target)
        assert np.abs(one.coefs_[0] - two.coefs_[0]).max() < 1e-8
        assert np.allclose(one.predict(X), two.predict(X), atol=1e-8)
    one = MLPRegressor("poisson", max_iter=4, random_state=0).fit(X, y)
    two = reference.MLPRegressor("poisson", max_iter=4, random_state=0).fit(X, y)
    assert np.allclose(one.predict(X), two.predict(X), atol=1e-8)
    assert np.allclose(one.loss_curve_, two.loss_curve_)


def test_single_precision_stays_single():
    X, y = _digits()
    model = MLPClassifier(max_iter=3, random_state=0).fit(X.astype(np.float32), y)
    assert {W.dtype for W in model.coefs_ + model.intercepts_} == {np.dtype(np.float32)}
    assert model.predict_proba(X.astype(np.float32)).dtype == np.float32


def test_weights_are_copies_when_all_rows_are_one_batch():
    X, y = _cells()
    counts = np.random.default_rng(0).integers(0, 3, len(y))
    settings = {"solver": "lbfgs", "max_iter": 30, "alpha": 1.0, "random_state": 0}
    settings["activation"] = "tanh"
    weighed = MLPClassifier((5,), **settings).fit(X, y, counts)
    copied = MLPClassifier((5,), **settings).fit(
        np.repeat(X, counts, axis=0), np.repeat(y, counts)
    )
    assert weighed.loss_ == pytest.approx(copied.loss_, rel=1e-6)


def test_class_weights_dropout_and_mixed_activations_are_learnt_with():
    X, y = _cells()
    heavy = MLPClassifier((10,), class_weight={0: 50.0, 1: 1.0}, random_state=0,
                          max_iter=40, alpha=1.0).fit(X, y)  # fmt: skip
    plain = MLPClassifier((10,), random_state=0, max_iter=40, alpha=1.0).fit(X, y)
    assert heavy.predict_proba(X)[:, 0].mean() > plain.predict_proba(X)[:, 0].mean()
    mixed = MLPClassifier((10, 5), ("tanh", "softplus"), dropout=0.3, random_state=0)
    assert mixed.fit(X, y).score(X, y) > 0.95
    again = MLPClassifier((10, 5), ("tanh", "softplus"), dropout=0.3, random_state=0)
    assert np.array_equal(again.fit(X, y).coefs_[0], mixed.coefs_[0])


def test_the_best_of_several_starts_is_kept():
    X, y = _patients()
    model = MLPRegressor(
        hidden_layer_sizes=(3,), solver="lbfgs", n_init=4, random_state=0
    ).fit(X, y)
    assert len(model.start_losses_) == 4
    assert np.ptp(model.start_losses_) > 1e-3
    reached = model.evidence_.objective
    assert reached == pytest.approx(model.start_losses_.min())


def test_any_smooth_loss_is_taken_and_no_other():
    X, y = _patients()
    y = y + 100.0 * (np.arange(len(y)) % 50 == 0)
    robust = MLPRegressor(Huber(1.0), (5,), solver="lbfgs", random_state=0).fit(X, y)
    plain = MLPRegressor("squared_error", (5,), solver="lbfgs", random_state=0)
    clean = np.arange(len(y)) % 50 != 0
    error = np.abs(robust.predict(X) - y)[clean].mean()
    assert error < 0.5 * np.abs(plain.fit(X, y).predict(X) - y)[clean].mean()
    with pytest.raises(TypeError, match="smooth loss"):
        MLPRegressor(Absolute()).fit(X, y)


@pytest.mark.parametrize(
    "settings, told",
    [
        ({"hidden_layer_sizes": (5, 0)}, "must be > 0"),
        ({"activation": "sign"}, "activation must be"),
        ({"activation": ("relu", "tanh")}, "one for each of 1 hidden"),
        ({"solver": "newton"}, "solver must be"),
        ({"dropout": 1.5}, "dropout must be"),
        ({"dropout": 1.0}, r"dropout must be in \[0, 1\)"),
        ({"beta_1": 1.0}, "beta_1 must be"),
        ({"n_init": 0}, "n_init must be"),
        ({"alpha": -1.0}, "alpha must be"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(settings, told):
    X, y = _digits()
    with pytest.raises(InvalidParameterError, match=told):
        MLPClassifier(**settings).fit(X, y)


def test_diverging_weights_are_told_and_the_old_model_stays():
    X, y = _patients()
    model = MLPRegressor(hidden_layer_sizes=(5,), solver="sgd", random_state=0)
    model.fit(X, y)
    before = model.coefs_[0].copy()
    model.set_params(learning_rate_init=1e6)
    with np.errstate(all="ignore"), pytest.raises(DataError, match="non-finite"):
        model.fit(1e6 * X, y)
    assert np.array_equal(model.coefs_[0], before)


@pytest.mark.parametrize("solver", ["adam", "sgd", "lbfgs"])
def test_numbers_that_overflow_are_told_in_one_sentence(solver):
    X, y = _patients()
    for rows, target in ((1e200 * X, y), (X, 1e200 * y)):
        with pytest.raises(DataError, match="scale"):
            MLPRegressor(solver=solver, max_iter=5, random_state=0).fit(rows, target)
    with pytest.raises(DataError, match="scale"):
        MLPClassifier(solver=solver, max_iter=5, random_state=0).fit(1e200 * X, y > 0)


def test_digits_that_were_kept_back_are_read():
    X, y = _digits(1797)
    kept = np.arange(len(y)) % 4 == 0
    model = MLPClassifier(random_state=0, max_iter=60, learning_rate_init=0.005)
    assert model.fit(X[~kept], y[~kept]).score(X[kept], y[kept]) >= 0.97


def test_shuffled_labels_are_learnt_by_heart():
    X, y = _digits(200)
    y = np.random.default_rng(0).permutation(y)
    model = MLPClassifier((200,), alpha=0.0, solver="lbfgs", max_iter=2000)
    assert model.set_params(random_state=0).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("data", [_digits, _cells])
def test_a_single_row_is_answered_as_among_others(data, dtype):
    X, y = data()
    X = X.astype(dtype)
    for activation in ("relu", "tanh", "logistic"):
        model = MLPClassifier((8, 4), activation, max_iter=3, random_state=0).fit(X, y)
        alone = np.vstack([model.predict_proba(row[None]) for row in X[:40]])
        assert alone.dtype == dtype
        assert (
            np.abs(alone - model.predict_proba(X[:40])).max() < 8 * np.finfo(dtype).eps
        )
        far = model.predict_proba(1e6 * X[1:2])
        assert np.isfinite(far).all()
        assert far.sum() == pytest.approx(1.0)
        with pytest.raises(ValueError, match="NaN"):
            model.predict_proba(np.full((1, X.shape[1]), np.nan, dtype=dtype))
        with pytest.raises(ValueError, match="infinity"):
            model.predict_proba(np.full((1, X.shape[1]), np.inf, dtype=dtype))
