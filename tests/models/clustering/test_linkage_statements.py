"""What the texts say of linkage, in numbers."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import adjusted_rand_score

from infimum.models.clustering import AgglomerativeClustering, Dendrogram, linkage

JOIN = {"single": np.min, "average": np.mean, "complete": np.max}


def sample(n=60, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def members(tree, n):
    """Return the samples of every node."""
    nodes = [[i] for i in range(n)]
    for a, b in tree[:, :2].astype(int):
        nodes.append(nodes[a] + nodes[b])
    return nodes


def check_heights(method):
    """Every merge stands at the distance of its two clusters, all pairs considered."""
    X = sample()
    tree, D = linkage(X, method), squareform(pdist(X))
    nodes = members(tree, len(X))
    for a, b, height, _ in tree:
        block = D[np.ix_(nodes[int(a)], nodes[int(b)])]
        assert height == pytest.approx(JOIN[method](block), rel=1e-12)


@pytest.mark.syllabus("S1-149", "S4B-018")
def test_single_linkage_is_the_smallest_distance_and_the_spanning_tree():
    check_heights("single")
    X = sample()
    edges = np.sort(minimum_spanning_tree(squareform(pdist(X))).data)
    np.testing.assert_allclose(linkage(X, "single")[:, 2], edges)


@pytest.mark.syllabus("S1-150", "S4B-019")
def test_average_linkage_is_the_mean_over_all_pairs():
    check_heights("average")


@pytest.mark.syllabus("S1-151", "S4B-020")
def test_complete_linkage_is_the_largest_distance():
    check_heights("complete")


@pytest.mark.syllabus("S1-152")
@pytest.mark.parametrize("method", JOIN)
def test_partitions_lose_one_cluster_at_a_time_by_fusing_the_closest_pair(method):
    X = sample(14)
    D = squareform(pdist(X))
    steps = list(Dendrogram(linkage(X, method)).partitions())
    assert [len(set(step.tolist())) for step in steps] == list(range(14, 0, -1))
    for before, after in pairwise(steps):
        groups = [np.flatnonzero(before == c) for c in np.unique(before)]
        gaps = {
            (a, b): JOIN[method](D[np.ix_(groups[a], groups[b])])
            for a in range(len(groups))
            for b in range(a)
        }
        a, b = min(gaps, key=gaps.get)
        assert len(set(after[np.concatenate([groups[a], groups[b]])].tolist())) == 1
        for c, group in enumerate(groups):
            if c not in (a, b):
                assert np.array_equal(np.flatnonzero(after == after[group[0]]), group)


@pytest.mark.syllabus("S4B-021")
@pytest.mark.parametrize("method", JOIN)
def test_a_matrix_of_distances_and_any_distance_of_clusters_give_the_dendrogram(method):
    X = sample(30)
    D = squareform(pdist(X))
    theirs = hierarchy.linkage(X, method)
    for tree in (
        linkage(D, method, "precomputed"),
        linkage(D, JOIN[method], "precomputed"),
    ):
        np.testing.assert_allclose(tree[:, 2], theirs[:, 2])
        np.testing.assert_allclose(
            Dendrogram(tree).cophenetic(), squareform(hierarchy.cophenet(theirs))
        )


@pytest.mark.syllabus("S1-153")
def test_different_cuts_of_one_tree_give_nested_clusterings():
    tree = Dendrogram(linkage(sample(), "average"))
    cuts = {k: tree.cut(n_clusters=k) for k in (2, 4, 8)}
    for k, labels in cuts.items():
        assert len(np.unique(labels)) == k
    for coarse, fine in ((2, 4), (4, 8)):
        for cluster in range(fine):
            assert len(np.unique(cuts[coarse][cuts[fine] == cluster])) == 1
    between = 0.5 * (tree.heights[-4] + tree.heights[-3])
    assert np.array_equal(tree.cut(height=between), cuts[4])


def widest(X, labels):
    return max(cdist(X[labels == c], X[labels == c]).max() for c in np.unique(labels))


@pytest.mark.syllabus("S1-154")
def test_single_linkage_elongates_and_complete_linkage_keeps_clusters_round():
    """Two parallel stripes: only single linkage follows them to their ends."""
    draw = np.random.default_rng(0)
    along = np.linspace(0, 10, 120)
    X = np.concatenate([np.column_stack([along, 0 * along + y]) for y in (0.0, 1.0)])
    X += 0.02 * draw.normal(size=X.shape)
    truth = np.repeat([0, 1], 120)
    cuts = {m: Dendrogram(linkage(X, m)).cut(n_clusters=2) for m in JOIN}
    assert adjusted_rand_score(truth, cuts["single"]) == 1.0
    assert adjusted_rand_score(truth, cuts["complete"]) < 0.1
    assert widest(X, cuts["complete"]) < 0.75 * widest(X, cuts["single"])
    cloud = sample(300, seed=3)
    wide = {
        m: widest(cloud, Dendrogram(linkage(cloud, m)).cut(n_clusters=6)) for m in JOIN
    }
    assert wide["complete"] < wide["average"] < wide["single"]


@pytest.mark.syllabus("S4B-022")
def test_merging_by_foot_and_three_linkages_side_by_side():
    X = np.array([[0.0], [1.0], [2.5], [7.0], [7.5]])
    by_foot = [step.tolist() for step in Dendrogram(linkage(X, "single")).partitions()]
    assert by_foot == [
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 3],
        [0, 0, 1, 2, 2],
        [0, 0, 0, 1, 1],
        [0, 0, 0, 0, 0],
    ]
    heights = {m: linkage(X, m)[:, 2].tolist() for m in JOIN}
    assert heights["single"] == [0.5, 1.0, 1.5, 4.5]
    assert heights["complete"] == [0.5, 1.0, 2.5, 7.5]
    assert heights["average"] == pytest.approx([0.5, 1.0, 2.0, 73 / 12])
    for method in JOIN:
        figure = Dendrogram(linkage(X, method)).plot(n_clusters=2)
        top = max(np.nanmax(trace.y) for trace in figure.data)
        assert top == pytest.approx(heights[method][-1])


@pytest.mark.syllabus("S4B-023")
def test_one_outlier_or_a_bridge_ruins_single_linkage_and_no_merge_is_undone():
    draw = np.random.default_rng(0)
    X = np.concatenate([draw.normal(c, 0.5, size=(50, 2)) for c in (0.0, 6.0)])
    truth = np.repeat([0, 1], 50)

    def agreement(extra):
        both = np.concatenate([X, extra])
        labels = AgglomerativeClustering(2, linkage="single").fit(both).labels_
        return labels, adjusted_rand_score(truth, labels[:100])

    assert agreement(np.empty((0, 2)))[1] == 1.0
    labels, score = agreement(np.array([[50.0, 50.0]]))
    assert np.bincount(labels).tolist() == [100, 1]
    assert score == 0.0
    bridge = np.linspace(0.0, 6.0, 40)[:, None] * np.ones(2)
    assert agreement(bridge)[1] < 0.1
    # A bad link stays: samples once together are so in every coarser partition.
    steps = list(
        Dendrogram(linkage(np.concatenate([X, bridge]), "single")).partitions()
    )
    for before, after in pairwise(steps):
        together = before[:, None] == before
        assert (after[:, None] == after)[together].all()

    # The tree of a cloud in many dimensions changes when it is drawn again.
    def instability(d):
        cloud = draw.normal(size=(200, d))
        labels = [
            AgglomerativeClustering(2, linkage="average").fit(
                cloud + 0.05 * draw.normal(size=cloud.shape)
            ).labels_
            for _ in range(2)
        ]  # fmt: skip
        return adjusted_rand_score(*labels)

    assert np.mean([instability(50) for _ in range(5)]) < 0.7
