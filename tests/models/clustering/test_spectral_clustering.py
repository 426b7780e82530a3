"""Spectral clustering against the text, scikit-learn and hard cases."""

import numpy as np
import pytest
import sklearn.cluster
from scipy import sparse
from sklearn.datasets import make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import SpectralClustering
from infimum.models.graph import degrees, gaussian_graph, laplacian, laplacian_spectrum
from infimum.study.graphs import block_graph, clique, spectral_bisection

GIVEN = {"affinity": "precomputed", "random_state": 0}
LAPLACIANS = ("random_walk", "symmetric", "unnormalized")


def two_heaps(n=31, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    return 8.0 * labels[:, None] + rng.standard_normal((n, 1)), labels


@pytest.mark.syllabus("S4B-046", "S4B-047")
def test_the_second_eigenvector_of_two_heaps_on_a_line_has_two_values():
    labels = np.repeat([0, 1], (16, 15))
    X = 8.0 * labels[:, None] + np.random.default_rng(0).standard_normal((31, 1))
    W = gaussian_graph(X, width=1.0)
    found = spectral_bisection(W, "unnormalized")
    assert found.eigenvalue > 0  # the graph is connected, if barely
    np.testing.assert_allclose(np.abs(found.vector), 1 / np.sqrt(31), rtol=0.1)
    np.testing.assert_array_equal(found.side, labels == 0)


@pytest.mark.syllabus("S4B-048")
@pytest.mark.parametrize("laplacian", LAPLACIANS)
def test_disconnected_clusters_become_as_many_points(laplacian):
    W = sparse.block_diag([clique(n, loops=False) for n in (4, 6, 9)], format="csr")
    model = SpectralClustering(3, laplacian=laplacian, **GIVEN).fit(W)
    assert len(np.unique(model.embedding_.round(10), axis=0)) == 3
    assert adjusted_rand_score(np.repeat([0, 1, 2], (4, 6, 9)), model.labels_) == 1.0
    assert model.n_connected_components_ == 3
    assert not model.eigenvalues_.any()


@pytest.mark.syllabus("S4B-049", "S1-160")
def test_unnormalised_clustering_is_k_means_on_the_first_eigenvectors():
    W, labels = block_graph([50, 50, 50, 50], 0.5, 0.03, random_state=3)
    model = SpectralClustering(4, laplacian="unnormalized", **GIVEN).fit(W)
    assert adjusted_rand_score(labels, model.labels_) == 1.0
    values, vectors = np.linalg.eigh(laplacian(W).toarray())
    np.testing.assert_allclose(model.eigenvalues_, values[:4], atol=1e-8)
    rows = vectors[:, :4]
    ours = model.embedding_ @ model.embedding_.T
    np.testing.assert_allclose(ours, rows @ rows.T, atol=1e-6)
    full = SpectralClustering(4, laplacian="unnormalized", **GIVEN).fit(W.toarray())
    assert adjusted_rand_score(full.labels_, model.labels_) == 1.0


@pytest.mark.syllabus("S4B-052")
def test_both_normalised_laplacians_cut_alike_and_solve_the_generalised_problem():
    W, labels = block_graph([30, 30], 0.5, 0.1, random_state=1)
    walk, root = (
        spectral_bisection(W, "random_walk"),
        spectral_bisection(W, "symmetric"),
    )
    np.testing.assert_array_equal(walk.side, root.side)
    d, g = degrees(W), walk.vector
    np.testing.assert_allclose(laplacian(W) @ g, walk.eigenvalue * d * g, atol=1e-8)
    np.testing.assert_allclose(np.abs(root.vector), np.abs(np.sqrt(d) * g), atol=1e-8)
    theirs = sklearn.cluster.SpectralClustering(2, **GIVEN).fit(W.toarray()).labels_
    assert adjusted_rand_score(theirs, walk.side) > 0.9
    assert adjusted_rand_score(labels, walk.side) > 0.9


@pytest.mark.syllabus("S4B-053")
def test_normalised_clustering_of_uneven_degrees_and_its_twin_on_regular_graphs():
    W, labels = block_graph([40, 40, 40], 0.6, 0.04, random_state=2)
    rng = np.random.default_rng(0)
    busy = rng.uniform(0.3, 3.0, 120)
    uneven = W.toarray() * np.sqrt(np.outer(busy, busy))
    model = SpectralClustering(3, **GIVEN).fit(uneven)
    assert adjusted_rand_score(labels, model.labels_) == 1.0
    ring = np.roll(np.eye(40), 1, axis=1) + np.roll(np.eye(40), 2, axis=1)
    regular = laplacian_spectrum(ring + ring.T, 3, kind="random_walk")
    plain = laplacian_spectrum(ring + ring.T, 3, kind="unnormalized")
    np.testing.assert_allclose(4 * regular.values, plain.values, atol=1e-10)


@pytest.mark.syllabus("S4B-054", "S4B-058")
def test_with_more_samples_the_unnormalised_vector_falls_on_one_and_others_do_not():
    peaks, spreads, sizes = [], [], []
    for n in (100, 800):
        rng = np.random.default_rng(0)
        X = np.concatenate([rng.normal(mean, 1.0, n // 2) for mean in (-2.0, 2.0)])
        W = gaussian_graph(X[:, None], width=1.0)
        plain = spectral_bisection(W, "unnormalized")
        good = spectral_bisection(W, "symmetric")
        peaks.append(float((plain.vector**2).max()))
        spreads.append(n * float((good.vector**2).max()))
        sizes.append(good.side.mean())
    assert peaks[0] < 0.1
    assert peaks[1] > 0.9
    assert max(spreads) < 2.0
    np.testing.assert_allclose(sizes, 0.5, atol=0.02)
    assert SpectralClustering().laplacian == "random_walk"  # hence the default


@pytest.mark.parametrize("rule", ["kmeans", "discretize", "cluster_qr"])
@pytest.mark.parametrize("laplacian", LAPLACIANS)
def test_moons_are_told_apart_and_new_points_join_them(rule, laplacian):
    X, y = make_moons(200, noise=0.05, random_state=0)
    new, expected = make_moons(60, noise=0.05, random_state=1)
    model = SpectralClustering(
        2, gamma=30.0, laplacian=laplacian, assign_labels=rule, random_state=0
    ).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert adjusted_rand_score(expected, model.predict(new)) == 1.0


@pytest.mark.parametrize(
    "settings",
    [
        {"gamma": 20.0},
        {"affinity": "nearest_neighbors", "n_neighbors": 12},
        {"affinity": "laplacian", "gamma": 3.0},
        {"affinity": "nearest_neighbors", "assign_labels": "cluster_qr"},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Graph is not fully connected:UserWarning")
def test_same_clusters_as_scikit_learn(settings):
    X, _ = make_circles(240, noise=0.04, factor=0.4, random_state=0)
    ours = SpectralClustering(2, random_state=0, **settings).fit(X)
    theirs = sklearn.cluster.SpectralClustering(2, random_state=0, **settings).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    mine, other = ours.affinity_matrix_, theirs.affinity_matrix_
    gap = mine - other
    assert abs(gap.toarray() if sparse.issparse(gap) else gap).max() < 1e-12


def test_given_distances_new_rows_and_sparse_samples():
    X, labels = two_heaps(40)
    far = np.abs(X - X.T)
    near = {"affinity": "precomputed_nearest_neighbors", "random_state": 0}
    model = SpectralClustering(2, n_neighbors=8, **near).fit(far)
    assert adjusted_rand_score(labels, model.labels_) == 1.0
    np.testing.assert_array_equal(model.predict(far[:7]), model.labels_[:7])
    weights = gaussian_graph(X, 2.0)
    given = SpectralClustering(2, **GIVEN).fit(weights)
    np.testing.assert_array_equal(given.predict(weights[:9]), given.labels_[:9])
    table = sparse.csr_matrix(np.abs(X))
    assert len(SpectralClustering(2, random_state=0).fit(table).labels_) == 40


def test_the_spectrum_shows_the_gap_after_the_clusters():
    W, _ = block_graph([60, 60, 60], 0.4, 0.02, random_state=5)
    model = SpectralClustering(3, **GIVEN).fit(W)
    assert model.spectrum().eigengap() == 3
    assert len(model.plot_spectrum(8).data[0].x) == 8
    assert model.residuals_.max() < 1e-4


def test_hard_cases_get_a_result_or_a_sentence():
    with pytest.raises(DataError, match="as many samples as clusters"):
        SpectralClustering(3).fit([[0.0], [1.0]])
    assert SpectralClustering(1).fit([[0.0]]).labels_.tolist() == [0]
    same = SpectralClustering(2, random_state=0)
    assert set(same.fit(np.zeros((6, 2))).labels_.tolist()) <= {0, 1}
    apart = np.kron(np.eye(4), np.ones((3, 3)))
    with pytest.warns(UserWarning, match="4 connected components"):
        labels = SpectralClustering(2, **GIVEN).fit(apart).labels_
    assert all(len(set(labels[at : at + 3].tolist())) == 1 for at in range(0, 12, 3))
    with pytest.raises(DataError, match="cannot be negative"):
        SpectralClustering(2, affinity="linear").fit([[-1.0], [1.0], [2.0]])
    with pytest.raises(InvalidParameterError, match="affinity must be"):
        SpectralClustering(2, affinity="rfb").fit([[-1.0], [1.0], [2.0]])


def test_a_failed_fit_leaves_the_old_model_and_seeds_decide():
    X, _ = two_heaps(40)
    model = SpectralClustering(2, random_state=0).fit(X)
    before = model.labels_.copy()
    with pytest.raises(DataError):
        model.set_params(n_clusters=50).fit(X)
    np.testing.assert_array_equal(model.labels_, before)
    again = SpectralClustering(2, random_state=0).fit(X)
    np.testing.assert_array_equal(again.labels_, before)


def test_given_rows_of_the_fit_keep_their_labels():
    X = np.random.default_rng(0).normal(size=(60, 2))
    far = np.linalg.norm(X[:, None] - X, axis=2)
    for rule, given in (
        ("precomputed", np.exp(-(far**2))),
        ("precomputed_nearest_neighbors", far),
    ):
        model = SpectralClustering(5, affinity=rule, n_neighbors=6, random_state=0)
        model.fit(given)
        assert np.array_equal(model.predict(given), model.labels_)
