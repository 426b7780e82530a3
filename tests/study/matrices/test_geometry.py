"""Angles, orthonormal columns, projections and norms."""

import numpy as np
import pytest

from infimum.errors import DataError, IncompatibleError
from infimum.study.matrices import (
    AffineProjection,
    LinearMap,
    Projection,
    angle,
    matrix_norms,
    orthogonality,
    project_along,
    project_onto,
    rank,
    span,
)


@pytest.mark.syllabus("S4B-287")
def test_the_angle_is_that_of_the_scalar_product_and_the_norms(rng):
    for _ in range(20):
        x, z = rng.normal(size=(2, 5))
        cosine = x @ z / (np.linalg.norm(x) * np.linalg.norm(z))
        assert np.cos(angle(x, z)) == pytest.approx(cosine)
        assert angle(x, 3.0 * x) == pytest.approx(0.0, abs=1e-15)
        assert angle(x, -x) == pytest.approx(np.pi)
    assert angle([1.0, 0.0], [0.0, 7.0]) == pytest.approx(np.pi / 2)
    # The arc cosine would round this to 0.
    assert angle([1.0, 0.0], [1.0, 1e-9]) == pytest.approx(1e-9)
    with pytest.raises(DataError, match="other than 0"):
        angle([0.0, 0.0], [1.0, 0.0])


@pytest.mark.syllabus("S4B-287")
def test_the_transpose_inverts_square_orthonormal_matrices_and_no_others(rng):
    Q = span(rng.normal(size=(5, 5))).orthonormal
    square, tall = orthogonality(Q), orthogonality(Q[:, :3])
    stretched = orthogonality(2.0 * Q)
    assert square.inverse_is_transpose
    np.testing.assert_allclose(Q.T, np.linalg.inv(Q), atol=1e-12)
    assert tall.orthonormal
    assert not tall.inverse_is_transpose
    assert np.abs(Q[:, :3] @ Q[:, :3].T - np.eye(5)).max() > 0.1
    assert stretched.orthogonal
    assert not stretched.orthonormal
    assert not orthogonality(rng.normal(size=(5, 3))).orthogonal
    # Lengths and angles survive an orthonormal map.
    x, z = rng.normal(size=(2, 5))
    turn = LinearMap(Q)
    assert angle(turn(x), turn(z)) == pytest.approx(angle(x, z))
    assert turn(x) @ turn(x) == pytest.approx(x @ x)


@pytest.mark.syllabus("S4B-295")
def test_a_projection_applied_twice_is_applied_once(rng):
    P = project_onto(rng.normal(size=(5, 2)))
    x = rng.normal(size=5)
    np.testing.assert_allclose(P(P(x)), P(x))
    with pytest.raises(IncompatibleError, match="P² = P"):
        Projection(np.diag([1.0, 0.5]))


@pytest.mark.syllabus("S4B-295")
def test_orthogonal_projections_are_those_with_the_nearest_point(rng):
    vectors = rng.normal(size=(5, 2))
    P = project_onto(vectors)
    assert P.orthogonal
    np.testing.assert_allclose(P.matrix, P.matrix.T, atol=1e-12)
    V, x = P.image, rng.normal(size=5)
    # Both views: P = V Vᵗ stays in the space, π(x) = Vᵗ x has one number per dimension.
    np.testing.assert_allclose(P.matrix, V @ V.T, atol=1e-12)
    np.testing.assert_allclose(P.coordinates(x), V.T @ x)
    np.testing.assert_allclose(V @ P.coordinates(x), P(x))
    weights = np.linalg.lstsq(vectors, x, rcond=None)[0]
    np.testing.assert_allclose(P(x), vectors @ weights)
    assert P.nullspace.shape == (5, 3)
    np.testing.assert_allclose(P.nullspace.T @ V, 0.0, atol=1e-12)


@pytest.mark.syllabus("S4B-295")
def test_an_oblique_projection_is_one_but_not_orthogonal(rng):
    image, nullspace = rng.normal(size=(4, 2)), rng.normal(size=(4, 2))
    P = project_along(image, nullspace)
    assert not P.orthogonal
    assert int(rank(P.matrix)) == 2
    np.testing.assert_allclose(P.matrix @ image, image)
    np.testing.assert_allclose(P.matrix @ nullspace, 0.0, atol=1e-12)
    x = rng.normal(size=4)
    straight = project_onto(image)
    assert np.linalg.norm(x - straight(x)) < np.linalg.norm(x - P(x))
    with pytest.raises(IncompatibleError, match="complements"):
        project_along(image, image)
    whole = Projection(np.zeros((2, 2)))
    assert whole.orthogonal
    assert whole.image.shape == (2, 0)


@pytest.mark.syllabus("S4B-295")
def test_a_projection_on_a_line_is_a_scalar_product_with_a_unit_vector(rng):
    a, x = rng.normal(size=(2, 4))
    unit = a / np.linalg.norm(a)
    P = project_onto(a[:, None])
    assert abs(P.coordinates(x)[0]) == pytest.approx(abs(unit @ x))
    np.testing.assert_allclose(P(x), (unit @ x) * unit)
    # Without length 1 the product a·x is no coordinate.
    assert abs(abs(a @ x) - abs(P.coordinates(x)[0])) > 1e-3


@pytest.mark.syllabus("S4B-296")
def test_an_affine_projection_moves_to_the_origin_projects_and_moves_back(rng):
    P, mean = project_onto(rng.normal(size=(4, 2))), rng.normal(size=4)
    T = AffineProjection(P, mean)
    x = rng.normal(size=4)
    np.testing.assert_allclose(T(x), P(x - mean) + mean)
    np.testing.assert_allclose(T(T(x)), T(x))
    np.testing.assert_allclose(T(mean), mean)
    np.testing.assert_allclose(P.image.T @ (x - T(x)), 0.0, atol=1e-12)
    others = mean + (P.image @ rng.normal(size=(2, 50))).T
    assert T.distance(x) <= np.linalg.norm(others - x, axis=1).min()


@pytest.mark.syllabus("S4B-297")
@pytest.mark.parametrize("shape", [(4, 3), (3, 5), (4, 4)])
def test_the_operator_norm_is_the_largest_stretch_and_the_others_are_sums(shape, rng):
    A = rng.normal(size=shape)
    norms = matrix_norms(A)
    stretched = np.linalg.norm(LinearMap(A)(norms.direction))
    assert stretched == pytest.approx(norms.operator)
    trial = rng.normal(size=(shape[1], 200))
    stretches = np.linalg.norm(A @ trial, axis=0) / np.linalg.norm(trial, axis=0)
    assert stretches.max() <= norms.operator
    assert norms.operator == pytest.approx(np.linalg.norm(A, 2))
    values = np.linalg.svd(A, compute_uv=False)
    for other in (
        np.linalg.norm(A),
        np.sqrt(np.trace(A.T @ A)),
        np.hypot.reduce(values),
    ):
        assert norms.frobenius == pytest.approx(other)
    assert norms.nuclear == pytest.approx(values.sum())
    r = int(rank(A))
    chain = [norms.operator, norms.frobenius, norms.nuclear]
    chain += [np.sqrt(r) * norms.frobenius, r * norms.operator]
    assert chain == sorted(chain)
    # The nuclear norm is not the Frobenius norm.
    assert norms.nuclear > 1.05 * norms.frobenius


@pytest.mark.syllabus("S4B-297")
def test_for_normal_matrices_the_norm_is_the_largest_eigenvalue_in_size(rng):
    A = rng.normal(size=(4, 4))
    for normal in (A + A.T, A - A.T, span(A).orthonormal):
        norms = matrix_norms(normal)
        assert norms.normal
        assert norms.spectral_radius == pytest.approx(norms.operator)
    nilpotent = matrix_norms(np.array([[0.0, 2.0], [0.0, 0.0]]))
    assert not nilpotent.normal
    assert (nilpotent.spectral_radius, nilpotent.operator) == (0.0, 2.0)
    assert matrix_norms(A[:, :2]).spectral_radius is None
