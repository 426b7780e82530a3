"""Every embedding gives the samples of its fit the places that the fit gave them."""

import inspect

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_swiss_roll

from infimum.models import embedding
from infimum.models.embedding import (
    MDS,
    PCA,
    SNE,
    TSNE,
    ClassicalMDS,
    GaussianRandomProjection,
    IncrementalPCA,
    Isomap,
    KernelPCA,
    LocallyLinearEmbedding,
    NeighborhoodComponentsAnalysis,
    SignRandomProjection,
    SparseRandomProjection,
    SpectralEmbedding,
    SubspaceRandomProjection,
    TruncatedSVD,
)

ROUTES = ("auto", "full", "covariance_eigh", "gram", "arpack", "randomized")
KERNELS = ("linear", "rbf", "poly", "sigmoid", "cosine", "laplacian")
METHODS = ("standard", "hessian", "modified", "ltsa")
LAPLACIANS = ("random_walk", "symmetric", "unnormalized")
SEED = {"random_state": 0}
SHORT = {"perplexity": 8, "max_iter": 40, "random_state": 0}
FEATURES = [
    *(PCA(3, svd_solver=route, **SEED) for route in ROUTES),
    PCA(3, whiten=True),
    PCA(0.9),
    PCA("mle"),
    IncrementalPCA(3, batch_size=30),
    *(KernelPCA(3, kernel=kernel, gamma=0.01) for kernel in KERNELS),
    KernelPCA(kernel="rbf", gamma=0.01),
    KernelPCA(3, kernel="rbf", gamma=0.01, center=False),
    KernelPCA(3, kernel="rbf", gamma=0.01, eigen_solver="arpack", **SEED),
    TruncatedSVD(2, **SEED),
    GaussianRandomProjection(2, **SEED),
    SignRandomProjection(2, **SEED),
    SparseRandomProjection(2, **SEED),
    SubspaceRandomProjection(2, **SEED),
    Isomap(n_neighbors=6),
    Isomap(n_neighbors=None, radius=9.0),
    Isomap(n_neighbors=6, n_landmarks=20),
    Isomap(n_neighbors=6, metric="manhattan"),
    *(
        LocallyLinearEmbedding(
            n_neighbors=8, method=method, eigen_solver=solver, **SEED
        )
        for method in METHODS
        for solver in ("dense", "arpack")
    ),
    *(
        SpectralEmbedding(2, affinity=rule, gamma=0.05, laplacian=kind, **SEED)
        for rule in ("nearest_neighbors", "rbf")
        for kind in LAPLACIANS
    ),
    MDS(2),
    MDS(2, metric_mds=False, **SEED),
    MDS(2, solver="gradient"),
    MDS(2, init="random", n_init=2, max_iter=20, **SEED),
    MDS(2, metric="manhattan"),
    ClassicalMDS(2),
    ClassicalMDS(None),
    ClassicalMDS(2, origin="first"),
    NeighborhoodComponentsAnalysis(2, max_iter=5, **SEED),
    SNE(**SHORT),
    *(
        TSNE(method=method, variant=variant, **SHORT)
        for method in ("fft", "barnes_hut", "exact")
        for variant in ("joint", "rowwise")
    ),
]
GIVEN = {
    "distances": [
        Isomap(n_neighbors=6, metric="precomputed"),
        MDS(2, metric="precomputed"),
        ClassicalMDS(2, metric="precomputed"),
        SNE(metric="precomputed", init="mds", **SHORT),
        TSNE(metric="precomputed", init="mds", **SHORT),
        SpectralEmbedding(affinity="precomputed_nearest_neighbors", **SEED),
    ],
    "similarities": [
        KernelPCA(3, kernel="precomputed"),
        *(
            SpectralEmbedding(affinity="precomputed", laplacian=kind, **SEED)
            for kind in LAPLACIANS
        ),
    ],
}


def name(model):
    told = {k: v for k, v in model.get_params().items() if isinstance(v, str | float)}
    plain = type(model)(n_components=2).get_params()
    others = [f"{k}={v}" for k, v in told.items() if v != plain[k]]
    return "-".join((type(model).__name__, *others))


@pytest.fixture(scope="module")
def roll():
    return make_swiss_roll(120, random_state=0)[0]


def agree(model, X, atol=1e-6):
    fitted = clone(model)
    # Who learns from labels is told which half a sample lies in.
    y = np.arange(X.shape[0]) < X.shape[0] // 2
    Z = fitted.fit_transform(
        X, y if fitted.__sklearn_tags__().target_tags.required else None
    )
    again = fitted.transform(X)
    Z, again, few = (
        each.toarray() if sparse.issparse(each) else each
        for each in (Z, again, fitted.transform(X[5:9]))
    )
    slack = atol * np.abs(Z).max()
    assert slack > 0
    np.testing.assert_allclose(again, Z, atol=slack)
    np.testing.assert_allclose(few, Z[5:9], atol=slack)  # whatever the company


def test_no_embedding_is_left_out():
    exported = {
        kind
        for kind in map(embedding.__dict__.get, embedding.__all__)
        if inspect.isclass(kind) and issubclass(kind, BaseEstimator)
    }
    assert {type(model) for model in FEATURES} == exported


@pytest.mark.parametrize("model", FEATURES, ids=name)
def test_samples_of_the_fit_keep_their_places(model, roll):
    agree(model, roll)


@pytest.mark.parametrize("model", FEATURES, ids=name)
def test_samples_in_single_precision_keep_their_places(model, roll):
    agree(model, roll.astype(np.float32), atol=2e-3)


@pytest.mark.parametrize("model", GIVEN["distances"], ids=name)
def test_rows_of_given_distances_keep_their_places(model, roll):
    agree(model, cdist(roll, roll))


@pytest.mark.parametrize("model", GIVEN["similarities"], ids=name)
def test_rows_of_given_similarities_keep_their_places(model, roll):
    agree(model, np.exp(-0.02 * cdist(roll, roll, "sqeuclidean")))


@pytest.mark.parametrize(
    "model",
    [
        model
        for model in FEATURES
        if model.__sklearn_tags__().input_tags.sparse
        and getattr(model, "svd_solver", "") != "full"
        and getattr(model, "metric", "") != "manhattan"
    ],
    ids=name,
)
def test_sparse_samples_keep_their_places(model, roll):
    X = np.where(np.abs(roll) < 4.0, 0.0, roll)
    X = np.hstack((X, np.diag(np.arange(1.0, 121.0))[:, ::10]))
    agree(model, sparse.csr_array(X), atol=1e-5)
