"""Models that are no linear risk, fitted to streamed rows: as those in memory."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.data.streams import LocalRunner, runner
from infimum.errors import IncompatibleError
from infimum.models.clustering import KMeans
from infimum.models.embedding import PCA
from infimum.models.ensembles import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from infimum.models.online import (
    PassiveAggressiveClassifier,
    Perceptron,
    SGDClassifier,
    SGDRegressor,
)
from infimum.models.probabilistic import GaussianNB, MultinomialNB

N, D = 40_000, 5
NAMES = [f"x{j}" for j in range(D)]


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(0)
    middle = rng.normal(size=(4, D)) * 5 + 100
    k = rng.integers(0, 4, N)
    X = middle[k] + rng.normal(size=(N, D)) * np.arange(1, D + 1)
    return X, k, X @ np.arange(D) + rng.normal(size=N), middle


@pytest.fixture(scope="module")
def path(columns, tmp_path_factory):
    X, k, t, _ = columns
    path = tmp_path_factory.mktemp("families") / "rows.parquet"
    pl.DataFrame(X, schema=NAMES).with_columns(k=k, t=t).write_parquet(path)
    return path


def scan(path, target=None):
    return infimum.scan(path, target=target, drop=sorted({"k", "t"} - {target}))


def unnamed(model):
    model.__dict__.pop("feature_names_in_", None)
    return model


def test_principal_axes_agree_to_ten_digits(columns, path):
    X = columns[0]
    streamed, other = PCA(3).fit(scan(path)), PCA(3).fit(X)
    np.testing.assert_allclose(streamed.components_, other.components_, atol=1e-10)
    for name in ("mean_", "explained_variance_", "noise_variance_"):
        found, known = getattr(streamed, name), getattr(other, name)
        np.testing.assert_allclose(found, known, rtol=1e-10)


def test_laws_of_classes_agree_to_ten_digits(columns, path):
    X, k, _, _ = columns
    streamed, other = GaussianNB().fit(scan(path, "k")), GaussianNB().fit(X, k)
    for name in ("theta_", "var_", "class_prior_"):
        found, known = getattr(streamed, name), getattr(other, name)
        np.testing.assert_allclose(found, known, rtol=1e-10)
    with pytest.raises(IncompatibleError, match="GaussianNB does"):
        MultinomialNB().fit(scan(path, "k"))


def test_centres_from_a_given_start_are_those_in_memory(columns, path):
    X, middle = columns[0], columns[3]
    streamed = KMeans(4, init=middle, tol=0).fit(scan(path))
    other = KMeans(4, init=middle, n_init=1, tol=0).fit(X)
    labels = unnamed(streamed).predict(X)
    assert np.mean(labels != other.predict(X)) == 0.0
    np.testing.assert_allclose(streamed.inertia_, other.inertia_, rtol=1e-9)
    assert np.all(np.diff(streamed.history_) <= 1e-9 * streamed.history_[0])


def test_a_drawn_start_is_about_as_good_as_one_in_memory(columns, path):
    X = columns[0]
    streamed = KMeans(8, random_state=0).fit(scan(path))
    other = KMeans(8, n_init=3, random_state=0).fit(X)
    assert streamed.inertia_ <= 1.05 * other.inertia_


@pytest.mark.parametrize("model", [KMeans(5, random_state=1), PCA(2), GaussianNB()])
def test_any_blocks_give_the_same_bits(path, model):
    found = []
    for threads, turn in ((1, 0), (3, 1), (2, 4)):
        with runner(LocalRunner(threads, turn)):
            fitted = model.fit(scan(path, "k"))
        kept = ("cluster_centers_", "components_", "theta_")
        found.append([v.tobytes() for k, v in vars(fitted).items() if k in kept])
    assert found[0]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    "model",
    [
        SGDClassifier(max_iter=5, tol=None, shuffle=False),
        SGDClassifier(loss="log_loss", penalty="l1", shuffle=False, tol=10.0),
        SGDClassifier(average=True, max_iter=3, tol=None, shuffle=False),
        Perceptron(shuffle=False, max_iter=4, tol=None),
        PassiveAggressiveClassifier(shuffle=False, max_iter=3, tol=None),
        SGDRegressor(shuffle=False, max_iter=3, tol=None, eta0=1e-7),
    ],
)
def test_rows_in_order_give_the_same_bits_as_in_memory(columns, path, model):
    from sklearn.base import clone

    X, k, t, _ = columns
    target, y = ("t", t) if isinstance(model, SGDRegressor) else ("k", k)
    streamed, other = clone(model).fit(scan(path, target)), clone(model).fit(X, y)
    assert streamed.n_iter_ == other.n_iter_
    assert np.array_equal(streamed.coef_, other.coef_)
    assert np.array_equal(streamed.intercept_, other.intercept_)


@pytest.mark.parametrize(
    ("kind", "target"),
    [(HistGradientBoostingClassifier, "k"), (HistGradientBoostingRegressor, "t")],
)
def test_trees_on_the_same_bins_have_the_same_bits(columns, path, kind, target):
    X, k, t, _ = columns
    model = kind(max_iter=8, early_stopping=False, random_state=3)
    streamed = model.fit(scan(path, target))
    other = kind(**model.get_params()).fit(X, k if target == "k" else t)
    how = "predict_proba" if target == "k" else "predict"
    found = getattr(unnamed(streamed), how)(X)
    assert np.array_equal(found, getattr(other, how)(X))


def test_missing_numbers_reach_the_trees(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    X[rng.random((3000, 2)) < 0.2] = np.nan
    y = np.where(np.isnan(X[:, 0]), 3.0, X[:, 1])
    y = np.where(np.isnan(y), 0.0, y)
    frame = pl.DataFrame(X, schema=["a", "b"]).with_columns(y=y)
    frame.write_csv(tmp_path / "x.csv")
    model = HistGradientBoostingRegressor(early_stopping=False)
    streamed = unnamed(model.fit(infimum.scan(tmp_path / "x.csv", target="y")))
    other = HistGradientBoostingRegressor(early_stopping=False).fit(X, y)
    assert np.array_equal(streamed.predict(X), other.predict(X))
