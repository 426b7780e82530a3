"""Small tables: one thread, one loop, and the same answers as the long way."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from threadpoolctl import threadpool_info, threadpool_limits

from infimum import MiniBatchKMeans
from infimum.models._guarded_fit import one_thread_if_quick, whole_or_not_at_all
from infimum.models.clustering.centres import mini_batch_k_means
from infimum.models.clustering.hierarchy._merging import merge_ward
from infimum.models.graph import laplacian_spectrum
from infimum.models.neighbors._exact_search import ExactSearch


def blas_threads():
    return max(e["num_threads"] for e in threadpool_info() if e["user_api"] == "blas")


@pytest.mark.parametrize(
    ("X", "threads"),
    [
        (np.ones((300, 10)), 1),
        (np.ones((5000, 10)), 2),
        (np.ones((100, 2000)), 2),
        (np.float64(1.0), 2),
        ([[1.0]], 2),
    ],
)
def test_blas_has_one_thread_within_fits_of_small_tables_only(X, threads):
    class Model:
        @whole_or_not_at_all
        def fit(self, X):
            return blas_threads()

    with threadpool_limits(2, "blas"):
        assert Model().fit(X) == threads
        with pytest.raises(ZeroDivisionError), one_thread_if_quick(np.ones((2, 2))):
            raise ZeroDivisionError
        assert blas_threads() == 2


@pytest.mark.parametrize(("n", "batch"), [(300, 1024), (1000, 100), (1030, 100)])
@pytest.mark.parametrize("weighted", [False, True])
def test_batches_in_one_loop_move_centres_as_steps_one_by_one(
    n, batch, weighted, monkeypatch
):
    rng = np.random.default_rng(n)
    X = (
        rng.standard_normal((n, 6))
        + 3.0 * rng.standard_normal((5, 6))[rng.integers(0, 5, n)]
    )
    weights = np.maximum(rng.uniform(-0.1, 2.0, n), 0.0) if weighted else None
    # Many centres are poor at this ratio, so that they are moved to samples, too.
    given = {"batch_size": batch, "random_state": 3, "reassignment_ratio": 0.3}
    quick = MiniBatchKMeans(8, tol=1e-4, **given).fit(X, sample_weight=weights)
    monkeypatch.setattr(mini_batch_k_means, "QUICK", 0)
    steps = MiniBatchKMeans(8, tol=1e-4, **given).fit(X, sample_weight=weights)
    np.testing.assert_allclose(quick.cluster_centers_, steps.cluster_centers_)
    np.testing.assert_allclose(quick.counts_, steps.counts_)
    assert (quick.n_iter_, quick.n_steps_) == (steps.n_iter_, steps.n_steps_)


@pytest.mark.parametrize("kind", ["symmetric", "random_walk", "unnormalized"])
@pytest.mark.parametrize("tau", [0.0, 0.5])
def test_eigenvalues_that_crowd_at_the_end_are_found_with_small_residuals(kind, tau):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((400, 12))
    squares = np.sum((X[:, None] - X) ** 2, axis=2)
    found = laplacian_spectrum(np.exp(-squares), 6, kind=kind, tau=tau)
    assert found.residuals.max() < 1e-8
    whole = laplacian_spectrum(np.exp(-squares), 400, kind=kind, tau=tau)
    np.testing.assert_allclose(found.values, whole.values[:6], atol=1e-8)


@pytest.mark.parametrize("shift", [0.0, 1e6])
@pytest.mark.parametrize("limit", [0.0, 1.0, 2.0, 25.0, 1e9])
def test_samples_within_a_limit_are_those_of_exact_differences(shift, limit):
    rng = np.random.default_rng(2)
    X = rng.integers(-3, 4, (700, 3)) + shift  # many copies, and ties at the limit
    Q = np.vstack([X[:300], [[shift + 1e8, shift, shift]]])
    squares = np.sum((Q[:, None] - X) ** 2, axis=2)
    found = ExactSearch.over(X).within(Q, limit)
    assert len(found.counts) == len(Q)
    parts = found.lists(found.distances), found.lists(found.names)
    for far, names, row in zip(*parts, squares, strict=True):
        np.testing.assert_array_equal(names, np.flatnonzero(row <= limit))
        np.testing.assert_array_equal(far, row[row <= limit])


@pytest.mark.parametrize("n", [2, 3, 300, 700])
def test_ward_merges_as_scipy_does_and_copies_count_as_weights(n):
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, 4))
    heights = np.sqrt(np.sort(merge_ward(X, np.ones(n)).joined()[2]))
    np.testing.assert_allclose(heights, linkage(X, "ward")[:, 2], rtol=1e-9)
    sizes = rng.integers(1, 4, n).astype(float)
    heavy = np.sqrt(np.sort(merge_ward(X, sizes).joined()[2]))
    copies = linkage(np.repeat(X, sizes.astype(int), axis=0), "ward")[:, 2]
    np.testing.assert_allclose(heavy, copies[-len(heavy) :], rtol=1e-7, atol=1e-9)
