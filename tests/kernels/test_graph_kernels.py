"""Kernels on graphs and on their vertices against brute force."""

from collections import Counter
from itertools import combinations, pairwise, permutations, product
from math import comb

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import expm

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import (
    Diffusion,
    Graph,
    Graphlets,
    RandomWalk,
    RegularizedLaplacian,
    VertexPaths,
    WeisfeilerLehman,
    check_definite,
    direct_product,
    stopping_probability,
    walk_distribution,
)
from infimum.study.features import MotifCounts

STAR = np.array([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]])
EDGE = np.array([[0, 1], [1, 0]])
RING = np.roll(np.eye(5), 1, axis=1) + np.roll(np.eye(5), -1, axis=1)


def random_graph(rng, size, share=0.5):
    upper = np.triu(rng.random((size, size)) < share, 1)
    return (upper | upper.T).astype(float)


@pytest.fixture(name="graphs")
def some_graphs(rng):
    return [random_graph(rng, n) for n in (1, 3, 4, 6, 7)]


@pytest.mark.syllabus("S0B-132")
def test_rows_of_transitions_sum_to_one_where_a_walk_can_go_on(graphs):
    for A in graphs:
        graph = Graph(A)
        assert graph.degrees == pytest.approx(A.sum(axis=1))
        sums = graph.transitions.sum(axis=1)
        assert sums == pytest.approx((A.sum(axis=1) > 0).astype(float))
        assert np.array_equal(graph.laplacian, np.diag(A.sum(axis=1)) - A)


@pytest.mark.syllabus("S0B-133")
def test_walkers_are_where_the_transposed_transitions_say(rng):
    A = np.array([[0, 1, 1, 0], [1, 0, 0, 0], [0, 2, 0, 1], [1, 1, 1, 0]], float)
    graph = Graph(A, start=[0.7, 0.3, 0, 0], stop=[0.1, 0.2, 0.3, 0.4])
    steps, walkers = 3, 20_000
    here = rng.choice(4, size=walkers, p=graph.start)
    for _ in range(steps):
        arrivals = graph.transitions.cumsum(axis=1)[here]
        here = (rng.random((walkers, 1)) > arrivals).sum(axis=1)
    seen = np.bincount(here, minlength=4) / walkers
    expected = walk_distribution(graph, steps)
    # Four standard deviations of a frequency.
    assert np.abs(seen - expected).max() < 4 * 0.5 / np.sqrt(walkers)
    assert expected.sum() == pytest.approx(1.0)
    stopped = stopping_probability(graph, steps)
    assert stopped == pytest.approx(expected @ graph.stop)


@pytest.mark.syllabus("S0B-135", "S0B-138")
def test_the_product_graph_joins_pairs_that_are_joined_in_both(graphs):
    first, second = Graph(graphs[2]), Graph(graphs[3])
    both = direct_product(first, second)
    assert np.array_equal(both.adjacency, np.kron(first.adjacency, second.adjacency))
    kron = np.kron(first.transitions, second.transitions)
    assert both.transitions == pytest.approx(kron)
    for (i, r), (j, s) in product(np.ndindex(4, 6), repeat=2):
        joined = first.adjacency[i, j] and second.adjacency[r, s]
        assert bool(both.adjacency[6 * i + r, 6 * j + s]) == bool(joined)
    # Vertices 11' and 32' are joined: 1-3 is an edge of one, 1'-2' of the other.
    one = np.zeros((3, 3))
    one[0, 2] = one[2, 0] = one[1, 2] = one[2, 1] = 1
    pair = direct_product(Graph(one), Graph(EDGE))
    assert pair.adjacency[2 * 0 + 0, 2 * 2 + 1] == 1


def product_walk(first, second, weights, alike=None):
    both = direct_product(first, second)
    alike = np.ones(both.size) if alike is None else alike
    transitions = np.kron(first.transitions, second.transitions) * np.outer(
        alike, alike
    )
    here, total = both.start * alike, 0.0
    for weight in weights:
        total += weight * both.stop @ here
        here = transitions.T @ here
    return total


@pytest.mark.syllabus("S0B-136")
def test_walks_in_common_are_walks_on_the_product_graph(graphs):
    chosen = [Graph(A) for A in graphs]
    weights = (0.5, 0.0, 2.0, 1.0)
    expected = [[product_walk(x, z, weights) for z in chosen] for x in chosen]
    assert RandomWalk(weights=weights)(graphs) == pytest.approx(np.array(expected))
    # Geometric weights have a closed form: q'(I - λÃ')⁻¹p.
    for x, z in combinations(chosen, 2):
        both = direct_product(x, z)
        kron = np.kron(x.transitions, z.transitions)
        closed = both.stop @ np.linalg.solve(
            np.eye(both.size) - 0.8 * kron.T, both.start
        )
        assert RandomWalk(0.8)([x], [z])[0, 0] == pytest.approx(closed)
    assert check_definite(RandomWalk(0.8), graphs)
    with pytest.raises(InvalidParameterError, match="weights"):
        RandomWalk(weights=(1.0, -1.0))


@pytest.mark.syllabus("S0B-137")
def test_labels_allow_only_steps_between_like_vertices(graphs):
    same = [Graph(A, labels="x" * len(A)) for A in graphs]
    assert RandomWalk()(same) == pytest.approx(RandomWalk()(graphs))
    labelled = [Graph(A, labels=("ab" * 9)[: len(A)]) for A in graphs]
    weights = [0.5**t for t in range(60)]
    for x, z in combinations(labelled, 2):
        alike = np.array([a == b for a, b in product(x.labels, z.labels)], float)
        expected = product_walk(x, z, weights, alike)
        assert RandomWalk(0.5)([x], [z])[0, 0] == pytest.approx(expected)
    with pytest.raises(DataError, match="all have labels"):
        RandomWalk()([labelled[0]], [graphs[0]])


@pytest.mark.parametrize("size", [3, 4])
def test_graphlets_agree_with_looking_at_every_set_of_vertices(size, graphs):
    def shape(block):  # degree sequences tell graphs on up to 4 vertices apart
        return tuple(sorted(block.sum(axis=0).astype(int)))

    def counts(A):
        sets = combinations(range(len(A)), size)
        return Counter(shape(A[np.ix_(chosen, chosen)]) for chosen in sets)

    tables = [counts(A) for A in graphs]
    expected = [[sum(a[s] * b[s] for s in a) for b in tables] for a in tables]
    assert np.array_equal(Graphlets(size)(graphs), expected)
    thin = [sparse.csr_array(A) for A in graphs]
    assert np.array_equal(Graphlets(size)(thin), expected)


@pytest.mark.syllabus("S4A-140")
def test_connected_graphlets_are_the_motifs_of_the_features_room(graphs):
    motifs = ["path", "claw", "square", "paw", "diamond", "clique"]
    counts = MotifCounts(motifs, induced=True).fit_transform(graphs)
    kernel = Graphlets(4, connected=True)
    assert np.array_equal(kernel(graphs), counts @ counts.T)
    with pytest.raises(DataError, match="undirected"):
        kernel([[[0, 1], [0, 0]]])


@pytest.mark.parametrize("connected", [False, True])
def test_graphlets_of_five_vertices_agree_with_comparing_every_two_sets(
    connected, graphs
):
    def same(a, b):  # by brute force: some order of the vertices makes them equal
        orders = permutations(range(5))
        return any(np.array_equal(a[np.ix_(o, o)], b) for o in map(list, orders))

    def hangs_together(a):
        return (np.linalg.matrix_power(a + np.eye(5), 4) > 0).all()

    sets = [
        [A[np.ix_(chosen, chosen)] for chosen in combinations(range(len(A)), 5)]
        for A in [*graphs[:4], RING]
    ]
    if connected:
        sets = [[a for a in each if hangs_together(a)] for each in sets]
    expected = [[sum(same(a, b) for a in p for b in q) for q in sets] for p in sets]
    assert np.array_equal(
        Graphlets(5, connected=connected)([*graphs[:4], RING]), expected
    )
    everything = [np.triu(np.ones((9, 9)), 1), np.zeros((9, 9))]
    shapes = Graphlets(5).count(everything[0] + everything[0].T)
    assert list(shapes.values()) == [comb(9, 5)]


def test_weisfeiler_and_lehman_know_a_vertex_by_its_surroundings(graphs):
    # Depth 1 of unlabelled graphs is the degree.
    tables = [Counter(A.sum(axis=1)) for A in graphs]
    degrees = [[sum(a[d] * b[d] for d in a) for b in tables] for a in tables]
    sizes = np.array([len(A) for A in graphs])
    assert np.array_equal(WeisfeilerLehman(0)(graphs), np.outer(sizes, sizes))
    assert np.array_equal(
        WeisfeilerLehman(1)(graphs), np.outer(sizes, sizes) + np.array(degrees)
    )
    order = [3, 1, 0, 2, 4]
    turned = RING[np.ix_(order, order)]
    kernel = WeisfeilerLehman(4)
    assert kernel([RING], [turned])[0, 0] == kernel.diagonal([RING])[0]
    path = np.diag(np.ones(4), 1) + np.diag(np.ones(4), -1)
    assert kernel([RING], [path])[0, 0] < kernel.diagonal([RING])[0]
    labelled = [Graph(EDGE, labels="ab"), Graph(EDGE, labels="bb")]
    assert WeisfeilerLehman(1)(labelled).tolist() == [[4, 2], [2, 8]]


@pytest.mark.syllabus("S4A-142", "S0B-134")
def test_diffusion_and_the_regularised_laplacian_are_matrix_functions(graphs):
    A = graphs[-1]
    L = np.diag(A.sum(axis=1)) - A
    nodes = np.arange(len(A))
    assert Diffusion(A, 0.7)(nodes) == pytest.approx(expm(-0.7 * L))
    inverse = np.linalg.inv(np.eye(len(A)) + 3.0 * L)
    assert RegularizedLaplacian(A, 3.0)(nodes) == pytest.approx(inverse)
    assert Diffusion(A, 0.7)([2, 0], [1]).shape == (2, 1)
    assert Diffusion(A, 0.7)(nodes).sum(axis=0) == pytest.approx(1.0)  # heat is kept
    with pytest.raises(DataError, match="undirected"):
        Diffusion([[0, 1], [0, 0]])([0])
    with pytest.raises(DataError, match="whole numbers from 0 to 6"):
        Diffusion(A)([7])


def brute_paths(W, length, *, walks):
    total = np.zeros_like(W)
    for size in range(1, length + 1):
        for path in product(range(len(W)), repeat=size + 1):
            if walks or len(set(path)) == len(path):
                weight = np.prod([W[i, j] for i, j in pairwise(path)])
                total[path[0], path[-1]] += weight
    return total


@pytest.mark.syllabus("S4A-141")
@pytest.mark.parametrize("walks", [True, False])
def test_paths_of_weighted_edges_make_a_vertex_similarity(walks, rng):
    W = np.where(rng.random((5, 5)) < 0.6, rng.random((5, 5)), 0.0)  # directed
    np.fill_diagonal(W, 0.0)
    S = brute_paths(W, 3, walks=walks) + np.eye(5)
    nodes = np.arange(5)
    plain = VertexPaths(W, 3, "sum", walks=walks)
    assert plain(nodes) == pytest.approx(S + S.T)
    assert VertexPaths(W, 3, walks=walks)(nodes) == pytest.approx(S @ S.T)
    shifted = VertexPaths(W, 3, "shift", walks=walks)(nodes)
    assert shifted - np.diag(shifted.diagonal()) == pytest.approx(
        S + S.T - np.diag((S + S.T).diagonal())
    )
    assert check_definite(shifted)


@pytest.mark.syllabus("S4A-141", "S4A-144")
def test_the_plain_sum_over_paths_is_no_kernel():
    star = VertexPaths(STAR, 1, "sum")
    check = check_definite(star(np.arange(4)))
    assert not star.definite
    assert check.smallest == pytest.approx(-1.464, abs=1e-3)
    edge = VertexPaths(EDGE, 1, "sum", trivial=False)([0, 1])
    assert np.linalg.eigvalsh(edge) == pytest.approx([-2.0, 2.0])
    assert VertexPaths(STAR, 1).definite
    assert check_definite(VertexPaths(STAR, 1)(np.arange(4)))


def test_graphs_say_what_is_wrong():
    with pytest.raises(DataError, match="square"):
        Graph([[0, 1]])
    with pytest.raises(DataError, match="not negative"):
        Graph([[0, -1], [-1, 0]])
    with pytest.raises(DataError, match=r"Graph\.labels"):
        Graph(EDGE, labels="abc")
