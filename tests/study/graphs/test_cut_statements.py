"""Cuts: what they cost, which is best, and what relaxing the question loses."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infimum.errors import DataError, InvalidParameterError
from infimum.models.graph import degrees, laplacian, laplacian_spectrum, variation
from infimum.study.graphs import (
    balance,
    best_cut,
    block_graph,
    cheeger_bracket,
    cheeger_constant,
    clique,
    cockroach_graph,
    conductance,
    connected_components,
    cut_vector,
    cut_weight,
    degree_quotient,
    minimum_cut,
    normalized_cut,
    ratio_cut,
    spectral_bisection,
    sweep_cut,
    two_cliques,
    volume,
)


def random_weights(seed, n=9):
    upper = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return upper + upper.T


def split(seed, n=9):
    side = np.random.default_rng(seed).random(n) < 0.5
    side[:2] = [True, False]
    return side


SEEDS = st.integers(0, 10**6)


@pytest.mark.syllabus("S4B-034", "S4B-035", "S4B-051")
def test_cuts_volumes_and_conductance_against_their_sums():
    W, S = random_weights(1), [0, 3, 4]
    rest = [1, 2, 5, 6, 7, 8]
    cut = sum(W[i, j] for i in S for j in rest)
    inside, outside = W[S].sum(), W[rest].sum()
    assert cut_weight(W, S) == pytest.approx(cut)
    assert volume(W, S) == pytest.approx(inside)
    assert conductance(W, S) == pytest.approx(cut / min(inside, outside))
    side = np.isin(np.arange(9), S)
    assert normalized_cut(W, side) == pytest.approx(cut * (1 / inside + 1 / outside))
    values = [conductance(W, mask_of(code)) for code in range(1, 2**8)]
    assert cheeger_constant(W) == pytest.approx(min(values))


def mask_of(code, n=9):
    return np.array([code >> place & 1 for place in range(n)], dtype=bool)


@pytest.mark.syllabus("S4B-036")
@pytest.mark.parametrize("n", [4, 6, 8, 10])
def test_a_clique_with_loops_has_cheeger_constant_one_half(n):
    W = clique(n)
    assert cheeger_constant(W) == 0.5
    assert conductance(W, [0]) == pytest.approx((n - 1) / n)
    half = np.arange(n) < n // 2
    assert (cut_weight(W, half), volume(W, half)) == (n * n / 4, n * n / 2)
    assert laplacian_spectrum(W, 2).values[1] == pytest.approx(1.0)


@pytest.mark.syllabus("S4B-037")
@pytest.mark.parametrize("n", [4, 6, 8, 10])
def test_two_cliques_and_a_bridge_have_a_tiny_one(n):
    W = two_cliques(n)
    assert cheeger_constant(W) == pytest.approx(1 / (n * n / 4 + 1), rel=1e-14)
    expected = np.arange(n) >= n // 2
    np.testing.assert_array_equal(best_cut(W, "conductance").side, expected)


def every_connected_graph(n):
    pairs = list(combinations(range(n), 2))
    for code in range(1, 2 ** len(pairs)):
        W = np.zeros((n, n))
        for place, (i, j) in enumerate(pairs):
            W[i, j] = W[j, i] = code >> place & 1
        if connected_components(W)[0] == 1:
            yield W


@pytest.mark.syllabus("S4B-038")
def test_the_second_eigenvalue_brackets_the_cheeger_constant_of_every_small_graph():
    atlas = [W for n in (3, 4) for W in every_connected_graph(n)]
    assert len(atlas) == 4 + 38
    atlas += [(random_weights(seed, 7) > 0.5).astype(float) for seed in range(30)]
    atlas = [W for W in atlas if connected_components(W)[0] == 1]
    for W in atlas:
        exact, bracket = cheeger_constant(W), cheeger_bracket(W)
        second = bracket.second_eigenvalue
        assert second / 2 <= exact + 1e-9
        assert bracket.lower <= exact + 1e-9
        assert exact <= bracket.upper + 1e-9
        assert bracket.upper <= np.sqrt(2 * second) + 1e-9
        assert conductance(W, bracket.side) == pytest.approx(bracket.upper)


@pytest.mark.syllabus("S4B-039")
@settings(max_examples=20)
@given(SEEDS)
def test_cuts_are_test_vectors_of_the_rayleigh_quotient(seed):
    W, S = random_weights(seed), split(seed)
    u = cut_vector(W, S, "conductance")
    assert abs(u @ degrees(W)) < 1e-12
    quotient = degree_quotient(W, u)
    assert quotient == pytest.approx(normalized_cut(W, S))
    found = laplacian_spectrum(W, 2, kind="random_walk")
    assert found.values[1] - 1e-10 <= quotient <= 2 * conductance(W, S) + 1e-12
    assert degree_quotient(W, found.vectors[:, 1]) == pytest.approx(found.values[1])
    other = np.random.default_rng(seed).standard_normal(9)
    other -= other @ degrees(W) / degrees(W).sum()
    assert degree_quotient(W, other) >= found.values[1] - 1e-10


@pytest.mark.syllabus("S4B-040")
def test_the_minimum_cut_parts_an_outlier_and_balance_does_not():
    W, labels = block_graph([8, 8], 0.9, 0.08, random_state=2)
    pendant = np.zeros((17, 17))
    pendant[:16, :16] = W.toarray()
    pendant[0, 16] = pendant[16, 0] = 1.0
    cut = minimum_cut(pendant)
    assert cut.side.sum() in {1, 16}
    assert cut.value == best_cut(pendant, "cut").value == 1.0
    for objective in ("ratio_cut", "normalized_cut"):
        side = best_cut(pendant, objective).side
        expected = np.append(labels == 1, False)
        assert np.array_equal(side, expected) or np.array_equal(side, ~expected)


@pytest.mark.syllabus("S4B-041")
def test_balance_costs_least_for_halves():
    n = 20
    costs = [balance(size, n - size) for size in range(1, n)]
    assert int(np.argmin(costs)) + 1 == n // 2
    assert min(costs) == pytest.approx(4 / n)
    assert costs[0] == pytest.approx(1 + 1 / (n - 1))


@pytest.mark.syllabus("S4B-042")
def test_ratio_cut_by_hand_and_its_minimum_over_all_cuts():
    W = two_cliques(8, loops=False)
    assert ratio_cut(W, [0, 1, 1, 1, 1, 1, 1, 1]) == pytest.approx(3 * (1 + 1 / 7))
    assert best_cut(W, "ratio_cut").value == pytest.approx(1 * (1 / 4 + 1 / 4))
    assert ratio_cut(W, [0, 0, 1, 1, 2, 2, 2, 2]) == pytest.approx(
        4 / 2 + 5 / 2 + 1 / 4
    )
    for seed in range(2):
        V = random_weights(seed)
        values = [ratio_cut(V, mask_of(code)) for code in range(1, 2**8)]
        best = best_cut(V, "ratio_cut")
        assert best.value == pytest.approx(min(values))
        assert sweep_cut(V, objective="ratio_cut").value >= best.value - 1e-12


@pytest.mark.syllabus("S4B-043", "S4B-045", "S4B-051")
@settings(max_examples=20)
@given(SEEDS)
def test_cuts_are_quadratic_forms_of_their_vectors(seed):
    W, S = random_weights(seed), split(seed)
    L = laplacian(W).toarray()
    signs = cut_vector(W, S, "balanced_cut")
    assert signs @ L @ signs == pytest.approx(4 * cut_weight(W, S))
    f = cut_vector(W, S, "ratio_cut")
    assert abs(f.sum()) < 1e-10
    assert f @ f == pytest.approx(9)
    assert f @ L @ f == pytest.approx(9 * ratio_cut(W, S))
    g = cut_vector(W, S, "normalized_cut")
    assert abs(g @ degrees(W)) < 1e-10
    assert g @ L @ g == pytest.approx(W.sum() * normalized_cut(W, S))


@pytest.mark.syllabus("S4B-043", "S4B-044", "S4B-046")
def test_relaxing_the_hard_balanced_cut_gives_the_fiedler_vector():
    W = two_cliques(12, loops=False)
    hard = best_cut(W, "balanced_cut")
    relaxed = spectral_bisection(W, "unnormalized")
    np.testing.assert_array_equal(relaxed.side, ~hard.side)
    assert relaxed.side[0]
    f = relaxed.vector
    assert f @ f == pytest.approx(1.0)
    assert abs(f.sum()) < 1e-10
    # Fewer conditions, no larger minimum: f ↦ √n f competes with vectors of ±1.
    assert 12 * variation(W, f) <= 4 * hard.value + 1e-10
    assert variation(W, f) == pytest.approx(relaxed.eigenvalue)
    values, vectors = np.linalg.eigh(laplacian(W).toarray())
    assert abs(abs(vectors[:, 1] @ f) - 1.0) < 1e-10
    assert values[1] == pytest.approx(relaxed.eigenvalue)


@pytest.mark.syllabus("S4B-050")
@pytest.mark.parametrize("k", [4, 6, 8, 12, 20])
def test_on_the_cockroach_the_spectral_cut_is_worse_without_bound(k):
    W = cockroach_graph(k)
    side = spectral_bisection(W, "unnormalized").side
    assert cut_weight(W, side) == k
    assert ratio_cut(W, side) == pytest.approx(1.0)
    legs = np.arange(4 * k) % (2 * k) < k
    assert cut_weight(W, legs) == 2
    assert ratio_cut(W, side) / ratio_cut(W, legs) == pytest.approx(k / 2)
    if k == 4:
        assert best_cut(W, "ratio_cut").value <= ratio_cut(W, legs) + 1e-12


def test_the_sweep_is_the_best_threshold():
    W = random_weights(7)
    scores = np.random.default_rng(0).standard_normal(9)
    for objective, measure in (
        ("conductance", conductance),
        ("ratio_cut", ratio_cut),
        ("normalized_cut", normalized_cut),
    ):
        values = [measure(W, scores <= bar) for bar in np.sort(scores)[:-1]]
        cut = sweep_cut(W, scores, objective)
        assert cut.value == pytest.approx(min(values))
        assert measure(W, cut.side) == pytest.approx(cut.value)


def test_refusals_and_graphs_in_parts():
    with pytest.raises(InvalidParameterError, match="26 vertices, got 30"):
        best_cut(np.ones((30, 30)))
    with pytest.raises(DataError, match="two sides"):
        cut_weight(np.ones((3, 3)), [0, 1, 2])
    with pytest.raises(DataError, match="equal halves"):
        best_cut(np.ones((3, 3)), "balanced_cut")
    with pytest.raises(DataError, match="edges on both sides"):
        best_cut(np.zeros((3, 3)))
    with pytest.raises(DataError, match="2 vertices or more"):
        minimum_cut(np.ones((1, 1)))
    apart = np.kron(np.eye(2), np.ones((3, 3)))
    assert cheeger_constant(apart) == minimum_cut(apart).value == 0.0
    assert cheeger_bracket(apart).upper == 0.0
    assert spectral_bisection(apart).side.tolist() == [True] * 3 + [False] * 3
