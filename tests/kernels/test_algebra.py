"""What may be done to kernels so that kernels come out."""

import numpy as np
import pytest
from sklearn.preprocessing import KernelCenterer, PolynomialFeatures

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import (
    Centered,
    Composed,
    Conditioned,
    ConicCombination,
    Constant,
    Delta,
    Exponentiated,
    FromDistance,
    FromFunction,
    Gaussian,
    Kernel,
    Linear,
    Normalized,
    Polynomial,
    Power,
    Product,
    RadialOf,
    Reweighted,
    Scaled,
    Sigmoid,
    Spectrum,
    Sum,
    TensorProduct,
    center_gram,
    check_definite,
    gram_from_distances,
    kernel_distances,
    normalize_gram,
)


@pytest.fixture(name="X")
def rows(rng):
    return rng.normal(size=(15, 3))


@pytest.mark.syllabus("S1-065", "S3-088", "S3-087", "S3-089", "S4A-143")
def test_sums_products_and_multiples_of_kernels_are_kernels(X):
    first, second = Gaussian(0.8), Polynomial(2)
    K, L = first(X), second(X)
    assert (first + second)(X) == pytest.approx(K + L)
    assert (first * second)(X) == pytest.approx(K * L)
    assert (2.5 * first)(X) == pytest.approx(2.5 * K)
    assert (first * 0)(X) == pytest.approx(0 * K)
    assert (first**3)(X) == pytest.approx(K**3)
    assert (first + 2.0)(X) == pytest.approx(K + 2.0)
    assert (1.0 + first)(X) == pytest.approx(K + 1.0)
    assert sum([first, second, first])(X) == pytest.approx(2 * K + L)
    for kernel in (first + second, first * second, 2.5 * first, first**3):
        assert kernel.definite
        assert check_definite(kernel, X)
    for wrong in (lambda: -1.0 * first, lambda: first**0.5, lambda: first + -1.0):
        with pytest.raises(InvalidParameterError):
            wrong()


@pytest.mark.syllabus("S3-089")
def test_the_product_has_products_of_features(rng):
    # Schur: entrywise products of random positive semi-definite matrices stay so.
    for _ in range(20):
        A, B = rng.normal(size=(2, 6, 2))
        features = (A[:, :, None] * B[:, None, :]).reshape(6, 4)
        schur = (A @ A.T) * (B @ B.T)
        assert schur == pytest.approx(features @ features.T)
        assert check_definite(schur)


def test_sums_of_sums_and_products_of_products_are_flat():
    a, b, c = Linear(), Gaussian(), Constant()
    assert ((a + b) + c).parts == (a + (b + c)).parts == (a, b, c)
    assert ((a * b) * c).parts == (a, b, c)
    assert isinstance(a + b, Sum)
    assert isinstance(a * b, Product)
    assert isinstance(2 * a, Scaled)
    assert isinstance(a**2, Power)
    assert Linear() == Linear()
    assert Gaussian(2.0) + Linear() == Gaussian(2.0) + Linear()


@pytest.mark.syllabus("S4A-143")
def test_conic_combinations_and_limits_are_kernels(X):
    mix = ConicCombination((Linear(), Gaussian()), (0.3, 2.0))
    assert mix(X) == pytest.approx(0.3 * Linear()(X) + 2 * Gaussian()(X))
    assert mix.diagonal(X) == pytest.approx(mix(X).diagonal())
    with pytest.raises(InvalidParameterError, match="one number per kernel"):
        ConicCombination((Linear(),), (1.0, 2.0))
    with pytest.raises(InvalidParameterError, match="weights"):
        ConicCombination((Linear(),), (-1.0,))
    # The exponential is the pointwise limit of sums of powers.
    term, total = np.ones((15, 15)), np.ones((15, 15))
    for d in range(1, 40):
        term = term * Linear()(X) / d
        total = total + term
    assert Exponentiated(Linear())(X) == pytest.approx(total)
    assert check_definite(total)


def test_the_normalised_exponential_is_the_gaussian(X):
    inner = Exponentiated(Linear() * (1 / 1.3**2))
    assert Normalized(inner)(X) == pytest.approx(Gaussian(1.3)(X))


@pytest.mark.syllabus("S3-090", "S3-091", "S4A-143")
def test_a_kernel_of_images_and_between_functions_is_a_kernel(X):
    def psi(x):
        return np.array([np.sin(x[0]), x[1] * x[2]])

    images = np.array([psi(x) for x in X])
    assert Composed(Gaussian(), psi)(X) == pytest.approx(Gaussian()(images))
    fitted = PolynomialFeatures(2).fit(X)
    expected = fitted.transform(X) @ fitted.transform(X).T
    assert Composed(Linear(), fitted)(X) == pytest.approx(expected)

    def f(x):
        return x[0] - 0.5

    values = np.array([f(x) for x in X])
    assert (values < 0).any()
    one_feature = Reweighted(Constant(), f)
    assert one_feature(X) == pytest.approx(np.outer(values, values))
    between = Reweighted(Gaussian(), f)
    assert between(X) == pytest.approx(np.outer(values, values) * Gaussian()(X))
    assert check_definite(one_feature, X)
    assert check_definite(between, X)


@pytest.mark.syllabus("S4A-164")
def test_centring_moves_the_origin_to_the_mean_of_the_sample(rng, X):
    new = rng.normal(size=(4, 3)) + 2.0
    for kernel in (Linear(), Polynomial(2), Gaussian()):
        K, C = kernel(X), kernel(new, X)
        n = len(X)
        ones = np.full((n, n), 1 / n)
        by_formula = K - ones @ K - K @ ones + ones @ K @ ones
        centred = Centered(kernel, X)
        assert center_gram(K) == pytest.approx(by_formula)
        assert centred(X) == pytest.approx(by_formula)
        assert np.abs(centred(X).sum(axis=0)).max() < 1e-9
        peer = KernelCenterer().fit(K)
        assert center_gram(K, C) == pytest.approx(peer.transform(C))
        assert centred(new, X) == pytest.approx(peer.transform(C))
    features = X - X.mean(axis=0)
    assert Centered(Linear(), X)(X) == pytest.approx(features @ features.T)
    with pytest.raises(DataError, match="at least one"):
        Centered(Linear(), [])


@pytest.mark.syllabus("S4A-165")
def test_normalising_gives_every_thing_length_one(X):
    kernel = Normalized(Polynomial(3))
    K = kernel(X)
    raw = Polynomial(3)(X)
    lengths = np.sqrt(raw.diagonal())
    assert pytest.approx(raw / np.outer(lengths, lengths)) == K
    assert (K.diagonal() == 1.0).all()
    assert np.abs(K).max() <= 1.0 + 1e-12
    assert check_definite(K)
    assert normalize_gram(raw) == pytest.approx(K)
    strings = Normalized(Spectrum(2))(["", "abab", "ba"])
    assert strings[0].tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(DataError, match="negative"):
        Normalized(Sigmoid(1.0, -9.0))(X)


def test_conditioning_leaves_what_the_sample_does_not_explain(rng, X):
    sample, noise = X[:5], 0.2
    kernel = Gaussian(1.5)
    K = kernel(sample) + noise * np.eye(5)
    C = kernel(X, sample)
    expected = kernel(X) - C @ np.linalg.solve(K, C.T)
    conditioned = Conditioned(kernel, sample, noise)
    assert conditioned(X) == pytest.approx(expected)
    assert conditioned.diagonal(X) == pytest.approx(expected.diagonal())
    exact = Conditioned(kernel, sample)
    assert np.abs(exact(sample, X)).max() < 1e-8  # functions that vanish there
    line = Conditioned(Linear(), X[:1])
    apart = X - np.outer(X @ X[0] / (X[0] @ X[0]), X[0])
    assert line(X) == pytest.approx(apart @ apart.T)


def test_tuples_are_compared_component_by_component(rng):
    things = [("ab", rng.normal(size=2)) for _ in range(4)] + [("ba", np.ones(2))]
    kernel = TensorProduct((Delta(), Gaussian()))
    names = Delta()([t[0] for t in things])
    vectors = Gaussian()(np.array([t[1] for t in things]))
    assert kernel(things) == pytest.approx(names * vectors)
    with pytest.raises(DataError, match="2 components"):
        kernel([("a",)])


@pytest.mark.syllabus("S4A-150")
def test_distances_in_feature_space_may_be_zero_between_different_things(rng, X):
    square = Polynomial(2, offset=0.0)
    assert kernel_distances(square, X, -X).diagonal() == pytest.approx(0.0, abs=1e-6)
    assert kernel_distances(Linear(), X) == pytest.approx(
        np.linalg.norm(X[:, None] - X[None], axis=2), abs=1e-7
    )
    apart = kernel_distances(Gaussian(), X, -X)
    assert apart.diagonal().min() > 0.1  # the Gaussian map is injective


def test_a_distance_gives_its_kernel_back(X):
    def euclid(A, B):
        return np.linalg.norm(np.asarray(A)[:, None] - np.asarray(B)[None], axis=2)

    origin = X[:1]
    assert FromDistance(euclid, origin, claim=True)(X) == pytest.approx(
        (X - origin) @ (X - origin).T
    )
    assert RadialOf(euclid, width=np.sqrt(2) * 1.7)(X) == pytest.approx(
        Gaussian(1.7)(X)
    )
    assert not FromDistance(euclid, origin).definite
    assert gram_from_distances(euclid(X, X)) == pytest.approx(
        center_gram(X @ X.T), abs=1e-9
    )
    # Distances along a star fit into no Euclidean space: leaves are 2 apart.
    star = 2.0 * (1 - np.eye(4))
    star[0, 1:] = star[1:, 0] = 1.0
    assert not check_definite(gram_from_distances(star))


@pytest.mark.syllabus("S4A-144")
def test_a_similarity_is_checked_before_it_is_believed(X):
    def closeness(x, z):
        return -float(((x - z) ** 2).sum())

    with pytest.raises(InvalidParameterError, match="indefinite on the sample"):
        FromFunction(closeness, X)
    with pytest.raises(InvalidParameterError, match="not symmetric"):
        FromFunction(lambda x, z: float(x[0] > z[0]) + 9 * float((x == z).all()), X)
    brave = FromFunction(closeness, X, claim=False)
    assert not brave.definite
    assert FromFunction(lambda x, z: float(x @ z), X)(X) == pytest.approx(X @ X.T)


@pytest.mark.syllabus("S0B-115", "S4A-135")
def test_any_feature_map_on_any_set_makes_a_kernel():
    things = ["tree", (1, 2, 3), frozenset({4}), "a"]
    kernel = Composed(Linear(), lambda thing: [len(thing), isinstance(thing, str)])
    features = np.array([[4, 1], [3, 0], [1, 0], [1, 1]])
    assert isinstance(kernel, Kernel)
    assert np.array_equal(kernel(things), features @ features.T)
    assert check_definite(kernel, things)
