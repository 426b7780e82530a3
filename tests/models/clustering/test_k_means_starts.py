"""Where k-means begins, what it does with empty clusters, and how it goes on."""

from itertools import product

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import (
    AgglomerativeClustering,
    KMeans,
    kmeans_plusplus,
)
from infimum.models.clustering.centres._lloyd import Lloyd, rows_of
from infimum.models.clustering.centres._local_search import MOVES
from infimum.models.clustering.centres._start import centres_of

CORNERS = 20.0 * np.array(list(product((0, 1), repeat=2)))
GAPS = np.array([[0.0], [3.0], [13.0], [14.0]])


def blobs(rng, n=30):
    labels = np.repeat(np.arange(4), n)
    return rng.normal(size=(4 * n, 2)) + CORNERS[labels], labels


@pytest.mark.syllabus("S4A-254", "S4B-003", "S0A-061")
def test_random_starts_are_different_samples_each_as_likely(rng):
    X = np.arange(6.0)[:, None]
    counts = np.zeros(6)
    for seed in range(180):
        # As many centres as points: each centre stays where it was drawn.
        model = KMeans(6, init="random", n_init=1, max_iter=1, random_state=seed).fit(X)
        counts[int(model.cluster_centers_[0, 0])] += 1
        assert sorted(model.cluster_centers_.ravel()) == X.ravel().tolist()
    assert abs(counts - 30).max() < 4 * np.sqrt(30 * 5 / 6)


@pytest.mark.syllabus("S4A-255", "S4B-004", "S1-147")
def test_kmeans_plusplus_draws_by_squared_distance():
    X = np.array([[0.0], [1.0], [3.0], [7.0]])
    first, second = np.zeros(4), np.zeros((4, 4))
    for seed in range(400):
        _, chosen = kmeans_plusplus(X, 2, random_state=seed, n_local_trials=1)
        assert chosen[0] != chosen[1]
        first[chosen[0]] += 1
        second[chosen[0], chosen[1]] += 1
    assert abs(first - 100).max() < 4 * np.sqrt(100 * 0.75)
    for i in range(4):
        odds = ((X - X[i]) ** 2).ravel()
        expected = first[i] * odds / odds.sum()
        slack = 4 * np.sqrt(expected) + 1
        assert (abs(second[i] - expected) <= slack).all()


@pytest.mark.syllabus("S4B-004", "S1-147")
def test_draws_stay_exact_when_many_are_proposed_at_once():
    # 12 pairs of twins: after a twin is taken, the other one is hardly ever wanted.
    X = (
        np.repeat(10.0 * np.arange(12.0), 2)[:, None]
        + np.tile([0.0, 1e-3], 12)[:, None]
    )
    for seed in range(40):
        _, chosen = kmeans_plusplus(X, 12, random_state=seed, n_local_trials=1)
        assert len(set(chosen)) == 12
        pairs = len(set((chosen // 2).tolist()))
        assert pairs == 12


@pytest.mark.syllabus("S1-148", "S4A-262", "S4B-004")
def test_kmeans_plusplus_is_near_the_optimum_in_expectation(rng):
    for k in (2, 3):
        X = rng.normal(size=(8, 2)) * [3.0, 1.0]
        best = min(
            sum(
                ((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum()
                for j in range(k)
            )
            for labels in map(np.array, product(range(k), repeat=8))
            if len(set(labels)) == k
        )
        costs = []
        for seed in range(60):
            centres, _ = kmeans_plusplus(X, k, random_state=seed, n_local_trials=1)
            costs.append(cdist(X, centres, "sqeuclidean").min(axis=1).sum())
        assert 1.0 <= np.mean(costs) / best <= 8 * (np.log(k) + 2)
        greedy = [
            cdist(X, kmeans_plusplus(X, k, random_state=seed)[0], "sqeuclidean")
            .min(axis=1)
            .sum()
            for seed in range(60)
        ]
        assert np.mean(greedy) < np.mean(costs)


@pytest.mark.syllabus("S0A-061")
def test_farthest_first_takes_one_sample_of_each_blob(rng):
    X, labels = blobs(rng)
    for seed in range(10):
        model = KMeans(
            4, init="farthest-first", n_init=1, max_iter=1, random_state=seed
        ).fit(X)
        assert len({labels[model.labels_ == j][0] for j in range(4)}) == 4
        assert model.inertia_ < 2.5 * len(X)
    # Random samples miss a blob more often than not: the start matters.
    missed = [
        KMeans(4, init="random", n_init=1, random_state=seed).fit(X).inertia_ > 1000
        for seed in range(20)
    ]
    assert any(missed)
    assert not all(missed)


@pytest.mark.syllabus("S4A-256", "S4B-005")
def test_a_start_may_be_prior_knowledge_or_a_simpler_clustering(rng):
    X, labels = blobs(rng)
    truth = np.array([X[labels == j].mean(axis=0) for j in range(4)])
    few = np.where(np.arange(len(X)) % 10 == 0, labels, -1)
    for init in (
        truth,
        labels,
        few,
        AgglomerativeClustering(4),
        lambda *_, **__: truth,
    ):
        model = KMeans(4, init=init).fit(X)
        same = model.labels_[:, None] == model.labels_
        assert (same == (labels[:, None] == labels)).all()
    plain = np.mean(
        [
            KMeans(4, init="random", n_init=1, random_state=s).fit(X).inertia_
            for s in range(20)
        ]
    )
    careful = np.mean(
        [KMeans(4, n_init=1, random_state=s).fit(X).inertia_ for s in range(20)]
    )
    assert careful < plain


@pytest.mark.syllabus("S4A-257", "S4B-006")
def test_the_best_of_many_starts_is_kept(rng):
    X = rng.normal(size=(80, 2))
    seed = np.random.RandomState(5)
    singles = [
        KMeans(8, init="random", n_init=1, random_state=seed).fit(X).inertia_
        for _ in range(20)
    ]
    many = KMeans(8, init="random", n_init=20, random_state=5).fit(X)
    assert many.inertia_ == pytest.approx(min(singles), rel=1e-12)
    assert max(singles) > 1.02 * many.inertia_


@pytest.mark.syllabus("S4A-258", "S4B-007")
@pytest.mark.parametrize("rule", ["farthest", "random", "restart"])
def test_no_cluster_stays_empty(rule, rng):
    X, _ = blobs(rng)
    far = np.vstack([X[:3], [[1e6, 1e6]]])

    def lost_at_first(X, k, random_state, calls=[]):  # noqa: B006
        calls.append(1)
        return far if len(calls) == 1 else X[random_state.permutation(len(X))[:k]]

    init = lost_at_first if rule == "restart" else far
    model = KMeans(4, init=init, empty_cluster=rule, random_state=1).fit(X)
    assert len(set(model.labels_.tolist())) == 4
    assert np.isfinite(model.cluster_centers_).all()
    assert (np.diff(model.history_) <= 1e-9).all()
    assert abs(model.cluster_centers_).max() < 30.0


@pytest.mark.syllabus("S4A-259", "S4B-008")
def test_local_search_leaves_the_bad_optimum_of_four_points():
    stuck = KMeans(3, init=GAPS[[0, 2, 3]]).fit(GAPS)
    freed = KMeans(3, init=GAPS[[0, 2, 3]], local_search=5, random_state=0).fit(GAPS)
    assert stuck.inertia_ == pytest.approx(4.5)
    assert freed.inertia_ == pytest.approx(0.5)


@pytest.mark.syllabus("S4A-259", "S4B-008")
@pytest.mark.parametrize("seed", range(6))
def test_local_search_never_raises_the_objective(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    weights = rng.integers(1, 4, 60)
    before = KMeans(6, init=X[:6]).fit(X, sample_weight=weights)
    after = KMeans(6, init=X[:6], local_search=3, random_state=seed)
    after.fit(X, sample_weight=weights)
    assert after.inertia_ <= before.inertia_
    assert (np.diff(after.history_) <= 1e-9).all()


@pytest.mark.parametrize(
    ("move", "X", "bad", "best"),
    [
        ("swap", [0.0, 1.0, 4.1, 8.0], [0, 0, 0, 1], 0.5 + 3.9**2 / 2),
        ("replace", [0.0, 3.0, 13.0, 14.0], [0, 0, 1, 2], 0.5),
        ("merge", [0.0, 3.0, 13.0, 14.0], [0, 0, 1, 2], 0.5),
        ("split", [0.0, 3.0, 13.0, 14.0], [0, 0, 1, 2], 0.5),
    ],
)
def test_each_move_alone_leaves_a_place_where_lloyd_stops(move, X, bad, best):
    rows = rows_of(np.array(X)[:, None])
    lloyd, draw = Lloyd(100, 0.0, "farthest"), np.random.RandomState(0)
    start = centres_of(rows, np.array(bad, dtype=np.int32), max(bad) + 1)
    stuck = lloyd.descend(rows, start, draw)
    assert stuck.labels.tolist() == bad
    assert stuck.inertia > 1.1 * best
    freed = lloyd.descend(rows, MOVES[move](rows, stuck, draw), draw)
    assert freed.inertia == pytest.approx(best)


def test_single_samples_move_where_lloyd_sees_no_move():
    # The sample at 4 is as near to one mean as to the other, but by moving it both
    # means move: Lloyd stops, the exchange of single samples does not.
    X = np.array([[0.0], [1.0], [4.1], [8.0]])
    start = np.array([[5.1 / 3], [8.0]])
    assert KMeans(2, init=start).fit(X).inertia_ > 9.0
    moved = KMeans(2, init=start, local_search=1, random_state=0).fit(X)
    assert moved.inertia_ == pytest.approx(0.5 + 3.9**2 / 2)


@pytest.mark.parametrize(
    ("init", "error"),
    [
        ("nearest", InvalidParameterError),
        (np.zeros((3, 2)), DataError),
        (np.zeros((4, 3)), DataError),
        (np.zeros(120, dtype=int), DataError),
        (np.full((4, 2), np.nan), DataError),
    ],
    ids=["word", "few", "wide", "labels", "nan"],
)
def test_a_start_that_cannot_be_is_refused(init, error, rng):
    with pytest.raises(error, match=r"KMeans\.init"):
        KMeans(4, init=init).fit(blobs(rng)[0])
