"""A second fit with other settings leaves nothing of the first one behind."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import euclidean_distances

from infimum.models.clustering import (
    HDBSCAN,
    AffinityPropagation,
    Birch,
    MiniBatchKMeans,
)
from infimum.models.embedding import GaussianRandomProjection, KernelPCA


@pytest.fixture
def table(rng):
    return rng.normal(size=(60, 3)) + 8.0 * (np.arange(60) % 3)[:, None]


@pytest.mark.parametrize(
    ("model", "setting", "names"),
    [
        (Birch(), {"compute_labels": False}, ["labels_"]),
        (
            MiniBatchKMeans(3, random_state=0),
            {"compute_labels": False},
            ["labels_", "inertia_"],
        ),
        (
            HDBSCAN(store_centers="both"),
            {"store_centers": None},
            ["centroids_", "medoids_"],
        ),
        (
            KernelPCA(2, fit_inverse_transform=True),
            {"fit_inverse_transform": False},
            ["dual_coef_", "X_transformed_fit_"],
        ),
        (
            GaussianRandomProjection(2, compute_inverse_components=True),
            {"compute_inverse_components": False},
            ["inverse_components_"],
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_is_not_asked_for_again_is_gone(model, setting, names, table):
    model.fit(table)
    assert all(hasattr(model, name) for name in names)
    model.set_params(**setting).fit(table)
    assert not any(hasattr(model, name) for name in names)


def test_similarities_are_compared_once_they_are_given(table):
    alike = -euclidean_distances(table, squared=True)
    model = AffinityPropagation(preference=-200.0, random_state=0).fit(table)
    model.set_params(affinity="precomputed").fit(alike)
    assert not hasattr(model, "cluster_centers_")
    np.testing.assert_array_equal(model.predict(alike), model.labels_)


def test_points_come_back_by_the_matrix_that_projected_them(rng):
    model = GaussianRandomProjection(3, compute_inverse_components=True, random_state=0)
    model.fit(rng.normal(size=(5, 7)))
    X = rng.normal(size=(4, 7))
    model.set_params(compute_inverse_components=False, random_state=1).fit(X)
    Z = model.transform(X)
    np.testing.assert_allclose(model.transform(model.inverse_transform(Z)), Z)


def test_pre_images_of_another_fit_are_not_taken_for_these(table):
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(table)
    model.set_params(fit_inverse_transform=False).fit(table[:9])
    with pytest.raises(NotFittedError, match="only with fit_inverse_transform=True"):
        model.inverse_transform(np.zeros((1, 2)))
