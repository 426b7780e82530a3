"""The space behind a kernel: functions, lengths, spectra, and who is a kernel."""

import numpy as np
import pytest
from scipy import sparse

from infimum.data.designs import as_design
from infimum.errors import DataError, IncompatibleError
from infimum.kernels import (
    Cosine,
    Gaussian,
    KernelExpansion,
    Linear,
    Polynomial,
    Spectrum,
    center_gram,
    check_definite,
    kernel_alignment,
    target_alignment,
)
from infimum.losses import Hinge, Logistic, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import choose


@pytest.fixture(name="X")
def rows(rng):
    return rng.normal(size=(12, 3))


def random_function(kernel, rng, size=5):
    return KernelExpansion(kernel, rng.normal(size=(size, 3)), rng.normal(size=size))


@pytest.mark.syllabus("S0B-144", "S3-081", "S4A-134")
def test_a_matrix_is_positive_semidefinite_in_three_equal_ways(rng):
    for rank in (2, 4):
        R = rng.normal(size=(rank, 4))
        check = check_definite(R.T @ R)
        assert check
        assert check.strictly == (rank == 4)
        assert np.linalg.eigvalsh(R.T @ R).min() > -1e-12
        c = rng.normal(size=(100, 4))
        assert (np.einsum("ki,ij,kj->k", c, R.T @ R, c) >= -1e-12).all()
    positive_but_no_kernel = np.array([[1.0, 2.0], [2.0, 1.0]])
    check = check_definite(positive_but_no_kernel)
    assert not check
    assert np.linalg.eigvalsh(positive_but_no_kernel) == pytest.approx([-1.0, 3.0])
    witness = check.direction
    assert witness @ positive_but_no_kernel @ witness == pytest.approx(-1.0)
    assert np.linalg.norm(witness) == pytest.approx(1.0)


def test_the_check_refuses_what_is_no_gram_matrix():
    assert not check_definite(np.array([[1.0, 0.5], [0.1, 1.0]]))  # not symmetric
    assert check_definite(np.zeros((0, 0)))
    assert check_definite(np.zeros((3, 3)))
    with pytest.raises(DataError, match="square"):
        check_definite(np.ones((2, 3)))
    with pytest.raises(DataError, match="finite"):
        check_definite(np.array([[np.nan]]))


@pytest.mark.syllabus("S3-082", "S4A-134")
def test_negative_squared_distances_are_symmetric_but_no_kernel(X):
    def closeness(A, B):
        return -((A[:, None] - B[None]) ** 2).sum(axis=2)

    check = check_definite(closeness, X)
    assert check.asymmetry == 0.0
    assert not check
    assert check_definite(Gaussian(), X).strictly


@pytest.mark.syllabus("S2-070")
def test_a_quadratic_form_of_a_gram_matrix_is_a_sum_of_squares(rng):
    X, z = rng.normal(size=(8, 2)), rng.normal(size=8)
    root = np.sqrt(2)
    phi = np.column_stack([X**2, root * X[:, 0] * X[:, 1], root * X, np.ones(8)])
    K = Polynomial(2)(X)
    assert np.array_equal(K, K.T)
    assert z @ K @ z == pytest.approx(((z @ phi) ** 2).sum())


@pytest.mark.syllabus("S2-071", "S3-083", "S4A-146")
@pytest.mark.parametrize("kernel", [Gaussian(), Polynomial(3), Linear()], ids=repr)
def test_a_positive_semidefinite_matrix_has_features(kernel, X):
    K = kernel(X)
    values, vectors = np.linalg.eigh(K)
    features = vectors * np.sqrt(np.maximum(values, 0.0))
    assert features @ features.T == pytest.approx(K)
    no_kernel = K - 1.1 * values[-1] * np.eye(len(K))
    assert not check_definite(no_kernel)  # and one that is not, has none


@pytest.mark.syllabus("S4A-145")
def test_the_rank_is_at_most_the_dimension_of_feature_space(X):
    assert np.linalg.matrix_rank(Linear()(X)) == 3
    assert np.linalg.matrix_rank(Polynomial(2)(X)) == 10
    assert not check_definite(Linear(), X).strictly
    assert check_definite(Linear(), X[:3]).strictly


@pytest.mark.syllabus("S0B-146", "S4A-147")
def test_functions_are_added_scaled_and_measured(rng, X):
    kernel = Gaussian(1.2)
    f, g = random_function(kernel, rng), random_function(kernel, rng, 4)
    total = 2.0 * f - g
    assert total(X) == pytest.approx(2 * f(X) - g(X))
    expected = f.coefficients @ kernel(f.points, g.points) @ g.coefficients
    assert f.inner(g) == pytest.approx(expected)
    assert g.inner(f) == pytest.approx(expected)
    assert total.norm**2 == pytest.approx(4 * f.norm**2 - 4 * f.inner(g) + g.norm**2)
    assert (f - f).norm == pytest.approx(0.0, abs=1e-7)
    with pytest.raises(IncompatibleError, match="different spaces"):
        f.inner(random_function(Gaussian(2.0), rng))
    with pytest.raises(DataError, match="one number per point"):
        KernelExpansion(kernel, X, [1.0])


@pytest.mark.syllabus("S0B-146", "S4A-147")
def test_the_inner_product_does_not_depend_on_how_functions_are_written(rng, X):
    g = random_function(Linear(), rng)
    f = KernelExpansion(Linear(), X, rng.normal(size=len(X)))
    w = X.T @ f.coefficients
    same = KernelExpansion(Linear(), np.eye(3), w)
    assert f.inner(g) == pytest.approx(same.inner(g))
    assert f.norm == pytest.approx(np.linalg.norm(w))
    doubled = KernelExpansion(
        Linear(), np.concatenate([X, X]), np.concatenate([f.coefficients] * 2) / 2
    )
    assert doubled.inner(g) == pytest.approx(f.inner(g))


@pytest.mark.syllabus("S0B-147", "S4A-148")
@pytest.mark.parametrize("kernel", [Gaussian(0.7), Polynomial(2)], ids=repr)
def test_kernels_reproduce_the_values_of_functions(kernel, rng, X):
    f = random_function(kernel, rng)
    for x in X:
        assert f.inner(KernelExpansion.at(kernel, x)) == pytest.approx(f([x])[0])
    first, second = (KernelExpansion.at(kernel, x) for x in X[:2])
    assert first.inner(second) == pytest.approx(kernel(X[:1], X[1:2])[0, 0])


@pytest.mark.syllabus("S0B-148", "S4A-148")
def test_a_small_norm_means_small_values(rng, X):
    kernel = Polynomial(2)
    for _ in range(20):
        f = random_function(kernel, rng)
        assert (np.abs(f(X)) <= f.norm * np.sqrt(kernel.diagonal(X)) + 1e-9).all()


@pytest.mark.syllabus("S0B-149")
def test_the_inner_product_of_functions_is_itself_a_kernel(rng):
    functions = [random_function(Gaussian(), rng) for _ in range(8)]
    gram = [[f.inner(g) for g in functions] for f in functions]
    assert check_definite(np.array(gram))


def test_functions_of_strings_and_of_sparse_rows(rng):
    f = KernelExpansion(Spectrum(2), ["abab", "b"], [1.0, -2.0])
    assert f(["ab", ""]).tolist() == [2.0, 0.0]
    assert (f + KernelExpansion.at(Spectrum(2), "ab"))(["ab"])[0] == 3.0
    X = sparse.csr_array(np.eye(3))
    g = KernelExpansion(Linear(), X, [1.0, 2.0, 3.0])
    assert (g + g)(np.eye(3)).tolist() == [2.0, 4.0, 6.0]
    assert KernelExpansion.at(Linear(), X[[1]])(np.eye(3)).tolist() == [0.0, 1.0, 0.0]


@pytest.mark.syllabus("S4A-155", "S3-094")
def test_the_length_of_a_combination_of_features_is_a_quadratic_form(rng):
    X, beta = rng.normal(size=(9, 2)), rng.normal(size=9)
    phi = np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])
    kernel = Polynomial(2, offset=0.0)
    w, f = phi.T @ beta, KernelExpansion(kernel, X, beta)
    assert beta @ kernel(X) @ beta == pytest.approx(w @ w)
    assert f.norm == pytest.approx(np.linalg.norm(w))
    assert f(X) == pytest.approx(phi @ w)
    assert f(X) == pytest.approx(kernel(X) @ beta)


@pytest.mark.syllabus("S4A-149", "S3-092")
@pytest.mark.parametrize("loss", [Squared(), Logistic(), Hinge()], ids=repr)
def test_minimisers_lie_among_the_samples_features(loss, rng):
    X = rng.normal(size=(4, 3))
    y = np.array([1.0, -1.0, 1.0, -1.0])
    phi = np.column_stack([X, X**2, X[:, [0]] * X[:, 1:]])  # 4 samples, 8 features
    risk = LinearRisk(as_design(phi), y, loss, Ridge(0.1), intercept=False)
    w = choose(risk)(tolerance=1e-10).solve(risk).point[:-1]
    alpha, *_ = np.linalg.lstsq(phi.T, w, rcond=None)
    assert phi.T @ alpha == pytest.approx(w, abs=1e-4)
    assert np.linalg.norm(w) > 0.01


@pytest.mark.syllabus("S4A-198", "S4A-199", "S4A-200", "S4A-201", "S4A-202")
@pytest.mark.parametrize("shape", [(5, 9), (9, 5)])
def test_covariance_and_kernel_matrix_share_their_spectrum(shape, rng):
    X = rng.normal(size=shape)
    X -= X.mean(axis=0)
    C, K = X.T @ X, Linear()(X)
    assert sum(np.outer(x, x) for x in X) == pytest.approx(C)
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-9
    assert kept.sum() <= min(shape)
    assert np.linalg.eigvalsh(C)[::-1][: kept.sum()] == pytest.approx(
        values[kept][::-1]
    )
    for value, a in zip(values[kept], vectors.T[kept], strict=True):
        v = X.T @ a
        assert C @ v == pytest.approx(value * v)
        assert np.linalg.norm(v) == pytest.approx(np.sqrt(value))
        back = X @ v / value
        assert K @ back == pytest.approx(value * back)
        assert X.T @ back == pytest.approx(v)
        axis = v / np.sqrt(value)  # a unit axis, from scalar products alone
        assert np.linalg.norm(axis) == pytest.approx(1.0)
        assert K @ a == pytest.approx(X @ v)


@pytest.mark.syllabus("S4A-166")
def test_rows_and_columns_are_two_normalisations(X):
    centred = X - X.mean(axis=0)
    rows_scaled = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    assert Cosine()(centred) == pytest.approx(Linear()(rows_scaled))
    assert np.linalg.norm(rows_scaled, axis=1) == pytest.approx(1.0)
    columns_scaled = centred / np.linalg.norm(centred, axis=0)
    assert np.linalg.norm(columns_scaled, axis=0) == pytest.approx(1.0)
    # Scaling features is seen by the columns only, scaling points by the rows only.
    assert np.abs(Linear()(columns_scaled) - Linear()(rows_scaled)).max() > 0.1


def test_alignment_is_the_angle_between_gram_matrices(rng):
    y = np.where(rng.random(40) < 0.5, 1.0, -1.0)
    X = np.column_stack([y + 0.3 * rng.normal(size=40), rng.normal(size=40)])
    K = Gaussian()(X)
    assert kernel_alignment(K, 3.0 * K) == pytest.approx(1.0)
    assert kernel_alignment(K, np.outer(y, y)) == pytest.approx(
        target_alignment(K, y, centered=False)
    )
    centred = [center_gram(M) for M in (K, np.outer(y, y))]
    assert target_alignment(K, y) == pytest.approx(kernel_alignment(*centred))
    good, bad = (target_alignment(Gaussian()(X[:, [j]]), y) for j in (0, 1))
    assert good > 0.5
    assert bad < 0.2
    names = np.where(y > 0, "yes", "no")
    assert target_alignment(K, names) == pytest.approx(target_alignment(K, y))
    with pytest.raises(DataError, match="one size"):
        kernel_alignment(K, K[:3])
