"""Linear models of streamed rows: the same optimum, proved, as of rows in memory."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.data.streams import LocalRunner, runner
from infimum.errors import DataError, IncompatibleError, StreamError
from infimum.losses import Huber, Quantile
from infimum.models.kernel import SVC, KernelRidge
from infimum.models.linear import (
    ElasticNet,
    GammaRegressor,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    PoissonRegressor,
    ProbitRegression,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    RiskMinimizer,
)
from infimum.models.neighbors import KNeighborsClassifier

NAMES = list("abcdef")
N = 20_000


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 6)) * [1, 2, 3, 1, 1, 0.1] + [0, 1, 2, 30, 0, 0]
    s = X @ [1, -0.5, 0.2, 0.3, 0, 0] - 9
    targets = {
        "two": (s + rng.logistic(size=N) > 0).astype(int),
        "three": np.digitize(s + rng.logistic(size=N), [-1, 1]),
        "real": s + rng.normal(size=N) + 50,
        "count": rng.poisson(np.exp(0.3 * s - 0.1)),
        "positive": np.exp(0.2 * s) * rng.gamma(2.0, 1.0, N),
    }
    return X, targets, rng.integers(0, 3, N).astype(float)


@pytest.fixture(scope="module")
def path(columns, tmp_path_factory):
    X, targets, weights = columns
    frame = pl.DataFrame(X, schema=NAMES)
    frame = frame.with_columns(**targets, weight=weights)
    path = tmp_path_factory.mktemp("streamed") / "rows.parquet"
    frame.write_parquet(path)
    return path


def scan(path, target, weights=None):
    others = {"two", "three", "real", "count", "positive", "weight"} - {target, weights}
    return infimum.scan(path, target=target, weights=weights, drop=sorted(others))


def excess(streamed, model, X, y, **weights):
    """Return how far a streamed model can be above the least risk, in units of gain."""
    model.fit(X, y, **weights)
    lowest, unit = model.certificate_.dual, model.certificate_.scale
    model.coef_, model.intercept_ = streamed.coef_, streamed.intercept_
    return (model.certify(X, y, **weights).primal - lowest) / unit


CASES = [
    (LogisticRegression(), "two", 1e-8),
    (LogisticRegression(C=1e-3, l1_ratio=1), "two", 1e-8),
    (LogisticRegression(C=1e-3, l1_ratio=0.5), "two", 1e-8),
    (LogisticRegression(class_weight="balanced", C=0.01), "two", 1e-8),
    (LogisticRegression(C=0.01), "three", 1e-8),
    (LogisticRegression(fit_intercept=False), "two", 1e-8),
    (ProbitRegression(), "two", 1e-8),
    (LinearSVC(), "three", 1e-8),
    (LinearSVC(loss="hinge", C=0.01), "two", 2e-4),
    (RidgeClassifier(), "three", 1e-8),
    (Ridge(), "real", 1e-9),
    (Ridge(positive=True), "real", 1e-4),
    (LinearRegression(), "real", 1e-9),
    (Lasso(0.1), "real", 1e-4),
    (ElasticNet(0.1), "real", 1e-4),
    (LinearSVR(loss="squared_epsilon_insensitive", C=0.1), "real", 1e-7),
    (PoissonRegressor(), "count", 1e-8),
    (GammaRegressor(), "positive", 1e-8),
    (RiskMinimizer(Huber(1.35), "ridge", strength=0.1), "real", 2e-6),
    (RiskMinimizer(Quantile(0.3), "ridge", strength=0.1), "real", 2e-6),
]


@pytest.mark.parametrize(("model", "target", "most"), CASES)
def test_streamed_models_are_as_good_as_those_in_memory(
    columns, path, model, target, most
):
    from sklearn.base import clone

    X, targets, _ = columns
    rows = scan(path, target)
    streamed = clone(model).fit(rows)
    assert streamed.certificate_.closed, streamed.certificate_
    assert streamed.n_passes_ >= 1
    again = streamed.certify(rows)
    assert again.closed, again
    streamed.__dict__.pop("feature_names_in_")
    if len(streamed.certificates_) > 1:  # one against the rest: a risk for each class
        other = clone(model).fit(X, targets[target])
        np.testing.assert_allclose(streamed.coef_, other.coef_, atol=1e-6)
        return
    assert abs(excess(streamed, clone(model), X, targets[target])) <= most


@pytest.mark.parametrize("model", [LogisticRegression(C=0.01), Ridge()])
def test_weights_are_copies(columns, path, model):
    X, targets, weights = columns
    target = "two" if isinstance(model, LogisticRegression) else "real"
    streamed = model.fit(scan(path, target, "weight"))
    copies = np.repeat(np.arange(N), weights.astype(int))
    other = type(model)(**model.get_params()).fit(X[copies], targets[target][copies])
    np.testing.assert_allclose(streamed.coef_, other.coef_, atol=1e-6)


def test_least_squares_agree_to_ten_digits(columns, path):
    X, targets, _ = columns
    for model in (Ridge(alpha=3.0), LinearRegression()):
        streamed = model.fit(scan(path, "real"))
        other = type(model)(**model.get_params()).fit(X, targets["real"])
        np.testing.assert_allclose(streamed.coef_, other.coef_, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(streamed.intercept_, other.intercept_, rtol=1e-10)


@pytest.mark.parametrize("model", [LogisticRegression(C=0.1), Lasso(0.1)])
def test_any_blocks_and_threads_give_the_same_bits(path, model):
    target = "two" if isinstance(model, LogisticRegression) else "real"
    found = []
    for threads, turn in ((1, 0), (2, 2), (5, 1)):
        with runner(LocalRunner(threads, turn)):
            fitted = model.fit(scan(path, target))
        found.append((fitted.coef_.tobytes(), fitted.certificate_))
    assert found[0] == found[1] == found[2]


def test_sparse_rows(tmp_path):
    rng = np.random.default_rng(0)
    from scipy import sparse
    from sklearn.datasets import dump_svmlight_file

    X = sparse.random(5000, 300, 0.02, format="csr", random_state=rng)
    y = (X @ rng.normal(size=300) + 0.1 * rng.normal(size=5000) > 0).astype(int)
    dump_svmlight_file(X, y, str(tmp_path / "x.svm"), zero_based=False)
    streamed = LogisticRegression().fit(infimum.scan(tmp_path / "x.svm"))
    other = LogisticRegression(tol=1e-6).fit(X, y)
    assert streamed.certificate_.closed
    np.testing.assert_allclose(streamed.coef_, other.coef_, atol=1e-2)


def test_saved_and_loaded(path, tmp_path):
    model = LogisticRegression().fit(scan(path, "two"))
    infimum.save(model, tmp_path / "model.inf")
    again = infimum.load(tmp_path / "model.inf")
    assert again.n_passes_ == model.n_passes_
    np.testing.assert_array_equal(again.coef_, model.coef_)


@pytest.mark.parametrize(
    "model",
    [
        SVC(),
        KernelRidge(),
        KNeighborsClassifier(),
        HuberRegressor(),
        QuantileRegressor(),
    ],
)
def test_what_does_not_stream_names_what_does(path, model):
    rows = scan(path, "two")
    with pytest.raises((IncompatibleError, DataError), match="stream") as caught:
        model.fit(rows, None)
    assert "\n" not in str(caught.value)


def test_a_fit_that_loses_its_rows_tells_its_best_point(path, monkeypatch):
    rows = scan(path, "two")
    # A start from a few rows leaves something to do in the second pass.
    monkeypatch.setattr("infimum.solvers.second_order._gram_newton.SAMPLE", 1)
    count = iter(range(100))

    def lose(work):
        if next(count) > 0:
            raise StreamError("The rows are gone.")
        return type(rows).run(rows, work)

    monkeypatch.setattr(rows, "shifted", lambda _: rows)
    rows.run = lose
    with pytest.raises(StreamError, match="best point so far has the risk") as caught:
        LogisticRegression(C=1e-3, l1_ratio=1).fit(rows)
    assert caught.value.point.shape == (7,)
    assert caught.value.gap >= 0.0
