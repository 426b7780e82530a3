"""Leaves of random trees as features."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_circles
from sklearn.ensemble import RandomTreesEmbedding as TheirEmbedding
from sklearn.pipeline import make_pipeline

from infimum.models.ensembles import RandomTreesEmbedding
from infimum.models.linear import LogisticRegression


def test_every_row_is_in_one_leaf_of_every_tree_and_every_leaf_has_rows():
    X, _ = load_iris(return_X_y=True)
    model = RandomTreesEmbedding(20, random_state=0).fit(X)
    leaves = model.transform(X)
    assert (leaves.sum(axis=1) == 20).all()
    assert (leaves.sum(axis=0) > 0).all()
    assert leaves.shape[1] == len(model.get_feature_names_out())
    dense = RandomTreesEmbedding(20, random_state=0, sparse_output=False)
    np.testing.assert_array_equal(dense.fit_transform(X), leaves.toarray())


def test_near_rows_share_more_leaves_than_far_ones():
    X = np.linspace(0.0, 1.0, 50)[:, None]
    leaves = RandomTreesEmbedding(100, random_state=0).fit_transform(X)
    shared = (leaves @ leaves.T).toarray()
    assert shared[0, 1] > 2 * shared[0, 10] > 2 * shared[0, 49]


def test_a_line_through_the_leaves_divides_circles_as_scikit_learns_do():
    X, y = make_circles(400, factor=0.5, noise=0.05, random_state=0)
    alone = LogisticRegression().fit(X, y).score(X, y)
    for kind in (RandomTreesEmbedding, TheirEmbedding):
        model = make_pipeline(kind(20, random_state=0), LogisticRegression())
        assert model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.95 > alone + 0.2


def test_a_second_fit_adds_trees():
    X, _ = load_iris(return_X_y=True)
    model = RandomTreesEmbedding(3, random_state=0, warm_start=True).fit(X)
    first = list(model.forest_.trees_)
    model.set_params(n_estimators=5).fit(X)
    assert model.forest_.trees_[:3] == first
    with pytest.raises(ValueError, match="n_estimators"):
        model.set_params(n_estimators=2).fit(X)
    assert len(model.estimators_) == 5
