"""Birch: scikit-learn's small clusters, in one pass or in batches."""

import numpy as np
import pytest
import sklearn.cluster
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import Birch, KMeans


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(300, 3, centers=5, random_state=4)[0]


def in_order(rows):
    return rows[np.lexsort(rows.T)]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"n_clusters": None},
        {"threshold": 1.2, "branching_factor": 5, "n_clusters": None},
        {"threshold": 0.3, "branching_factor": 2, "n_clusters": 4},
    ],
    ids=["default", "small ones", "few to a node", "two to a node"],
)
def test_small_clusters_and_labels_are_those_of_scikit_learn(blobs, settings):
    ours = Birch(**settings).fit(blobs)
    theirs = sklearn.cluster.Birch(**settings).fit(blobs)
    np.testing.assert_allclose(
        in_order(ours.subcluster_centers_), in_order(theirs.subcluster_centers_)
    )
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    assert ours.subcluster_counts_.sum() == len(blobs)


def test_radii_stay_below_the_threshold(blobs):
    model = Birch(threshold=0.8, n_clusters=None).fit(blobs)
    tree = model._tree
    leaves = (tree["child"] < 0) & (tree["counts"] > 0)
    radii = np.sqrt(tree["spreads"][leaves] / tree["counts"][leaves])
    assert radii.max() <= 0.8
    assert radii.max() > 0.4


def test_batches_make_the_tree_that_one_pass_makes(blobs):
    whole = Birch(threshold=0.4, branching_factor=7).fit(blobs)
    parts = Birch(threshold=0.4, branching_factor=7)
    for batch in np.array_split(blobs, 4):
        parts.partial_fit(batch)
    np.testing.assert_array_equal(parts.subcluster_centers_, whole.subcluster_centers_)
    np.testing.assert_array_equal(parts.predict(blobs), whole.labels_)
    thin = Birch(threshold=0.4, branching_factor=7).fit(sparse.csr_array(blobs))
    np.testing.assert_array_equal(thin.subcluster_centers_, whole.subcluster_centers_)
    again = parts.set_params(n_clusters=2).partial_fit()
    assert set(again.predict(blobs)) == {0, 1}


def test_far_from_the_origin_nothing_is_lost(blobs):
    near = Birch(n_clusters=None).fit(blobs)
    far = Birch(n_clusters=None).fit(blobs + 1e8)
    assert len(far.subcluster_centers_) == len(near.subcluster_centers_)
    np.testing.assert_array_equal(far.labels_, near.labels_)


def test_transform_measures_to_the_small_clusters(blobs):
    model = Birch(threshold=1.0).fit(blobs)
    far = model.transform(blobs)
    np.testing.assert_array_equal(
        model.subcluster_labels_[far.argmin(axis=1)], model.labels_
    )
    assert len(model.get_feature_names_out()) == far.shape[1]
    assert Birch().fit_transform(blobs.astype(np.float32)).dtype == np.float32


def test_another_clusterer_may_join_the_small_ones(blobs):
    rule = KMeans(5, n_init=3, random_state=0)
    model = Birch(n_clusters=rule).fit(blobs)
    assert not hasattr(rule, "labels_")
    assert len(set(model.labels_.tolist())) == 5


def test_too_few_small_clusters_are_told_and_labels_can_wait(blobs):
    with pytest.warns(ConvergenceWarning, match="found 1 small clusters, fewer than"):
        model = Birch(threshold=99.0, compute_labels=False).fit(blobs)
    assert not hasattr(model, "labels_")
    np.testing.assert_allclose(model.subcluster_centers_[0], blobs.mean(axis=0))


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("members", 10**9),
        ("child", 10**9),
        ("after", -7),
        ("sizes", 99),
        ("state", 10**9),
        ("means", None),
    ],
)
def test_a_damaged_tree_is_not_written_to(blobs, name, entry):
    model = Birch(branching_factor=5).fit(blobs)
    if entry is None:
        model._tree[name] = model._tree[name][:3]
    else:
        model._tree[name].flat[2] = entry
    with pytest.raises(DataError, match="tree of this model is damaged"):
        model.partial_fit(blobs)


def test_what_cannot_be_is_told(blobs):
    with pytest.raises(InvalidParameterError, match="branching_factor must be"):
        Birch(branching_factor=1).fit(blobs)
    with pytest.raises(InvalidParameterError, match="a clusterer or None, got 'three'"):
        Birch(n_clusters="three").fit(blobs)
