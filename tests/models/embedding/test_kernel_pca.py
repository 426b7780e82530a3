"""Kernel PCA against scikit-learn, PCA and the text."""

import numpy as np
import pytest
import sklearn.decomposition
from sklearn.exceptions import NotFittedError

from infimum.errors import IncompatibleError
from infimum.kernels import Gaussian, Spectrum
from infimum.models.embedding import PCA, KernelPCA
from infimum.models.linear import LogisticRegression

SETTINGS = [
    {},
    {"kernel": "rbf", "n_components": 5},
    {"kernel": "rbf", "n_components": 5, "eigen_solver": "arpack"},
    {"kernel": "poly", "degree": 2, "n_components": 3, "fit_inverse_transform": True},
    {"kernel": "cosine", "n_components": 4, "gamma": 0.5},
]


def points(n=120, d=4, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) * np.arange(1, d + 1)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_same_components_as_scikit_learn(settings):
    X, new = points(), points(20, seed=1)
    ours = KernelPCA(**settings).fit(X)
    theirs = sklearn.decomposition.KernelPCA(**settings).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(
        np.abs(ours.transform(new)), np.abs(theirs.transform(new)), atol=1e-7
    )
    assert ours.residuals_.max() <= 1e-8 * ours.eigenvalues_[0]
    if "fit_inverse_transform" in settings:
        np.testing.assert_allclose(
            ours.inverse_transform(ours.transform(new)),
            theirs.inverse_transform(theirs.transform(new)),
            atol=1e-8,
        )


def test_a_precomputed_kernel_and_a_function_say_the_same_as_the_kernel():
    X, new = points(40), points(10, seed=1)
    kernel = Gaussian(2.0)
    direct = KernelPCA(3, kernel=kernel).fit(X)
    given = KernelPCA(3, kernel="precomputed").fit(kernel(X))
    called = KernelPCA(3, kernel=lambda x, z: kernel(x[None], z[None])[0, 0]).fit(X)
    expected = direct.transform(new)
    np.testing.assert_allclose(given.transform(kernel(new, X)), expected, atol=1e-8)
    np.testing.assert_allclose(called.transform(new), expected, atol=1e-8)


def test_strings_have_principal_components_too():
    words = ["abab", "ababab", "xyxy", "xyxyxy"]
    parts = KernelPCA(1, kernel=Spectrum(2)).fit(words).transform(["abababab", "xyx"])
    assert parts[0, 0] * parts[1, 0] < 0


def test_pre_images_lie_near_the_samples_and_need_the_samples():
    angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    ring = np.column_stack((np.cos(angle), np.sin(angle)))
    model = KernelPCA(6, kernel="rbf", fit_inverse_transform=True, alpha=1e-3).fit(ring)
    noisy = 1.15 * ring
    cleaned = model.inverse_transform(model.transform(noisy))
    assert np.abs(np.linalg.norm(cleaned, axis=1) - 1).max() < 0.08
    with pytest.raises(IncompatibleError, match="precomputed"):
        KernelPCA(kernel="precomputed", fit_inverse_transform=True).fit(np.eye(3))
    with pytest.raises(NotFittedError, match="fit_inverse_transform=True"):
        KernelPCA(2).fit(ring).inverse_transform(np.zeros((1, 2)))


@pytest.mark.syllabus("S1-112", "S4A-202")
def test_without_centring_a_linear_kernel_gives_the_scores_on_singular_vectors():
    X = points() + 2
    parts = KernelPCA(3, center=False).fit(X)
    axes = np.linalg.svd(X)[2][:3]
    np.testing.assert_allclose(
        np.abs(parts.transform(X)), np.abs(X @ axes.T), atol=1e-9
    )
    eig, u = parts.eigenvalues_, parts.eigenvectors_
    by_hand = (X @ X.T) @ u / np.sqrt(eig)
    np.testing.assert_allclose(parts.transform(X), by_hand, atol=1e-9)


@pytest.mark.syllabus("S4A-203")
def test_centred_kernel_pca_follows_the_algorithm_and_generalises_pca():
    X = points()
    K = Gaussian(3.0)(X)
    n = len(X)
    ones = np.full((n, n), 1 / n)
    centred = K - ones @ K - K @ ones + ones @ K @ ones
    model = KernelPCA(4, kernel=Gaussian(3.0)).fit(X)
    values, A = np.linalg.eigh(centred)
    values, A = values[::-1][:4], A[:, ::-1][:, :4]
    np.testing.assert_allclose(model.eigenvalues_, values)
    np.testing.assert_allclose(
        np.abs(model.fit_transform(X)), np.abs(A * np.sqrt(values)), atol=1e-7
    )
    np.testing.assert_allclose(model.transform(X), model.fit_transform(X), atol=1e-7)
    np.testing.assert_allclose(
        np.abs(KernelPCA(3).fit_transform(X)),
        np.abs(PCA(3).fit_transform(X)),
        atol=1e-8,
    )


@pytest.mark.syllabus("S4A-204")
def test_leading_components_are_flat_on_clusters_and_differ_between_them():
    draw = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [6.0, 0.0], [3.0, 6.0]])
    X = np.repeat(centres, 40, axis=0) + 0.3 * draw.standard_normal((120, 2))
    model = KernelPCA(2, kernel=Gaussian(1.0)).fit(X)
    new = np.repeat(centres, 25, axis=0) + 0.3 * draw.standard_normal((75, 2))
    scores = model.transform(new).reshape(3, 25, 2)
    within = scores.std(axis=1).max()
    means = scores.mean(axis=1)
    apart = min(np.linalg.norm(means[i] - means[j]) for i in range(3) for j in range(i))
    assert apart > 10 * within


def rings(seed=0):
    draw = np.random.default_rng(seed)
    angle = draw.uniform(0, 2 * np.pi, 200)
    radius = np.repeat([1.0, 4.0], 100)
    X = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
    return X + 0.1 * draw.standard_normal(X.shape), (radius > 2).astype(int)


def two_moons():
    angle = np.linspace(0, np.pi, 100)
    upper = np.column_stack((np.cos(angle), np.sin(angle)))
    return np.vstack((upper, [1.0, 0.3] - upper)), np.repeat([0, 1], 100)


def a_square_in_a_frame():
    draw = np.random.default_rng(0)
    X = draw.uniform(-3, 3, (400, 2))
    size = np.abs(X).max(axis=1)
    X, size = X[(size < 1) | (size > 2)], size[(size < 1) | (size > 2)]
    return X, (size > 1.5).astype(int)


def separated(X, labels):
    model = LogisticRegression(C=1000.0)
    return model.fit(X, labels).score(X, labels)


@pytest.mark.syllabus("S4A-205")
def test_rings_become_separable_in_more_components_than_there_were_features():
    X, outer = rings()
    parts = KernelPCA(3, kernel=Gaussian(2.0)).fit_transform(X)
    assert separated(X, outer) < 0.7
    assert separated(parts, outer) == 1.0


@pytest.mark.syllabus("S4A-206")
@pytest.mark.parametrize(
    "toy, width, count", [(two_moons, 0.3, 8), (a_square_in_a_frame, 1.0, 5)]
)
def test_other_curved_clusters_are_straightened_too(toy, width, count):
    X, labels = toy()
    parts = KernelPCA(count, kernel=Gaussian(width)).fit_transform(X)
    assert separated(X, labels) < 0.95
    assert separated(parts, labels) > 0.99
