"""What a map kept, by an independent count; and how it is drawn."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.datasets import load_digits
from sklearn.manifold import trustworthiness
from sklearn.metrics import pairwise_distances

from infimum.errors import DataError, InvalidParameterError
from infimum.models.embedding import (
    PCA,
    TSNE,
    embedding_quality,
    plot_map,
    quality,
)


def data(n=120):
    X = load_digits().data[:n]
    X = X + 0.01 * np.random.default_rng(0).standard_normal(X.shape)  # no ties
    return X, PCA(2).fit_transform(X)


@pytest.mark.parametrize("k", [1, 5, 20])
def test_trust_is_scikit_learns_and_continuity_is_trust_the_other_way(k):
    X, Z = data()
    report = embedding_quality(X, Z, n_neighbors=k)
    assert report.trustworthiness == pytest.approx(trustworthiness(X, Z, n_neighbors=k))
    assert report.continuity == pytest.approx(trustworthiness(Z, X, n_neighbors=k))
    assert report.n_neighbors == k


def test_neighbours_and_distances_are_counted(monkeypatch):
    X, Z = data()
    monkeypatch.setattr(quality, "BLOCK", 700)  # several blocks
    report = embedding_quality(X, Z, n_neighbors=7)
    old, new = (np.argsort(pairwise_distances(A), axis=1)[:, 1:8] for A in (X, Z))
    shares = [len(set(a) & set(b)) / 7 for a, b in zip(old, new, strict=True)]
    assert report.preservation == pytest.approx(np.mean(shares))
    apart, shown = pdist(X), pdist(Z)
    assert report.stress == pytest.approx(
        np.sqrt(np.sum((apart - shown) ** 2) / np.sum(apart**2))
    )
    scales = np.linspace(0.5, 3, 400)
    best = min(np.sqrt(np.sum((apart - s * shown) ** 2)) for s in scales)
    assert report.scaled_stress == pytest.approx(
        best / np.sqrt(np.sum(apart**2)), rel=1e-4
    )
    told = embedding_quality(
        pairwise_distances(X), Z, n_neighbors=7, metric="precomputed"
    )
    assert told.preservation == pytest.approx(report.preservation)


def test_a_perfect_map_is_perfect_and_t_sne_keeps_more_neighbours_than_pca():
    X, Z = data(200)
    perfect = embedding_quality(X, 3 * X[:, ::-1])
    assert perfect.trustworthiness == perfect.continuity == perfect.preservation == 1.0
    assert perfect.scaled_stress == pytest.approx(0.0, abs=1e-7)
    tsne = TSNE(perplexity=15, max_iter=500, random_state=0).fit_transform(X)
    report, linear = embedding_quality(X, tsne), embedding_quality(X, Z)
    assert report.preservation > linear.preservation + 0.2
    assert "trustworthiness" in str(report)


def test_what_cannot_be_compared_is_told():
    X, Z = data(20)
    with pytest.raises(DataError, match="map of the same points"):
        embedding_quality(X, Z[:5])
    with pytest.raises(InvalidParameterError, match="n_neighbors"):
        embedding_quality(X, Z, n_neighbors=15)
    with pytest.raises(DataError, match="two samples that differ"):
        embedding_quality(np.ones((20, 2)), Z)


def test_maps_are_drawn_with_a_colour_for_each_class_or_a_scale():
    _, Z = data(30)
    figure = plot_map(Z, np.arange(30) % 3)
    assert [trace.name for trace in figure.data] == ["0", "1", "2"]
    assert sum(len(trace.x) for trace in figure.data) == 30
    scale = plot_map(Z, np.linspace(0, 1, 30))
    assert scale.data[0].marker.showscale
    assert plot_map(np.column_stack((Z, Z[:, 0]))).data[0].type == "scatter3d"
    with pytest.raises(DataError, match="two or three"):
        plot_map(Z[:, :1])
    with pytest.raises(DataError, match="20 classes"):
        plot_map(Z, [str(i) for i in range(30)])
    with pytest.raises(DataError, match="a colour for each"):
        plot_map(Z, [1, 2])
