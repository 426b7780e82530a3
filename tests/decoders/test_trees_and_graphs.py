"""Trees, graphs, grids, assignments: all labellings tried, bounds that hold."""

from itertools import permutations, product

import numpy as np
import pytest

from infimum.decoders import Assignment, Chain, Graph, Grid, Tree
from infimum.errors import DataError

RNG = np.random.default_rng(0)
EDGES = [(0, 1), (2, 0), (3, 4), (4, 5)]
CYCLES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]


def every(structure, scores, pairs):
    """Return all labellings with their scores."""
    n, k = scores.shape
    labellings = np.array(list(product(range(k), repeat=n)))
    return labellings, np.array([structure.score(scores, pairs, y) for y in labellings])


def tables(n, k, seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, k)), rng.standard_normal((k, k))


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_is_exact_in_all_verbs(seed):
    tree = Tree(EDGES, 7)  # with a node by itself
    scores, pairs = tables(7, 2, seed)
    labellings, values = every(tree, scores, pairs)
    labels, best = tree.decode(scores, pairs)
    assert best == pytest.approx(values.max())
    assert tree.score(scores, pairs, labels) == pytest.approx(best)
    found = tree.marginals(scores, pairs)
    chances = np.exp(values - values.max())
    total = np.log(chances.sum()) + values.max()
    assert found.log_partition == pytest.approx(total)
    assert tree.log_partition(scores, pairs) == pytest.approx(total)
    chances /= chances.sum()
    marks = np.eye(2)[labellings]
    np.testing.assert_allclose(found.nodes, np.tensordot(chances, marks, 1), atol=1e-12)
    for place, (i, j) in enumerate(EDGES):
        both = np.einsum("s,sa,sb->ab", chances, marks[:, i], marks[:, j])
        np.testing.assert_allclose(found.pairs[place], both, atol=1e-12)


def test_marginals_are_derivatives_of_the_partition_sum():
    tree = Tree(EDGES, 7)
    scores, pairs = tables(7, 3, 1)
    found, step = tree.marginals(scores, pairs), 1e-6
    for node, label in ((0, 0), (4, 2), (6, 1)):
        up, down = scores.copy(), scores.copy()
        up[node, label] += step
        down[node, label] -= step
        rise = tree.log_partition(up, pairs) - tree.log_partition(down, pairs)
        assert rise / (2 * step) == pytest.approx(found.nodes[node, label], abs=1e-8)


def test_a_path_is_a_chain():
    scores, pairs = tables(6, 3, 2)
    path, chain = Tree([(t, t + 1) for t in range(5)]), Chain(pairs)
    labels, best = path.decode(scores, pairs)
    np.testing.assert_array_equal(labels, chain.decode(scores)[0])
    assert best == pytest.approx(chain.decode(scores)[1][0])
    assert path.log_partition(scores, pairs) == pytest.approx(
        chain.log_partition(scores)[0]
    )


@pytest.mark.syllabus("S0B-263")
@pytest.mark.parametrize("method", ["program", "trees"])
@pytest.mark.parametrize("seed", range(6))
def test_a_relaxation_is_above_every_labelling_and_exact_without_cycles(method, seed):
    graph = Graph(CYCLES)
    scores, pairs = tables(5, 3, seed)
    values = every(graph, scores, pairs)[1]
    found = graph.decode(scores, pairs, method)
    assert found.bound >= values.max() - 1e-9
    assert found.score <= values.max() + 1e-9
    assert found.score == pytest.approx(graph.score(scores, pairs, found.labels))
    tree = Graph(EDGES, 6)
    scores, pairs = tables(6, 2, seed)
    best = every(tree, scores, pairs)[1].max()
    found = tree.decode(scores, pairs, method)
    assert found.bound == pytest.approx(best, abs=1e-6)
    assert found.score == pytest.approx(best)
    np.testing.assert_allclose(found.nodes.sum(axis=1), 1.0, atol=1e-9)


@pytest.mark.syllabus("S0B-262")
@pytest.mark.parametrize("method", ["trees", "determinant"])
@pytest.mark.parametrize("pull", [-1.5, 0.5, 1.5])
def test_the_convex_bound_is_above_log_z_of_ising_grids(method, pull):
    grid, rng = Grid(2, 3), np.random.default_rng(3)
    scores = rng.standard_normal((6, 2))
    pairs = pull * np.eye(2)
    values = every(grid, scores, pairs)[1]
    total = np.log(np.exp(values - values.max()).sum()) + values.max()
    bound, shares = grid.log_partition(scores, pairs, method)
    assert bound >= total - 1e-9
    assert bound <= total + 4.0
    step = 1e-4
    for node in (0, 4):
        up, down = scores.copy(), scores.copy()
        up[node, 1] += step
        down[node, 1] -= step
        rise = grid.log_partition(up, pairs, method)[0]
        rise -= grid.log_partition(down, pairs, method)[0]
        assert rise / (2 * step) == pytest.approx(shares[node, 1], abs=1e-5)


def test_reweighted_trees_are_exact_on_a_tree():
    scores, pairs = tables(6, 3, 5)
    bound, shares = Graph(EDGES, 6).log_partition(scores, pairs)
    found = Tree(EDGES, 6).marginals(scores, pairs)
    assert bound == pytest.approx(found.log_partition)
    np.testing.assert_allclose(shares, found.nodes, atol=1e-9)


def test_a_grid_joins_neighbours():
    assert len(Grid(3, 4).edges) == 3 * 3 + 2 * 4
    assert len(Grid(1, 1).edges) == 0
    found = Grid(1, 1).decode([[0.0, 1.0]], np.zeros((2, 2)))
    assert found.labels.tolist() == [1]


def test_an_assignment_is_the_best_of_all():
    scores = RNG.standard_normal((4, 5))
    columns, best = Assignment().decode(scores)
    every_way = [
        scores[range(4), way].sum() for way in map(list, permutations(range(5), 4))
    ]
    assert best == pytest.approx(max(every_way))
    assert Assignment().score(scores, columns) == pytest.approx(best)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Tree([(0, 1), (1, 2), (2, 0)]), "cycle"),
        (lambda: Tree([(0, 3)], 2), "beyond its 2 nodes"),
        (lambda: Graph([(0, 0)]), "two different nodes"),
        (lambda: Graph([(0, 1), (1, 0)]), "different edges"),
        (lambda: Graph([(0, 1)]).decode(np.full((2, 2), np.inf), np.eye(2)), "finite"),
        (lambda: Graph([(0, 1)]).decode(np.eye(3), np.eye(2)), "scores of shape"),
        (lambda: Tree([(0, 1)]).decode(np.eye(3), np.eye(2)), "scores of shape"),
        (lambda: Assignment().decode(np.ones((3, 2))), "as many columns"),
        (lambda: Assignment().decode([[np.nan]]), "finite"),
        (
            lambda: Graph([(0, 1)]).log_partition(
                np.zeros((2, 3)), np.eye(3), "determinant"
            ),
            "two labels",
        ),
    ],
)
def test_bad_structures_get_one_sentence(call, words):
    with pytest.raises(DataError, match=words):
        call()


@pytest.mark.parametrize("value", [np.inf, np.nan])
@pytest.mark.parametrize("verb", ["decode", "marginals", "log_partition"])
def test_a_tree_refuses_scores_without_a_sum(verb, value):
    for k in range(2):
        given = [np.zeros((2, 2)), np.zeros((2, 2))]
        given[k][0, 1] = value
        with pytest.raises(DataError, match="below infinity"):
            getattr(Tree([(0, 1)]), verb)(*given)
