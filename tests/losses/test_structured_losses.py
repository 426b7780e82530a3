"""Losses over labellings and over ontologies equal maxima and sums over all of them."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.special import logsumexp

from infimum.decoders import Chain, Ontology
from infimum.errors import DataError, InvalidParameterError
from infimum.losses import (
    MulticlassHinge,
    OntologyHinge,
    OntologySoftmax,
    ScaledMulticlassHinge,
    StructuredHinge,
    StructuredLogistic,
)

TREE = [(k, 2 * k + i) for k in range(1, 8) for i in (0, 1)]
DAG = [(1, 2), (1, 3), (2, 4), (2, 5), (3, 5), (3, 6), (4, 7), (4, 8), (4, 9)]
DAG += [(5, 10), (5, 11), (6, 12), (6, 13), (12, 14), (12, 15)]


def case(seed, steps=4):
    rng = np.random.default_rng(seed)
    chain = Chain(rng.standard_normal((3, 3)), rng.standard_normal(3))
    return chain, 2.0 * rng.standard_normal((steps, 3)), rng.integers(0, 3, steps), rng


def every(chain, f):
    found = [np.array(y) for y in product(range(3), repeat=len(f))]
    return found, np.array([chain.score(f, y)[0] for y in found])


def follows_differences(loss, y, f):
    slopes, step = loss.derivative(y, f), 1e-6
    for place in np.ndindex(f.shape):
        up, down = f.copy(), f.copy()
        up[place] += step
        down[place] -= step
        rise = np.sum(loss.value(y, up)) - np.sum(loss.value(y, down))
        assert slopes[place] == pytest.approx(rise / (2 * step), abs=1e-6)


@pytest.mark.syllabus("S0B-255")
def test_the_structured_logistic_loss_sums_over_all_labellings():
    for seed in range(5):
        chain, f, y, _ = case(seed)
        own = chain.score(f, y)[0]
        wanted = logsumexp(every(chain, f)[1]) - own
        assert StructuredLogistic(chain).value(y, f) == pytest.approx(wanted)
        follows_differences(StructuredLogistic(chain), y, f)


@pytest.mark.syllabus("S0B-256", "S0B-257", "S0B-258")
@pytest.mark.parametrize("rescaling", ["margin", "slack"])
def test_the_structured_hinge_is_a_maximum_over_all_labellings(rescaling):
    for seed in range(8):
        chain, f, y, rng = case(seed)
        loss = StructuredHinge(chain, rescaling)
        found, scores = every(chain, f)
        costs = np.array([np.sum(other != y) for other in found])
        gaps = scores - chain.score(f, y)[0]
        wanted = gaps + costs if rescaling == "margin" else costs * (1.0 + gaps)
        value, slopes = loss.evaluate(y, f)
        assert value == pytest.approx(wanted.max(), abs=1e-10)
        assert value >= np.sum(chain.decode(f)[0] != y) - 1e-10
        for _ in range(10):
            g = f + rng.standard_normal(f.shape)
            assert loss.value(y, g) >= value + np.sum(slopes * (g - f)) - 1e-9
    follows_differences(loss, y, f)


@pytest.mark.syllabus("S0B-256", "S0B-283", "S0B-284")
def test_one_step_leaves_the_multiclass_hinges_and_their_sparse_gradient():
    rng = np.random.default_rng(0)
    X, W, y = (
        rng.standard_normal((6, 4)),
        rng.standard_normal((4, 3)),
        [0, 1, 2, 1, 0, 2],
    )
    F, flat = X @ W, Chain(np.zeros((3, 3)))
    for k, label in enumerate(y):
        margin = StructuredHinge(flat).value([label], F[k : k + 1])
        assert margin == pytest.approx(
            MulticlassHinge(3).value([label], F[k : k + 1])[0]
        )
        slack = StructuredHinge(flat, "slack").value([label], F[k : k + 1])
        scaled = ScaledMulticlassHinge(3).value([label], F[k : k + 1])[0]
        assert slack == pytest.approx(scaled)
    G = MulticlassHinge(3).derivative(np.array(y), F)
    assert (np.count_nonzero(G, axis=1) <= 2).all()
    loop = sum(np.outer(X[k], G[k]) for k in range(6))
    np.testing.assert_allclose((sparse.csr_array(G).T @ X).T, loop, atol=1e-12)


@pytest.mark.syllabus("S0B-260")
def test_maxima_of_samples_add_up_for_margins_and_not_for_slacks():
    chain, f, y, _ = case(3, steps=2)
    g, z = f[::-1].copy(), y[::-1].copy()
    found, scores = every(chain, f)
    _, others = every(chain, g)
    gaps, more = scores - chain.score(f, y)[0], others - chain.score(g, z)[0]
    costs = np.array([np.sum(each != y) for each in found])
    dear = np.array([np.sum(each != z) for each in found])
    joint = max(
        gaps[a] + more[b] + costs[a] + dear[b] for a in range(9) for b in range(9)
    )
    margin, slack = StructuredHinge(chain), StructuredHinge(chain, "slack")
    assert margin.value(y, f) + margin.value(z, g) == pytest.approx(joint)
    wrong = max(
        (costs[a] + dear[b]) * (1.0 + gaps[a] + more[b])
        for a in range(9)
        for b in range(9)
    )
    assert abs(slack.value(y, f) + slack.value(z, g) - wrong) > 0.1


@pytest.mark.syllabus("S0B-286", "S0B-287")
def test_the_paths_of_both_figures():
    tree, graph = Ontology(TREE), Ontology(DAG)

    def numbered(ontology, label):
        row = dict(zip(ontology.nodes, ontology.path(label), strict=True))
        return [row[node] for node in range(2, 16)]

    assert numbered(tree, 8) == [1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert numbered(tree, 13) == [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert numbered(graph, 10) == [0.5, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert numbered(graph, 15) == [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]


@pytest.mark.syllabus("S0A-016", "S0B-288", "S0B-289")
def test_labels_far_apart_cost_more_and_scores_are_sums_along_paths():
    tree, rng = Ontology(TREE), np.random.default_rng(1)
    costs = dict(zip(tree.leaves, tree.costs()[tree.leaves.index(8)], strict=True))
    assert (costs[8], costs[9], costs[10], costs[15]) == (0.0, 1.0, 2.0, 3.0)
    X, W = rng.standard_normal((5, 3)), rng.standard_normal((3, len(tree.nodes)))
    scores, f = tree.scores(X @ W), X @ W
    np.testing.assert_allclose(scores, X @ W @ tree.features.T, atol=1e-12)
    place = {node: k for k, node in enumerate(tree.nodes)}
    walk = f[:, place[3]] + f[:, place[6]] + f[:, place[13]]
    np.testing.assert_allclose(scores[:, tree.leaves.index(13)], walk, atol=1e-12)


@pytest.mark.syllabus("S0A-020", "S0B-290")
def test_the_ontology_hinge_is_a_maximum_over_leaves():
    graph, rng = Ontology(DAG), np.random.default_rng(2)
    f, y = 2.0 * rng.standard_normal((6, 14)), [10, 15, 7, 11, 13, 8]
    value = OntologyHinge(graph).value(y, f)
    for k, label in enumerate(y):
        own, costs = graph.path(label), graph.costs()[graph.leaves.index(label)]
        wanted = max(
            (graph.path(leaf) - own) @ f[k] + cost
            for leaf, cost in zip(graph.leaves, costs, strict=True)
        )
        assert value[k] == pytest.approx(wanted, abs=1e-12)
    follows_differences(OntologyHinge(graph), y, f)
    far = graph.costs()[graph.codes(y), graph.codes(graph.decode(f))]
    assert (value >= far - 1e-12).all()
    tree = Ontology(TREE)
    steep = np.zeros((1, 14))
    steep[0, tree.nodes.index(9)] = 5.0
    shared = OntologyHinge(tree).derivative([8], steep)[0]
    assert np.flatnonzero(shared).tolist() == [
        tree.nodes.index(8), tree.nodes.index(9)
    ]  # fmt: skip
    flat = OntologyHinge(Ontology([(0, 1), (0, 2), (0, 3)]))
    g, z = rng.standard_normal((4, 3)), np.array([0, 2, 1, 1])
    np.testing.assert_allclose(flat.value(z + 1, g), MulticlassHinge(3).value(z, g))


@pytest.mark.syllabus("S0B-291")
def test_the_ontology_softmax_expects_paths():
    graph, rng = Ontology(DAG), np.random.default_rng(3)
    f, loss = rng.standard_normal((2, 14)), OntologySoftmax(graph)
    follows_differences(loss, [10, 14], f)
    scores = graph.scores(f)
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    mean = sum(chances[0, k] * graph.path(leaf) for k, leaf in enumerate(graph.leaves))
    slopes = loss.derivative([10, 14], f)
    np.testing.assert_allclose(slopes[0], mean - graph.path(10), atol=1e-12)
    # Where a parent has two paths, an equal split among parents is another law.
    uneven = Ontology([(0, 1), (0, 2), (1, 3), (2, 3), (0, 4), (3, 5), (4, 5)])
    row = dict(zip(uneven.nodes, uneven.path(5), strict=True))
    assert row[3] == pytest.approx(2 / 3)
    assert row[4] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("edges", "told"),
    [
        ([(1, 2), (2, 1)], "a cycle"),
        ([(1, 2), (3, 2)], "one root"),
        ([], "one root"),
    ],
)
def test_what_is_no_ontology_is_told(edges, told):
    with pytest.raises(DataError, match=told):
        Ontology(edges)


def test_unknown_labels_and_wrong_shapes_are_told():
    tree = Ontology(TREE)
    with pytest.raises(DataError, match="no leaf 99"):
        OntologyHinge(tree).value([99], np.zeros((1, 14)))
    with pytest.raises(DataError, match="each of 14 nodes"):
        tree.scores(np.zeros((1, 3)))
    with pytest.raises(InvalidParameterError, match="rescaling"):
        StructuredHinge(Chain(np.zeros((2, 2))), "both")
