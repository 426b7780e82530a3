"""Neighbours models answer as scikit-learn's do, whatever the distance."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import neighbors as theirs

from infimum.models import neighbors as ours

draw = np.random.default_rng(0)
X, Q = draw.standard_normal((90, 3)), draw.standard_normal((25, 3))
Y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
T = X @ [1.0, -2.0, 0.5] + 0.1 * draw.standard_normal(90)
COVARIANCE = np.array([[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 0.5]])


def furthest_coordinate(a, b):
    return float(np.abs(a - b).max())


def gently(distances):
    return 1.0 / (1.0 + distances)


METRICS = {
    "euclidean": {"metric": "euclidean"},
    "manhattan": {"metric": "manhattan"},
    "chebyshev": {"metric": "chebyshev"},
    "minkowski": {"metric": "minkowski", "p": 3},
    "weighted": {"metric": "minkowski", "metric_params": {"w": [1.0, 4.0, 0.0]}},
    "cosine": {"metric": "cosine"},
    "mahalanobis": {
        "metric": "mahalanobis",
        "metric_params": {"VI": np.linalg.inv(COVARIANCE)},
    },
    "callable": {"metric": furthest_coordinate},
}


def pair(name, **settings):
    return getattr(ours, name)(**settings), getattr(theirs, name)(**settings)


@pytest.mark.parametrize("metric", METRICS)
def test_neighbours_and_their_distances(metric):
    model, peer = pair("NearestNeighbors", algorithm="brute", **METRICS[metric])
    found, expected = model.fit(X).kneighbors(Q), peer.fit(X).kneighbors(Q)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_allclose(found[0], expected[0], atol=1e-12)
    alone, lonely = model.kneighbors(n_neighbors=4), peer.kneighbors(n_neighbors=4)
    np.testing.assert_array_equal(alone[1], lonely[1])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("sort", [True, False])
def test_neighbours_within_a_radius(metric, sort):
    model, peer = pair("NearestNeighbors", algorithm="brute", **METRICS[metric])
    for queries in (Q, None):
        found = model.fit(X).radius_neighbors(queries, 0.8, sort_results=sort)
        expected = peer.fit(X).radius_neighbors(queries, 0.8, sort_results=sort)
        for mine, other in zip(found[1], expected[1], strict=True):
            assert mine.tolist() == other.tolist()
        for mine, other in zip(found[0], expected[0], strict=True):
            np.testing.assert_allclose(mine, other, atol=1e-7)


def test_hamming_distance_of_zeros_and_ones():
    bits, asked = draw.integers(0, 2, (40, 9)), draw.integers(0, 2, (5, 9))
    far, names = ours.NearestNeighbors(metric="hamming").fit(bits).kneighbors(asked, 3)
    shares = (asked[:, None] != bits[None]).mean(axis=-1)
    order = np.argsort(shares, axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(names, order)
    np.testing.assert_allclose(far, np.take_along_axis(shares, order, axis=1))


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "manhattan"])
def test_sparse_samples(metric):
    model, peer = pair("NearestNeighbors", metric=metric, n_neighbors=4)
    S = sparse.csr_matrix(np.where(np.abs(X) > 0.2, X, 0.0))
    found = model.fit(S).kneighbors(S[:9])[1]
    np.testing.assert_array_equal(found, peer.fit(S).kneighbors(S[:9])[1])


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
def test_graphs(mode):
    model, peer = (search.fit(X) for search in pair("NearestNeighbors", radius=0.7))
    for name in ("kneighbors_graph", "radius_neighbors_graph"):
        mine, other = getattr(model, name)(mode=mode), getattr(peer, name)(mode=mode)
        assert mine.nnz == other.nnz
        np.testing.assert_allclose(mine.toarray(), other.toarray(), atol=1e-7)


@pytest.mark.parametrize("weights", ["uniform", "distance", gently])
@pytest.mark.parametrize("kind", ["KNeighbors", "RadiusNeighbors"])
@pytest.mark.parametrize("outputs", [1, 2])
def test_predictions(weights, kind, outputs):
    queries = np.concatenate([Q, X[:5]])  # the last have a neighbour at distance 0
    size = {"radius": 2.5} if kind == "RadiusNeighbors" else {"n_neighbors": 7}
    targets = T if outputs == 1 else np.column_stack([T, T**2])
    model, peer = pair(f"{kind}Regressor", weights=weights, **size)
    np.testing.assert_allclose(
        model.fit(X, targets).predict(queries),
        peer.fit(X, targets).predict(queries),
        rtol=1e-10,
    )
    labels = Y if outputs == 1 else np.column_stack([Y, Y > 0])
    model, peer = pair(f"{kind}Classifier", weights=weights, **size)
    model.fit(X, labels), peer.fit(X, labels)
    np.testing.assert_array_equal(model.predict(queries), peer.predict(queries))
    for mine, other in zip(
        model.predict_proba(queries), peer.predict_proba(queries), strict=True
    ):
        np.testing.assert_allclose(mine, other, atol=1e-12)


@pytest.mark.filterwarnings("ignore:Outlier label 7 is not in training classes")
@pytest.mark.parametrize("label", [7, "most_frequent"])
def test_outliers_get_the_label_of_outliers(label):
    settings = {"radius": 0.1, "outlier_label": label}
    model, peer = (m.fit(X, Y) for m in pair("RadiusNeighborsClassifier", **settings))
    far = Q + 50.0
    np.testing.assert_array_equal(model.predict(far), peer.predict(far))
    with pytest.raises(ValueError, match="no neighbours within"):
        ours.RadiusNeighborsClassifier(0.1).fit(X, Y).predict(far)
    with pytest.warns(UserWarning, match="predicting NaN"):
        answer = ours.RadiusNeighborsRegressor(0.1).fit(X, T).predict(far)
    assert np.isnan(answer).all()


def test_precomputed_distances():
    far = np.linalg.norm(X[:, None] - X[None], axis=-1)
    asked = np.linalg.norm(Q[:, None] - X[None], axis=-1)
    model = ours.KNeighborsRegressor(3, metric="precomputed").fit(far, T)
    plain = ours.KNeighborsRegressor(3).fit(X, T)
    np.testing.assert_allclose(model.predict(asked), plain.predict(Q))
