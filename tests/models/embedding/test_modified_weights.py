"""Locally linear embedding by several weights for each sample."""

import numpy as np
import pytest
import sklearn.manifold
from scipy.spatial import procrustes
from sklearn.datasets import make_s_curve, make_swiss_roll

from infimum.errors import InvalidParameterError
from infimum.models.embedding import LocallyLinearEmbedding
from infimum.models.embedding.manifolds._local_geometry import _summing_to_one


@pytest.mark.parametrize("k, count", [(10, 2), (7, 1)])
def test_points_are_those_of_scikit_learn(k, count):
    X, _ = make_s_curve(400, random_state=0)
    settings = {"n_neighbors": k, "n_components": count, "method": "modified"}
    ours = LocallyLinearEmbedding(**settings).fit(X)
    theirs = sklearn.manifold.LocallyLinearEmbedding(**settings, eigen_solver="dense")
    theirs.fit(X)
    signs = np.sign(np.sum(ours.embedding_ * theirs.embedding_, axis=0))
    np.testing.assert_allclose(ours.embedding_ * signs, theirs.embedding_, atol=1e-7)
    assert ours.reconstruction_error_ == pytest.approx(theirs.reconstruction_error_)


def test_several_weights_unroll_what_one_set_distorts():
    X, along = make_swiss_roll(800, random_state=1)
    flat = np.column_stack((along, X[:, 1]))
    off = {}
    for method in ("standard", "modified"):
        model = LocallyLinearEmbedding(n_neighbors=8, method=method).fit(X)
        off[method] = procrustes(flat, model.embedding_)[2]
    assert off["modified"] < 0.5 * off["standard"]


def test_each_weight_sums_to_one_and_the_flat_directions_are_spanned(rng):
    axes = np.linalg.qr(rng.normal(size=(9, 9)))[0]
    best = rng.normal(size=9)
    weights = _summing_to_one(axes[:, 4:], best / best.sum(), 1e-12)
    np.testing.assert_allclose(weights.sum(axis=0), 1.0)
    apart = weights[:, 1:] - weights[:, :1]
    assert np.abs(axes[:, :4].T @ apart).max() < 1e-12
    assert np.linalg.matrix_rank(apart) == 4


def test_copies_get_points_and_too_few_neighbours_one_sentence(rng):
    X = np.repeat(rng.normal(size=(20, 4)), 5, axis=0)
    model = LocallyLinearEmbedding(n_neighbors=6, method="modified").fit(X)
    assert np.isfinite(model.embedding_).all()
    with pytest.raises(InvalidParameterError, match="n_neighbors must be at least 3"):
        LocallyLinearEmbedding(n_neighbors=2, method="modified").fit(X)
