"""The nearest centroid beyond its plane: medians, probabilities, far-off tables."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import norm
from sklearn.neighbors import NearestCentroid as Peer

from infimum.errors import DataError
from infimum.models.linear import NearestCentroid


@pytest.fixture
def table(rng):
    y = rng.integers(0, 3, 90)
    X = np.where(rng.random((90, 4)) < 0.7, rng.normal(size=(90, 4)), 0.0)
    X[:, 0] += y
    return X, y


@pytest.mark.parametrize("priors", ["uniform", "empirical", [0.1, 0.2, 0.7]], ids=repr)
def test_medians_and_manhattan_distances_are_those_of_scikit_learn(table, priors, rng):
    X, y = table
    ours = NearestCentroid("manhattan", priors=priors).fit(X, y)
    theirs = Peer("manhattan", priors=priors).fit(X, y)
    new = 2.0 * rng.normal(size=(200, 4))
    assert ours.centroids_ == pytest.approx(theirs.centroids_)
    assert ours.deviations_ == pytest.approx(theirs.deviations_)
    assert (ours.predict(new) == theirs.predict(new)).all()
    again = NearestCentroid("manhattan", priors=priors).fit(sparse.csr_array(X), y)
    assert again.centroids_ == pytest.approx(ours.centroids_)
    assert again.within_class_std_dev_ == pytest.approx(ours.within_class_std_dev_)
    assert (again.predict(sparse.csr_array(new)) == ours.predict(new)).all()


def test_a_weighted_median_is_the_median_of_copies(table, rng):
    X, y = table
    counts = rng.integers(0, 4, len(y))
    weighted = NearestCentroid("manhattan").fit(X, y, sample_weight=counts)
    copies = NearestCentroid("manhattan").fit(np.repeat(X, counts, 0), y.repeat(counts))
    assert weighted.centroids_ == pytest.approx(copies.centroids_)
    assert weighted.deviations_ == pytest.approx(copies.deviations_)


@pytest.mark.parametrize("priors", ["uniform", [0.1, 0.2, 0.7]], ids=repr)
def test_probabilities_are_bayes_rule_for_normal_features(table, priors, rng):
    X, y = table
    model = NearestCentroid(priors=priors).fit(X, y)
    new = 2.0 * rng.normal(size=(50, 4))
    spread = model.within_class_std_dev_
    if priors == "uniform":  # a rule without units
        spread = np.sqrt(np.mean(spread**2))
    density = norm(model.centroids_[:, None], spread).pdf(new).prod(axis=2).T
    joint = density * model.class_prior_
    assert model.predict_proba(new) == pytest.approx(joint / joint.sum(1)[:, None])
    assert model.predict_log_proba(new) == pytest.approx(
        np.log(joint / joint.sum(1)[:, None])
    )
    assert (model.classes_[joint.argmax(1)] == model.predict(new)).all()
    if priors == "uniform":
        return
    squared = model.predict_proba(new) ** 2  # what scikit-learn calls probabilities
    theirs = Peer(priors=priors).fit(X, y).predict_proba(new)
    assert squared / squared.sum(1)[:, None] == pytest.approx(theirs)


def test_manhattan_has_no_plane_and_says_so(table):
    model = NearestCentroid("manhattan").fit(*table)
    assert not hasattr(model, "coef_")
    assert not hasattr(model, "predict_proba")
    assert not hasattr(model, "decision_function")


def test_classes_far_from_the_origin_are_told_apart(rng):
    y = np.arange(90) % 3
    X = 1e9 + 0.1 * rng.normal(size=(90, 2)) + np.array([[0, 0], [1, 0], [0, 1]])[y]
    assert (NearestCentroid().fit(X, y).predict(X) == y).all()
    assert NearestCentroid().fit(X, y).predict_proba(X)[np.arange(90), y].min() > 0.9


def test_a_table_too_large_to_square_is_refused(table):
    X, y = table
    with pytest.raises(DataError, match="NearestCentroid takes numbers in X up to"):
        NearestCentroid().fit(1e200 * X, y)
