"""Graphs as steps of pipelines, and outliers by density, beside scikit-learn's."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import neighbors as theirs
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError, InvalidParameterError
from infimum.models import neighbors as ours

BOTH = (ours, theirs)


def cloud(rng, n=60, d=3):
    X = rng.normal(size=(n, d))
    X[: n // 3] = 0.1 * X[: n // 3] + 4.0  # a dense cluster beside a thin one
    return X


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("KNeighborsTransformer", {"n_neighbors": 4}),
        ("RadiusNeighborsTransformer", {"radius": 1.2, "metric": "manhattan"}),
    ],
)
def test_steps_of_a_pipeline_give_scikit_learns_graphs(name, settings, mode, rng):
    X, new = cloud(rng), cloud(rng, 7)
    found, known = (getattr(room, name)(mode=mode, **settings).fit(X) for room in BOTH)
    for rows in (X, new):
        expected = known.transform(rows).toarray()
        for form in (np.asarray, sparse.csr_array):
            graph = found.transform(form(rows))
            assert sparse.issparse(graph)
            np.testing.assert_allclose(graph.toarray(), expected, atol=1e-7)
    both = found.fit_transform(X)
    np.testing.assert_allclose(both.toarray(), found.transform(X).toarray())
    assert list(found.get_feature_names_out()[:2]) == [
        f"{name.lower()}0",
        f"{name.lower()}1",
    ]


def test_a_graph_serves_a_classifier_that_reads_distances(rng):
    X = cloud(rng)
    y = (X[:, 0] > 1.0).astype(int)
    step = ours.KNeighborsTransformer(n_neighbors=6)
    reader = theirs.KNeighborsClassifier(n_neighbors=5, metric="precomputed")
    direct = ours.KNeighborsClassifier(n_neighbors=5).fit(X, y)
    found = make_pipeline(step, reader).fit(X, y).predict(X)
    np.testing.assert_array_equal(found, direct.predict(X))


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
@pytest.mark.parametrize("include_self", [True, False, "auto"])
def test_graphs_by_one_call_are_scikit_learns(mode, include_self, rng):
    X = cloud(rng)
    settings = {"mode": mode, "include_self": include_self, "metric": "chebyshev"}
    for name, size in (("kneighbors_graph", 3), ("radius_neighbors_graph", 0.9)):
        found, known = (getattr(room, name)(X, size, **settings) for room in BOTH)
        np.testing.assert_allclose(found.toarray(), known.toarray(), atol=1e-9)
    model = ours.NearestNeighbors().fit(X)
    again = ours.kneighbors_graph(model, 3).toarray()
    np.testing.assert_array_equal(again, ours.kneighbors_graph(X, 3).toarray())
    with pytest.raises(InvalidParameterError, match="include_self"):
        ours.kneighbors_graph(X, 3, include_self="always")


@pytest.mark.parametrize("contamination", ["auto", 0.1])
@pytest.mark.parametrize("metric", ["minkowski", "cosine"])
def test_outlier_factors_are_scikit_learns(contamination, metric, rng):
    X, new = np.vstack([cloud(rng), [[9.0, -9.0, 9.0]]]), cloud(rng, 9)
    settings = {"n_neighbors": 8, "contamination": contamination, "metric": metric}
    found, known = (room.LocalOutlierFactor(**settings) for room in BOTH)
    np.testing.assert_array_equal(found.fit_predict(X), known.fit_predict(X))
    np.testing.assert_allclose(
        found.negative_outlier_factor_, known.negative_outlier_factor_, 1e-7
    )
    assert found.offset_ == pytest.approx(known.offset_, 1e-7)
    found, known = (m.set_params(novelty=True).fit(X) for m in (found, known))
    np.testing.assert_allclose(found.score_samples(new), known.score_samples(new), 1e-7)
    np.testing.assert_array_equal(found.predict(new), known.predict(new))


def test_a_factor_sees_an_outlier_beside_a_dense_cluster_that_no_radius_finds(rng):
    dense, thin = 0.01 * rng.normal(size=(50, 2)), 5.0 + rng.normal(size=(50, 2))
    X = np.vstack([dense, thin, [[0.3, 0.3]]])
    model = ours.LocalOutlierFactor(n_neighbors=10)
    assert model.fit_predict(X)[-1] == -1
    nearest = ours.NearestNeighbors(n_neighbors=1).fit(X).kneighbors()[0][:, 0]
    # Some samples of the thin cluster are further from all others than the outlier.
    assert (nearest[50:100] > nearest[-1]).any()
    texts = ["aa", "ab", "ba", "aab", "bab", "zzzzzzzzzz"]
    words = ours.LocalOutlierFactor(3, metric="edit_distance")
    assert words.fit_predict(texts).tolist() == [1, 1, 1, 1, 1, -1]


def test_what_detectors_and_steps_cannot_do_is_said(rng):
    X = cloud(rng)
    with pytest.raises(InvalidParameterError, match="contamination"):
        ours.LocalOutlierFactor(contamination=0.7).fit(X)
    with pytest.raises(InvalidParameterError, match="mode"):
        ours.KNeighborsTransformer(mode="both").fit(X)
    with pytest.raises(DataError, match="n_samples = 1"):
        ours.LocalOutlierFactor().fit(X[:1])
    with pytest.raises(AttributeError, match="has no attribute 'predict'"):
        ours.LocalOutlierFactor().fit(X).predict(X)
    with pytest.warns(UserWarning, match="greater than the number of samples"):
        assert ours.LocalOutlierFactor(99).fit(X).n_neighbors_ == len(X) - 1
    copies = np.vstack([np.zeros((9, 1)), np.ones((1, 1))])
    with pytest.warns(UserWarning, match="more copies"):
        ours.LocalOutlierFactor(5).fit(copies)
