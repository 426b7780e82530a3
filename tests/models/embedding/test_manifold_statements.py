"""Isomap, locally linear embedding and Laplacian eigenmaps: unrolled and compared."""

import numpy as np
import pytest
import sklearn.manifold
from scipy import sparse
from sklearn.datasets import make_swiss_roll

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.embedding import (
    MDS,
    ClassicalMDS,
    Isomap,
    LocallyLinearEmbedding,
    SpectralEmbedding,
    embedding_quality,
)
from infimum.models.graph import laplacian, nearest_neighbor_graph, shortest_paths
from infimum.models.neighbors import suggest_n_neighbors


@pytest.fixture(scope="module")
def roll():
    return make_swiss_roll(600, random_state=0)


def agree(ours, theirs, atol=1e-6):
    """Compare coordinates up to the signs of their axes."""
    signs = np.sign(np.sum(ours * theirs, axis=0))
    np.testing.assert_allclose(ours * signs, theirs, atol=atol * np.abs(theirs).max())


@pytest.mark.syllabus("S4A-234")
def test_isomap_is_classical_scaling_of_shortest_paths(roll):
    X, _ = roll
    model = Isomap(n_neighbors=7, n_components=2).fit(X)
    links = nearest_neighbor_graph(X, 7, weights="distance")
    np.testing.assert_array_equal(model.dist_matrix_, shortest_paths(links))
    scaled = ClassicalMDS(2, metric="precomputed").fit_transform(model.dist_matrix_)
    agree(model.embedding_, scaled)
    theirs = sklearn.manifold.Isomap(n_neighbors=7).fit(X)
    agree(model.embedding_, theirs.embedding_)
    agree(model.transform(X[:50] + 0.01), theirs.transform(X[:50] + 0.01))
    error = theirs.reconstruction_error()
    assert model.reconstruction_error() == pytest.approx(error)


@pytest.mark.syllabus("S4A-234")
def test_isomap_unrolls_what_linear_maps_cannot(roll):
    X, angle = roll
    length = angle * np.sqrt(1 + angle**2) / 2 + np.arcsinh(angle) / 2  # of the spiral
    flat = Isomap(n_neighbors=7).fit_transform(X)
    assert abs(np.corrcoef(flat[:, 0], length)[0, 1]) > 0.99
    linear = ClassicalMDS(2).fit_transform(X)
    assert max(abs(np.corrcoef(linear.T, length)[2, :2])) < 0.6


def test_landmarks_do_nearly_as_well_with_a_tenth_of_the_distances(roll):
    X, angle = roll
    model = Isomap(n_neighbors=7, n_landmarks=60).fit(X)
    assert model.dist_matrix_.shape == (60, 600)
    assert abs(np.corrcoef(model.embedding_[:, 0], angle)[0, 1]) > 0.98
    whole = Isomap(n_neighbors=7).fit_transform(X)
    quality = embedding_quality(whole, model.embedding_)
    assert quality.trustworthiness > 0.98
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-8)
    every = Isomap(n_neighbors=7, n_landmarks=600, tol=1e-9).fit_transform(X)
    agree(every, whole, atol=1e-5)
    with pytest.raises(IncompatibleError, match="landmarks"):
        model.reconstruction_error()


@pytest.mark.syllabus("S4A-235")
def test_pictures_of_a_turning_thing_lie_on_a_circle_in_256_dimensions():
    side = np.linspace(-1, 1, 16)
    x, y = np.meshgrid(side, side)
    angles = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    pictures = np.array(
        [
            np.exp(
                -8 * ((x - 0.6 * np.cos(a)) ** 2 + (y - 0.6 * np.sin(a)) ** 2)
            ).ravel()
            for a in angles
        ]
    )
    rng = np.random.default_rng(0)
    order = rng.permutation(80)
    flat = Isomap(n_neighbors=4).fit_transform(pictures[order])
    seen = np.unwrap(np.arctan2(flat[:, 1], flat[:, 0])[np.argsort(order)])
    turns = np.diff(seen)
    assert (turns > 0).all() or (turns < 0).all()
    assert abs(seen[-1] - seen[0]) > 2 * np.pi * 0.95
    radius = np.linalg.norm(flat, axis=1)
    assert radius.std() / radius.mean() < 0.05


@pytest.mark.syllabus("S4A-236")
def test_paths_approach_geodesics_as_samples_grow_with_log_n_neighbours():
    errors = []
    for n in (100, 400, 1600):
        angles = np.sort(np.random.default_rng(1).uniform(0, 2 * np.pi, n))
        X = np.column_stack((np.cos(angles), np.sin(angles)))
        k = 2 * suggest_n_neighbors(n)
        found = Isomap(n_neighbors=k, n_landmarks=20).fit(X)
        assert found.n_connected_components_ == 1
        apart = np.abs(angles[found.landmarks_][:, None] - angles)
        true = np.minimum(apart, 2 * np.pi - apart)
        far = true > 0.5
        errors.append(np.max(np.abs(found.dist_matrix_[far] / true[far] - 1)))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.01


@pytest.mark.parametrize(
    "settings",
    [
        {"n_neighbors": 8, "eigen_solver": "dense"},
        {"n_neighbors": 8, "eigen_solver": "arpack", "tol": 1e-10},
        {"n_neighbors": 9, "method": "ltsa", "eigen_solver": "dense"},
    ],
    ids=str,
)
def test_locally_linear_embedding_agrees_with_scikit_learn(settings, roll):
    X, _ = roll
    ours = LocallyLinearEmbedding(random_state=0, **settings).fit(X)
    theirs = sklearn.manifold.LocallyLinearEmbedding(
        **{**settings, "eigen_solver": "dense"}
    ).fit(X)
    agree(ours.embedding_, theirs.embedding_, atol=1e-3)
    error = theirs.reconstruction_error_
    assert ours.reconstruction_error_ == pytest.approx(error, rel=1e-3)
    if settings.get("method", "standard") == "standard":
        new = X[:20] + 0.05
        agree(ours.transform(new), theirs.transform(new), atol=1e-3)


def test_the_hessian_form_leaves_an_isometric_sheet_flat():
    rng = np.random.default_rng(0)
    sheet = rng.uniform(0, 1, (300, 2))
    bent = np.column_stack((np.cos(sheet[:, 0]), np.sin(sheet[:, 0]), sheet[:, 1]))
    model = LocallyLinearEmbedding(n_neighbors=12, method="hessian").fit(bent)
    fitted = np.linalg.lstsq(
        np.column_stack((np.ones(300), model.embedding_)), sheet, rcond=None
    )[0]
    guess = np.column_stack((np.ones(300), model.embedding_)) @ fitted
    assert np.abs(guess - sheet).max() < 0.02


@pytest.mark.syllabus("S4A-233")
@pytest.mark.parametrize(
    "settings", [{"n_neighbors": 10}, {"affinity": "rbf", "gamma": 0.05}], ids=str
)
def test_laplacian_eigenmaps_agree_with_scikit_learn_and_solve_their_problem(
    settings, roll
):
    X, _ = roll
    ours = SpectralEmbedding(random_state=0, **settings).fit(X)
    theirs = sklearn.manifold.SpectralEmbedding(random_state=0, **settings).fit(X)
    agree(ours.embedding_, theirs.embedding_, atol=1e-5)
    W = ours.affinity_matrix_
    W = W.toarray() if sparse.issparse(W) else W.copy()
    np.fill_diagonal(W, 0.0)
    L, d = laplacian(W), W.sum(axis=1)
    for g, value in zip(ours.embedding_.T, ours.eigenvalues_, strict=True):
        np.testing.assert_allclose(L @ g, value * d * g, atol=1e-6)


def test_new_points_land_between_their_neighbours(roll):
    X, _ = roll
    new = (X[:40] + X[np.argsort(np.linalg.norm(X[:40, None] - X, axis=2))[:, 1]]) / 2
    for model in (
        Isomap(n_neighbors=7),
        LocallyLinearEmbedding(n_neighbors=12),
        SpectralEmbedding(n_neighbors=10),
        SpectralEmbedding(affinity="rbf", gamma=0.1),
    ):
        model.fit(X)
        size = np.abs(model.embedding_).max()
        np.testing.assert_allclose(
            model.transform(X), model.embedding_, atol=1e-6 * size
        )
        moved = model.transform(new) - model.embedding_[:40]
        assert np.median(np.linalg.norm(moved, axis=1)) < 0.1 * size


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_graphs_in_parts_duplicates_and_small_samples_get_a_result_or_a_sentence(roll):
    X, _ = roll
    parts = np.vstack((X[:60], X[60:120] + 300))
    model = Isomap(n_neighbors=5).fit(parts)
    assert model.n_connected_components_ > 1
    assert np.isfinite(model.dist_matrix_).all()
    with pytest.warns(UserWarning, match="connected components"):
        theirs = sklearn.manifold.Isomap(n_neighbors=5).fit(parts)
    np.testing.assert_allclose(model.dist_matrix_, theirs.dist_matrix_, rtol=1e-9)
    assert np.isfinite(SpectralEmbedding(n_neighbors=5).fit_transform(parts)).all()
    same = np.repeat(X[:5], 6, axis=0)
    for estimator in (Isomap(), LocallyLinearEmbedding(), SpectralEmbedding(), MDS()):
        assert np.isfinite(estimator.fit_transform(same)).all()
    for estimator in (Isomap(), SpectralEmbedding(), LocallyLinearEmbedding()):
        with pytest.raises(DataError, match="samples"):
            estimator.fit(X[:1])
    with pytest.raises(IncompatibleError, match="number or by radius"):
        Isomap(radius=1.0).fit(X)
    with pytest.raises(InvalidParameterError, match="at least 6"):
        LocallyLinearEmbedding(n_neighbors=5, method="hessian").fit(X)
    with pytest.raises(DataError, match="within the radius"):
        Isomap(n_neighbors=None, radius=5.0).fit(X).transform(X[:1] + 1e3)


def test_float32_precomputed_and_sparse_input(roll):
    X = roll[0][:100]
    small = Isomap().fit(X.astype(np.float32))
    assert small.transform(X.astype(np.float32)).dtype == np.float32
    D = np.linalg.norm(X[:, None] - X, axis=2)
    given = Isomap(metric="precomputed").fit(D)
    agree(given.embedding_, Isomap().fit(X).embedding_)
    agree(given.transform(D[:5]), given.embedding_[:5])
    table = sparse.csr_matrix(X)
    agree(Isomap().fit_transform(table), given.embedding_, atol=1e-5)


@pytest.mark.parametrize("laplacian", ["random_walk", "symmetric", "unnormalized"])
def test_given_rows_of_the_fit_get_their_own_coordinates(roll, laplacian):
    X = roll[0][:80]
    far = np.linalg.norm(X[:, None] - X, axis=2)
    weights = np.exp(-(far**2) / 50)  # every sample has a loop of weight 1
    for rule, given in (
        ("precomputed", weights),
        ("precomputed", sparse.csr_array(np.where(far < 9, weights, 0.0))),
        ("precomputed_nearest_neighbors", far),
    ):
        model = SpectralEmbedding(
            2, affinity=rule, n_neighbors=8, laplacian=laplacian, random_state=0
        ).fit(given)
        np.testing.assert_array_equal(model.transform(given), model.embedding_)
        np.testing.assert_array_equal(
            model.transform(given[5:9]), model.embedding_[5:9]
        )


@pytest.mark.parametrize("kind", [Isomap, LocallyLinearEmbedding, SpectralEmbedding])
def test_constant_columns_change_nothing_and_copies_get_a_result(kind, roll):
    X = roll[0][:60]
    model = kind(n_neighbors=8, n_components=2)
    if kind is not Isomap:
        model.set_params(random_state=0)
    plain = model.fit_transform(X)
    flat = model.fit_transform(np.column_stack([X, np.full(len(X), 7.0)]))
    np.testing.assert_allclose(np.abs(flat), np.abs(plain), atol=1e-6)
    twice = model.fit_transform(np.repeat(X, 2, axis=0))
    assert np.isfinite(twice).all()
    assert np.ptp(twice) > 0
