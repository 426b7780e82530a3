"""What can be known from how many comparisons, and from triplets."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from infimum.errors import DataError
from infimum.models.ranking import (
    CountingRanker,
    PairwiseModel,
    complete_distances,
    count_triplet_answers,
    draw_triplets,
    fano_bound,
    half_space,
    hard_instance,
    kendall_distance,
    observe,
    pairs_shattered,
    permutation_risk_bound,
    query_complexity,
    recovery,
    repeats_needed,
    separation,
    sorting_comparisons,
    tournament_comparisons,
)


def top(games, k):
    return set(CountingRanker().fit(games).order_[:k].tolist())


@pytest.mark.syllabus("S4B-219")
def test_separation_grows_with_the_root_of_comparisons():
    tau = [0.2, 0.9, 0.6]
    expected = (0.6 - 0.2) * np.sqrt(3 * 0.5 * 40 / np.log(3))
    assert separation(tau, 2, 40, 0.5) == pytest.approx(expected)
    assert separation(tau, 2, 160, 0.5) == pytest.approx(2 * expected)


@pytest.mark.syllabus("S4B-220")
def test_at_separation_eight_counting_never_errs_and_at_a_seventh_it_does():
    P = hard_instance(10, 3, 0.25, 5)
    repeats = int(np.ceil(repeats_needed(0.25, 10)))
    psi = separation(P.scores, 3, repeats)
    assert 8.0 <= psi < 8.2
    assert recovery(psi, 10).top_k == 1 - 10.0**-14
    wrong = sum(
        top(observe(P, repeats, random_state=seed), 3) != {0, 1, 5}
        for seed in range(1000)
    )
    assert wrong == 0
    P = hard_instance(10, 3, 0.01, 5)
    psi = separation(P.scores, 3, 20)
    assert psi <= 1 / 7
    assert recovery(psi, 10, seen=20).hopeless
    wrong = sum(
        top(observe(P, 20, random_state=seed), 3) != {0, 1, 5} for seed in range(300)
    )
    assert wrong / 300 >= 1 / 7


@pytest.mark.syllabus("S4B-221")
def test_without_noise_order_n_log_n_repeats_are_asked_for():
    for n, r in ((10, 1473.7), (50, 12518.5)):
        assert repeats_needed(1 / n, n) == pytest.approx(64 * n * np.log(n))
        assert round(repeats_needed(1 / n, n), 1) == r
    P = PairwiseModel.of(np.triu(np.ones((10, 10)), 1))
    assert P.scores[0] - P.scores[1] == pytest.approx(0.1)


@pytest.mark.syllabus("S4B-222")
def test_the_noisy_instance_has_separation_one_over_n():
    n = 12
    P = np.full((n, n), 0.5)
    P[0, 2:], P[1, 2:] = 0.5 + 2 / (n - 2), 0.5 + 1 / (n - 2)
    P[2:, 0], P[2:, 1] = 1 - P[0, 2:], 1 - P[1, 2:]
    tau = PairwiseModel.of(P).scores
    assert tau[0] - tau[1] == pytest.approx(1 / n, abs=1e-15)
    total = repeats_needed(1 / n, n) * n * (n - 1) / 2
    assert total == pytest.approx(32 * n**2 * (n - 1) * np.log(n))


@pytest.mark.syllabus("S4B-223", "S4B-229")
def test_sorting_and_tournaments_ask_far_less_than_counting():
    rng = np.random.default_rng(0)
    for n in (16, 100, 1000):
        values = rng.permutation(n).tolist()
        assert tournament_comparisons(values) == n - 1
        assert n - 1 <= sorting_comparisons(values) <= n * np.log2(n)
        passive = repeats_needed(1 / n, n) * n * (n - 1) / 2
        assert passive > 100 * n * np.log2(n)


@pytest.mark.syllabus("S4B-225")
def test_hard_instances_differ_in_one_item_and_have_the_gap_told():
    for special in range(2, 8):
        model = hard_instance(8, 3, 0.1, special)
        tau = np.sort(model.scores)[::-1]
        assert tau[2] - tau[3] == pytest.approx(0.1)
        assert set(model.order[:3].tolist()) == {0, 1, special}
    assert len({hard_instance(8, 3, 0.1, a).P.tobytes() for a in range(2, 8)}) == 6


@pytest.mark.syllabus("S4B-226")
def test_no_method_errs_less_than_fano_says():
    n, k, gap, repeats = 12, 1, 0.03, 2
    bound = fano_bound(n, k, gap, repeats)
    p = np.array([0.5 + gap, 0.5 - gap])
    divergence = np.sum(p * np.log(p / p[::-1]))  # of two shifted coins, twice the gap
    half = np.sum(p * np.log(p / 0.5)) + np.sum(0.5 * np.log(0.5 / p))
    one = (n - 2) * half + divergence
    expected = 1 - (repeats * one * (n - 1) / n + np.log(2)) / np.log(n)
    assert bound == pytest.approx(expected)
    assert 0.3 < bound < 0.9
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(400):
        special = int(rng.integers(n))
        games = observe(hard_instance(n, k, gap, special), repeats, random_state=rng)
        W = games.matrix()
        wrong += int(np.argmax(W.sum(axis=1) + 1e-6 * rng.random(n))) != special
    assert wrong / 400 >= bound - 3 * 0.5 / 20
    assert fano_bound(n, k, gap, 10_000) == 0.0


@pytest.mark.syllabus("S4B-227")
def test_the_full_order_is_found_where_all_separations_are_eight():
    n = 5
    P = PairwiseModel.of(0.5 + 0.1 * np.subtract.outer(range(n), range(n))[::-1, ::-1])
    tau = np.sort(P.scores)[::-1]
    gap = float(np.min(tau[:-1] - tau[1:]))
    repeats = int(np.ceil(repeats_needed(gap, n)))
    assert min(separation(P.scores, k, repeats) for k in range(1, n)) >= 8
    assert recovery(8.0, n).full == 1 - n**-13.0
    for seed in range(200):
        games = observe(P, repeats, random_state=seed)
        assert (CountingRanker().fit(games).order_ == P.order).all()


@pytest.mark.syllabus("S4B-232")
def test_the_vc_dimension_of_orders_is_n_less_one():
    for n, trees in ((3, 3), (4, 16), (5, 125)):
        assert pairs_shattered(n, n - 1) == trees == n ** (n - 2)
        assert pairs_shattered(n, n) == 0


@pytest.mark.syllabus("S4B-233")
def test_the_risk_of_an_order_is_bounded_by_its_dimension():
    n, m = 20, 5000
    d = n - 1
    expected = 0.1 + 2 * np.sqrt((d * np.log(2 * np.e * m / d) - np.log(0.05)) / m)
    assert permutation_risk_bound(0.1, n, m) == pytest.approx(expected)
    assert permutation_risk_bound(0.0, n, 100 * m) < 0.1


@pytest.mark.syllabus("S4B-235")
def test_the_oracle_answers_truly_but_for_its_noise():
    X = np.random.default_rng(2).standard_normal((12, 3))
    D = pairwise_distances(X)
    i, j, k = draw_triplets(X, 2000, random_state=0).T
    assert (D[i, j] < D[i, k]).all()
    i, j, k = draw_triplets(X, 4000, noise=0.2, random_state=0).T
    assert np.mean(D[i, j] > D[i, k]) == pytest.approx(0.2, abs=5 * 0.4 / 4000**0.5)
    i, j, k, m = draw_triplets(X, 500, quadruplets=True, random_state=0).T
    assert (D[i, j] < D[k, m]).all()
    assert (i != k).any()


@pytest.mark.syllabus("S4B-236")
def test_distances_are_completed_from_a_part_of_the_triplets():
    X = np.random.default_rng(3).standard_normal((20, 2))
    D = pairwise_distances(X)
    told = draw_triplets(X, 1500, random_state=1)
    upper = np.triu_indices(20, 1)
    errors, recalls = {}, {}
    for method in ("embedding", "counting"):
        found = complete_distances(told, 20, method=method)
        jitter = 1e-9 * np.random.default_rng(0).random(len(upper[0]))
        errors[method] = kendall_distance(found[upper] + jitter, D[upper])
        near = [set(np.argsort(row)[1:4].tolist()) for row in found]
        true = [set(np.argsort(row)[1:4].tolist()) for row in D]
        recalls[method] = np.mean(
            [len(a & b) / 3 for a, b in zip(near, true, strict=True)]
        )
    assert errors["embedding"] < 0.05 < errors["counting"] < 0.3
    assert recalls["embedding"] > 0.85
    assert recalls["embedding"] > recalls["counting"] > 3 / 19
    with pytest.raises(DataError, match="three or four"):
        complete_distances([[0, 1]], 3)


@pytest.mark.syllabus("S4B-237")
def test_the_table_of_query_complexities_is_ordered():
    found = query_complexity(1000, 2)
    assert found["sorting"] == pytest.approx(1e6 * np.log2(1e6))
    assert found["erm"] == pytest.approx(1e8)
    assert found["counting"] == pytest.approx(1e18 * np.log(1e6))
    assert found["euclidean"] == pytest.approx(2 * 1000 * np.log(1000) / 0.01)
    assert sorted(found, key=found.get) == ["euclidean", "sorting", "erm", "counting"]


@pytest.mark.syllabus("S4B-238")
def test_a_triplet_is_a_half_space_between_the_two_it_compares():
    rng = np.random.default_rng(4)
    i, j, k = rng.standard_normal((3, 500, 4))
    nearer = np.linalg.norm(i - j, axis=1) < np.linalg.norm(i - k, axis=1)
    assert (half_space(i, j, k) == nearer).all()


@pytest.mark.syllabus("S4B-239")
def test_points_on_a_line_give_few_of_all_conceivable_answers():
    three, four = count_triplet_answers(3), count_triplet_answers(4)
    assert three == 6  # of 2³: two cycles contradict themselves
    assert count_triplet_answers(3, 81) == three
    assert count_triplet_answers(4, 61) == four  # a finer grid finds no more
    assert four == 96 < 2**12
    for n, count in ((3, three), (4, four)):
        assert np.log2(count) <= n * np.log2(n)  # d = 1
