"""Fast k-means gives the labels of plain Lloyd; odd data give a result or a word."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from infimum.compiled import threads
from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import (
    BisectingKMeans,
    GaussianMixture,
    KMeans,
    KMedians,
    KMedoids,
    MiniBatchKMeans,
    SoftKMeans,
    SphericalKMeans,
)
from infimum.models.clustering.centres._dense_assignment import Assignment, DenseRows

EVERY = [
    BisectingKMeans,
    KMeans,
    KMedians,
    KMedoids,
    MiniBatchKMeans,
    SoftKMeans,
    SphericalKMeans,
]


def plain_lloyd(X, centres, steps):
    for _ in range(steps):
        labels = cdist(X, centres, "sqeuclidean").argmin(axis=1)
        centres = np.array([X[labels == j].mean(axis=0) for j in range(len(centres))])
    return cdist(X, centres, "sqeuclidean").argmin(axis=1), centres


SETTINGS = {
    "noise": lambda X: X,
    "far from 0": lambda X: X + 1e6,
    "tiny": lambda X: 1e-100 * X,
    "huge": lambda X: 1e150 * X,
    "columns of other sizes": lambda X: X * np.logspace(-6, 6, X.shape[1]),
    "tight and far apart": lambda X: 1e-4 * X + 1e3 * np.sign(X[:, :1]),
    "a far sample": lambda X: np.vstack([X[:-1], np.full((1, X.shape[1]), 1e5)]),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("k", [2, 9, 30])
def test_labels_are_those_of_plain_lloyd(name, k, rng):
    X = SETTINGS[name](rng.normal(size=(1500, 7)))
    start = X[rng.choice(len(X), k, replace=False)]
    labels, centres = plain_lloyd(X, start, 12)
    model = KMeans(k, init=start, max_iter=12, tol=0.0).fit(X)
    assert model.labels_.tolist() == labels.tolist()
    np.testing.assert_allclose(model.cluster_centers_, centres, rtol=1e-9)


def test_a_cluster_that_loses_its_last_weighted_sample_is_empty(rng):
    X = np.sort(rng.normal(size=(60, 1)), axis=0)
    weights = rng.uniform(0.1, 0.7, 60)
    for seed in range(20):
        start = np.random.default_rng(seed).normal(size=(12, 1)) * 3.0
        model = KMeans(12, init=start, tol=0.0).fit(X, sample_weight=weights)
        for label in range(12):
            mine = model.labels_ == label
            mean = np.average(X[mine], axis=0, weights=weights[mine])
            np.testing.assert_allclose(model.cluster_centers_[label], mean, atol=1e-9)


def test_bounds_hold_and_skip_most_rows(rng):
    X = rng.normal(size=(4000, 5)) + 8.0 * rng.integers(0, 3, size=(4000, 5))
    centres = X[:20]
    rows = DenseRows(X)
    found, inward = Assignment.blank(4000), rows.inward(centres)
    rows.assign(found, inward)
    apart = cdist(X, centres) / rows.unit
    own = apart[np.arange(4000), found.labels]
    apart[np.arange(4000), found.labels] = np.inf
    assert (found.upper >= own * (1 - 1e-12)).all()
    assert (found.lower <= apart.min(axis=1) * (1 + 1e-12)).all()
    assert (found.upper <= own * 1.01 + 5e-3).all()
    moves = np.zeros((3, 20))
    told = rows.assign(found, inward, moves)
    assert not any(len(some) for some, _ in told)
    assert rows.asked < 40


def test_bounds_that_skip_nothing_rest_and_come_back(rng):
    X = rng.normal(size=(3000, 40))
    rows, centres = DenseRows(X), rng.normal(size=(30, 40))
    found = Assignment.blank(3000)
    rows.assign(found, rows.inward(centres))
    wild, still = np.full((3, 30), 1e3), np.zeros((3, 30))
    wild[2] = 0.0
    asked = []
    for moves in (wild, wild, still):
        rows.assign(found, rows.inward(centres), moves)
        asked.append(rows.asked)
    apart = cdist(X, centres).argmin(axis=1)
    assert found.labels.tolist() == apart.tolist()
    assert asked[:2] == [3000, 3000]
    assert asked[2] < 100


def test_where_float32_cannot_decide_float64_does(rng):
    X = rng.normal(size=(2000, 3)) * 1e-5 + 1e3 * rng.integers(0, 2, size=(2000, 1))
    start = X[:12]
    model = KMeans(12, init=start, max_iter=5, tol=0.0).fit(X)
    assert model.labels_.tolist() == plain_lloyd(X, start, 5)[0].tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_sparse_tables_give_the_same_clusters(kind, rng):
    X = (rng.normal(size=(400, 20)) * (rng.uniform(size=(400, 20)) < 0.2)).astype(kind)
    start = X[:6]
    dense = KMeans(6, init=start, tol=0.0).fit(X)
    for hold in (sparse.csr_array, sparse.csr_matrix, sparse.csc_array):
        model = KMeans(6, init=start, tol=0.0).fit(hold(X))
        assert model.labels_.tolist() == dense.labels_.tolist()
        assert model.cluster_centers_.dtype == kind
        assert model.inertia_ == pytest.approx(dense.inertia_, rel=1e-5)
        assert (model.predict(hold(X)) == dense.labels_).all()
        np.testing.assert_allclose(
            model.transform(hold(X)), dense.transform(X), atol=1e-4
        )


def test_the_result_does_not_depend_on_the_number_of_threads(rng, monkeypatch):
    X = rng.normal(size=(20_000, 6))
    settings = {"n_clusters": 12, "max_iter": 8, "random_state": 0}
    many = KMeans(**settings).fit(X)
    monkeypatch.setattr(threads._here, "enlisted", True, raising=False)
    alone = KMeans(**settings).fit(X)
    assert alone.labels_.tolist() == many.labels_.tolist()
    assert alone.cluster_centers_.tobytes() == many.cluster_centers_.tobytes()


@pytest.mark.parametrize("cls", EVERY, ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_odd_tables_give_a_result(cls, rng):
    copies = np.repeat(rng.normal(size=(2, 3)), 5, axis=0)
    constant = np.column_stack([np.ones(10), rng.normal(size=10), np.zeros(10)])
    for X in (copies, constant, np.zeros((10, 2))):
        settings = {} if cls is KMedoids else {"random_state": 0}
        model = cls(4, **settings).fit(X)
        assert np.isfinite(model.cluster_centers_).all()
        assert model.labels_.shape == (10,)
        assert set(model.labels_.tolist()) <= {0, 1, 2, 3}
        assert (model.predict(X) == model.labels_).all()
    one = cls(1).fit([[2.0, 3.0]])
    assert one.labels_.tolist() == [0]


@pytest.mark.parametrize("cls", EVERY, ids=lambda cls: cls.__name__)
def test_too_few_samples_are_refused_and_leave_the_old_model(cls, rng):
    X = rng.normal(size=(20, 2))
    model = cls(3).fit(X)
    before = model.labels_.copy()
    with pytest.raises(DataError, match="as many samples"):
        model.fit(X[:2])
    assert model.labels_.tolist() == before.tolist()
    with pytest.raises(InvalidParameterError, match="n_clusters"):
        cls(0).fit(X)


def test_numbers_whose_squares_overflow_are_refused_in_a_sentence(rng):
    with pytest.raises(DataError, match="scale the features"):
        KMeans(2).fit(1e200 * rng.normal(size=(10, 2)))


def test_fewer_places_than_clusters_warn():
    X = np.repeat([[0.0], [1.0]], 5, axis=0)
    with pytest.warns(ConvergenceWarning, match="2 distinct clusters"):
        model = KMeans(4, random_state=0).fit(X)
    assert model.inertia_ == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        restart = KMeans(4, empty_cluster="restart", random_state=0).fit(X)
    assert restart.inertia_ == 0.0


def test_mixtures_of_odd_tables(rng):
    copies = np.repeat(rng.normal(size=(2, 2)), 5, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for X in (copies, np.zeros((10, 2)), np.ones((2, 1))):
            model = GaussianMixture(2, random_state=0).fit(X)
            assert np.isfinite(model.score(X))
    with pytest.raises(DataError, match="no width"):
        GaussianMixture(1, reg_covar=0.0).fit(np.zeros((5, 2)))
    with pytest.raises(DataError, match="n_components=5"):
        GaussianMixture(5).fit(np.zeros((3, 2)))
