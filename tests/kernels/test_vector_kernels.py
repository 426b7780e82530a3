"""Kernels on vectors: their formulas, their features, and what they are known for."""

from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np
import pytest
from scipy import sparse, special
from sklearn.gaussian_process import kernels as peers
from sklearn.metrics import pairwise

from infimum.errors import DataError
from infimum.kernels import (
    AdditiveChiSquared,
    BSpline,
    Cosine,
    Exponential,
    ExponentialChiSquared,
    Gaussian,
    Hamming,
    HistogramIntersection,
    Laplacian,
    Linear,
    Matern,
    Normalized,
    Polynomial,
    RationalQuadratic,
    Sigmoid,
    check_definite,
)


@pytest.fixture(name="X")
def rows(rng):
    return rng.normal(size=(20, 5))


@pytest.fixture(name="Z")
def columns(rng):
    return 2.0 * rng.normal(size=(7, 5)) + 1.0


@pytest.mark.syllabus("S0B-117", "S1-061", "S3-084", "S4A-136")
def test_the_linear_kernel_is_the_inner_product_dense_and_sparse(X, Z):
    assert Linear()(X, Z) == pytest.approx(X @ Z.T)
    assert Linear()(X, Z) == pytest.approx(pairwise.linear_kernel(X, Z))
    thin = np.where(X > 0.5, X, 0.0)
    assert Linear()(sparse.csr_array(thin)) == pytest.approx(thin @ thin.T)


@pytest.mark.syllabus("S0A-053", "S1-063", "S3-086", "S4A-138")
def test_the_gaussian_kernel_fades_with_squared_distance(X, Z):
    for width in (0.3, 1.0, 8.0):
        gamma = 1 / (2 * width**2)
        expected = pairwise.rbf_kernel(X, Z, gamma=gamma)
        assert Gaussian(width)(X, Z) == pytest.approx(expected, abs=1e-14)
        assert Gaussian.from_gamma(gamma).width == pytest.approx(width)
        assert (Gaussian(width)(X).diagonal() == 1.0).all()
    near, far = Gaussian(2.0)([[0.0]], [[2.0], [6.0]])[0]
    assert near == pytest.approx(0.60653, abs=1e-5)  # alike within one width
    assert far == pytest.approx(0.011109, abs=1e-6)  # strangers beyond three


@pytest.mark.syllabus("S2-068")
def test_distinct_points_are_independent_in_the_gaussian_feature_space(rng):
    X = rng.normal(size=(30, 2))
    assert np.linalg.matrix_rank(Gaussian(0.3)(X)) == 30  # more than any 2-D map gives
    assert np.linalg.matrix_rank(Linear()(X)) == 2


@pytest.mark.syllabus("S0A-052", "S1-062", "S3-085", "S4A-139")
def test_polynomial_kernels_agree_with_an_independent_program(X, Z):
    for degree, offset, scale in [
        (1, 0.0, 1.0),
        (2, 0.0, 1.0),
        (3, 1.0, 1.0),
        (4, 2, 0.3),
    ]:
        expected = pairwise.polynomial_kernel(
            X, Z, degree=degree, gamma=scale, coef0=offset
        )
        assert Polynomial(degree, offset, scale)(X, Z) == pytest.approx(expected)
        assert check_definite(Polynomial(degree, offset, scale), X)


@pytest.mark.syllabus("S0B-119", "S0B-120")
def test_the_homogeneous_kernel_has_all_ordered_products_as_features(rng):
    X = rng.normal(size=(6, 3))
    for degree in (1, 2, 3, 4):
        ordered = [
            [prod(x[list(where)]) for where in product(range(3), repeat=degree)]
            for x in X
        ]
        features = np.array(ordered)
        assert features.shape[1] == 3**degree
        kernel = Polynomial(degree, offset=0.0)
        assert kernel(X) == pytest.approx(features @ features.T)


@pytest.mark.syllabus("S2-066", "S3-076")
def test_three_features_make_the_square_of_the_inner_product(rng):
    X = rng.normal(size=(9, 2))
    features = np.column_stack(
        [X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2]
    )
    assert Polynomial(2, offset=0.0)(X) == pytest.approx(features @ features.T)
    wrong = np.column_stack([X, np.sqrt(2) * X[:, 0] * X[:, 1]])  # without the squares
    assert np.abs(wrong @ wrong.T - Polynomial(2, 0.0)(X)).max() > 0.1


def monomials(X, degree, offset):
    """Return every monomial up to a degree, scaled so that the kernel comes out."""
    padded = np.column_stack([np.full(len(X), np.sqrt(offset)), X])
    columns = []
    for chosen in combinations_with_replacement(range(padded.shape[1]), degree):
        powers = np.bincount(chosen, minlength=padded.shape[1])
        times = factorial(degree) / prod(factorial(int(p)) for p in powers)
        columns.append(np.sqrt(times) * np.prod(padded**powers, axis=1))
    return np.column_stack(columns)


@pytest.mark.syllabus("S0B-121", "S2-067", "S3-077")
def test_an_offset_adds_the_shorter_monomials(rng):
    for dimension, degree, offset in [(2, 2, 1.0), (3, 3, 0.7), (4, 2, 2.5)]:
        X = rng.normal(size=(7, dimension))
        features = monomials(X, degree, offset)
        assert features.shape[1] == comb(dimension + degree, degree)
        assert Polynomial(degree, offset)(X) == pytest.approx(features @ features.T)


@pytest.mark.syllabus("S4A-137")
def test_the_cosine_kernel_is_the_linear_one_between_unit_vectors(X, Z):
    assert Cosine()(X, Z) == pytest.approx(pairwise.cosine_similarity(X, Z))
    assert Cosine()(X, Z) == pytest.approx(Normalized(Linear())(X, Z))
    same, orthogonal, opposite = Cosine()([[2.0, 0]], [[5, 0.0], [0, 3], [-1, 0]])[0]
    assert (same, orthogonal, opposite) == (1.0, 0.0, -1.0)


def test_radial_kernels_agree_with_an_independent_program(X, Z):
    for nu in (0.5, 1.5, 2.5, 0.7, 3.2):
        expected = peers.Matern(length_scale=1.7, nu=nu)(X, Z)
        assert Matern(nu, 1.7)(X, Z) == pytest.approx(expected, abs=1e-12)
    assert Exponential(1.7)(X, Z) == pytest.approx(Matern(0.5, 1.7)(X, Z), abs=1e-14)
    expected = peers.RationalQuadratic(length_scale=2.0, alpha=0.4)(X, Z)
    assert RationalQuadratic(0.4, 2.0)(X, Z) == pytest.approx(expected)
    expected = pairwise.laplacian_kernel(X, Z, gamma=0.4)
    assert Laplacian.from_gamma(0.4)(X, Z) == pytest.approx(expected)
    expected = pairwise.sigmoid_kernel(X, Z, gamma=0.4, coef0=-0.5)
    assert Sigmoid(0.4, -0.5)(X, Z) == pytest.approx(expected)


def test_smooth_kernels_tend_to_the_gaussian(X):
    assert Matern(50.0)(X) == pytest.approx(Gaussian()(X), abs=0.01)
    assert RationalQuadratic(1e12)(X) == pytest.approx(Gaussian()(X), abs=1e-9)


@pytest.mark.parametrize("nu", [0.05, 0.3, 1.0, 1.2, 4.0, 20.0, 49.0])
def test_the_general_matern_formula_holds_from_touching_to_far_apart(nu):
    distances = np.geomspace(1e-9, 1e3, 60)
    values = Matern(nu)(np.zeros((1, 1)), distances[:, None])[0]
    assert np.isfinite(values).all()
    assert (np.diff(values) <= 1e-12).all()
    assert values[0] == pytest.approx(1.0, abs=0.5 if nu < 0.1 else 1e-4)
    s = np.sqrt(2 * nu) * 1.3
    exact = 2 ** (1 - nu) / special.gamma(nu) * s**nu * special.kv(nu, s)
    assert Matern(nu)([[0.0]], [[1.3]])[0, 0] == pytest.approx(exact)


def test_kernels_of_histograms_agree_with_their_formulas(rng):
    X, Z = rng.poisson(2.0, (8, 6)).astype(float), rng.poisson(1.0, (5, 6)) * 1.0
    overlap = np.minimum(X[:, None], Z[None]).sum(axis=2)
    assert np.array_equal(HistogramIntersection()(X, Z), overlap)
    expected = pairwise.chi2_kernel(X, Z, gamma=0.3)
    assert ExponentialChiSquared(0.3)(X, Z) == pytest.approx(expected)
    sums = X[:, None] + Z[None]
    means = 2 * X[:, None] * Z[None] / np.where(sums > 0, sums, 1.0)
    assert AdditiveChiSquared()(X, Z) == pytest.approx(means.sum(axis=2))
    # Bars as rows of units: the features of the intersection.
    units = (np.arange(12) < X[:, :, None]).reshape(8, -1).astype(float)
    assert HistogramIntersection()(X) == pytest.approx(units @ units.T)
    for kernel in (HistogramIntersection(), AdditiveChiSquared()):
        with pytest.raises(DataError, match="negative"):
            kernel(-X)


def test_the_hamming_kernel_counts_agreements_of_anything():
    X = [["a", "x"], ["b", "x"], ["c", "y"]]
    assert Hamming()(X).tolist() == [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    hot = np.array([[1, 0, 0, 1, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 1]])  # one by one
    assert Hamming()(X) == pytest.approx(hot @ hot.T / 2)
    assert Hamming()([[1, 0, 1]], [[1, 1, 1]])[0, 0] == pytest.approx(2 / 3)
    with pytest.raises(DataError, match="one length"):
        Hamming()([[1]], [[1, 2]])


@pytest.mark.parametrize("degree", [0, 1, 2])
def test_b_splines_are_convolutions_of_boxes(degree):
    step = 1e-3
    grid = np.arange(-4, 4, step)
    box = (np.abs(grid) <= 0.5).astype(float)
    bump = box
    for _ in range(2 * degree + 1):
        bump = np.convolve(bump, box, mode="same") * step
    places = np.array([0.0, 0.4, 1.1, 2.3, 3.5])
    expected = np.interp(places, grid, bump)
    values = BSpline(degree)([[0.0]], places[:, None])[0]
    assert values == pytest.approx(expected, abs=5e-3)
    assert (values[places >= degree + 1] == 0.0).all()


def test_near_points_far_from_the_origin_keep_their_distance(rng):
    X = 1e6 + rng.normal(size=(10, 3))
    shifted = X - 1e6
    assert Gaussian()(X) == pytest.approx(Gaussian()(shifted), abs=1e-8)
    twins = Exponential()(X, X + np.array([1e-6, 0, 0])).diagonal()
    assert twins == pytest.approx(np.exp(-1e-6), abs=1e-9)
    single = shifted.astype(np.float32)
    assert (Exponential()(single, single.copy()).diagonal() == 1.0).all()


def test_the_sigmoid_warns_that_it_may_be_indefinite(X):
    assert not Sigmoid().definite
    assert not (Sigmoid() + Linear()).definite
    assert "indefinite" in Sigmoid.__doc__
    check = check_definite(Sigmoid(1.0, -2.0), X)
    assert not check
    c = check.direction
    assert c @ Sigmoid(1.0, -2.0)(X) @ c == pytest.approx(check.smallest)
    assert check.smallest < -0.1


@pytest.mark.parametrize("hole", [np.nan, np.inf])
def test_a_kernel_on_vectors_refuses_what_is_not_finite(X, hole):
    holed = X.copy()
    holed[2, 1] = hole
    for given in (holed, sparse.csr_array(holed)):
        with pytest.raises(DataError, match="finite numbers"):
            Gaussian()(given)
        with pytest.raises(DataError, match="finite numbers"):
            Gaussian()(X, given)
