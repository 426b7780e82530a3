"""Bases and coordinates, maps and matrices, ranks and inverses."""

import numpy as np
import pytest
from scipy.linalg import invhilbert

from infimum.data.designs import as_design
from infimum.errors import DataError, IncompatibleError
from infimum.study.matrices import (
    LinearMap,
    coordinates,
    inverse,
    linearity_defect,
    matrix_of,
    pseudo_inverse,
    rank,
    reconstruction_defect,
    span,
    spectral_decomposition,
)


def of_rank(rng, n, d, r):
    """Return a random matrix of a given rank."""
    return rng.normal(size=(n, r)) @ rng.normal(size=(r, d))


@pytest.mark.syllabus("S4B-282")
def test_two_vectors_are_a_basis_of_the_plane_unless_one_is_a_multiple_of_the_other():
    assert span(np.array([[1.0, 1.0], [1.0, 2.0]])).basis
    twins = span(np.array([[1.0, 2.0], [1.0, 2.0]]))
    assert not twins.basis
    assert twins.dimension == 1
    combined = np.array([[1.0, 2.0], [1.0, 2.0]]) @ twins.relation
    assert np.abs(twins.relation).max() > 0.5
    np.testing.assert_allclose(combined, 0.0, atol=1e-12)
    assert np.array([3.0, 3.0]) in twins
    assert np.array([3.0, 3.1]) not in twins


@pytest.mark.syllabus("S4B-282")
def test_coordinates_put_a_vector_together_again_and_respect_sums_and_multiples(rng):
    basis = rng.normal(size=(4, 4))
    v, w = rng.normal(size=(2, 4))
    a, b = rng.normal(size=2)
    of_v, of_w = coordinates(basis, v).values, coordinates(basis, w).values
    np.testing.assert_allclose(basis @ of_v, v)
    np.testing.assert_allclose(
        coordinates(basis, a * v - b * w).values, a * of_v - b * of_w
    )
    # Every basis has as many vectors as the dimension: fewer do not span, more depend.
    assert not span(basis[:, :3]).basis
    assert not span(np.column_stack([basis, v])).independent
    assert span(np.column_stack([basis, v])).dimension == span(basis).dimension == 4


def test_coordinates_refuse_vectors_outside_the_span_and_ambiguous_ones(rng):
    plane = rng.normal(size=(3, 2))
    inside = plane @ np.array([2.0, -1.0])
    np.testing.assert_allclose(coordinates(plane, inside).values, [2.0, -1.0])
    with pytest.raises(IncompatibleError, match="in the span, got one"):
        coordinates(plane, np.cross(plane[:, 0], plane[:, 1]))
    with pytest.raises(IncompatibleError, match="not unique"):
        coordinates(np.ones((2, 2)), np.ones(2))


@pytest.mark.syllabus("S4B-283")
def test_the_columns_of_a_matrix_are_the_images_of_the_basis_vectors(rng):
    def turn_and_stretch(x):
        return np.array([-2.0 * x[1], x[0], x[0] + x[2]])

    found = matrix_of(turn_and_stretch, 3)
    for j, basis in enumerate(np.eye(3)):
        np.testing.assert_array_equal(found.matrix[:, j], turn_and_stretch(basis))
    x = rng.normal(size=3)
    np.testing.assert_allclose(found(x), turn_and_stretch(x))
    assert linearity_defect(turn_and_stretch, 3) < 1e-12


@pytest.mark.syllabus("S4B-283", "S4B-284")
def test_the_matrix_of_one_map_after_another_is_the_product(rng):
    A, B = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))
    S, T = matrix_of(lambda x: A @ x, 3), matrix_of(lambda x: B @ x, 4)
    both = matrix_of(lambda x: S(T(x)), 4)
    np.testing.assert_allclose(both.matrix, (S @ T).matrix)
    # Entry (i, k) of the product is a sum over j.
    entry = sum(S.matrix[1, j] * T.matrix[j, 2] for j in range(3))
    assert (S @ T).matrix[1, 2] == pytest.approx(entry)


@pytest.mark.parametrize(
    "bent", [lambda x: x + 1.0, lambda x: x**2, np.abs], ids=["shift", "square", "abs"]
)
def test_what_is_not_linear_has_no_matrix(bent):
    assert linearity_defect(bent, 3) > 0.1
    with pytest.raises(IncompatibleError, match="needs a linear map"):
        matrix_of(bent, 3)


@pytest.mark.syllabus("S4B-284")
def test_transpose_and_products_are_those_of_the_designs(rng):
    X, w, s = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=5)
    design, X_map = as_design(X), LinearMap(X)
    np.testing.assert_allclose(design.scores(w), X_map(w))
    np.testing.assert_allclose(design.pull_back(s), X_map.transpose(s))
    # X w mixes columns with weights w; its entries are products with the rows.
    np.testing.assert_allclose(X_map(w), sum(w[j] * X[:, j] for j in range(3)))
    assert X_map(w)[2] == pytest.approx(sum(X[2, j] * w[j] for j in range(3)))
    assert X_map(w) @ s == pytest.approx(w @ X_map.transpose(s))
    other = LinearMap(rng.normal(size=(3, 2)))
    turned = (other.transpose @ X_map.transpose).matrix
    np.testing.assert_allclose((X_map @ other).transpose.matrix, turned)
    np.testing.assert_array_equal(X_map.transpose.transpose.matrix, X)
    with pytest.raises(IncompatibleError, match="matching sizes"):
        _ = X_map @ X_map


@pytest.mark.syllabus("S4B-285")
@pytest.mark.parametrize(("n", "d", "r"), [(6, 4, 2), (4, 6, 4), (5, 5, 1), (7, 3, 3)])
def test_four_definitions_of_the_rank_agree(n, d, r, rng):
    A = of_rank(rng, n, d, r)
    report = rank(A)
    assert report.agreed
    assert int(report) == report.rows == report.image == r
    assert rank(A @ A.T) == rank(A.T @ A)._replace(margin=rank(A @ A.T).margin)
    symmetric = A @ A.T
    values = spectral_decomposition(symmetric).values
    assert np.sum(np.abs(values) > 1e-9 * values[0]) == rank(symmetric).eigenvalues
    assert report.margin > 1e3
    assert int(rank(np.zeros((n, d)))) == 0


@pytest.mark.syllabus("S4B-286")
def test_a_square_matrix_has_an_inverse_exactly_when_its_rank_is_full(rng):
    A = rng.normal(size=(5, 5))
    found = inverse(A)
    assert int(rank(A)) == 5
    np.testing.assert_allclose(found.matrix @ A, np.eye(5), atol=1e-12)
    assert found.condition == pytest.approx(np.linalg.cond(A))
    singular = of_rank(rng, 5, 5, 4)
    assert int(rank(singular)) == 4
    with pytest.raises(IncompatibleError, match="sends the vector"):
        inverse(singular)
    with pytest.raises(DataError, match="square"):
        inverse(A[:, :3])


def test_the_residual_of_an_inverse_bounds_its_error():
    n = 8
    hilbert = 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1.0)
    found = inverse(hilbert)
    exact = invhilbert(n)  # whole numbers, by a formula
    error = np.linalg.norm(found.matrix - exact, 2) / np.linalg.norm(found.matrix, 2)
    assert error <= found.error < 0.1
    assert found.condition > 1e9


@pytest.mark.syllabus("S4B-292")
@pytest.mark.parametrize("r", [1, 3, 5])
def test_the_generalised_inverse_of_a_symmetric_matrix_inverts_its_spectrum(r, rng):
    V = span(rng.normal(size=(5, 5))).orthonormal
    A = (V * np.where(np.arange(5) < r, [5.0, 4.0, 3.0, 2.0, 1.0], 0.0)) @ V.T
    A = 0.5 * (A + A.T)
    found = pseudo_inverse(A)
    assert found.rank == r
    np.testing.assert_allclose(
        found.matrix, np.linalg.pinv(A, rcond=1e-10, hermitian=True), atol=1e-8
    )
    spectrum = spectral_decomposition(A)
    kept = np.arange(5) < r
    by_hand = sum(
        np.outer(v, v) / value
        for value, v in zip(
            spectrum.values[kept], spectrum.vectors.T[kept], strict=True
        )
    )
    np.testing.assert_allclose(found.matrix, by_hand, atol=1e-8)
    assert max(found.defects) < 1e-9
    again = pseudo_inverse(0.5 * (found.matrix + found.matrix.T))
    np.testing.assert_allclose(again.matrix, A, atol=1e-8)


@pytest.mark.syllabus("S4B-292")
def test_a_matrix_times_its_generalised_inverse_projects_on_its_image(rng):
    A = of_rank(rng, 6, 4, 2)
    plus = pseudo_inverse(A).matrix
    np.testing.assert_allclose(plus, np.linalg.pinv(A, rcond=1e-10), atol=1e-10)
    for product, space in ((A @ plus, A), (plus @ A, A.T)):
        V = span(space).orthonormal
        np.testing.assert_allclose(product, V @ V.T, atol=1e-10)


@pytest.mark.syllabus("S4B-293")
def test_many_operators_reconstruct_and_the_generalised_inverse_adds_least(rng):
    A = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    forget, plus = matrix_of(lambda x: x[:2], 3), pseudo_inverse(A).matrix
    np.testing.assert_array_equal(forget.matrix, A)
    assert reconstruction_defect(A, lambda y: np.append(y, 17.0)) == 0.0
    assert reconstruction_defect(A, lambda y: plus @ y) < 1e-15
    y = rng.normal(size=2)
    np.testing.assert_array_equal(plus @ y, np.append(y, 0.0))  # 17 becomes 0
    assert reconstruction_defect(A, lambda y: np.append(2.0 * y, 17.0)) > 0.5
    with pytest.raises(IncompatibleError, match="linear map"):
        matrix_of(lambda y: np.append(y, 17.0), 2)


def test_the_door_refuses_what_is_no_finite_matrix():
    with pytest.raises(DataError, match="rank needs a matrix"):
        rank(np.ones(3))
    with pytest.raises(DataError, match="NaN"):
        span(np.array([[np.nan]]))
    with pytest.raises(DataError, match="2 numbers"):
        LinearMap(np.eye(2))(np.ones(3))
    with pytest.raises(DataError, match="symmetric"):
        spectral_decomposition(np.array([[0.0, 1.0], [0.0, 0.0]]))
