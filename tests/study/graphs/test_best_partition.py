"""The best partition of a small graph: all of them looked at, and its lower bound."""

from itertools import product

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import SpectralClustering
from infimum.models.graph import laplacian_spectrum
from infimum.study.graphs import (
    best_cut,
    best_partition,
    clique,
    normalized_cut,
    path_graph,
    ratio_cut,
)

COSTS = {"ratio_cut": ratio_cut, "normalized_cut": normalized_cut}
every_objective = pytest.mark.parametrize("objective", COSTS)


def random_graph(rng, n):
    W = rng.uniform(size=(n, n)) * (rng.uniform(size=(n, n)) < 0.6)
    W = np.triu(W, 1) + np.eye(n, k=1)
    return W + W.T


@every_objective
@pytest.mark.parametrize("k", [1, 2, 3, 4, 6])
def test_no_partition_is_better(objective, k, rng):
    W = random_graph(rng, 6)
    costs = [
        COSTS[objective](W, labels)
        for labels in product(range(k), repeat=6)
        if len(set(labels)) == k
    ]
    found = best_partition(W, k, objective)
    assert found.value == pytest.approx(min(costs))
    assert len(set(found.labels.tolist())) == k
    assert COSTS[objective](W, found.labels) == found.value


@every_objective
def test_of_two_clusters_it_is_the_best_cut(objective, rng):
    for _ in range(3):
        W = random_graph(rng, 11)
        cut = best_cut(W, objective)
        assert best_partition(W, 2, objective).value == pytest.approx(cut.value)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_eigenvalues_bound_the_best_and_spectral_clusters_reach_for_it(k, rng):
    W = random_graph(rng, 12)
    for objective, kind in (
        ("ratio_cut", "unnormalized"),
        ("normalized_cut", "symmetric"),
    ):
        best = best_partition(W, k, objective).value
        assert laplacian_spectrum(W, k, kind=kind).values.sum() <= best + 1e-9
    model = SpectralClustering(k, affinity="precomputed", random_state=0).fit(W)
    assert normalized_cut(W, model.labels_) >= best - 1e-12


def test_cliques_joined_by_single_edges_are_told_apart():
    W = np.kron(np.eye(3), np.asarray(clique(5).todense()))
    for a, b in ((4, 5), (9, 10)):
        W[a, b] = W[b, a] = 1.0
    found = best_partition(W, 3)
    np.testing.assert_array_equal(found.labels, np.repeat([0, 1, 2], 5))
    # With their loops, two cliques have one of 26 ends outside, the third two of 27.
    assert found.value == pytest.approx(2 / 26 + 2 / 27)


def test_a_path_falls_into_pieces_that_hang_together():
    found = best_partition(path_graph(9), 3, "ratio_cut")
    assert (np.diff(found.labels) >= 0).all()
    # Three pieces of three, or a longer one in the middle that has two ends.
    assert found.value == pytest.approx(1 / 3 + 2 / 3 + 1 / 3)


def test_disconnected_parts_cost_nothing():
    W = np.kron(np.eye(3), np.ones((4, 4)))
    assert best_partition(W, 3).value == 0.0
    assert best_partition(W, 3, "ratio_cut").value == 0.0


def test_what_cannot_be_is_told():
    with pytest.raises(InvalidParameterError, match="partitions into 8 clusters, more"):
        best_partition(np.ones((30, 30)), 8)
    with pytest.raises(InvalidParameterError, match="1200 vertices have too many"):
        best_partition(path_graph(1200), 2)
    with pytest.raises(
        InvalidParameterError, match="n_clusters must be a whole number"
    ):
        best_partition(np.ones((3, 3)), 4)
    lonely = np.zeros((3, 3))
    lonely[0, 1] = lonely[1, 0] = 1.0
    with pytest.raises(DataError, match="not 3 clusters can have edges"):
        best_partition(lonely, 3)
