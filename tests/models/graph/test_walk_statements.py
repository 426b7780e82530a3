"""Random walks: what the text states of steps, laws, times and resistances."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from infimum.errors import DataError
from infimum.models.graph import (
    commute_times,
    hitting_times,
    in_degrees,
    mixing_rate,
    out_degrees,
    resistance,
    sample_walks,
    stationary_law,
    transition_matrix,
    walk_law,
)

FAR_APART = [[0, 1e25, 0], [1e25, 0, 1e-5], [0, 1e-5, 0]]
HOUSE = np.array([[0, 2, 1, 0], [2, 0, 1, 0], [1, 1, 0, 3], [0, 0, 3, 0.0]])


def path(n):
    return np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)


def some_graph(rng, n, *, directed=False):
    W = rng.random((n, n)) * (rng.random((n, n)) < 0.5)
    W += np.diag(np.full(n - 1, 0.1), 1)
    W[-1, 0] += 0.2
    return W if directed else W + W.T


class Named:
    """A graph with networkx' methods."""

    def __init__(self, edges, directed):
        self.pairs, self.directed = edges, directed

    def __iter__(self):
        return iter(dict.fromkeys(name for edge in self.pairs for name in edge[:2]))

    def adjacency(self):
        raise AssertionError

    def is_directed(self):
        return self.directed

    def edges(self, data, default):
        return [(*e[:2], e[2] if len(e) > 2 else default) for e in self.pairs]


@pytest.mark.syllabus("S4B-244")
def test_degrees_sum_what_leaves_and_what_arrives():
    W = [[0, 2, 0.5], [0, 0, 1], [4, 0, 0]]
    assert out_degrees(W).tolist() == [2.5, 1.0, 4.0]
    assert in_degrees(W).tolist() == [4.0, 2.0, 1.5]
    graph = Named([("a", "b", 2), ("a", "c", 0.5), ("b", "c"), ("c", "a", 4)], True)
    assert out_degrees(graph).tolist() == [2.5, 1.0, 4.0]
    assert in_degrees(graph).tolist() == [4.0, 2.0, 1.5]


@pytest.mark.syllabus("S4B-246")
def test_steps_multiply_and_walks_follow_them():
    rng = np.random.default_rng(0)
    W = some_graph(rng, 4, directed=True)
    P = transition_matrix(W).toarray()
    np.testing.assert_allclose(P.sum(axis=1), 1.0, atol=1e-15)
    np.testing.assert_allclose(P, W / W.sum(axis=1, keepdims=True), atol=1e-15)
    start = np.array([0.1, 0.2, 0.3, 0.4])
    two = np.zeros(4)
    for i, k, j in product(range(4), repeat=3):
        two[j] += start[i] * P[i, k] * P[k, j]
    np.testing.assert_allclose(walk_law(W, start, 2), two, atol=1e-15)
    walks = sample_walks(W, start, 2, n_walks=40_000, random_state=1)
    for step in range(3):
        seen = np.bincount(walks[:, step], minlength=4) / 40_000
        law = walk_law(W, start, step)
        assert np.abs(seen - law).max() < 5 * np.sqrt(0.25 / 40_000)


@pytest.mark.syllabus("S4B-247")
def test_undirected_walks_are_in_the_long_run_where_the_degrees_are():
    found = stationary_law(HOUSE)
    np.testing.assert_allclose(found.law, np.array([3, 3, 5, 3]) / 14, atol=1e-15)
    assert found.converges
    for start in range(4):
        np.testing.assert_allclose(walk_law(HOUSE, start, 400), found.law, atol=1e-12)
    pair = stationary_law(path(2))
    assert pair.periods == (2,)
    assert not pair.converges
    assert walk_law(path(2), 0, 100).tolist() == [1.0, 0.0]
    assert walk_law(path(2), 0, 101).tolist() == [0.0, 1.0]


@pytest.mark.syllabus("S4B-248")
def test_the_law_nears_its_limit_by_the_second_eigenvalue():
    rate = mixing_rate(HOUSE)
    errors = [
        np.abs(walk_law(HOUSE, 0, t) - stationary_law(HOUSE).law).sum()
        for t in (40, 80)
    ]
    slope = (np.log(errors[1]) - np.log(errors[0])) / 40
    assert slope == pytest.approx(np.log(rate), rel=1e-3)
    P = transition_matrix(HOUSE).toarray()
    expected = np.sort(np.abs(np.linalg.eigvals(P)))[-2]
    assert rate == pytest.approx(expected, rel=1e-12)
    assert mixing_rate(path(5)) == pytest.approx(1.0)


def test_directed_chains_have_their_left_eigenvector():
    rng = np.random.default_rng(2)
    for _ in range(20):
        W = some_graph(rng, 7, directed=True)
        found = stationary_law(W)
        P = transition_matrix(W).toarray()
        values, vectors = np.linalg.eig(P.T)
        lead = vectors[:, np.argmin(np.abs(values - 1))].real
        np.testing.assert_allclose(found.law, lead / lead.sum(), atol=1e-12)
        assert found.residual < 1e-14


def test_large_directed_chains_are_solved_too():
    rng = np.random.default_rng(3)
    W = sparse.random_array((450, 450), density=0.02, rng=rng).toarray()
    W = sparse.csr_array(W + 0.5 * np.roll(np.eye(450), 1, axis=1))
    found = stationary_law(W)
    assert found.residual < 1e-12
    assert found.law.min() > 0
    assert 0 < mixing_rate(W) < 1


def test_reducible_chains_are_told_with_a_law_for_each_closed_class():
    W = np.zeros((5, 5))
    W[0, 1] = W[0, 3] = W[1, 2] = W[2, 1] = W[3, 4] = W[4, 3] = W[3, 3] = 1.0
    found = stationary_law(W)
    assert found.classes[0] == -1
    assert sorted(found.periods) == [1, 2]
    np.testing.assert_allclose(found.laws.sum(axis=1), 1.0)
    with pytest.raises(DataError, match="2 closed classes"):
        _ = found.law


def test_a_path_is_hit_after_the_square_of_its_length():
    for n in (2, 5, 40):
        found = hitting_times(path(n), n - 1)
        assert found.values[0] == pytest.approx((n - 1) ** 2, rel=1e-12)
        expected = (n - 1) ** 2 - np.arange(n) ** 2
        assert (np.abs(found.values - expected) <= found.error + 1e-300).all()
        assert found.error.max() < 1e-7


def test_hitting_times_of_directed_graphs_solve_their_equations():
    rng = np.random.default_rng(4)
    W = some_graph(rng, 6, directed=True)
    h = hitting_times(W, 2).values
    step = 1 + transition_matrix(W).toarray() @ h
    step[2] = 0.0
    np.testing.assert_allclose(h, step, rtol=1e-12)


def test_targets_that_may_never_be_reached_take_for_ever():
    W = [[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0], [1, 0, 0, 0]]
    assert hitting_times(W, 1).values.tolist() == [np.inf, 0.0, np.inf, np.inf]
    W = [[0, 1, 0], [0, 0, 1], [0, 0, 1]]
    assert hitting_times(W, 1).values.tolist() == [1.0, 0.0, np.inf]


def test_complete_graphs_have_resistance_two_over_n():
    for n in (2, 3, 10):
        found = resistance(np.ones((n, n)) - np.eye(n))
        off = found.values[~np.eye(n, dtype=bool)]
        np.testing.assert_allclose(off, 2 / n, rtol=1e-13)
        assert np.abs(off - 2 / n).max() <= found.error < 1e-12


def test_commuting_is_going_there_and_back():
    rng = np.random.default_rng(5)
    W = some_graph(rng, 8)
    there = np.array([hitting_times(W, t).values for t in range(8)]).T
    times = commute_times(W)
    np.testing.assert_allclose(times.values, there + there.T, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(times.values, W.sum() * resistance(W).values, rtol=1e-12)
    d = times.values
    there = d[:, None, :] + d.T[None, :, :]
    assert (d[:, :, None] <= there.transpose(0, 2, 1) + 1e-9).all()


def test_parts_are_infinitely_far_apart():
    W = np.zeros((4, 4))
    W[0, 1] = W[1, 0] = 2.0
    values = resistance(W).values
    assert values[0, 1] == pytest.approx(0.5)
    assert np.isinf(values[0, 2])
    assert (np.diag(values) == 0).all()
    assert (np.diag(commute_times(W).values) == 0).all()


def test_errors_told_dominate_true_errors_in_a_thousand_graphs():
    rng = np.random.default_rng(6)
    for _ in range(1000):
        n = int(rng.integers(2, 8))
        W = np.triu(rng.integers(0, 4, (n, n)), 1).astype(float) + np.eye(n, k=1)
        W = W + W.T
        found = resistance(W)
        exact = exact_resistance(W, 0, n - 1)
        assert abs(found.values[0, n - 1] - exact) <= found.error
        hit = hitting_times(W, 0)
        assert hit.error.max() < 1e-9
        commute = hit.values[n - 1] + hitting_times(W, n - 1).values[0]
        assert commute == pytest.approx(W.sum() * exact, rel=1e-9)


def exact_resistance(W, i, j):
    """Solve by fractions."""
    from fractions import Fraction

    n = len(W)
    L = [[Fraction(int(-W[a, b])) for b in range(n)] for a in range(n)]
    for a in range(n):
        L[a][a] = Fraction(int(W[a].sum() - W[a, a]))
    free = [a for a in range(n) if a != j]
    rows = [[L[a][b] for b in free] + [Fraction(int(a == i))] for a in free]
    for k in range(len(rows)):
        swap = next(r for r in range(k, len(rows)) if rows[r][k] != 0)
        rows[k], rows[swap] = rows[swap], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(len(rows)):
            if r != k:
                rows[r] = [
                    x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)
                ]
    return float(rows[free.index(i)][-1])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: transition_matrix([[0, 1], [0, 0]]), "nothing leaves vertex 1"),
        (lambda: transition_matrix([[0, -1], [0, 0]]), "negative"),
        (lambda: transition_matrix([[0, np.nan], [1, 0]]), "not finite"),
        (lambda: walk_law(path(3), 5, 1), "a vertex is a number"),
        (lambda: walk_law(path(3), [0.5, 0.1, 0.1], 1), "sum to 1"),
        (lambda: resistance([[0, 1], [2, 0]]), "undirected"),
        (lambda: resistance(FAR_APART), "resistance: the weights differ"),
        (lambda: hitting_times(FAR_APART, 2), "hitting_times: the weights differ"),
        (lambda: hitting_times(Named([("a", "b")], True), "z"), "no node 'z'"),
        (lambda: mixing_rate(np.ones((2, 3))), "square"),
    ],
)
def test_graphs_that_no_walk_can_use_are_refused(call, message):
    with pytest.raises(DataError, match=message):
        call()


def test_where_nothing_leaves_a_walk_stays_or_goes_anywhere():
    W = [[0, 1], [0, 0]]
    assert transition_matrix(W, "stay").toarray().tolist() == [[0, 1], [0, 1]]
    assert transition_matrix(W, "uniform").toarray().tolist() == [[0, 1], [0.5, 0.5]]
