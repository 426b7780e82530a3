"""What the text says about maps of neighbours."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.datasets import load_digits
from sklearn.manifold._utils import _binary_search_perplexity
from sklearn.neighbors import KNeighborsClassifier

from infimum.models.embedding import PCA, SNE, TSNE
from infimum.models.embedding.neighbor_maps._affinities import (
    conditional_affinities,
    joint_affinities,
)
from infimum.models.embedding.neighbor_maps._charges import FullCharges
from infimum.models.embedding.neighbor_maps._neighbor_map import NeighborMap
from infimum.models.neighbors import NearestNeighbors


def cloud(n=30, d=4, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def neighbours(X):
    return NearestNeighbors(n_neighbors=len(X) - 1).fit(X).kneighbors()


def conditional(X, perplexity):
    """p(j|i) as a full matrix."""
    distances, names = neighbours(X)
    chances, widths = conditional_affinities(distances, perplexity)
    full = np.zeros((len(X), len(X)))
    np.put_along_axis(full, names, chances, axis=1)
    return full, widths


def problem(X, perplexity, *, joint, heavy=True):
    distances, names = neighbours(X)
    chances, _ = conditional_affinities(distances, perplexity)
    near = joint_affinities(chances, names, joint=joint)
    return NeighborMap(near, FullCharges(heavy), joint=joint, heavy=heavy)


@pytest.mark.syllabus("S4A-238")
def test_input_similarities_are_gaussian_with_a_width_for_each_point():
    X = cloud()
    P, widths = conditional(X, 8.0)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    np.testing.assert_array_equal(np.diag(P), 0.0)
    squares = np.sum((X[:, None] - X) ** 2, axis=2)
    by_hand = np.exp(-squares / (2 * widths[:, None] ** 2))
    np.fill_diagonal(by_hand, 0.0)
    np.testing.assert_allclose(P, by_hand / by_hand.sum(axis=1, keepdims=True))
    assert TSNE(perplexity=8, max_iter=1).fit(X).bandwidths_.shape == (30,)


@pytest.mark.syllabus("S4A-239")
@pytest.mark.parametrize("perplexity", [1.1, 2.0, 8.0, 28.9])
def test_every_point_gets_the_perplexity_asked_for(perplexity):
    X = cloud()
    P, widths = conditional(X, perplexity)
    logs = np.log2(P, where=P > 0, out=np.zeros_like(P))
    np.testing.assert_allclose(2 ** -(P * logs).sum(axis=1), perplexity, rtol=1e-5)
    wider = conditional(X, perplexity + 0.05)[1]
    assert np.all(wider > widths)  # monotone
    distances, names = neighbours(X)
    theirs = _binary_search_perplexity((distances**2).astype(np.float32), perplexity, 0)
    ours = np.take_along_axis(P, names, axis=1)
    np.testing.assert_allclose(ours, theirs, atol=2e-4)


@pytest.mark.syllabus("S4A-240")
def test_sne_descends_along_the_gradient_of_its_divergence():
    X, Y = cloud(12), cloud(12, 2, seed=1)
    task = problem(X, 5.0, joint=False, heavy=False)
    P, _ = conditional(X, 5.0)
    gaps = Y[:, None] - Y
    W = np.exp(-np.sum(gaps**2, axis=2))
    np.fill_diagonal(W, 0.0)
    Q = W / W.sum(axis=1, keepdims=True)
    seen = P > 0
    assert 12 * task.divergence(Y) == pytest.approx(
        np.sum(P[seen] * np.log(P[seen] / Q[seen]))
    )
    by_hand = 2 * np.einsum("ij,ijs->is", (P - Q) + (P - Q).T, gaps)
    np.testing.assert_allclose(12 * task.gradient(Y), by_hand, atol=1e-10)
    reached = SNE(perplexity=5, random_state=0).fit(X).kl_divergence_
    assert reached < 12 * task.divergence(Y)


@pytest.mark.syllabus("S4A-241")
def test_row_wise_t_sne_has_the_gradient_of_the_sum_of_row_divergences():
    X, Y = cloud(12), cloud(12, 2, seed=1)
    task = problem(X, 5.0, joint=False)
    P, _ = conditional(X, 5.0)
    gaps = Y[:, None] - Y
    W = 1 / (1 + np.sum(gaps**2, axis=2))
    np.fill_diagonal(W, 0.0)
    Q = W / W.sum(axis=1, keepdims=True)
    by_hand = 2 * np.einsum("ij,ij,ijs->is", (P - Q) + (P - Q).T, W, gaps)
    np.testing.assert_allclose(12 * task.gradient(Y), by_hand, atol=1e-10)
    model = TSNE(perplexity=5, variant="rowwise", random_state=0).fit(X)
    places = model.embedding_
    W = 1 / (1 + np.sum((places[:, None] - places) ** 2, axis=2))
    np.fill_diagonal(W, 0.0)
    Q, seen = W / W.sum(axis=1, keepdims=True), P > 0
    assert model.kl_divergence_ == pytest.approx(
        np.sum(P[seen] * np.log(P[seen] / Q[seen]))
    )
    joint = TSNE(perplexity=5, random_state=0).fit(X)  # another objective
    assert abs(joint.kl_divergence_ - model.kl_divergence_ / 12) > 1e-3


@pytest.mark.syllabus("S4A-242")
@pytest.mark.parametrize("joint", [True, False])
def test_the_gradient_is_attraction_plus_repulsion(joint):
    X, Y = cloud(15), cloud(15, 2, seed=2)
    task = problem(X, 5.0, joint=joint)
    np.testing.assert_allclose(
        task.gradient(Y), task.attraction(Y) + task.repulsion(Y), atol=1e-14
    )
    wrong = check_grad(
        lambda y: task.divergence(y.reshape(15, 2)),
        lambda y: task.gradient(y.reshape(15, 2)).ravel(),
        Y.ravel(),
    )
    assert wrong < 1e-6
    inward = np.sum(task.attraction(Y) * (Y - Y.mean(axis=0)))
    outward = np.sum(task.repulsion(Y) * (Y - Y.mean(axis=0)))
    assert outward < 0 < inward  # downhill is the other way round


@pytest.mark.syllabus("S4A-242")
def test_tearing_neighbours_apart_costs_more_than_joining_strangers():
    two = np.vstack((cloud(10), cloud(10, seed=1) + 30))
    task = problem(two, 5.0, joint=True)
    good = np.vstack((cloud(10, 2, seed=2), cloud(10, 2, seed=3) + 20))
    joined = np.vstack((good[:10], good[10:] - 20))
    torn = good.copy()
    torn[::2] += 20
    base = task.divergence(good)
    assert task.divergence(torn) - base > 2 * (task.divergence(joined) - base) > 0


@pytest.mark.syllabus("S4A-243")
def test_what_is_chosen_shows_in_the_map():
    X = load_digits().data[:150]
    base = {"perplexity": 15, "max_iter": 300, "random_state": 0}
    plain = TSNE(**base).fit(X)
    for change in (
        {"init": "random"},
        {"perplexity": 3},
        {"learning_rate": 10.0},
        {"early_exaggeration": 1.0},
        {"max_iter": 100},  # stopped early
        {"momentum": 0.0},
    ):
        other = TSNE(**{**base, **change}).fit(X)
        assert np.abs(other.embedding_ - plain.embedding_).max() > 1.0
    # With too short steps the map is not at rest when they are used up.
    assert TSNE(**{**base, "learning_rate": 1.0}).fit(X).kl_divergence_ > (
        1.5 * plain.kl_divergence_
    )


@pytest.mark.syllabus("S4A-244")
def test_sizes_of_clusters_and_clumps_in_noise_mislead():
    wide, narrow = 10 * cloud(60, 2), cloud(60, 2, seed=1) + 100
    Y = TSNE(perplexity=15, random_state=0).fit_transform(np.vstack((wide, narrow)))
    radii = [np.std(part - part.mean(axis=0)) for part in (Y[:60], Y[60:])]
    assert 0.5 < radii[0] / radii[1] < 2.0  # it was 10
    noise = np.random.default_rng(0).standard_normal((200, 20))

    def clumpiness(points):
        distances, _ = NearestNeighbors(n_neighbors=1).fit(points).kneighbors()
        return np.std(points) / np.median(distances)

    small = TSNE(perplexity=2, random_state=0).fit_transform(noise)
    assert clumpiness(small) > 2.0 * clumpiness(noise[:, :2])


@pytest.mark.syllabus("S4A-245")
def test_well_separated_clusters_are_shown_apart():
    draw = np.random.default_rng(0)
    centres = 10 * np.eye(8)
    labels = np.repeat(np.arange(8), 30)
    X = centres[labels] + draw.standard_normal((240, 8))
    Y = TSNE(perplexity=15, random_state=0).fit_transform(X)
    assert KNeighborsClassifier(5).fit(Y, labels).score(Y, labels) == 1.0


@pytest.mark.syllabus("S4A-246")
def test_a_map_is_for_exploring_and_says_so():
    assert "exploring only" in TSNE.__doc__
    assert "checked by other means" in TSNE.__doc__
    # Two honest runs put the same clusters into different arrangements.
    X = load_digits().data[:120]
    maps = [
        TSNE(perplexity=10, init="random", random_state=seed).fit_transform(X)
        for seed in (0, 1)
    ]
    apart = [np.linalg.norm(Y[:, None] - Y, axis=2).ravel() for Y in maps]
    assert np.corrcoef(*apart)[0, 1] < 0.95
    linear = [PCA(2, random_state=seed).fit_transform(X) for seed in (0, 1)]
    np.testing.assert_allclose(*linear, atol=1e-8)
