"""Changing an import is enough: what is not ours is scikit-learn's own."""

import importlib

import pytest
import sklearn
import sklearn.decomposition

import infimum.dropin
from infimum.dropin import decomposition, linear_model
from infimum.dropin.replacement import ROOMS
from infimum.models.linear import Lasso

OTHERS = sorted(
    set(sklearn.__all__) - set(ROOMS) - {"clone", "show_versions", "externals"}
)


@pytest.mark.parametrize("name", [n for n in OTHERS if "config" not in n])
def test_a_module_that_is_not_here_is_scikit_learns(name):
    theirs = importlib.import_module(f"sklearn.{name}")
    assert importlib.import_module(f"infimum.dropin.{name}") is theirs
    assert theirs.__spec__.name == f"sklearn.{name}"


@pytest.mark.parametrize("name", sorted(sklearn.__all__))
def test_every_name_of_scikit_learn_itself_is_there(name):
    found = getattr(infimum.dropin, name)
    if name in ROOMS:
        assert found.__name__ == f"infimum.dropin.{name}"
    else:
        assert found is getattr(sklearn, name)


def test_a_name_that_scikit_learn_lacks_is_not_there():
    for name in ("nonsense", "_config"):
        with pytest.raises(AttributeError, match=name):
            getattr(infimum.dropin, name)


def test_modules_inside_modules_are_the_same_too():
    theirs = importlib.import_module("sklearn.feature_extraction.text")
    assert importlib.import_module("infimum.dropin.feature_extraction.text") is theirs


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_of_scikit_learns_module_is_there(room):
    theirs = importlib.import_module(f"sklearn.{room}")
    ours = importlib.import_module(f"infimum.dropin.{room}")
    for name in getattr(theirs, "__all__", ()):
        assert getattr(ours, name) is not None


def test_ours_come_before_theirs():
    assert linear_model.Lasso is Lasso
    theirs = sklearn.decomposition.LatentDirichletAllocation
    assert decomposition.LatentDirichletAllocation is theirs
    with pytest.raises(AttributeError, match="nonsense"):
        _ = linear_model.nonsense
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("infimum.dropin.nonsense")
