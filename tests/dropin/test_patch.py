"""The patch swaps the classes that scikit-learn hands out, and swaps them back."""

import pytest
import sklearn.ensemble
import sklearn.linear_model
import sklearn.svm
from sklearn.datasets import load_diabetes
from sklearn.model_selection import cross_val_score

from infimum import dropin
from infimum.dropin import linear_model, svm

PLACES = [(sklearn.linear_model, linear_model), (sklearn.svm, svm)]
THEIRS = {
    (theirs.__name__, name): getattr(theirs, name)
    for theirs, ours in PLACES
    for name in ours.__all__
}


def state():
    """Say whose classes scikit-learn hands out now."""
    whose = set()
    for theirs, ours in PLACES:
        for name in ours.__all__:
            found = getattr(theirs, name)
            if found is getattr(ours, name):
                whose.add("ours")
            if found is THEIRS[theirs.__name__, name]:
                whose.add("theirs")
    return whose


@pytest.fixture(autouse=True)
def _put_back():
    yield
    dropin.unpatch()


def test_a_patch_lasts_until_it_is_undone():
    assert state() == {"theirs"}
    assert not dropin.patched()
    dropin.patch()
    assert state() == {"ours"}
    assert dropin.patched()
    dropin.unpatch()
    assert state() == {"theirs"}
    assert not dropin.patched()


def test_a_patch_in_a_with_block_ends_with_the_block_even_by_an_error():
    with dropin.patch():
        assert state() == {"ours"}
    assert state() == {"theirs"}
    with pytest.raises(ZeroDivisionError), dropin.patch():
        _ = 1 / 0
    assert state() == {"theirs"}


def test_patching_twice_is_patching_once_and_undoing_nothing_does_nothing():
    dropin.unpatch()
    assert state() == {"theirs"}
    dropin.patch()
    dropin.patch()
    dropin.unpatch()
    assert state() == {"theirs"}


def test_a_patched_class_works_in_scikit_learns_machinery():
    X, y = load_diabetes(return_X_y=True)
    plain = cross_val_score(sklearn.linear_model.Lasso(alpha=0.1), X, y, cv=3)
    with dropin.patch():
        from sklearn.linear_model import Lasso

        assert Lasso.__module__.startswith("infimum.")
        fast = cross_val_score(Lasso(alpha=0.1), X, y, cv=3)
    assert fast == pytest.approx(plain, abs=1e-3)


def test_other_names_are_left_alone():
    untouched = sklearn.ensemble.BaseEnsemble
    with dropin.patch():
        assert sklearn.ensemble.BaseEnsemble is untouched
