"""Eigenvalues and singular values, definiteness, Rayleigh's principle, powers."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from infimum.errors import DataError, IncompatibleError
from infimum.kernels import Gaussian, check_definite
from infimum.study.matrices import (
    characteristic_polynomial,
    definiteness,
    diagonalizable,
    eigenspaces,
    power_method,
    quotient_range,
    rayleigh_principle,
    rayleigh_quotient,
    singular_value_decomposition,
    span,
    spectral_decomposition,
)


@pytest.fixture
def symmetric(rng):
    A = rng.normal(size=(6, 6))
    return A + A.T


@pytest.mark.syllabus("S4B-288")
def test_the_roots_of_the_characteristic_polynomial_are_the_eigenvalues(rng):
    A = rng.normal(size=(5, 5))
    coefficients = characteristic_polynomial(A)
    np.testing.assert_allclose(coefficients, np.poly(A), atol=1e-10)
    roots = sorted(np.roots(coefficients), key=lambda z: (-z.real, -z.imag))
    found = [space.value for space in eigenspaces(A)]
    np.testing.assert_allclose(found, roots, atol=1e-8)
    for value in (0.3, -1.2):
        shifted = np.linalg.det(value * np.eye(5) - A)
        assert np.polyval(coefficients, value) == pytest.approx(shifted)


@pytest.mark.syllabus("S4B-288")
def test_a_nilpotent_matrix_has_too_few_eigenvectors():
    nilpotent = np.array([[0.0, 1.0], [0.0, 0.0]])
    (space,) = eigenspaces(nilpotent)
    assert (space.value, space.algebraic, space.geometric) == (0.0, 2, 1)
    np.testing.assert_allclose(nilpotent @ space.basis, 0.0)
    assert not diagonalizable(nilpotent)
    assert diagonalizable(np.diag([2.0, 2.0, 1.0]))


@pytest.mark.syllabus("S4B-288")
def test_eigenspaces_hold_what_the_matrix_only_stretches(rng):
    V = rng.normal(size=(4, 4))
    A = V @ np.diag([3.0, 3.0, -1.0, 0.5]) @ np.linalg.inv(V)
    spaces = eigenspaces(A)
    assert [space.algebraic for space in spaces] == [2, 1, 1]
    for space in spaces:
        assert space.geometric <= space.algebraic
        stretched = space.value.real * space.basis
        np.testing.assert_allclose(A @ space.basis, stretched, atol=1e-8)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    assert [space.value for space in eigenspaces(turn)] == pytest.approx([1j, -1j])


@pytest.mark.syllabus("S4B-289")
def test_a_symmetric_matrix_is_a_sum_of_its_eigenvectors_squares(symmetric):
    spectrum = spectral_decomposition(symmetric)
    np.testing.assert_allclose(spectrum.matrix, symmetric, atol=1e-12)
    np.testing.assert_allclose(sum(spectrum.terms()), symmetric, atol=1e-12)
    V = spectrum.vectors
    np.testing.assert_allclose(V.T @ V, np.eye(6), atol=1e-12)
    np.testing.assert_allclose(spectrum.values, np.linalg.eigvalsh(symmetric)[::-1])
    cube = spectrum.apply(lambda values: values**3)
    np.testing.assert_allclose(cube, symmetric @ symmetric @ symmetric, atol=1e-9)


@pytest.mark.syllabus("S4B-289")
def test_orthonormal_eigenvectors_are_a_privilege_of_symmetric_matrices():
    lopsided = np.array([[2.0, 1.0], [0.0, 1.0]])
    assert diagonalizable(lopsided)
    first, second = (space.basis[:, 0] for space in eigenspaces(lopsided))
    assert abs(first @ second) > 0.1
    with pytest.raises(DataError, match="symmetric"):
        spectral_decomposition(lopsided)


def test_residuals_bound_the_error_of_eigenvalues(symmetric, rng):
    exact = np.linalg.eigvalsh(symmetric)
    assert np.all(spectral_decomposition(symmetric).errors < 1e-12)
    for _ in range(20):
        rough = power_method(symmetric, start=rng.normal(size=6), max_iterations=3)
        assert np.abs(exact - rough.value).min() <= rough.residual


@pytest.mark.syllabus("S4B-290")
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
def test_singular_values_are_roots_of_eigenvalues_of_both_products(shape, rng):
    A = rng.normal(size=shape)
    found = singular_value_decomposition(A)
    n, d = shape
    sigma = np.zeros(shape)
    np.fill_diagonal(sigma, found.values)
    np.testing.assert_allclose(found.U @ sigma @ found.V.T, A, atol=1e-12)
    assert found.error < 1e-12
    for gram, vectors in ((A @ A.T, found.U), (A.T @ A, found.V)):
        squares = np.zeros(len(gram))
        squares[: min(n, d)] = found.values**2
        np.testing.assert_allclose(gram @ vectors, vectors * squares, atol=1e-10)
        values = spectral_decomposition(gram).values
        np.testing.assert_allclose(values, squares, atol=1e-10)


@pytest.mark.syllabus("S4B-290")
def test_singular_vectors_are_unique_up_to_signs_when_the_values_differ(rng):
    A = rng.normal(size=(4, 3))
    found = singular_value_decomposition(A)
    assert found.distinct
    # Another way to them: the eigenvectors of AᵗA, and their images.
    V = spectral_decomposition(A.T @ A).vectors
    np.testing.assert_allclose(np.abs(np.sum(found.V * V, axis=0)), 1.0)
    U = A @ V / found.values
    np.testing.assert_allclose(np.abs(np.sum(found.U[:, :3] * U, axis=0)), 1.0)
    turned = singular_value_decomposition(np.eye(3))
    assert not turned.distinct  # any orthonormal basis would do


def test_cutting_off_singular_values_gives_the_nearest_matrix_of_lower_rank(rng):
    A = rng.normal(size=(6, 5))
    found = singular_value_decomposition(A)
    for r in range(5):
        near = found.truncated(r)
        assert np.linalg.norm(A - near, 2) == pytest.approx(found.values[r])
        rival = rng.normal(size=(6, max(r, 1)))
        best = rival @ np.linalg.lstsq(rival, A, rcond=None)[0]
        if r:
            assert np.linalg.norm(A - best, 2) >= found.values[r] - 1e-12


@pytest.mark.syllabus("S4B-291")
def test_three_tests_of_definiteness_agree_and_show_their_evidence(rng):
    X = rng.normal(size=(6, 3))
    flat, full = definiteness(X @ X.T), definiteness(X.T @ X)
    for report, matrix in ((flat, X @ X.T), (full, X.T @ X)):
        assert report.agreed
        assert report
        np.testing.assert_allclose(report.root @ report.root.T, matrix, atol=1e-9)
        assert bool(check_definite(matrix)) is True
    assert full.strictly
    assert not flat.strictly
    assert flat.root.shape == (6, 3)
    saddle = definiteness(np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert saddle.agreed
    assert not saddle
    form = saddle.direction @ np.array([[1.0, 2.0], [2.0, 1.0]]) @ saddle.direction
    assert form == pytest.approx(saddle.smallest) == pytest.approx(-1.0)
    assert saddle.root is None
    assert definiteness(Gaussian()(X, X)).strictly


@pytest.mark.syllabus("S4B-294")
@pytest.mark.parametrize("largest", [True, False])
def test_eigenvalues_are_best_quotients_orthogonal_to_those_before(
    largest, symmetric, rng
):
    steps = rayleigh_principle(symmetric, 6, largest=largest)
    exact = np.linalg.eigvalsh(symmetric)
    np.testing.assert_allclose(steps.values, exact[::-1] if largest else exact)
    assert np.all(steps.errors < 1e-6)
    for k in range(6):
        rest = rng.normal(size=(6, 50))
        rest -= steps.vectors[:, :k] @ (steps.vectors[:, :k].T @ rest)
        quotients = [rayleigh_quotient(symmetric, v) for v in rest.T]
        sign = 1.0 if largest else -1.0
        assert max(sign * q for q in quotients) <= sign * steps.values[k] + 1e-9


@pytest.mark.syllabus("S4B-294")
def test_no_subspace_beats_the_span_of_the_first_eigenvectors(symmetric, rng):
    spectrum = spectral_decomposition(symmetric)
    for k in range(1, 7):
        low, _ = quotient_range(symmetric, spectrum.vectors[:, :k])
        _, high = quotient_range(symmetric, spectrum.vectors[:, -k:])
        assert low == pytest.approx(spectrum.values[k - 1])
        assert high == pytest.approx(spectrum.values[-k])
        for _ in range(10):
            least, most = quotient_range(symmetric, rng.normal(size=(6, k)))
            assert least <= low + 1e-9
            assert most >= high - 1e-9


@pytest.mark.syllabus("S4B-298")
def test_the_power_method_needs_products_only_and_closes_in_at_its_rate(rng):
    Q = span(rng.normal(size=(30, 30))).orthonormal
    values = np.linspace(1.0, 8.0, 30)
    values[-1] = 10.0
    A = (Q * values) @ Q.T
    A = 0.5 * (A + A.T)
    found = power_method(A, tolerance=1e-10)
    assert found.closed
    assert found.value == pytest.approx(10.0)
    assert abs(found.value - 10.0) <= found.error(gap=2.0) + 1e-12
    start = np.ones(30)
    top = Q[:, -1]
    first = np.linalg.norm(start - (top @ start) * top) / abs(top @ start)
    for t in (1, 5, 20):
        v = power_method(A, start=start, max_iterations=t + 1, tolerance=1e-300).vector
        tangent = np.linalg.norm(v - (top @ v) * top) / abs(top @ v)
        assert tangent <= (8.0 / 10.0) ** t * first * (1 + 1e-9)
        rough = power_method(A, start=start, max_iterations=t + 1, tolerance=1e-300)
        sine = np.linalg.norm(v - (top @ v) * top)
        distance = abs(rough.value - 8.0)
        if rough.value > 8.0:
            assert sine <= rough.angle(gap=distance) + 1e-12


@pytest.mark.syllabus("S4B-298")
def test_the_power_method_takes_sparse_matrices_and_operators_as_they_are(rng):
    S = sparse.random_array((200, 200), density=0.02, rng=rng, format="csr")
    S = S + S.T
    dense, thin, operator = (
        power_method(form, tolerance=1e-6)
        for form in (S.toarray(), S, aslinearoperator(S))
    )
    assert dense.closed
    assert dense.value == pytest.approx(thin.value) == pytest.approx(operator.value)
    exact = np.linalg.eigvalsh(S.toarray())
    assert np.abs(exact - thin.value).min() <= thin.residual


def test_the_power_method_says_when_it_has_not_arrived():
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])  # eigenvalues 1 and -1: no largest
    lost = power_method(swap, start=[1.0, 0.3], max_iterations=50)
    assert not lost.closed
    assert lost.iterations == 50
    with pytest.raises(IncompatibleError, match="symmetric"):
        power_method(np.array([[0.0, 1.0], [0.0, 0.0]]))
    with pytest.raises(DataError, match="square"):
        power_method(np.ones((2, 3)))
    with pytest.raises(DataError, match="other than 0"):
        power_method(np.eye(2), start=[0.0, 0.0])
    assert power_method(np.zeros((2, 2))).value == 0.0
