"""`infimum predict` takes every saved model, not only those that `learn` has made."""

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import infimum
from infimum.data import read_table
from infimum.errors import DataError
from infimum.learn import predict_table
from infimum.models.clustering import KMeans
from infimum.models.ensembles import HistGradientBoostingRegressor
from infimum.models.kernel import SVC
from infimum.models.linear import Lasso, LinearSVC, LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsRegressor
from infimum.models.trees import DecisionTreeClassifier


@pytest.fixture(name="X")
def samples(rng):
    return rng.normal(size=(60, 3))


@pytest.fixture
def table(X):
    return pl.DataFrame(X, schema=["a", "b", "c"])


@pytest.fixture
def saved(tmp_path):
    def save(model):
        infimum.save(model, tmp_path / "m.infimum")
        return tmp_path / "m.infimum"

    return save


def classes(X):
    return np.where(X[:, 0] > 0.5, "high", np.where(X[:, 0] > -0.5, "middle", "low"))


@pytest.mark.parametrize(
    ("model", "columns"),
    [
        (DecisionTreeClassifier(), ["prediction", "probability of high"]),
        (LogisticRegression(), ["prediction", "probability of high"]),
        (LinearSVC(), ["prediction", "score of high"]),
        (SVC(), ["prediction", "score of high"]),
        (SVC(decision_function_shape="ovo"), ["prediction", "score of high"]),
        (Lasso(alpha=0.01), ["prediction"]),
        (make_pipeline(StandardScaler(), Ridge()), ["prediction"]),
        (KMeans(n_clusters=2, random_state=0), ["prediction"]),
        (HistGradientBoostingRegressor(), ["prediction"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_plain_model_predicts_a_table_of_its_columns(X, table, saved, model, columns):
    named = isinstance(model, (DecisionTreeClassifier, LogisticRegression, LinearSVC))
    y = classes(X) if named or isinstance(model, SVC) else X[:, 1]
    said = predict_table(saved(model.fit(X, y)), table)
    assert said.columns[: len(columns)] == columns
    assert said["prediction"].to_list() == model.predict(X).tolist()


def test_two_classes_have_one_score_and_two_targets_two_columns(X, table, saved):
    two = LinearSVC().fit(X, X[:, 0] > 0)
    assert predict_table(saved(two), table).columns == ["prediction", "score of True"]
    both = KNeighborsRegressor().fit(X, X[:, :2])
    said = predict_table(saved(both), table)
    assert said.columns == ["prediction 1", "prediction 2"]
    np.testing.assert_allclose(said.to_numpy(), both.predict(X))


def test_columns_are_found_by_the_names_of_the_fit(X, table, saved):
    model = DecisionTreeClassifier().fit(table.to_pandas(), classes(X))
    turned = table.select("c", "a", pl.lit("word").alias("other"), "b")
    assert predict_table(saved(model), turned)["prediction"].to_list() == [*classes(X)]
    with pytest.raises(DataError, match=r"has no column 'b'"):
        predict_table(model, table.drop("b"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t.drop("a"), "takes 3 columns of numbers, and .* has 2"),
        (lambda t: t.with_columns(a=pl.lit("red")), "'a' holds 'red' in row 1"),
        (lambda t: t.with_columns(b=pl.lit(None, float)), "'b' of .* in row 1"),
    ],
    ids=["too few", "words", "gaps"],
)
def test_what_the_model_cannot_take_is_named(X, table, saved, change, sentence):
    with pytest.raises(DataError, match=sentence):
        predict_table(saved(Lasso().fit(X, X[:, 0])), change(table))


def test_gaps_are_taken_by_whoever_takes_them(X, table, saved):
    model = HistGradientBoostingRegressor().fit(X, X[:, 0])
    gap = table.with_columns(b=pl.lit(None, float))
    assert len(predict_table(saved(model), gap)) == 60


def test_what_only_transforms_predicts_nothing(X, table, saved):
    with pytest.raises(DataError, match="StandardScaler predicts nothing"):
        predict_table(saved(StandardScaler().fit(X)), table)


def test_a_sparse_table_may_leave_out_its_last_columns(X, saved):
    path = saved(Lasso(alpha=0.01).fit(X, X[:, 0]))
    rows = read_table(sparse.csr_array(X[:, :2]))
    whole = np.column_stack([X[:, :2], np.zeros(60)])
    expected = infimum.load(path).predict(whole)
    np.testing.assert_allclose(predict_table(path, rows)["prediction"], expected)
    with pytest.raises(DataError, match="takes 3 columns"):
        predict_table(path, read_table(sparse.eye_array(5).tocsr()))
