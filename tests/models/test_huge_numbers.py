"""Numbers whose squares overflow: a result or one sentence, never a warning."""

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.models.clustering import (
    DBSCAN,
    AgglomerativeClustering,
    GaussianMixture,
    KMeans,
    KMedoids,
    SpectralClustering,
)
from infimum.models.embedding import (
    MDS,
    PCA,
    SNE,
    TSNE,
    ClassicalMDS,
    IncrementalPCA,
    Isomap,
    LocallyLinearEmbedding,
    SpectralEmbedding,
    TruncatedSVD,
)
from infimum.models.linear import Lasso, _overflow

MODELS = [
    AgglomerativeClustering, ClassicalMDS, GaussianMixture, IncrementalPCA, Isomap,
    KMeans, KMedoids, LocallyLinearEmbedding, MDS, PCA, SNE, SpectralClustering,
    SpectralEmbedding, TSNE, TruncatedSVD,
]  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("size", [1e200, 1e307])
def test_numbers_too_large_for_squares_are_refused_in_one_sentence(model, size, rng):
    X = size * rng.normal(size=(40, 6))
    with pytest.raises(DataError, match="scale"):
        model().fit(X)


@pytest.mark.parametrize("route", ["covariance_eigh", "full", "arpack", "auto"])
def test_no_route_to_the_axes_lets_an_overflow_out(route, rng):
    for n in (400, 30):
        X = 1e200 * rng.normal(size=(n, 6))
        with pytest.raises(DataError, match="PCA takes numbers in X up to"):
            PCA(2, svd_solver=route).fit(X)


def test_what_needs_no_squares_of_the_whole_keeps_its_answer(rng):
    X = rng.normal(size=(60, 3))
    small = DBSCAN(0.5, min_samples=4).fit(X).labels_
    assert np.array_equal(DBSCAN(0.5e150, min_samples=4).fit(1e150 * X).labels_, small)


@pytest.mark.parametrize("shape", [(100, 20_000), (20_000, 100), (3, 5)])
def test_a_glance_at_a_table_is_short_and_meets_every_column(shape):
    seen = _overflow._some(np.zeros(shape) + np.arange(shape[1]))
    assert seen.size <= 80_000
    assert len(np.unique(seen)) == shape[1]


def test_a_wide_table_of_huge_numbers_is_refused_before_the_fit(rng):
    X = np.asfortranarray(1e200 * rng.standard_normal((40, 3_000)))
    with pytest.raises(DataError, match="Lasso takes numbers in X up to"):
        Lasso().fit(X, rng.standard_normal(40))
