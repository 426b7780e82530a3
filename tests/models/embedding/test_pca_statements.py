"""What the texts say about principal components."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import ortho_group
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline

from infimum.models.embedding import PCA
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.models.linear import LogisticRegression


def cloud(n=80, d=5, seed=0):
    draw = np.random.default_rng(seed)
    return draw.standard_normal((n, d)) @ draw.standard_normal((d, d)) + 3


def error_of(X, centre, frame):
    """Mean squared distance to centre + span of the rows of the frame."""
    apart = X - centre
    return np.mean(np.sum((apart - apart @ frame.T @ frame) ** 2, axis=1))


@pytest.mark.syllabus("S1-101", "S1-109")
def test_pca_is_a_linear_map_to_few_dimensions_with_orthonormal_rows():
    X = cloud()
    pca = PCA(2).fit(X)
    M = pca.components_
    assert pca.transform(X).shape == (80, 2)
    np.testing.assert_allclose(M @ M.T, np.eye(2), atol=1e-12)
    a, b = X[0] - pca.mean_, X[1] - pca.mean_
    both = pca.transform((pca.mean_ + 2 * a - 3 * b)[None])
    np.testing.assert_allclose(both[0], 2 * M @ a - 3 * M @ b, atol=1e-10)


@pytest.mark.syllabus("S1-102", "S1-103")
def test_least_reconstruction_error_is_largest_projected_square():
    X = cloud() - cloud().mean(axis=0)  # the text's data have mean 0
    pca = PCA(1).fit(X)
    draw = np.random.default_rng(1)
    size = np.mean(np.sum(X**2, axis=1))
    for _ in range(200):
        w = draw.standard_normal(5)
        w /= np.linalg.norm(w)
        error = error_of(X, 0.0, w[None])
        np.testing.assert_allclose(error + np.mean((X @ w) ** 2), size)
        assert error >= pca.reconstruction_error(X) - 1e-12
    first = np.linalg.svd(X)[2][0]
    np.testing.assert_allclose(abs(first @ pca.components_[0]), 1.0)


@pytest.mark.syllabus("S1-104", "S4A-190")
def test_no_frame_catches_more_variance():
    X = cloud()
    pca = PCA(2).fit(X)
    caught = np.sum(pca.transform(X) ** 2)
    np.testing.assert_allclose(caught, np.sum(pca.singular_values_**2))
    for seed in range(100):
        frame = ortho_group.rvs(5, random_state=seed)[:2]
        assert np.sum(((X - X.mean(axis=0)) @ frame.T) ** 2) <= caught + 1e-9


@pytest.mark.syllabus("S1-105", "S4A-191")
def test_the_best_affine_subspace_passes_through_the_mean():
    X = cloud(40, 3)
    pca = PCA(1).fit(X)

    def error(parameters):
        w = parameters[:3] / np.linalg.norm(parameters[:3])
        return error_of(X, parameters[3:], w[None])

    found = minimize(error, np.r_[1.0, 0.5, 0.2, X[0]], method="BFGS")
    np.testing.assert_allclose(found.fun, pca.reconstruction_error(X), rtol=1e-5)
    along = pca.mean_ + 2.5 * pca.components_[0]  # any point of the line serves
    np.testing.assert_allclose(
        error_of(X, along, pca.components_), pca.reconstruction_error(X)
    )
    for seed in range(50):
        frame = ortho_group.rvs(3, random_state=seed)[:1]
        assert error_of(X, X.mean(axis=0), frame) >= pca.reconstruction_error(X)


@pytest.mark.syllabus("S1-106", "S4A-189", "S4A-195")
def test_axes_are_eigenvectors_of_the_covariance_and_rayleigh_quotients_stay_below():
    X = cloud()
    pca = PCA(svd_solver="covariance_eigh").fit(X)
    centred = X - X.mean(axis=0)
    scatter = centred.T @ centred
    for axis, square in zip(pca.components_, pca.singular_values_**2, strict=True):
        np.testing.assert_allclose(scatter @ axis, square * axis, atol=1e-8)
    top = pca.singular_values_[0] ** 2
    draw = np.random.default_rng(2)
    for w in draw.standard_normal((100, 5)):
        assert w @ scatter @ w / (w @ w) <= top * (1 + 1e-12)
    few = PCA(2).fit(X)
    projector = few.components_.T @ few.components_
    np.testing.assert_allclose(
        few.inverse_transform(few.transform(X)),
        centred @ projector + X.mean(axis=0),
        atol=1e-10,
    )


@pytest.mark.syllabus("S1-107")
def test_further_components_come_from_what_the_first_leave_over():
    X = cloud() - cloud().mean(axis=0)
    whole = PCA(3).fit(X)
    left = X
    for axis in whole.components_:
        first = PCA(1).fit(left).components_[0]
        np.testing.assert_allclose(abs(first @ axis), 1.0, atol=1e-10)
        left = left - np.outer(left @ first, first)


@pytest.mark.syllabus("S1-110", "S1-111")
def test_covariance_and_gram_matrix_share_spectrum_and_lead_to_each_others_vectors():
    X = cloud(12, 30)
    X -= X.mean(axis=0)
    n = len(X)
    pca = PCA(4, svd_solver="gram").fit(X)
    values, vectors = np.linalg.eigh(X @ X.T)
    values, vectors = values[::-1][:4], vectors[:, ::-1][:, :4]
    np.testing.assert_allclose(pca.singular_values_**2, values)
    lambdas = values / n
    np.testing.assert_allclose(pca.singular_values_, np.sqrt(n * lambdas))
    for axis, u, eig in zip(pca.components_, vectors.T, values, strict=True):
        back = X.T @ u / np.sqrt(eig)
        np.testing.assert_allclose(np.linalg.norm(back), 1.0)
        np.testing.assert_allclose(abs(back @ axis), 1.0)
        np.testing.assert_allclose(np.abs(X @ axis), np.sqrt(eig) * np.abs(u))
    direct = PCA(4, svd_solver="full").fit(X)
    np.testing.assert_allclose(
        np.abs(pca.transform(X)), np.abs(direct.transform(X)), atol=1e-9
    )


@pytest.mark.syllabus("S4A-192")
def test_the_error_of_the_reconstruction_is_the_sum_of_the_eigenvalues_left_out():
    X = cloud()
    squares = PCA().fit(X).singular_values_ ** 2
    for kept in range(1, 5):
        error = len(X) * PCA(kept).fit(X).reconstruction_error(X)
        np.testing.assert_allclose(error, squares[kept:].sum())


@pytest.mark.syllabus("S4A-194")
def test_pca_can_destroy_what_separates_two_clusters():
    draw = np.random.default_rng(0)
    X = draw.standard_normal((200, 2)) * [10.0, 0.1]
    labels = np.arange(200) % 2
    X[:, 1] += labels  # the classes differ along the direction of little variance
    kept = PCA(1).fit_transform(X)
    model = LogisticRegression()
    assert model.fit(X, labels).score(X, labels) == 1.0
    assert model.fit(kept, labels).score(kept, labels) < 0.65
    outlier = np.vstack((X[:20], [[0.0, 1000.0]]))
    assert abs(PCA(1).fit(X[:20]).components_[0][0]) > 0.99
    assert abs(PCA(1).fit(outlier).components_[0][1]) > 0.99


@pytest.mark.syllabus("S4A-196")
def test_digits_are_rebuilt_better_with_every_further_component():
    X = load_digits().data[:500]
    whole = PCA(svd_solver="full").fit(X)
    errors = []
    for count in (1, 2, 5, 10, 30, 64):
        axes = whole.components_[:count]
        back = (X[0] - whole.mean_) @ axes.T @ axes + whole.mean_
        errors.append(np.linalg.norm(back - X[0]))
    assert all(later < former for former, later in pairwise(errors))
    assert errors[-1] < 1e-8
    assert whole.components_[0].reshape(8, 8).shape == (8, 8)


@pytest.mark.syllabus("S4A-193")
def test_the_number_of_axes_is_chosen_by_the_spectrum_or_by_cross_validation():
    from sklearn.model_selection import GridSearchCV

    draw = np.random.default_rng(0)
    X = draw.standard_normal((150, 12)) * np.r_[8.0, 7.0, 6.0, np.full(9, 0.5)]
    y = (X[:, :3].sum(axis=1) > 0).astype(int)
    ratios = PCA().fit(X).explained_variance_ratio_
    drop = ratios[:-1] / ratios[1:]
    assert int(np.argmax(drop)) + 1 == 3  # the elbow of the eigenvalue plot
    search = GridSearchCV(
        make_pipeline(PCA(), LogisticRegression()), {"pca__n_components": [1, 3]}, cv=3
    ).fit(X, y)
    assert search.best_params_ == {"pca__n_components": 3}


@pytest.mark.syllabus("S1-108")
def test_a_few_axes_cost_a_few_products_with_the_covariance_whatever_its_size():
    """O(kD²) for k axes: blocks of k + 2 vectors, as many for a large D as for a small.

    Forming the covariance costs one product of its D² entries per sample.
    """

    def entries_read(D, k):
        spectrum = 0.6 ** np.arange(D)
        widths = []

        def multiply(V):
            widths.append(V.shape[1])
            return spectrum[:, None] * V

        found = leading_eigenpairs(multiply, D, k, tol=1e-8)
        assert found.residuals.max() <= 1e-8
        return sum(widths) * D**2

    small, large = entries_read(100, 12), entries_read(1600, 12)
    assert large / small <= 1.3 * (1600 / 100) ** 2
    assert entries_read(400, 24) <= 2.5 * entries_read(400, 12)
