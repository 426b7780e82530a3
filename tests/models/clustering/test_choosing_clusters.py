"""How many clusters there are, how well samples fit them, and pictures of it."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples as their_silhouettes

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import (
    KMeans,
    choose_n_clusters,
    clustering_stability,
    elbow,
    gap_statistic,
    plot_clusters,
    plot_silhouettes,
    silhouette_samples,
    silhouette_score,
)
from infimum.models.clustering import silhouette as silhouettes


def blobs(rng, d=2, n=30):
    labels = np.repeat(np.arange(3), n)
    return rng.normal(size=(3 * n, d)) + 9.0 * np.eye(max(3, d))[labels][:, :d], labels


@pytest.mark.parametrize(
    "criterion", ["silhouette", "gap", "stability", "bic", "elbow", "eigengap"]
)
def test_three_blobs_are_three_clusters(criterion, rng):
    X, _ = blobs(rng)
    found = choose_n_clusters(X, 5, criterion=criterion)
    assert found.n_clusters == 3
    assert len(found.scores) == len(found.candidates)
    if criterion != "elbow":
        assert found.scores.argmax() == list(found.candidates).index(3)


def test_the_eigengap_counts_clusters_of_any_shape(rng):
    angles = rng.uniform(0.0, 2.0 * np.pi, size=400)
    radii = np.repeat([1.0, 4.0], 200)[:, None]
    rings = radii * np.column_stack([np.cos(angles), np.sin(angles)])
    found = choose_n_clusters(rings, 3, criterion="eigengap")
    assert found.n_clusters == 2
    assert choose_n_clusters(rings[:200], 2, criterion="eigengap").n_clusters == 1
    # Where components outnumber the candidates, the most that may be chosen are.
    many = np.repeat(100.0 * np.eye(5), 12, axis=0) + rng.normal(size=(60, 5))
    assert choose_n_clusters(many, 3, criterion="eigengap").n_clusters == 3
    assert choose_n_clusters(np.ones((2, 1)), criterion="eigengap").n_clusters == 1


def test_one_blob_is_one_cluster(rng):
    X = rng.normal(size=(80, 2))
    assert gap_statistic(X, 4, random_state=0).n_clusters == 1
    assert choose_n_clusters(X, 4, criterion="bic").n_clusters == 1


def test_silhouettes_are_those_of_scikit_learn_block_by_block(rng, monkeypatch):
    X, labels = blobs(rng, d=4)
    labels[0] = 7  # alone in its cluster
    expected = their_silhouettes(X, labels)
    np.testing.assert_allclose(silhouette_samples(X, labels), expected, atol=1e-12)
    monkeypatch.setattr(silhouettes, "HELD", 500)
    np.testing.assert_allclose(silhouette_samples(X, labels), expected, atol=1e-12)
    assert silhouette_score(X, labels) == pytest.approx(expected.mean())


def test_silhouettes_need_two_clusters_of_which_one_is_no_single(rng):
    X = rng.normal(size=(4, 2))
    for labels in ([0, 0, 0, 0], [0, 1, 2, 3]):
        with pytest.raises(DataError, match="clusters"):
            silhouette_samples(X, labels)


def test_the_right_number_is_stable_and_wrong_ones_are_not(rng):
    X, _ = blobs(rng)
    stable = [clustering_stability(X, k, random_state=0) for k in (3, 6)]
    assert stable[0] == 1.0
    assert stable[1] < 0.95
    with pytest.raises(DataError, match="each half"):
        clustering_stability(X[:8], 5)


def test_the_elbow_is_the_point_farthest_below_the_chord():
    assert elbow([10.0, 4.0, 3.0, 2.5, 2.0]) == 2
    assert elbow([10.0, 7.5, 5.0, 2.5, 0.0]) == 1


def test_unknown_criteria_and_too_few_samples_are_refused(rng):
    with pytest.raises(InvalidParameterError, match="criterion"):
        choose_n_clusters(rng.normal(size=(9, 2)), criterion="taste")
    with pytest.raises(DataError, match="needs more samples"):
        choose_n_clusters([[0.0], [1.0]], criterion="silhouette")


@pytest.mark.parametrize("d", [2, 5])
def test_pictures_show_every_sample_in_the_colour_of_its_cluster(d, rng):
    X, _ = blobs(rng, d=d)
    model = KMeans(3, random_state=0).fit(X)
    figure = plot_clusters(X, model.labels_, model.cluster_centers_)
    assert [trace.name for trace in figure.data] == [
        "cluster 0",
        "cluster 1",
        "cluster 2",
        "centres",
    ]
    assert sum(len(trace.x) for trace in figure.data) == len(X) + 3
    colours = {trace.marker.color for trace in figure.data}
    assert len(colours) == 4
    fits = plot_silhouettes(X, model.labels_)
    widths = np.concatenate([trace.x for trace in fits.data])
    np.testing.assert_allclose(
        np.sort(widths), np.sort(silhouette_samples(X, model.labels_))
    )
    with pytest.raises(DataError, match="2 features"):
        plot_clusters(X[:, :1], model.labels_)
