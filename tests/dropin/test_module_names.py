"""The drop-in modules carry scikit-learn's names and our classes."""

import importlib

import pytest
from sklearn.base import BaseEstimator

from infimum.dropin import linear_model, svm

ROOMS = {"linear_model": linear_model, "svm": svm}
EXPECTED = {
    "linear_model": {
        "ElasticNet",
        "HuberRegressor",
        "Lasso",
        "LinearRegression",
        "LogisticRegression",
        "PoissonRegressor",
        "QuantileRegressor",
        "Ridge",
        "RidgeClassifier",
    },
    "svm": {"LinearSVC", "LinearSVR"},
}


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_is_one_of_scikit_learns_and_every_class_ours(room):
    theirs = importlib.import_module(f"sklearn.{room}")
    names = set(ROOMS[room].__all__)
    assert names >= EXPECTED[room]
    for name in names:
        ours = getattr(ROOMS[room], name)
        assert name in theirs.__all__
        assert issubclass(ours, BaseEstimator)
        assert ours.__name__ == name
        assert ours.__module__.startswith("infimum.models.")
        assert ours is not getattr(theirs, name)
