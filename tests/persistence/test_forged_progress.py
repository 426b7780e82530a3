"""A forged file of a model that goes on learning is refused before it does."""

import copy

import numpy as np
import pytest

import infimum
from benchmarks.fuzz.forging import read_specimen, write_file
from infimum.errors import InvalidParameterError, ModelFileError
from infimum.models.neural import (
    Dense,
    MLPClassifier,
    MLPRegressor,
    NetworkRegressor,
)
from infimum.models.probabilistic import BayesianLinearRegression

pytestmark = pytest.mark.filterwarnings("ignore")

rng = np.random.default_rng(5)
X = rng.standard_normal((40, 3))
Y = X[:, 0] - X[:, 1]
LABELS = np.where(Y > 0, "yes", "no")
HOW = {"hidden_layer_sizes": (4,), "max_iter": 3, "random_state": 0}


def classifier(**how):
    """Return a small fitted network of classes."""
    return MLPClassifier(**{**HOW, **how}).fit(X, LABELS)


def regressor(**how):
    """Return a small fitted network of numbers."""
    return MLPRegressor(**{**HOW, **how}).fit(X, Y)


def layered():
    """Return a small fitted network of given layers."""
    return NetworkRegressor([Dense(4, "tanh")], max_iter=3).fit(X, Y)


def bayesian(**how):
    """Return a fitted linear model with a law of its weights."""
    return BayesianLinearRegression(**how).fit(X, Y)


def forged(model, folder, change):
    """Save a model, change the state in its file, and return the file."""
    infimum.save(model, folder / "m.infimum")
    specimen = read_specimen(folder / "m.infimum")
    tree, arrays = copy.deepcopy(specimen.tree), dict(specimen.arrays)
    change(tree["state"], arrays)
    write_file(folder / "f.infimum", tree, arrays, specimen.manifest)
    return folder / "f.infimum"


def without(name):
    """Return the change that takes an attribute away."""

    def change(state, _):
        del state[name]

    return change


def given(name, value):
    """Return the change of a plain attribute."""

    def change(state, _):
        state[name] = value

    return change


def items(name, turn):
    """Return the change of the items of a list."""

    def change(state, _):
        node = state[name]
        if isinstance(node, dict):
            node["items"] = turn(node["items"])
        else:
            state[name] = turn(node)

    return change


def array(name, turn):
    """Return the change of an array."""

    def change(state, arrays):
        arrays["array-9000.npy"] = turn(arrays[state[name]["member"]].copy())
        state[name] = {"kind": "array", "member": "array-9000.npy"}

    return change


FORGERIES = [
    (classifier, without("_taken"), "needs _taken and _rate"),
    (classifier, without("_rate"), "needs _taken and _rate"),
    (classifier, without("loss_curve_"), "lacks its loss_curve_"),
    (classifier, without("best_loss_"), "lacks its best_loss_"),
    (classifier, without("_no_improvement_count"), "lacks its _no_improvement_count"),
    (classifier, items("_memory", lambda _: []), "_memory must be one or two"),
    (classifier, items("_memory", lambda each: each * 2), "_memory must be one or two"),
    (classifier, array("classes_", lambda v: v[:1]), "two classes or more"),
    (
        lambda: classifier(early_stopping=True),
        array("_best_theta", lambda v: v[:-1]),
        "_best_theta must have 21 parameters",
    ),
    (
        lambda: classifier(early_stopping=True),
        given("validation_scores_", None),
        "must have a best one",
    ),
    (regressor, given("loss", [0]), "loss must be text"),
    (
        regressor,
        given("hidden_layer_sizes", 2**64),
        "hidden_layer_sizes do not fit",
    ),
    (layered, given("layers", [0]), "layers must be list of Layer"),
    (layered, given("input_shape", 3), "input_shape must be none"),
    (bayesian, without("_rate"), "positive law of its noise"),
    (bayesian, array("_x_mean", lambda v: v + 1e200), "must be at most 2e.150"),
    (bayesian, given("_y_mean", {"kind": "float", "value": "nan"}), "must be at most"),
    (bayesian, array("_gram", lambda v: -v), "must be a sum of squares"),
    (bayesian, array("_gram", lambda v: v[::-1].copy()), "must be a sum of squares"),
]


@pytest.mark.parametrize("fitted, change, words", FORGERIES)
def test_a_forged_record_of_learning_is_refused_when_it_is_loaded(
    fitted, change, words, tmp_path
):
    with pytest.raises(ModelFileError, match=words) as caught:
        infimum.load(forged(fitted(), tmp_path, change))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("solver", ["adam", "sgd", "lbfgs"])
@pytest.mark.parametrize("early_stopping", [False, True])
def test_a_network_that_returns_goes_on_as_the_one_that_was_kept(
    solver, early_stopping, tmp_path
):
    model = regressor(solver=solver, early_stopping=early_stopping)
    infimum.save(model, tmp_path / "m.infimum")
    back = infimum.load(tmp_path / "m.infimum")
    for each in (model, back):
        each.set_params(early_stopping=False)
        if solver != "lbfgs":
            each.partial_fit(X, Y)
    np.testing.assert_array_equal(back.predict(X), model.predict(X))


@pytest.mark.parametrize("before, after", [("sgd", "adam"), ("lbfgs", "sgd")])
def test_a_network_goes_on_by_another_solver_than_before(before, after):
    model = regressor(solver=before)
    first = model.predict(X)
    model.set_params(solver=after).partial_fit(X, Y)
    assert len(model.loss_curve_) >= 1
    assert not np.array_equal(model.predict(X), first)


def test_a_loss_that_is_no_name_is_refused_in_words():
    with pytest.raises(InvalidParameterError, match="loss must be"):
        MLPRegressor([0]).fit(X, Y)
