"""Models that are no linear risk, fitted to streamed rows: as those in memory."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.data.streams import LocalRunner, runner
from infimum.errors import DataError, IncompatibleError
from infimum.models.clustering import KMeans
from infimum.models.embedding import PCA
from infimum.models.ensembles import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from infimum.models.linear import RidgeClassifierCV, RidgeCV, ridge_path
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.online import (
    PassiveAggressiveClassifier,
    Perceptron,
    SGDClassifier,
    SGDRegressor,
)
from infimum.models.probabilistic import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MultinomialNB,
)
from infimum.models.streamed import binned_rows

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


@pytest.mark.parametrize("kind", [MultinomialNB, BernoulliNB, CategoricalNB])
def test_counts_of_classes_are_those_in_memory(tmp_path, kind):
    rng = np.random.default_rng(0)
    X = rng.poisson([0.5, 1.0, 2.0], size=(40_000, 3)).astype(float)
    X[-1, 2] = 40.0  # a value that only the last leaf shows
    k, w = rng.integers(0, 3, len(X)), rng.integers(1, 4, len(X)).astype(float)
    frame = pl.DataFrame(X, schema=["a", "b", "c"]).with_columns(k=k, w=w)
    frame.write_parquet(tmp_path / "x.parquet")
    rows = infimum.scan(tmp_path / "x.parquet", target="k", weights="w")
    streamed, other = unnamed(kind().fit(rows)), kind().fit(X, k, w)
    found, known = streamed.predict_proba(X[-500:]), other.predict_proba(X[-500:])
    np.testing.assert_allclose(found, known, rtol=1e-12)


def test_words_of_svmlight_files_are_counted(tmp_path):
    (tmp_path / "x.svm").write_text("1 1:2 3:1\n0 2:3\n" * 500)
    found = MultinomialNB().fit(infimum.scan(tmp_path / "x.svm"))
    assert found.feature_count_.tolist() == [[0, 1500, 0], [1000, 0, 500]]
    with pytest.raises(IncompatibleError, match="MultinomialNB takes"):
        GaussianNB().fit(infimum.scan(tmp_path / "x.svm"))


@pytest.mark.parametrize("intercept", [True, False])
def test_ridge_paths_agree_to_ten_digits(columns, path, intercept):
    X, k, t, _ = columns
    how = {"alphas": np.geomspace(1e-2, 1e6, 9), "fit_intercept": intercept}
    streamed, other = RidgeCV(**how).fit(scan(path, "t")), RidgeCV(**how).fit(X, t)
    assert streamed.alpha_ == other.alpha_
    assert streamed.path_gap_ < 1e-10
    np.testing.assert_allclose(streamed.best_score_, other.best_score_, rtol=1e-10)
    close = {"atol": 1e-10 * np.abs(other.coef_).max()}
    np.testing.assert_allclose(streamed.coef_, other.coef_, **close)
    found, known = ridge_path(scan(path, "t"), **how), ridge_path(X, t, **how)
    for name in ("coefs", "intercepts", "left_out_errors", "degrees_of_freedom"):
        near = {"rtol": 1e-9, "atol": 1e-9}  # targets are about 1,000
        np.testing.assert_allclose(getattr(found, name), getattr(known, name), **near)
    labels = RidgeClassifierCV(**how).fit(scan(path, "k"))
    np.testing.assert_allclose(
        labels.coef_, RidgeClassifierCV(**how).fit(X, k).coef_, rtol=1e-8
    )
    with pytest.raises(IncompatibleError, match="one at a time"):
        RidgeCV(cv=3).fit(scan(path, "t"))


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
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"max_leaf_nodes": None, "max_depth": 4, "max_features": 0.5},
        {"l2_regularization": 3.0, "monotonic_cst": [1, 0, 0, -1, 0]},
    ],
)
def test_trees_on_the_same_bins_have_the_same_bits(
    columns, path, monkeypatch, kind, target, more
):
    X, k, t, _ = columns
    monkeypatch.setattr(binned_rows, "MOST", 4096)  # ten blocks
    model = kind(max_iter=4, early_stopping=False, random_state=3, **more)
    streamed = model.fit(scan(path, target))
    other = kind(**model.get_params()).fit(X, k if target == "k" else t)
    how = "predict_proba" if target == "k" else "predict"
    found = getattr(unnamed(streamed), how)(X)
    assert np.array_equal(found, getattr(other, how)(X))
    assert np.array_equal(streamed.trees_.weight, other.trees_.weight)


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


def test_early_stopping_judges_by_rows_that_no_tree_sees(columns, path):
    how = {"max_iter": 300, "learning_rate": 0.5, "tol": 0.03, "random_state": 0}
    model = HistGradientBoostingRegressor(**how)
    streamed = model.fit(scan(path, "t"))
    assert streamed.n_iter_ < 300
    assert len(streamed.validation_score_) == len(streamed.train_score_)
    assert unnamed(streamed).score(columns[0], columns[2]) > 0.99


def test_what_boosting_does_not_stream(path):
    for model, why in (
        (HistGradientBoostingRegressor(loss="absolute_error"), "RiskMinimizer"),
        (HistGradientBoostingRegressor(subsample=0.5), "subsample must be 1"),
        (HistGradientBoostingRegressor(warm_start=True), "warm_start"),
        (RandomForestRegressor(oob_score=True), "oob_score"),
        (RandomForestRegressor(criterion="poisson"), "squared_error"),
        (RandomForestClassifier(), "HistGradientBoostingClassifier"),
        (KNeighborsClassifier(), "these stream"),
    ):
        target = "k" if hasattr(model, "predict_proba") else "t"
        with pytest.raises(IncompatibleError, match=why):
            model.fit(scan(path, target))


def test_no_file_of_bins_outlives_a_fit(path):
    rows = scan(path, "t")
    HistGradientBoostingRegressor(max_iter=2, early_stopping=False).fit(rows)
    left = sorted(p.name for p in rows.spool.folder.iterdir())
    assert left == ["checks", "ends", "places", "values", "w", "x", "y"]


@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
def test_forests_grow_on_bins(columns, tmp_path, monkeypatch, kind):
    X, _, t, _ = columns
    y = (t > np.median(t)).astype(int) if kind is RandomForestClassifier else t
    frame = pl.DataFrame(X, schema=NAMES).with_columns(y=y)
    frame.write_parquet(tmp_path / "x.parquet")
    rows = infimum.scan(tmp_path / "x.parquet", target="y")
    monkeypatch.setattr(binned_rows, "MOST", 4096)
    model = kind(4, max_leaf_nodes=30, random_state=0, max_features=None)
    with runner(LocalRunner(1)):
        streamed = model.fit(rows)
    with runner(LocalRunner(3)):
        again = kind(**model.get_params()).fit(rows)
    other = kind(**model.get_params()).fit(X, y)
    ours, theirs = unnamed(streamed).score(X, y), other.score(X, y)
    assert abs(ours - theirs) < 0.01
    assert ours > 0.7
    assert np.array_equal(streamed.predict(X), unnamed(again).predict(X))
    near = {"atol": 0.02}
    np.testing.assert_allclose(
        streamed.feature_importances_, other.feature_importances_, **near
    )
    root = streamed.trees_[0]
    assert abs(root.weight[0] / len(X) - 1.0) < 0.02
    np.testing.assert_allclose(root.impurity[0], other.trees_[0].impurity[0], rtol=0.05)
    infimum.save(streamed, tmp_path / "forest.infimum")
    loaded = infimum.load(tmp_path / "forest.infimum")
    assert np.array_equal(loaded.predict(X), streamed.predict(X))
    with pytest.raises(DataError, match="not listed"):
        _ = loaded.estimators_samples_
