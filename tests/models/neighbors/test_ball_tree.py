"""A tree of balls: the answer of all comparisons, with fewer of them."""

import numpy as np
import pytest
import sklearn.neighbors

from infimum.kernels import Gaussian
from infimum.models.neighbors import KNeighborsClassifier, NearestNeighbors
from infimum.models.neighbors._ball_search import BallSearch

METRICS = [
    ("manhattan", {}),
    ("chebyshev", {}),
    ("minkowski", {"p": 3}),
    ("minkowski", {"p": 1, "metric_params": {"w": np.array([1.0, 2.0])}}),
    ("canberra", {}),
    ("haversine", {}),
    (Gaussian(1.0), {}),
]


def places(n=400, seed=0):
    return np.random.default_rng(seed).uniform(-1.5, 1.5, (n, 2))


@pytest.mark.syllabus("S0A-048")
@pytest.mark.parametrize(("metric", "more"), METRICS, ids=lambda v: str(v)[:24])
def test_balls_give_the_answer_of_all_comparisons(metric, more):
    X, Q = places(), places(60, seed=1)
    balls = NearestNeighbors(algorithm="ball_tree", metric=metric, **more).fit(X)
    plain = NearestNeighbors(algorithm="brute", metric=metric, **more).fit(X)
    assert isinstance(balls._search(), BallSearch)
    for ours, theirs in zip(
        balls.kneighbors(Q, 7), plain.kneighbors(Q, 7), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    for ours, theirs in zip(
        balls.radius_neighbors(Q, 0.3), plain.radius_neighbors(Q, 0.3), strict=True
    ):
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-12)


def test_balls_spare_most_comparisons_of_a_function():
    calls = [0]

    def taxi(a, b):
        calls[0] += 1
        return float(np.abs(a - b).sum())

    X, Q = places(1500), places(10, seed=1)
    model = NearestNeighbors(
        n_neighbors=3, metric=taxi, algorithm="ball_tree", leaf_size=10
    ).fit(X)
    calls[0] = 0
    names = model.kneighbors(Q, return_distance=False)
    assert calls[0] < 0.35 * 10 * 1500
    theirs = sklearn.neighbors.NearestNeighbors(n_neighbors=3, metric="manhattan").fit(
        X
    )
    np.testing.assert_array_equal(names, theirs.kneighbors(Q, return_distance=False))


def test_words_are_found_by_edit_distance_with_fewer_comparisons():
    draw = np.random.default_rng(0)
    words = ["".join(draw.choice(list("abcd"), 8)) for _ in range(300)]
    asked = ["abcdabcd", "aaaa", "dcba"]
    balls = NearestNeighbors(metric="edit_distance", algorithm="ball_tree").fit(words)
    plain = NearestNeighbors(metric="edit_distance").fit(words)
    for ours, theirs in zip(
        balls.kneighbors(asked), plain.kneighbors(asked), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


def test_equal_samples_and_distances_without_triangle_inequality():
    X = np.repeat(places(5), 30, axis=0)
    balls = NearestNeighbors(metric="manhattan", algorithm="ball_tree", leaf_size=4)
    distances, names = balls.fit(X).kneighbors(X[:1], 31)
    np.testing.assert_array_equal(names[0, :30], np.arange(30))
    assert distances[0, 29] == 0.0 < distances[0, 30]
    angle = NearestNeighbors(metric="cosine", algorithm="ball_tree").fit(places())
    assert not isinstance(angle._search(), BallSearch)  # cosine goes round corners


def test_classifiers_search_with_balls_too():
    X = places()
    y = (X[:, 0] > X[:, 1]).astype(int)
    ours = KNeighborsClassifier(3, metric="manhattan", algorithm="ball_tree").fit(X, y)
    theirs = sklearn.neighbors.KNeighborsClassifier(3, metric="manhattan").fit(X, y)
    Q = places(50, seed=2)
    np.testing.assert_array_equal(ours.predict(Q), theirs.predict(Q))
