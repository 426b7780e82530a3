"""A kernel that is a function means the same everywhere: of samples, or of tables."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel

from infimum.dropin import (
    cluster,
    decomposition,
    gaussian_process,
    kernel_approximation,
    kernel_ridge,
    manifold,
    semi_supervised,
    svm,
)
from infimum.errors import IncompatibleError
from infimum.kernels import FromFunction, Gaussian

GAMMA = 0.3


def of_pairs(x, z):
    return float(np.exp(-GAMMA * np.sum((x - z) ** 2)))


def of_tables(X, Z):
    return np.exp(-GAMMA * ((X[:, None] - Z[None]) ** 2).sum(axis=-1))


def by_library(X, Z):
    return rbf_kernel(X, Z, gamma=GAMMA)


RBF = {"kernel": "rbf", "gamma": GAMMA}
SPECTRAL = {"affinity": "rbf", "gamma": GAMMA, "random_state": 0}
PROCESS = {"kernel": Gaussian.from_gamma(GAMMA), "optimizer": None}
#: Classes, and what names the same kernel there.
MACHINES = [
    (svm.SVC, RBF),
    (svm.NuSVC, RBF),
    (svm.SVR, RBF),
    (svm.NuSVR, RBF),
    (svm.OneClassSVM, RBF),
    (kernel_ridge.KernelRidge, RBF),
    (decomposition.KernelPCA, {**RBF, "n_components": 2}),
    (kernel_approximation.Nystroem, {**RBF, "random_state": 0}),
    (gaussian_process.GaussianProcessRegressor, {**PROCESS, "alpha": 0.1}),
    (gaussian_process.GaussianProcessClassifier, PROCESS),
    (semi_supervised.LabelPropagation, RBF),
    (semi_supervised.LabelSpreading, RBF),
    (cluster.SpectralClustering, {**SPECTRAL, "n_clusters": 2}),
    (manifold.SpectralEmbedding, SPECTRAL),
]


def answers(model, X):
    for name in ("decision_function", "predict_proba", "predict", "transform"):
        if hasattr(model, name):
            return np.asarray(getattr(model, name)(X))
    return model.labels_


@pytest.mark.parametrize("function", [of_pairs, of_tables, by_library])
@pytest.mark.parametrize(
    ("kind", "named"), MACHINES, ids=lambda part: getattr(part, "__name__", "")
)
def test_both_conventions_are_taken_everywhere(rng, kind, named, function):
    X = rng.normal(size=(30, 3))
    y = (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)
    place = "affinity" if "affinity" in named else "kernel"
    rest = {k: v for k, v in named.items() if k not in (place, "gamma")}
    theirs = kind(**named).fit(X, y)
    ours = kind(**rest, **{place: function}).fit(X, y)
    np.testing.assert_allclose(
        np.abs(answers(ours, X[:7])), np.abs(answers(theirs, X[:7])), atol=2e-3
    )


def test_a_function_that_fails_is_heard(rng):
    def broken(x, z):
        raise ValueError("not today")

    X = rng.normal(size=(9, 2))
    for kind in (svm.OneClassSVM, kernel_approximation.Nystroem):
        with pytest.raises(ValueError, match="not today"):
            kind(kernel=broken).fit(X)


def test_a_function_of_one_table_gives_the_weights_of_a_graph(rng):
    X = rng.normal(size=(20, 3))
    model = manifold.SpectralEmbedding(
        affinity=lambda table: rbf_kernel(table, gamma=GAMMA), random_state=0
    )
    named = manifold.SpectralEmbedding(affinity="rbf", gamma=GAMMA, random_state=0)
    ours, theirs = model.fit_transform(X), named.fit_transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-6)
    with pytest.raises(IncompatibleError, match="two samples"):
        model.transform(X[:3])


def test_tables_of_things_and_sparse_tables(rng):
    def common(A, B):
        return np.array([[len(set(a) & set(b)) for b in B] for a in A], dtype=float)

    kernel = FromFunction(lambda A, B: common(A, B) if isinstance(A, list) else None)
    np.testing.assert_array_equal(kernel(["abc"], ["cab", "d"]), [[3.0, 0.0]])
    np.testing.assert_array_equal(kernel.diagonal(["ab", "a"]), [2.0, 1.0])
    X = sparse.random(20, 4, 0.5, "csr", random_state=0)
    y = np.arange(20) % 2
    by_pairs = svm.SVC(kernel=lambda x, z: float((x @ z.T).sum())).fit(X, y)
    linear = svm.SVC(kernel="linear").fit(X, y)
    np.testing.assert_allclose(
        by_pairs.decision_function(X), linear.decision_function(X), atol=5e-3
    )
