"""Linear models drop in whole: parameters, defaults, methods and attributes."""

import inspect
import warnings

import numpy as np
import pytest
import sklearn.linear_model as theirs
from sklearn.base import BaseEstimator, is_classifier

from infimum.dropin import linear_model as ours

CLASSES = [
    name
    for name in ours.__all__
    if inspect.isclass(getattr(ours, name))
    and issubclass(getattr(ours, name), BaseEstimator)
]
FUNCTIONS = sorted(set(ours.__all__) - set(CLASSES))


def parameters(thing):
    return {
        name: each.default for name, each in inspect.signature(thing).parameters.items()
    }


def same(first, second):
    return first is second or first == second


def test_nothing_of_theirs_is_missing():
    assert set(theirs.__all__) == set(ours.__all__)


@pytest.mark.parametrize("name", [*CLASSES, *FUNCTIONS])
def test_every_parameter_has_its_name_and_default(name):
    wanted, found = parameters(getattr(theirs, name)), parameters(getattr(ours, name))
    wanted.pop("params", None)
    assert set(wanted) <= set(found)
    differing = {key for key in wanted if not same(wanted[key], found[key])}
    assert differing == set()


@pytest.mark.parametrize("name", CLASSES)
def test_every_method_is_there(name):
    def methods(kind):
        return {
            each
            for each, value in inspect.getmembers(kind, callable)
            if not each.startswith("_") and "request" not in each
        }

    wanted = methods(getattr(theirs, name)) - {"get_metadata_routing"}
    assert wanted <= methods(getattr(ours, name))


@pytest.mark.parametrize("name", CLASSES)
def test_every_fitted_attribute_is_there(name, rng):
    X = rng.normal(size=(40, 3))
    y = X @ [1.0, -1.0, 0.5] + 0.1 * rng.normal(size=40)
    if is_classifier(getattr(ours, name)()):
        y = (y > 0).astype(int)
    elif name in {"PoissonRegressor", "GammaRegressor"}:
        y = np.abs(y) + 0.1
    elif name.startswith("MultiTask"):
        y = np.column_stack([y, -y])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = getattr(theirs, name)().fit(X, y)
        found = getattr(ours, name)().fit(X, y)
    wanted = {
        each for each in vars(fitted) if each.endswith("_") and not each.startswith("_")
    }
    missing = {each for each in wanted if not hasattr(found, each)}
    assert missing == set()
