"""Maps as functions: scikit-learn's answers, and one sentence for bad questions."""

import numpy as np
import pytest
import sklearn.manifold as theirs
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import make_swiss_roll

from infimum.errors import DataError, InvalidParameterError
from infimum.models.embedding import (
    MDS,
    PCA,
    LocallyLinearEmbedding,
    SpectralEmbedding,
    embedding_quality,
    locally_linear_embedding,
    smacof,
    spectral_embedding,
    trustworthiness,
)
from infimum.models.neighbors import NearestNeighbors


@pytest.fixture(scope="module")
def roll():
    return make_swiss_roll(150, random_state=0)[0]


def agree(ours, others, atol=1e-6):
    """Compare coordinates up to the signs of their axes."""
    signs = np.sign(np.sum(ours * others, axis=0))
    np.testing.assert_allclose(ours * signs, others, atol=atol * np.abs(others).max())


@pytest.mark.parametrize("metric", [True, False])
def test_majorisation_from_a_given_start_is_scikit_learns(metric, roll):
    far, start = cdist(roll, roll), PCA(2).fit_transform(roll)
    rules = {"metric": metric, "init": start, "return_n_iter": True, "max_iter": 20}
    points, stress, steps = smacof(far, **rules)
    their_points, their_stress, _ = theirs.smacof(far, **rules)
    assert stress == pytest.approx(their_stress, rel=0.02)
    assert steps <= 20
    if metric:
        agree(points - points.mean(axis=0), their_points, atol=0.02)
    model = MDS(2, metric_mds=metric, metric="precomputed", max_iter=20)
    np.testing.assert_array_equal(model.fit_transform(far, init=start), points)


def test_more_random_starts_are_no_worse_and_one_seed_one_answer(roll):
    far = cdist(roll[:40], roll[:40])
    _, one = smacof(far, random_state=0)
    points, best = smacof(far, n_init=4, n_components=3, random_state=0)
    assert points.shape == (40, 3)
    assert best <= one
    again, _ = smacof(far, n_init=4, n_components=3, random_state=0)
    np.testing.assert_array_equal(points, again)


@pytest.mark.parametrize("method", ["standard", "modified", "ltsa", "hessian"])
def test_locally_linear_points_come_with_their_misfit(method, roll):
    rules = {"n_neighbors": 9, "n_components": 2, "method": method}
    points, error = locally_linear_embedding(roll, eigen_solver="dense", **rules)
    model = LocallyLinearEmbedding(eigen_solver="dense", **rules).fit(roll)
    np.testing.assert_array_equal(points, model.embedding_)
    assert error == model.reconstruction_error_
    search = NearestNeighbors().fit(roll)
    same, _ = locally_linear_embedding(search, eigen_solver="dense", **rules)
    np.testing.assert_array_equal(points, same)
    if method == "standard":
        other, their_error = theirs.locally_linear_embedding(
            roll, eigen_solver="dense", **rules
        )
        agree(points, other, atol=1e-3)
        assert error == pytest.approx(their_error, rel=1e-3)


@pytest.mark.parametrize("norm_laplacian", [True, False])
@pytest.mark.parametrize("drop_first", [True, False])
def test_coordinates_of_a_graph_are_scikit_learns(roll, norm_laplacian, drop_first):
    W = np.exp(-0.02 * cdist(roll, roll, "sqeuclidean"))
    rules = {"n_components": 3, "random_state": 0}
    rules |= {"norm_laplacian": norm_laplacian, "drop_first": drop_first}
    ours, others = spectral_embedding(W, **rules), theirs.spectral_embedding(W, **rules)
    agree(ours, others, atol=1e-5)
    agree(spectral_embedding(sparse.csr_array(W), **rules), others, atol=1e-5)
    if norm_laplacian and drop_first:
        model = SpectralEmbedding(3, affinity="precomputed", random_state=0).fit(W)
        agree(ours, model.embedding_)


def test_parts_of_a_graph_are_told_by_the_first_coordinates():
    W = sparse.block_diag([np.ones((5, 5)), np.ones((4, 4))], format="csr")
    g = spectral_embedding(W, n_components=1, drop_first=True)[:, 0]
    assert len(np.unique(g.round(9))) == 2
    assert np.ptp(g[:5]) == pytest.approx(0.0) == pytest.approx(np.ptp(g[5:]))


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "precomputed"])
@pytest.mark.parametrize("n_neighbors", [1, 5, 20])
def test_trustworthiness_is_scikit_learns(metric, n_neighbors, roll):
    X = cdist(roll, roll) if metric == "precomputed" else roll
    Z = np.random.default_rng(0).normal(size=(150, 2)) + roll[:, :2]
    rules = {"n_neighbors": n_neighbors, "metric": metric}
    found = trustworthiness(X, Z, **rules)
    assert found == pytest.approx(theirs.trustworthiness(X, Z, **rules))
    assert found == embedding_quality(X, Z, **rules).trustworthiness
    table = sparse.csr_array(roll)
    assert trustworthiness(table, Z) == pytest.approx(trustworthiness(roll, Z))
    assert trustworthiness(np.ones((9, 2)), np.ones((9, 1)), n_neighbors=2) <= 1.0


@pytest.mark.parametrize(
    ("work", "error", "words"),
    [
        (lambda: smacof([[0, 1], [2, 0]]), DataError, "symmetric"),
        (lambda: smacof([[0, 1], [1, 0]], init=[[1.0]]), DataError, "init must have"),
        (
            lambda: spectral_embedding([[0, 1], [1, 0]], n_components=0),
            InvalidParameterError,
            "spectral_embedding: n_components",
        ),
        (
            lambda: trustworthiness(np.eye(4), np.eye(4), n_neighbors=2),
            InvalidParameterError,
            "trustworthiness: n_neighbors",
        ),
        (lambda: trustworthiness(np.eye(9), np.eye(4)), DataError, "9 samples and 4"),
    ],
    ids=["one way", "start", "none", "too many", "two tables"],
)
def test_bad_questions_get_one_sentence(work, error, words):
    with pytest.raises(error, match=words):
        work()


def test_of_a_graph_that_is_not_symmetric_both_directions_count_half(rng):
    W = np.abs(rng.normal(size=(12, 12)))
    with pytest.warns(UserWarning, match="mean of both"):
        found = spectral_embedding(W, random_state=0)
    known = spectral_embedding((W + W.T) / 2.0, random_state=0)
    np.testing.assert_allclose(found, known, atol=1e-8)
