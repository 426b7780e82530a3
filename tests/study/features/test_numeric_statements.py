"""What the numeric features are: intercept column, standardisation, bases, norms."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from infimum.errors import DataError, InvalidParameterError
from infimum.study.features import (
    FeatureMap,
    InterceptColumn,
    PolynomialBasis,
    QuadraticMonomials,
    SineBasis,
    Standardizer,
    maximal_slope,
    p_norm,
    p_power,
    support_size,
)


@pytest.mark.syllabus("S4A-045")
def test_a_column_of_ones_absorbs_the_intercept(rng):
    X, w, b = rng.standard_normal((9, 4)), rng.standard_normal(4), 2.5
    extended = InterceptColumn().fit_transform(X)
    assert extended.shape == (9, 5)
    assert extended @ np.append(w, b) == pytest.approx(X @ w + b)


@pytest.mark.syllabus("S4A-057")
def test_standardised_columns_have_mean_zero_and_length_one(rng):
    X = rng.standard_normal((40, 3)) * [1, 1000, 0.01] + [10, 0, -3]
    X = np.column_stack([X, np.full(40, 0.1)])
    scaler = Standardizer().fit(X)
    Z = scaler.transform(X)
    assert Z.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(Z[:, :3], axis=0) == pytest.approx(1)
    assert scaler.scale_[3] == 1.0  # a constant column is guarded, not divided by 0
    assert Z[:, 3] == pytest.approx(0, abs=1e-15)
    # Length 1 is variance 1/n: the other convention differs by √n.
    assert Z[:, :3] * np.sqrt(40) == pytest.approx(
        StandardScaler().fit_transform(X)[:, :3]
    )
    unit = Standardizer("variance").fit_transform(X)
    assert unit[:, :3].var(axis=0) == pytest.approx(1)
    new = rng.standard_normal((5, 4))
    assert scaler.transform(new) == pytest.approx((new - scaler.mean_) / scaler.scale_)


@pytest.mark.syllabus("S4A-060")
def test_the_sine_basis_is_sin_kx_and_orthogonal_on_a_period():
    x = np.linspace(0, 2 * np.pi, 64, endpoint=False)[:, None]
    S = SineBasis(10).fit_transform(x)
    assert S[:, 6] == pytest.approx(np.sin(7 * x[:, 0]))
    assert np.allclose(S.T @ S, 32 * np.eye(10), atol=1e-10)
    w = np.array([0, 2.0, 0, 0, -1, 0, 0, 0.5, 0, 0])
    assert S.T @ (S @ w) / 32 == pytest.approx(w, abs=1e-12)


@pytest.mark.syllabus("S4A-061")
def test_the_polynomial_basis_holds_the_powers_without_the_constant():
    x = np.linspace(-1, 2, 7)
    P = PolynomialBasis(4).fit_transform(x[:, None])
    vandermonde = np.vander(x, 5, increasing=True)
    assert pytest.approx(vandermonde[:, 1:]) == P
    y = 3 * x - x**3
    fitted = np.linalg.lstsq(P, y)[0]
    with_constant = np.polyfit(x, y, 4)[::-1]
    assert fitted == pytest.approx(with_constant[1:], abs=1e-10)


@pytest.mark.syllabus("S4A-063", "S3-073")
@pytest.mark.parametrize("d", [1, 2, 5, 8])
def test_degree_two_monomials_are_the_quadratic_kernel(d, rng):
    X, Z = rng.standard_normal((6, d)), rng.standard_normal((4, d))
    once = QuadraticMonomials().fit(X)
    reference = PolynomialFeatures(2, include_bias=False).fit_transform(X)[:, d:]
    assert once.transform(X) == pytest.approx(reference)
    assert once.transform(X).shape[1] == d * (d + 1) // 2
    for pairs, width in (("ordered", d * d), ("isometric", d * (d + 1) // 2)):
        twice = QuadraticMonomials(pairs).fit(X)
        image = twice.transform(X)
        assert image.shape[1] == width
        kernel = polynomial_kernel(X, Z, degree=2, gamma=1, coef0=0)
        assert image @ twice.transform(Z).T == pytest.approx(kernel)
        flat = twice.transform(sparse.csr_array(X)).toarray()
        assert flat == pytest.approx(image)


@pytest.mark.syllabus("S0B-120", "S1-054")
def test_the_two_quadratic_maps_of_the_plane():
    x = [[3.0, 5.0]]
    ordered = QuadraticMonomials("ordered").fit(x)
    assert ordered.transform(x).tolist() == [[9, 15, 15, 25]]
    assert list(ordered.get_feature_names_out()) == ["x0^2", "x0 x1", "x1 x0", "x1^2"]
    short = QuadraticMonomials("isometric").fit_transform(x)
    assert short[0] == pytest.approx([9, np.sqrt(2) * 15, 25])


@pytest.mark.syllabus("S4A-056")
def test_a_feature_map_turns_any_object_into_a_vector_and_into_a_kernel():
    words = ["banana", "plum", "avocado"]
    length = FeatureMap([len], names=["length"])
    letters = FeatureMap([lambda w: w.count("a"), lambda w: w.count("m")])
    both = length + letters
    Phi = both.fit_transform(words)
    assert Phi.tolist() == [[6, 3, 0], [4, 0, 1], [7, 2, 0]]
    assert both.kernel(words) == pytest.approx(Phi @ Phi.T)
    assert both.kernel(words[:1], words).tolist() == [[45, 24, 48]]
    assert both.get_feature_names_out()[0] == "length"


def test_a_vectorised_map_sees_the_whole_collection_at_once():
    x = np.linspace(0, 1, 5)
    quick = FeatureMap([np.sin, np.cos], vectorized=True)
    slow = FeatureMap([np.sin, np.cos])
    assert quick.fit_transform(x) == pytest.approx(slow.fit_transform(x))
    joined = (quick + slow).fit_transform(x)
    assert joined[:, :2] == pytest.approx(joined[:, 2:])
    assert list(quick.get_feature_names_out()) == ["sin", "cos"]


def test_a_feature_map_says_what_is_wrong():
    with pytest.raises(InvalidParameterError, match="at least one function"):
        FeatureMap([]).fit()
    with pytest.raises(InvalidParameterError, match="one name per function"):
        FeatureMap([len], names=["a", "b"]).fit()
    with pytest.raises(DataError, match="one number per object"):
        FeatureMap([np.mean], vectorized=True).fit_transform(np.ones(3))


@pytest.mark.syllabus("S4A-075")
@pytest.mark.parametrize("p", [0.5, 1, 1.5, 2, 3, np.inf])
def test_a_p_norm_is_a_norm_exactly_from_one_on(p, rng):
    w, v = rng.standard_normal((2, 100, 4))
    assert p_norm(w[0], p) == pytest.approx(np.linalg.norm(w[0], ord=p))
    assert p_norm(w, p, axis=1) == pytest.approx(np.linalg.norm(w, ord=p, axis=1))
    assert p_norm(-2 * w[0], p) == pytest.approx(2 * p_norm(w[0], p))
    e, f = np.eye(2)
    if p >= 1:
        total = p_norm(w, p, axis=1) + p_norm(v, p, axis=1)
        assert (p_norm(w + v, p, axis=1) <= total + 1e-12).all()
        # The unit ball is convex: a midpoint of two unit vectors stays inside.
        unit = w / p_norm(w, p, axis=1)[:, None]
        assert (p_norm((unit[:50] + unit[50:]) / 2, p, axis=1) <= 1 + 1e-12).all()
    else:
        assert p_norm(e, p) + p_norm(f, p) == 2 < p_norm(e + f, p) == 4
        assert p_norm((e + f) / 2, p) > 1  # outside the ball of e and f


@pytest.mark.syllabus("S4A-076")
def test_the_zero_norm_is_the_limit_of_the_pth_power_and_not_homogeneous():
    w = np.array([3.0, 0, -1e-2, 0, 700, 0])
    limits = [abs(p_power(w, p) - 3) for p in (1e-2, 1e-4, 1e-6)]
    assert limits == sorted(limits, reverse=True)
    assert limits[-1] < 1e-5
    assert p_power(w, 0) == support_size(w) == 3  # 0⁰ counts as 0
    assert support_size(2 * w) == support_size(w) != 2 * support_size(w)
    assert p_norm(w, 1e-2) > 1e40  # the root is what diverges


def test_norms_neither_overflow_nor_accept_a_negative_power():
    assert p_norm([3e200, 4e200], 2) == pytest.approx(5e200)
    assert p_norm(np.zeros(3), 0.5) == p_norm(np.zeros(3), np.inf) == 0
    with pytest.raises(InvalidParameterError, match="p_norm"):
        p_norm([1.0], 0)
    with pytest.raises(InvalidParameterError, match="p_power"):
        p_power([1.0], -1)


@pytest.mark.syllabus("S4A-042")
def test_the_maximal_slope_measures_how_steep_a_function_gets():
    assert maximal_slope(np.sin, 0, 6) == pytest.approx(1, abs=1e-5)
    assert maximal_slope(lambda x: x**3 - x, -1, 2) == pytest.approx(11, abs=1e-4)
    assert maximal_slope(np.zeros_like, 0, 1) == 0
    # A size of functions: scaling scales it, adding a constant does not change it.
    steeper = maximal_slope(lambda x: 5 - 3 * np.sin(x), 0, 6)
    assert steeper == pytest.approx(3 * maximal_slope(np.sin, 0, 6))
    with pytest.raises(InvalidParameterError, match="low must be below high"):
        maximal_slope(np.sin, 1, 1)
    with pytest.raises(DataError, match="one number per point"):
        maximal_slope(np.sum, 0, 1)
