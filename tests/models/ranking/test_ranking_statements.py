"""What the text states of ranking: distances, models, methods, bounds."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau

from infimum.errors import DataError
from infimum.models.ranking import (
    BradleyTerryRanker,
    Comparisons,
    ConstantNoise,
    CountingRanker,
    KemenyRanker,
    Mallows,
    PairwiseModel,
    RankingSVC,
    SerialRanker,
    UtilityModel,
    decode_pairs,
    encode_pairs,
    footrule_distance,
    kendall_distance,
    match_similarity,
    observe,
    top_k_difference,
    violations,
)


def full(order):
    """Return all comparisons of an order, without noise."""
    return [(a, b) for k, a in enumerate(order) for b in order[k + 1 :]]


@pytest.mark.syllabus("S4B-205")
def test_kendalls_distance_is_the_share_of_pairs_ordered_differently():
    rng = np.random.default_rng(0)
    for n in (2, 3, 10, 57):
        a, b = rng.permutation(n), rng.permutation(n)
        pairs = sum(
            (a[i] - a[j]) * (b[i] - b[j]) < 0 for i in range(n) for j in range(i)
        )
        expected = 2 * pairs / (n * (n - 1))
        assert kendall_distance(a, b) == pytest.approx(expected, abs=1e-15)
        tau = kendalltau(a, b).statistic
        assert kendall_distance(a, b) == pytest.approx((1 - tau) / 2, abs=1e-12)
        assert kendall_distance(a, a) == 0.0
        assert kendall_distance(a, -a) == 1.0
    with pytest.raises(DataError, match="without ties"):
        kendall_distance([1, 1], [1, 2])


@pytest.mark.syllabus("S4B-206")
def test_the_footrule_lies_between_kendalls_count_and_twice_it():
    rng = np.random.default_rng(1)
    for n in (2, 5, 30):
        a = np.arange(n)
        assert footrule_distance(a, a[::-1]) == n**2 // 2
        for _ in range(50):
            b = rng.permutation(n)
            count = kendall_distance(a, b, normalized=False)
            assert count <= footrule_distance(a, b) <= 2 * count


@pytest.mark.syllabus("S4B-207")
def test_the_difference_of_tops_is_even_and_at_most_twice_their_size():
    rng = np.random.default_rng(2)
    for _ in range(100):
        a, b = rng.permutation(9), rng.permutation(9)
        k = int(rng.integers(1, 10))
        apart = set(np.flatnonzero(a < k)) ^ set(np.flatnonzero(b < k))
        assert top_k_difference(a, b, k) == len(apart)
        assert top_k_difference(a, b, k) in range(0, 2 * k + 1, 2)
    assert top_k_difference(a, a, 3) == 0


@pytest.mark.syllabus("S4B-209")
def test_constant_noise_flips_every_answer_alike():
    model = ConstantNoise([2, 0, 1], 0.2).pairwise()
    assert model.order.tolist() == [2, 0, 1]
    pairs = np.tile([[0, 1], [2, 0], [2, 1]], (4000, 1))
    won = model.draw(pairs, random_state=0)
    assert np.abs(won.reshape(-1, 3).mean(axis=0) - 0.8).max() < 5 * 0.4 / 4000**0.5


@pytest.mark.syllabus("S4B-210")
def test_utilities_with_the_logistic_link_are_bradley_and_terrys_model():
    u = np.array([1.0, 0.2, -0.5])
    P = UtilityModel(u).pairwise().P
    assert P[0, 2] == pytest.approx(1 / (1 + np.exp(-1.5)))
    step = UtilityModel(u, lambda d: np.where(d > 0, 0.9, np.where(d < 0, 0.1, 0.5)))
    np.testing.assert_allclose(
        step.pairwise().P, ConstantNoise([0, 1, 2], 0.1).pairwise().P
    )
    model = BradleyTerryRanker().fit(observe(P, 20_000, random_state=0))
    np.testing.assert_allclose(model.scores_, u - u.mean(), atol=0.05)


@pytest.mark.syllabus("S4B-212")
def test_mallows_model_has_its_normalizer_and_its_histogram():
    model = Mallows([0, 1, 2, 3], 0.5)
    assert model.normalizer == pytest.approx(4.921875, abs=1e-12)
    assert model.probability([0, 1, 2, 3]) == pytest.approx(0.20317, abs=5e-6)
    share = Mallows([0, 1, 2, 3], 0.5, normalized=True)
    assert share.probability([0, 1, 2, 3]) == pytest.approx(0.05808, abs=5e-6)
    assert Mallows([0, 1, 2, 3], 1.0).probability([3, 0, 1, 2]) == pytest.approx(1 / 24)
    for kind in (model, share, Mallows([2, 0, 3, 1], 0.3)):
        every = list(permutations(range(4)))
        law = np.array([kind.probability(order) for order in every])
        assert law.sum() == pytest.approx(1.0)
        drawn = [tuple(row) for row in kind.draw(20_000, random_state=0).tolist()]
        seen = np.array([drawn.count(order) for order in every]) / 20_000
        assert np.abs(seen - law).max() < 5 * (0.25 / 20_000) ** 0.5


@pytest.mark.syllabus("S4B-213", "S4B-214", "S4B-231")
def test_the_likeliest_order_of_constant_noise_violates_least():
    rng = np.random.default_rng(3)
    for n in (3, 5, 7):
        W = rng.integers(0, 5, (n, n)).astype(float)
        np.fill_diagonal(W, 0)
        model = KemenyRanker().fit(Comparisons.of_matrix(W))
        costs = [violations(W, order) for order in permutations(range(n))]
        assert model.violations_ == min(costs) == model.lower_bound_
        assert violations(W, model.order_) == model.violations_
        likely = [
            sum(
                W[i, j] * np.log(ConstantNoise(order, 0.2).pairwise().P[i, j])
                for i in range(n) for j in range(n) if i != j
            )
            for order in list(permutations(range(n)))[:120]
        ]  # fmt: skip
        assert np.argmax(likely) == np.argmin(costs[:120])
    told = full([2, 0, 1])
    assert BradleyTerryRanker(strength=0.1).fit(told).ranking_ == [2, 0, 1]


def test_many_items_are_bounded_from_both_sides():
    rng = np.random.default_rng(4)
    for seed in range(10):
        W = rng.integers(0, 4, (9, 9)).astype(float)
        np.fill_diagonal(W, 0)
        games = Comparisons.of_matrix(W)
        exact = KemenyRanker().fit(games).violations_
        rough = KemenyRanker(exact_items=0).fit(games)
        assert rough.lower_bound_ <= exact <= rough.violations_
        assert rough.violations_ <= 1.15 * exact, seed
    assert KemenyRanker().fit(full(list(range(16)))).violations_ == 0.0
    large = KemenyRanker().fit(full(list(range(40))))
    assert large.violations_ == large.lower_bound_ == 0.0


@pytest.mark.syllabus("S4B-216")
def test_scores_of_pairwise_models_are_mean_chances_to_win():
    P = ConstantNoise(range(5), 0.0).pairwise()
    np.testing.assert_allclose(P.scores, (5 - np.arange(1, 6)) / 5)
    assert P.order.tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(DataError, match="sum to 1"):
        PairwiseModel.of([[0, 0.4], [0.4, 0]])


@pytest.mark.syllabus("S4B-217")
def test_pairs_are_seen_a_binomial_number_of_times():
    P = ConstantNoise(range(30), 0.3).pairwise()
    games = observe(P, 20, 0.4, random_state=0)
    counts = games.wins + games.losses
    assert counts.mean() == pytest.approx(8.0, abs=5 * (4.8 / 435) ** 0.5)
    assert counts.var() == pytest.approx(4.8, rel=0.3)
    again = observe(P, 20, 0.4, random_state=0)
    assert (again.wins == games.wins).all()
    share = games.wins.sum() / counts.sum()
    assert share == pytest.approx(0.7, abs=5 * (0.21 / counts.sum()) ** 0.5)


@pytest.mark.syllabus("S4B-218")
def test_counting_wins_is_exact_without_noise_and_says_what_it_does_with_ties():
    order = [3, 1, 4, 0, 2]
    for kind in ("borda", "copeland"):
        model = CountingRanker(kind).fit(full(order))
        assert model.ranking_ == order
        assert model.scores_.tolist() == [1, 3, 0, 4, 2]
    cycle = [("a", "b"), ("b", "c"), ("c", "a")]
    assert CountingRanker().fit(cycle).ranking_ == ["a", "b", "c"]
    with pytest.raises(DataError, match="equal scores"):
        CountingRanker(equal="refuse").fit(cycle)
    twice = [("a", "b"), ("a", "b"), ("b", "a"), ("b", "c"), ("b", "c")]
    assert CountingRanker().fit(twice).ranking_[0] == "b"
    assert CountingRanker("copeland").fit(twice).scores_.tolist() == [1.0, 1.0, 0.0]


@pytest.mark.syllabus("S4B-230")
def test_pairs_encode_an_order_and_decode_it():
    rng = np.random.default_rng(5)
    for n in (2, 5, 11):
        order = rng.permutation(n)
        pairs, y = encode_pairs(order)
        places = np.argsort(order)
        for (i, j), sign in zip(pairs, y, strict=True):
            assert sign == (1 if places[i] < places[j] else -1)
        assert decode_pairs(pairs, y).tolist() == order.tolist()
    with pytest.raises(DataError, match="contradict"):
        decode_pairs([[0, 1], [1, 2], [0, 2]], [1, 1, -1])


@pytest.mark.syllabus("S4B-234")
def test_the_hard_margin_spaces_items_by_one():
    order = [4, 2, 0, 5, 1, 3]
    model = RankingSVC(C=1e4, tol=1e-9).fit(full(order))
    assert model.ranking_ == order
    np.testing.assert_allclose(
        np.sort(model.scores_), [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], atol=1e-4
    )
    features = {i: [float(order.index(i)), 1.0] for i in range(6)}
    linear = RankingSVC(C=10.0).fit(full(order), features=features)
    assert linear.ranking_ == order
    assert RankingSVC().fit([("a", "b")]).ranking_ == ["a", "b"]


@pytest.mark.syllabus("S4B-240")
def test_signs_of_comparisons_are_antisymmetric():
    games = [
        ("a", "b"),
        ("b", "a"),
        ("a", "b"),
        ("c", "b"),
        (
            "a",
            "c",
        ),
    ]
    C = Comparisons.of(games).signs()
    assert C.tolist() == [[0, 1, 1], [-1, 0, -1], [-1, 1, 0]]
    assert (C == -C.T).all()
    tied = Comparisons.of_columns(["a"], ["b"], ["draw"]).signs()
    assert tied.tolist() == [[0, 0], [0, 0]]


@pytest.mark.syllabus("S4B-241")
def test_matches_fall_with_the_distance_of_ranks():
    n = 9
    C = Comparisons.of(full(list(range(n)))).signs()
    S = match_similarity(C)
    away = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    off = ~np.eye(n, dtype=bool)
    np.testing.assert_allclose(S[off], (n - away)[off])
    np.testing.assert_allclose(match_similarity(C + np.eye(n))[off], (n - away)[off])
    by_hand = [[sum((1 + C[i, k] * C[j, k]) / 2 for k in range(n)) for j in range(n)]
               for i in range(n)]  # fmt: skip
    np.testing.assert_allclose(S, by_hand)


@pytest.mark.syllabus("S4B-242")
def test_serial_ranking_is_exact_without_noise_in_either_direction():
    rng = np.random.default_rng(6)
    for _ in range(5):
        order = rng.permutation(12).tolist()
        assert SerialRanker().fit(full(order)).ranking_ == order


@pytest.mark.syllabus("S4B-243")
def test_serial_ranking_bears_some_corruption_and_more_of_it_less():
    rng = np.random.default_rng(7)
    n, exact = 40, {1: [0, 0], 4: [0, 0], 12: [0, 0]}
    i, j = np.triu_indices(n, 1)
    for wrong, found in exact.items():
        for _ in range(40):
            W = np.zeros((n, n))
            W[i, j] = 1.0
            for k in rng.choice(len(i), wrong, replace=False):
                W[i[k], j[k]], W[j[k], i[k]] = 0.0, 1.0
            games = Comparisons.of_matrix(W)
            truth = list(range(n))
            found[0] += SerialRanker().fit(games).ranking_ == truth
            counted = CountingRanker().fit(games)
            strict = len(np.unique(counted.scores_)) == n
            found[1] += strict and counted.ranking_ == truth
    serial = [found[0] for found in exact.values()]
    assert serial == sorted(serial, reverse=True)
    assert serial[0] >= 36
    assert all(found[0] >= found[1] for found in exact.values())
    assert serial[1] > exact[4][1]
