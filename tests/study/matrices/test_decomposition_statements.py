"""Singular values: the decomposition, eigenvectors, nearest matrices of a rank."""

import numpy as np
import pytest

from infimum.models.embedding import PCA, TruncatedSVD
from infimum.study.matrices import matrix_norms, singular_value_decomposition

SHAPES = [(7, 4), (4, 7), (5, 5)]


@pytest.mark.syllabus("S4B-162", "S2-019")
@pytest.mark.parametrize("shape", SHAPES)
def test_every_matrix_is_a_turn_a_stretch_and_a_turn(shape, rng):
    A = rng.standard_normal(shape)
    parts = singular_value_decomposition(A)
    n, d, k = *shape, min(shape)
    assert pytest.approx(np.eye(n), abs=1e-12) == parts.U.T @ parts.U
    assert pytest.approx(np.eye(d), abs=1e-12) == parts.V.T @ parts.V
    # The thin form: the first k columns are enough, and the others meet zeros.
    assert parts.U[:, :k] * parts.values @ parts.V[:, :k].T == pytest.approx(A)
    assert (np.diff(parts.values) <= 0).all()
    assert parts.values[-1] >= 0
    # Singular values are unique: signs and rotations of the axes do not change them.
    turn = np.linalg.qr(rng.standard_normal((n, n)))[0]
    again = singular_value_decomposition(turn @ A)
    assert again.values == pytest.approx(parts.values)
    assert parts.values == pytest.approx(np.linalg.svd(A, compute_uv=False))


@pytest.mark.syllabus("S4B-163", "S2-020")
@pytest.mark.parametrize("shape", SHAPES)
def test_singular_vectors_are_eigenvectors_of_both_products(shape, rng):
    A = rng.standard_normal(shape)
    parts, k = singular_value_decomposition(A), min(shape)
    squares = parts.values**2
    assert A @ A.T @ parts.U[:, :k] == pytest.approx(parts.U[:, :k] * squares)
    assert A.T @ A @ parts.V[:, :k] == pytest.approx(parts.V[:, :k] * squares)
    # Of centred samples they are the principal axes, with variances σ²/n.
    X = rng.standard_normal((30, 4)) * [3.0, 2.0, 1.0, 0.5]
    centred = X - X.mean(axis=0)
    axes, model = singular_value_decomposition(centred), PCA(4).fit(X)
    assert np.abs(np.sum(axes.V * model.components_.T, axis=0)) == pytest.approx(1.0)
    assert axes.values**2 / 30 == pytest.approx(model.explained_variance_ * 29 / 30)
    covariance = np.cov(X.T, bias=True)
    assert covariance @ axes.V == pytest.approx(axes.V * axes.values**2 / 30)


@pytest.mark.syllabus("S4B-164", "S4B-165")
def test_the_truncation_is_the_nearest_matrix_of_its_rank(rng):
    A = rng.standard_normal((9, 3)) @ rng.standard_normal((3, 6))
    A += 0.3 * rng.standard_normal((9, 6))
    parts = singular_value_decomposition(A)
    for k in range(1, 6):
        near = parts.truncated(k)
        assert np.linalg.matrix_rank(near) == k
        assert near == pytest.approx(
            parts.U[:, :k] * parts.values[:k] @ parts.V[:, :k].T
        )
        distance = matrix_norms(A - near).frobenius
        assert distance == pytest.approx(np.sqrt((parts.values[k:] ** 2).sum()))
        assert matrix_norms(A - near).operator == pytest.approx(parts.values[k])
        for _ in range(20):  # other matrices of that rank, close to the best one
            noise = 0.05 * rng.standard_normal((2, 9, 6))
            left = parts.U[:, :k] * parts.values[:k] + noise[0][:, :k]
            right = parts.V[:, :k].T + noise[1].T[:k, :6]
            assert matrix_norms(A - left @ right).frobenius > distance
        reduced = TruncatedSVD(k).fit_transform(A)
        assert np.abs(reduced) == pytest.approx(np.abs(A @ parts.V[:, :k]), abs=1e-6)
