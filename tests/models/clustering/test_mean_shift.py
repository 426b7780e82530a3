"""Mean shift: scikit-learn's summits, weights that are copies, and its widths."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn.datasets import make_blobs

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import MeanShift, estimate_bandwidth, get_bin_seeds


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, 3, centers=4, random_state=2)[0]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"bandwidth": 2.0},
        {"bandwidth": 2.0, "bin_seeding": True, "min_bin_freq": 2},
        {"bandwidth": 1.5, "cluster_all": False},
        {"bandwidth": 2.0, "max_iter": 1},
        {"bandwidth": 4.0, "seeds": [[0.0, 0.0, 0.0], [-6.0, -8.0, 4.0]]},
    ],
    ids=lambda settings: "-".join(settings) or "default",
)
def test_summits_and_labels_are_those_of_scikit_learn(blobs, settings):
    ours = MeanShift(**settings).fit(blobs)
    theirs = sklearn.cluster.MeanShift(**settings).fit(blobs)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_array_equal(
        ours.predict(blobs + 0.1), theirs.predict(blobs + 0.1)
    )
    assert ours.n_iter_ == theirs.n_iter_


def test_every_summit_is_the_mean_of_what_is_near(blobs):
    model = MeanShift(bandwidth=3.0).fit(blobs)
    for centre in model.cluster_centers_:
        inside = np.linalg.norm(blobs - centre, axis=1) <= 3.0
        assert np.linalg.norm(blobs[inside].mean(axis=0) - centre) <= 3e-3


@pytest.mark.parametrize("settings", [{}, {"bin_seeding": True, "min_bin_freq": 3}])
def test_weights_are_copies(blobs, settings):
    counts = np.arange(len(blobs)) % 3
    weighted = MeanShift(**settings).fit(blobs, sample_weight=counts)
    copied = MeanShift(**settings).fit(np.repeat(blobs, counts, axis=0))
    assert weighted.bandwidth_ == pytest.approx(copied.bandwidth_, rel=1e-12)
    np.testing.assert_allclose(weighted.cluster_centers_, copied.cluster_centers_)
    np.testing.assert_array_equal(weighted.labels_, copied.predict(blobs))


@pytest.mark.parametrize("quantile", [0.0, 0.1, 0.5, 1.0])
def test_widths_are_those_of_scikit_learn(blobs, quantile):
    for n_samples in (None, 40):
        settings = {"quantile": quantile, "n_samples": n_samples, "random_state": 3}
        theirs = sklearn.cluster.estimate_bandwidth(blobs, **settings)
        assert estimate_bandwidth(blobs, **settings) == pytest.approx(theirs)


def test_seeds_are_those_of_scikit_learn(blobs):
    for least in (1, 2):
        theirs = sklearn.cluster.get_bin_seeds(blobs, 2.0, least)
        np.testing.assert_allclose(get_bin_seeds(blobs, 2.0, least), theirs, rtol=1e-6)
    np.testing.assert_array_equal(get_bin_seeds(blobs, 0.0), blobs)
    np.testing.assert_array_equal(get_bin_seeds(blobs, 1e-9), blobs)


def test_copies_of_one_sample_are_one_cluster():
    model = MeanShift().fit(np.ones((7, 2)))
    assert model.bandwidth_ == 0.0
    np.testing.assert_array_equal(model.cluster_centers_, [[1.0, 1.0]])
    assert not model.labels_.any()


def test_an_offset_changes_nothing(blobs):
    near, far = MeanShift(bandwidth=2.0), MeanShift(bandwidth=2.0)
    near.fit(blobs)
    far.fit(blobs + 1e6)
    np.testing.assert_array_equal(near.labels_, far.labels_)


def test_what_cannot_be_is_told(blobs):
    with pytest.raises(DataError, match="no sample is within bandwidth="):
        MeanShift(bandwidth=0.1, seeds=[[99.0, 99.0, 99.0]]).fit(blobs)
    with pytest.raises(DataError, match="finite points of 3 features, got shape"):
        MeanShift(seeds=[[1.0, 2.0]]).fit(blobs)
    with pytest.raises(InvalidParameterError, match="bandwidth must be in"):
        MeanShift(bandwidth=0.0).fit(blobs)
    with pytest.raises(InvalidParameterError, match="quantile must be"):
        estimate_bandwidth(blobs, quantile=1.5)


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-200])
def test_cubes_too_small_to_count_hold_the_copies_of_one_sample(size):
    X = np.array([[1.0, -2.0], [1.0, -2.0], [1e300, 3.0], [0.0, 0.0]])
    assert get_bin_seeds(X, size, 2).tolist() == [[1.0, -2.0]]
    assert get_bin_seeds(X, size).tolist() == X[1:].tolist()
    assert get_bin_seeds(X[1:], size).tolist() == X[1:].tolist()
