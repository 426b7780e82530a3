"""Scaling: points from distances, exactly, nearly, or by their order alone."""

import numpy as np
import pytest
from scipy.spatial import procrustes
from scipy.spatial.distance import cdist

from infimum.errors import DataError, IncompatibleError
from infimum.models.embedding import (
    MDS,
    ClassicalMDS,
    descend_stress,
    draw_triplets,
    embed_triplets,
    embedding_quality,
    estimate_dimension,
    gram_from_distances,
    is_euclidean,
    stress,
    stress_gradient,
)


def cloud(n=30, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def noisy(D, size, seed=1):
    rng = np.random.default_rng(seed)
    off = np.abs(D + size * rng.standard_normal(D.shape))
    off = (off + off.T) / 2
    np.fill_diagonal(off, 0.0)
    return off


@pytest.mark.syllabus("S4A-207")
def test_distances_are_euclidean_if_and_only_if_their_gram_matrix_is_semi_definite():
    D = cdist(cloud(), cloud())
    assert is_euclidean(D)
    star = np.full((4, 4), 2.0)  # three leaves at distance 1 from a centre
    star[0] = star[:, 0] = 1.0
    np.fill_diagonal(star, 0.0)
    assert not is_euclidean(star)
    assert np.linalg.eigvalsh(gram_from_distances(star, "first")).min() < -0.1
    best = MDS(3, metric="precomputed", n_init=4, random_state=0).fit(star)
    assert best.stress_ > 1e-3  # no points have these distances
    assert MDS(3, metric="precomputed", eps=1e-12).fit(D).stress_ < 1e-10


@pytest.mark.syllabus("S4A-208")
def test_classical_scaling_reproduces_points_up_to_a_rigid_motion():
    X = cloud()
    D = cdist(X, X)
    S = gram_from_distances(D, "first")
    expected = (X - X[0]) @ (X - X[0]).T
    np.testing.assert_allclose(S, expected, atol=1e-12)
    assert np.linalg.matrix_rank(S, tol=1e-9) == 3
    for origin in ("first", "mean"):
        model = ClassicalMDS(3, metric="precomputed", origin=origin).fit(D)
        Z = model.embedding_
        np.testing.assert_allclose(cdist(Z, Z), D, atol=1e-7)
        assert procrustes(X, Z)[2] < 1e-14
        at = Z[0] if origin == "first" else Z.mean(axis=0)
        np.testing.assert_allclose(at, 0.0, atol=1e-9)
        np.testing.assert_allclose(model.transform(D), Z, atol=1e-9)


@pytest.mark.syllabus("S4A-208")
def test_when_dimensions_are_dropped_the_mean_is_the_better_origin():
    D = cdist(cloud(30, 4), cloud(30, 4))
    left = {
        origin: stress(
            D, ClassicalMDS(2, metric="precomputed", origin=origin).fit(D).embedding_
        )
        for origin in ("first", "mean")
    }
    assert left["mean"] < left["first"]


@pytest.mark.syllabus("S4A-209")
def test_the_spectrum_tells_the_dimension():
    for d in (1, 3, 5):
        X = cloud(25, d)
        assert estimate_dimension(cdist(X, X)) == d
        assert ClassicalMDS(None).fit(X).embedding_.shape == (25, d)
        values = np.linalg.eigvalsh(gram_from_distances(cdist(X, X)))
        assert np.sum(values > 1e-9) == d
    X = cloud(40, 6) * [10.0, 8.0, 0.1, 0.1, 0.1, 0.1]
    assert estimate_dimension(noisy(cdist(X, X), 0.05), share=0.95) == 2


@pytest.mark.syllabus("S4A-210")
def test_a_map_of_towns_returns_from_its_distances():
    towns = np.array(
        [
            [48.1, 11.6],
            [52.5, 13.4],
            [53.6, 10.0],
            [50.9, 7.0],
            [50.1, 8.7],
            [48.8, 9.2],
        ]
    )
    found = ClassicalMDS(2, metric="precomputed").fit_transform(cdist(towns, towns))
    assert procrustes(towns, found)[2] < 1e-14
    assert embedding_quality(towns, found, n_neighbors=2).stress < 1e-7


@pytest.mark.syllabus("S4A-211")
def test_stress_is_zero_for_exact_points_and_its_gradient_is_right():
    X = cloud(12, 2)
    D = cdist(X, X)
    assert stress(D, X) == stress(D, X, "raw") == stress(D, X, "kruskal") == 0.0
    Z = cloud(12, 2, seed=5)
    far = cdist(Z, Z)
    assert stress(D, Z) == pytest.approx(np.sum((far - D) ** 2) / far.sum())
    # Its denominator is not squared: it has the unit of the distances.
    assert stress(10 * D, 10 * Z) == pytest.approx(10 * stress(D, Z))
    assert stress(10 * D, 10 * Z, "kruskal") == pytest.approx(stress(D, Z, "kruskal"))
    slope, h = stress_gradient(D, Z), 1e-6
    for place in np.ndindex(3, 2):
        up, down = Z.copy(), Z.copy()
        up[place] += h
        down[place] -= h
        rise = (stress(D, up) - stress(D, down)) / (2 * h)
        assert slope[place] == pytest.approx(rise, abs=1e-7)


@pytest.mark.syllabus("S4A-212")
def test_gradient_descent_never_raises_stress_and_improves_classical_scaling():
    D = noisy(cdist(cloud(30, 4), cloud(30, 4)), 0.1)
    start = ClassicalMDS(2, metric="precomputed").fit_transform(D)
    points, history = descend_stress(D, start)
    assert (np.diff(history) <= 0).all()
    assert stress(D, points) == history[-1] < 0.9 * stress(D, start)
    ends = [descend_stress(D, cloud(30, 2, seed))[1][-1] for seed in range(4)]
    assert max(ends) > 1.01 * min(ends)  # not convex: the start decides
    model = MDS(2, metric="precomputed", solver="gradient").fit(D)
    assert model.history_[-1] == pytest.approx(history[-1])
    exact = cdist(cloud(20, 2), cloud(20, 2))
    assert MDS(metric="precomputed", solver="gradient").fit(exact).stress_ < 1e-12


@pytest.mark.syllabus("S4A-212")
def test_majorisation_never_raises_stress_either():
    D = noisy(cdist(cloud(40, 5), cloud(40, 5)), 0.1)
    model = MDS(2, metric="precomputed", init="random", random_state=0).fit(D)
    assert (np.diff(model.history_) <= 1e-12).all()
    assert model.stress_ == pytest.approx(stress(D, model.embedding_, "raw"))
    best = MDS(2, metric="precomputed", init="random", n_init=6, random_state=0).fit(D)
    assert best.stress_ <= model.stress_


@pytest.mark.syllabus("S4A-213")
def test_order_alone_determines_points_nearly():
    X = cloud(40, 2)
    D = cdist(X, X)
    bent = D**3  # the same order, other sizes
    metric = MDS(2, metric="precomputed").fit_transform(bent)
    order = MDS(2, metric="precomputed", metric_mds=False, eps=1e-9).fit(bent)
    assert order.stress_ < 0.02
    assert procrustes(X, order.embedding_)[2] < 0.002 < procrustes(X, metric)[2]
    same = MDS(2, metric="precomputed", metric_mds=False, eps=1e-9).fit(D)
    assert same.stress_ < 0.02


@pytest.mark.syllabus("S4A-213")
def test_triplets_determine_points_nearly():
    X = cloud(20, 2, seed=4)
    D = cdist(X, X)
    few, many = draw_triplets(D, 60), draw_triplets(D, 3000)
    i, j, k = many.T
    assert (D[i, j] <= D[i, k]).all()
    found = embed_triplets(many, 2, n_init=2, random_state=0)
    assert found.satisfied > 0.995
    assert procrustes(X, found.points)[2] < 0.01
    vague = embed_triplets(few, 2, n_points=20, n_init=2, random_state=0)
    assert vague.satisfied == 1.0
    assert procrustes(X, vague.points)[2] > procrustes(X, found.points)[2]


def test_new_points_are_placed_by_their_comparisons():
    X = cloud(22, 2, seed=4)
    many = draw_triplets(cdist(X, X), 4000)
    old = (many < 20).all(axis=1)
    found = embed_triplets(many[old], 2, n_init=2, random_state=0)
    placed = np.vstack((found.points, found.transform(many[~old], n_init=2)))
    i, j, k = many[~old].T
    near, far = (np.linalg.norm(placed[i] - placed[s], axis=1) for s in (j, k))
    assert np.mean(near < far) > 0.97
    assert procrustes(X, placed)[2] < 0.02
    with pytest.raises(DataError, match="from 20 on, and 20 is not named"):
        found.transform([[0, 1, 2]])
    with pytest.raises(DataError, match="and 21 is not named"):
        found.transform([[20, 1, 22]])


def test_new_points_are_placed_by_their_distances():
    X, new = cloud(60, 2), cloud(10, 2, seed=9)
    classical = ClassicalMDS(2).fit(X)
    everything = np.vstack((classical.embedding_, classical.transform(new)))
    D = cdist(np.vstack((X, new)), np.vstack((X, new)))
    np.testing.assert_allclose(cdist(everything, everything), D, atol=1e-8)
    for model in (MDS(2, eps=1e-14), MDS(2, eps=1e-14, metric_mds=False)):
        model.fit(X)
        np.testing.assert_array_equal(model.transform(X), model.embedding_)
        placed = np.vstack((model.embedding_, model.transform(new)))
        quality = embedding_quality(np.vstack((X, new)), placed)
        assert quality.scaled_stress < 0.02
        assert quality.trustworthiness > 0.98
        assert quality.continuity > 0.98


def test_hard_cases_get_a_result_or_a_sentence():
    assert ClassicalMDS(2).fit_transform([[1.0, 2.0]]).shape == (1, 1)
    assert not MDS(2).fit_transform([[1.0, 2.0]]).any()
    assert not ClassicalMDS(2).fit_transform(np.ones((4, 3))).any()
    assert np.isfinite(MDS(2).fit_transform(np.ones((4, 3)))).all()
    with pytest.raises(DataError, match="symmetric"):
        ClassicalMDS(metric="precomputed").fit([[0.0, 1.0], [2.0, 0.0]])
    with pytest.raises(DataError, match="square"):
        stress(np.ones((2, 3)), [[0.0], [1.0]])
    with pytest.raises(IncompatibleError, match="no gradient"):
        MDS(metric_mds=False, solver="gradient").fit(cloud())
    with pytest.raises(DataError, match="rows of 3"):
        embed_triplets([[0, 1]])
    with pytest.raises(DataError, match="init must have shape"):
        MDS(2).fit(cloud(), init=np.zeros((3, 2)))
    with pytest.raises(DataError, match="names 5 of 4"):
        embed_triplets([[0, 1, 5]], n_points=4)
