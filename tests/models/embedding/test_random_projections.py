"""Random projections: lengths kept on average, distances with high probability."""

import numpy as np
import pytest
import sklearn.random_projection
from scipy import sparse, stats

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.embedding import (
    GaussianRandomProjection,
    SignRandomProjection,
    SparseRandomProjection,
    SubspaceRandomProjection,
    find_projection,
    johnson_lindenstrauss_min_dim,
    length_tail_bound,
    measure_distortion,
    projection_dimension,
    sample_sphere,
    subspace_tail_bound,
)

KINDS = [
    GaussianRandomProjection,
    SignRandomProjection,
    SparseRandomProjection,
    SubspaceRandomProjection,
]


def cloud(n=50, d=300, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


@pytest.mark.syllabus("S0B-227", "S4A-215")
def test_the_lemma_says_how_many_directions_keep_all_distances():
    for n, eps, beta, k in [
        (1000, 0.1, 0, 5921),
        (1000, 0.1, 1, 8882),
        (100, 0.5, 1, 332),
        (10, 0.2, 1, 798),
        (10_000, 0.1, 0, 7895),
        (1_000_000, 0.5, 0, 664),
    ]:
        assert projection_dimension(n, eps, beta) == k
    # scikit-learn rounds down, which "more than" does not allow.
    theirs = sklearn.random_projection.johnson_lindenstrauss_min_dim
    counts, errors = [100, 10_000, 1_000_000], [0.1, 0.3, 0.5]
    ours = johnson_lindenstrauss_min_dim(counts, eps=errors)
    np.testing.assert_array_equal(ours, theirs(counts, eps=errors))
    assert johnson_lindenstrauss_min_dim(1000, eps=0.1) == 5920


@pytest.mark.syllabus("S0B-228", "S0B-230", "S4A-217")
@pytest.mark.parametrize("kind", KINDS)
def test_squared_lengths_are_kept_on_average(kind):
    x = sample_sphere(1, 40, random_state=0)
    squares = [
        np.sum(np.square(kind(10, random_state=seed).fit(x).transform(x)))
        for seed in range(600)
    ]
    # Gaussian entries give χ²/k; the others stray no further.
    assert abs(np.mean(squares) - 1.0) < 4 * np.sqrt(2 / 10) / np.sqrt(600)
    if kind is GaussianRandomProjection:
        test = stats.kstest(np.array(squares) * 10, stats.chi2(10).cdf)
        assert test.pvalue > 0.01


@pytest.mark.syllabus("S0B-230")
@pytest.mark.parametrize("k", [5, 50, 500])
@pytest.mark.parametrize("eps", [0.1, 0.5, 0.9])
def test_lengths_stray_less_often_than_the_bound(k, eps):
    too_long = stats.chi2.sf(k * (1 + eps), k)
    too_short = stats.chi2.cdf(k * (1 - eps), k)
    assert too_long <= length_tail_bound(k, eps, sharp=True)
    assert length_tail_bound(k, eps, sharp=True) <= length_tail_bound(k, eps)
    assert too_short <= length_tail_bound(k, eps)


@pytest.mark.syllabus("S0B-230")
def test_a_pair_fails_with_chance_at_most_two_over_a_power_of_n():
    n, eps, beta = 100, 0.4, 1.0
    k = projection_dimension(n, eps, beta)
    assert 2 * length_tail_bound(k, eps) <= 2 / n ** (2 + beta)


@pytest.mark.syllabus("S0B-229", "S0A-046", "S4A-225")
@pytest.mark.parametrize("kind", [GaussianRandomProjection, SignRandomProjection])
def test_projections_of_the_lemmas_size_fail_no_more_often_than_it_says(kind):
    X, eps, beta = cloud(20, 300), 0.5, 1.0
    k = projection_dimension(20, eps, beta)
    assert k < 300
    failures = 0
    for seed in range(40):
        Z = kind(k, random_state=seed).fit(X).transform(X)
        failures += not measure_distortion(X, Z).within(eps)
    assert failures / 40 <= 20 ** (-beta)


@pytest.mark.syllabus("S4A-225")
def test_signs_have_columns_of_one_length():
    X = cloud(4, 30)
    R = SignRandomProjection(12, random_state=0).fit(X).components_
    np.testing.assert_allclose(np.abs(R), 1 / np.sqrt(12))
    np.testing.assert_allclose(np.linalg.norm(R * np.sqrt(12), axis=1), np.sqrt(30))
    assert 100 < np.sum(R > 0) < 260
    assert projection_dimension(100, 0.5, 1) == 332
    assert projection_dimension(1000, 0.2, 1) == 2392
    assert projection_dimension(1000, 0.2, 0) == 1595  # Theorem 17's


@pytest.mark.syllabus("S4A-216", "S4A-218")
def test_one_direction_catches_a_dth_of_a_vector_on_average():
    d = 7
    x = np.eye(d)[0]
    squares = (sample_sphere(20_000, d, random_state=0) @ x) ** 2
    deviation = np.sqrt(stats.beta(0.5, (d - 1) / 2).var() / 20_000)
    assert abs(squares.mean() - 1 / d) < 4 * deviation


@pytest.mark.syllabus("S4A-219", "S4A-220", "S4A-221")
@pytest.mark.parametrize(
    ("d", "k", "factor", "chance", "bound"),
    [
        (100, 10, 0.5, 0.0970, 0.3807),
        (100, 10, 1.5, 0.1228, 0.6233),
        (1000, 50, 0.8, 0.1500, 0.5607),
        (1000, 50, 1.25, 0.1049, 0.5110),
    ],
)
def test_a_subspace_catches_its_share_with_exponential_certainty(
    d, k, factor, chance, bound
):
    law = stats.beta(k / 2, (d - k) / 2)
    assert law.mean() == pytest.approx(k / d)
    exact = law.cdf(factor * k / d) if factor < 1 else law.sf(factor * k / d)
    assert exact == pytest.approx(chance, abs=6e-5)
    assert subspace_tail_bound(k, factor) == pytest.approx(bound, abs=6e-5)
    assert exact <= subspace_tail_bound(k, factor)


@pytest.mark.syllabus("S4A-219")
def test_subspaces_are_drawn_without_preference():
    d, k = 12, 4
    x = sample_sphere(1, d, random_state=3)
    shares = [
        np.sum(SubspaceRandomProjection(k, random_state=s).fit_transform(x) ** 2)
        * k
        / d
        for s in range(300)
    ]
    assert stats.kstest(shares, stats.beta(k / 2, (d - k) / 2).cdf).pvalue > 0.01


@pytest.mark.syllabus("S4A-222")
def test_drawing_again_finds_a_projection_that_keeps_every_distance():
    X = cloud()
    found = find_projection(X, 0.5, random_state=0)
    assert found.projection.n_components_ == projection_dimension(50, 0.5) == 188
    assert found.tries <= 50  # n are expected at most; one is usual
    assert found.distortion.pairs == 50 * 49 // 2
    Z = found.projection.transform(X)
    for i, j in [(0, 1), (7, 31), (48, 49)]:
        ratio = np.sum((Z[i] - Z[j]) ** 2) / np.sum((X[i] - X[j]) ** 2)
        assert found.distortion.least <= ratio <= found.distortion.largest
        assert 0.5 <= ratio <= 1.5
    few = GaussianRandomProjection(25)
    again = find_projection(X, 0.8, projection=few, random_state=1)
    assert again.tries > 1  # too few directions, and yet some draw will do
    with pytest.raises(IncompatibleError, match="none of 2 projections"):
        find_projection(X, 0.1, projection=few, max_tries=2, random_state=0)


@pytest.mark.syllabus("S4A-223", "S4A-224")
def test_normalised_gaussians_are_uniform_on_the_sphere_and_angles_are_not():
    right = sample_sphere(4000, 3, random_state=0)
    np.testing.assert_allclose(np.linalg.norm(right, axis=1), 1.0)
    draw = np.random.default_rng(0)
    polar, around = draw.uniform(0, np.pi, 4000), draw.uniform(0, 2 * np.pi, 4000)
    wrong = np.column_stack(
        (np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar))
    )
    assert np.mean(right[:, 2] ** 2) == pytest.approx(1 / 3, abs=0.02)
    assert np.mean(wrong[:, 2] ** 2) == pytest.approx(1 / 2, abs=0.02)
    law = stats.beta(0.5, 1.0).cdf  # one squared coordinate in three dimensions
    assert stats.kstest(right[:, 2] ** 2, law).pvalue > 0.01
    assert stats.kstest(wrong[:, 2] ** 2, law).pvalue < 1e-6
    turn = np.linalg.qr(draw.standard_normal((3, 3)))[0]
    assert stats.kstest((right @ turn)[:, 0] ** 2, law).pvalue > 0.01


@pytest.mark.syllabus("S4A-224")
def test_a_subspace_has_an_orthonormal_frame():
    Z = SubspaceRandomProjection(5, random_state=0).fit(cloud(3, 20)).components_
    np.testing.assert_allclose(Z @ Z.T, np.eye(5) * 20 / 5, atol=1e-12)
    with pytest.raises(InvalidParameterError, match="does not fit"), pytest.warns():
        SubspaceRandomProjection(21).fit(cloud(3, 20))


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_float32_and_the_way_back(kind):
    X = sparse.random_array((30, 80), density=0.2, rng=0, format="csr")
    fit = kind(20, compute_inverse_components=True, random_state=0).fit(X)
    Z = fit.transform(X)
    plain = fit.transform(X.toarray())
    np.testing.assert_allclose(Z.toarray() if sparse.issparse(Z) else Z, plain)
    back = fit.inverse_transform(plain)
    np.testing.assert_allclose(fit.transform(back), plain, atol=1e-10)
    assert kind(20).fit_transform(X.toarray().astype(np.float32)).dtype == np.float32


def test_wrong_requests_are_told_in_one_sentence():
    X = cloud(10, 30)
    with pytest.raises(InvalidParameterError, match="ask for 1973 components"):
        GaussianRandomProjection().fit(X)
    with pytest.raises(InvalidParameterError, match="density"):
        SparseRandomProjection(5, density=2.0).fit(X)
    with pytest.raises(InvalidParameterError, match="eps must be in"):
        johnson_lindenstrauss_min_dim(10, eps=1.0)
    with pytest.raises(InvalidParameterError, match="n_samples must be positive"):
        johnson_lindenstrauss_min_dim(0)
    with pytest.raises(DataError, match="two points that differ"):
        measure_distortion(np.ones((3, 2)), np.ones((3, 1)))
    with pytest.raises(DataError, match="same points"):
        measure_distortion(X, X[:5])


def test_the_tails_of_lengths_have_the_values_that_their_formulas_give():
    sharp, plain = length_tail_bound(7, 0.3, sharp=True), length_tail_bound(7, 0.3)
    assert sharp == pytest.approx((1.3 * np.exp(-0.3)) ** 3.5, rel=1e-12)
    assert plain == pytest.approx(np.exp(-3.5 * (0.045 - 0.009)), rel=1e-12)
    subspace = subspace_tail_bound(7, 1.6)
    assert subspace == pytest.approx(np.exp(3.5 * (np.log(1.6) - 0.6)), rel=1e-12)
