"""Neighbours models travel, survive failures, and answer or refuse in a sentence."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse

import infimum
from infimum.errors import InfimumError
from infimum.models.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    TieWarning,
)

draw = np.random.default_rng(0)
X = draw.standard_normal((60, 3))
Y = (X[:, 0] > 0).astype(int)


def by_file(model, folder):
    infimum.save(model, folder / "m.infimum")
    return infimum.load(folder / "m.infimum")


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_copies_and_model_files_give_the_same_neighbours(algorithm, tmp_path):
    model = NearestNeighbors(algorithm=algorithm).fit(X)
    carried = pickle.loads(pickle.dumps(model))
    for other in (carried, copy.deepcopy(model), by_file(model, tmp_path)):
        assert vars(other).keys() == vars(model).keys()
        found, expected = other.kneighbors(X), model.kneighbors(X)
        np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.filterwarnings("error")
def test_a_failed_fit_leaves_the_old_model():
    model = KNeighborsClassifier(3).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match="metric must be a distance"):
        model.set_params(metric="nowhere").fit(X[:10], Y[:10])
    model.set_params(metric="minkowski", n_neighbors=4)
    with pytest.raises(TieWarning):
        model.fit(X[:10], Y[:10])
    np.testing.assert_array_equal(
        model.set_params(n_neighbors=3).predict_proba(X), before
    )


def test_one_row_one_class_and_constant_features_have_answers():
    assert KNeighborsRegressor(1).fit([[1.0]], [5.0]).predict([[9.0]]) == 5.0
    alike = KNeighborsClassifier(3).fit(np.ones((7, 2)), ["a"] * 7)
    assert alike.predict([[0.0, 0.0]]).tolist() == ["a"]
    assert alike.kneighbors()[1][6].tolist() == [0, 1, 2]


def test_float32_and_integers_are_compared_as_they_are():
    narrow = X.astype(np.float32)
    names = NearestNeighbors().fit(narrow).kneighbors(narrow)[1]
    wide = narrow.astype(np.float64)
    np.testing.assert_array_equal(
        names, NearestNeighbors().fit(wide).kneighbors(wide)[1]
    )


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (lambda: NearestNeighbors(n_neighbors=61).fit(X).kneighbors(X), "at most"),
        (lambda: NearestNeighbors(n_neighbors=60).fit(X).kneighbors(), "itself"),
        (lambda: NearestNeighbors(algorithm="hope").fit(X), "algorithm must be one of"),
        (lambda: NearestNeighbors(p=-1).fit(X), "p must be in"),
        (lambda: NearestNeighbors(metric="precomputed").fit(X**2), "square"),
        (lambda: KNeighborsClassifier(weights="most").fit(X, Y), "weights must be"),
        (lambda: KNeighborsRegressor(weights=np.zeros_like).fit(X, Y).predict(X), "0"),
        (lambda: RadiusNeighborsClassifier(outlier_label="x").fit(X, Y), "kind of"),
        (
            lambda: NearestNeighbors(
                metric="mahalanobis", metric_params={"V": -np.eye(3)}
            ).fit(X),
            "negative eigenvalue",
        ),
        (
            lambda: (
                NearestNeighbors(metric="chebyshev")
                .fit(sparse.csr_array(X))
                .kneighbors(X)
            ),
            "needs dense samples",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_what_cannot_be_is_refused_in_a_sentence(work, sentence):
    with pytest.raises(InfimumError, match=sentence):
        work()


@pytest.mark.parametrize(
    "settings",
    [{"metric": ["euclidean"]}, {"metric_params": "p=2"}, {"metric_params": 1.0}],
    ids=["list", "word", "number"],
)
def test_a_distance_that_is_no_distance_is_named(settings):
    name = next(iter(settings))
    with pytest.raises(InfimumError, match=f"NearestNeighbors.{name} must be"):
        NearestNeighbors(**settings).fit(np.eye(3)).kneighbors(np.eye(3), 1)
