"""Maps, mixtures, projections and densities drop in whole: names and parameters."""

import importlib
import inspect
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator

#: Modules that are there with every name, and the classes of others.
WHOLE = ("manifold", "mixture", "random_projection")
PARTS = {
    "decomposition": ("PCA", "IncrementalPCA", "KernelPCA", "TruncatedSVD"),
    "neighbors": ("KernelDensity",),
}
ROOMS = {
    room: (
        importlib.import_module(f"infimum.dropin.{room}"),
        importlib.import_module(f"sklearn.{room}"),
    )
    for room in (*WHOLE, *PARTS)
}
PAIRS = {
    name: tuple(getattr(each, name) for each in ROOMS[room])
    for room in ROOMS
    for name in PARTS.get(room, ROOMS[room][0].__all__)
}
CLASSES = [
    name
    for name, (ours, _) in PAIRS.items()
    if inspect.isclass(ours) and issubclass(ours, BaseEstimator)
]
#: What is told in docs/dropin.md: the way that suits the data is chosen, a start that
#: scikit-learn announces is taken at once, and there is no look inside
#: of what is built on.
OTHER_DEFAULTS = {"TSNE": {"method"}, "MDS": {"init"}}
OTHER_ATTRIBUTES = {"Isomap": {"kernel_pca_"}, "KernelDensity": {"tree_"}}


def parameters(thing):
    return inspect.signature(thing).parameters


@pytest.mark.parametrize("room", WHOLE)
def test_nothing_of_theirs_is_missing(room):
    ours, theirs = ROOMS[room]
    assert set(theirs.__all__) == set(ours.__all__)


@pytest.mark.parametrize("name", PAIRS)
def test_every_parameter_has_its_name_and_default(name):
    found, wanted = (parameters(each) for each in PAIRS[name])
    assert [key for key in found if key in wanted] == list(wanted)
    for key in wanted:
        assert found[key].kind == wanted[key].kind
    differing = {key for key in wanted if found[key].default != wanted[key].default}
    assert differing == OTHER_DEFAULTS.get(name, set())


@pytest.mark.parametrize("name", CLASSES)
def test_every_method_is_there_with_its_parameters(name):
    ours, theirs = PAIRS[name]
    for method, value in inspect.getmembers(theirs, callable):
        if method.startswith("_") or "request" in method or "routing" in method:
            continue
        wanted = set(parameters(value)) - {"params", "fit_params"}
        assert wanted <= set(parameters(getattr(ours, method))), method


@pytest.mark.parametrize("name", CLASSES)
def test_every_fitted_attribute_is_there(name, rng):
    X = rng.normal(size=(60, 5))
    known = parameters(PAIRS[name][0])
    settings = {"n_components": 2} if "n_components" in known else {}
    settings |= {"affinity": "rbf"} if name == "SpectralEmbedding" else {}
    settings |= {"max_iter": 250} if name == "TSNE" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, wanted = (each(**settings).fit(X) for each in PAIRS[name])
    told = {each for each in vars(wanted) if each.endswith("_") and each[0] != "_"}
    missing = {each for each in told if not hasattr(found, each)}
    assert missing == OTHER_ATTRIBUTES.get(name, set())
    for each in told - missing - {"lower_bounds_"}:  # as many as there are steps
        assert np.shape(getattr(found, each)) == np.shape(getattr(wanted, each)), each
