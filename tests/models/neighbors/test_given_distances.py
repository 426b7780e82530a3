"""Distances that are given: graphs of neighbours, and rows with gaps."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier as Peer
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError
from infimum.models.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    KNeighborsTransformer,
    LocalOutlierFactor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsTransformer,
)


@pytest.fixture
def table(rng):
    X = rng.normal(size=(80, 3))
    return X, (X[:, 0] + 0.3 * rng.normal(size=80) > 0).astype(int)


def test_a_graph_of_neighbours_stands_for_the_samples(table, rng):
    X, y = table
    new = rng.normal(size=(30, 3))
    steps = (
        KNeighborsTransformer(n_neighbors=7),
        KNeighborsClassifier(5, metric="precomputed"),
    )
    piped = make_pipeline(*steps).fit(X, y)
    plain = KNeighborsClassifier(5).fit(X, y)
    np.testing.assert_array_equal(piped.predict_proba(new), plain.predict_proba(new))
    graph = steps[0].transform(X)
    own = NearestNeighbors(n_neighbors=4, metric="precomputed").fit(graph)
    found, expected = own.kneighbors(), NearestNeighbors(n_neighbors=4).fit(X)
    np.testing.assert_array_equal(found[1], expected.kneighbors()[1])
    assert found[0] == pytest.approx(expected.kneighbors()[0])


def test_a_graph_within_a_radius_stands_for_the_samples(table, rng):
    X, y = table
    new = rng.normal(size=(30, 3))
    step = RadiusNeighborsTransformer(radius=2.0).fit(X)
    settings = {"radius": 1.2, "outlier_label": "most_frequent"}
    read = RadiusNeighborsClassifier(metric="precomputed", **settings)
    read.fit(step.transform(X), y)
    plain = RadiusNeighborsClassifier(**settings).fit(X, y)
    np.testing.assert_array_equal(read.predict(step.transform(new)), plain.predict(new))


def test_outliers_are_read_off_a_graph(table):
    X, _ = table
    graph = KNeighborsTransformer(n_neighbors=11).fit_transform(X)
    read = LocalOutlierFactor(n_neighbors=10, metric="precomputed").fit(graph)
    plain = LocalOutlierFactor(n_neighbors=10).fit(X)
    assert read.negative_outlier_factor_ == pytest.approx(
        plain.negative_outlier_factor_
    )


def test_a_graph_with_too_few_neighbours_says_which_row(table):
    X, y = table
    graph = sparse.csr_array(KNeighborsTransformer(n_neighbors=3).fit_transform(X))
    model = KNeighborsClassifier(5, metric="precomputed").fit(graph, y)
    with pytest.raises(DataError, match=r"row 0 of the .* stores 4 neighbours, 5 are"):
        model.predict(graph)
    with pytest.raises(DataError, match="a precomputed distance is negative: -1"):
        model.predict(-1.0 * graph / graph.max())


def test_samples_with_gaps_are_compared_by_what_both_have(table, rng):
    X, y = table
    X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    X[np.isnan(X).all(axis=1)] = 0.0
    ours = KNeighborsClassifier(5, metric="nan_euclidean").fit(X, y)
    theirs = Peer(5, metric="nan_euclidean").fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    assert ours.__sklearn_tags__().input_tags.allow_nan
    apart = NearestNeighbors(n_neighbors=2, metric="nan_euclidean")
    apart.fit([[0.0, np.nan], [np.nan, 5.0], [3.0, 1.0]])
    distances, names = apart.kneighbors([[1.0, np.nan]], 3)
    assert names.tolist() == [[0, 2, 1]]
    assert distances[0, 2] == np.inf
    with pytest.raises(DataError, match="takes no missing values"):
        KNeighborsRegressor(3).fit(X, y)
