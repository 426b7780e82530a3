"""Forged files of models with parameters, labels and proofs that methods trust."""

import numpy as np
import pytest

import infimum
from benchmarks.fuzz.specimens import specimen_of
from infimum.errors import InfimumError, ModelFileError
from infimum.models.clustering import KMeans
from infimum.models.probabilistic import LinearDiscriminantAnalysis
from tests.persistence.test_forged_progress import forged

pytestmark = pytest.mark.filterwarnings("ignore")


def put(name, value):
    """Return the change that gives an attribute another value."""

    def change(state, arrays):
        assert name in state
        state[name] = value

    return change


def reshaped(name, shape):
    """Return the change that gives the array of an attribute another shape."""

    def change(state, arrays):
        member = state[name]["member"]
        arrays[member] = np.resize(arrays[member], shape)

    return change


NAN = {"kind": "float", "value": "nan"}
FORGERIES = [
    ("ContentRecommender", put("n_neighbors", -1.5)),
    ("NeighborRecommender", put("n_neighbors", 1e-300)),
    ("FastICA", reshaped("mean_", (1,))),
    (
        "FactorAnalysis",
        lambda state, arrays: _fill(state, arrays, "components_", 1e200),
    ),
    (
        "FactorAnalysis",
        lambda state, arrays: _fill(state, arrays, "noise_variance_", 0.0),
    ),
    (
        "FactorRecommender",
        lambda state, arrays: _fill(state, arrays, "_columns", 1e200),
    ),
    ("FactorRecommender", put("bias_strength", NAN)),
    ("BasisPursuit", put("basis", {"kind": "dict", "items": [["a", 1]]})),
    ("StructuredSVM", put("C", -0.0)),
    ("OrdinalSVC", put("C", 0)),
    ("LinearRanker", put("planes_", {"kind": "tuple", "items": [1, 2]})),
    ("ScoreMaximizer", put("planes_", {"kind": "tuple", "items": [1, 2]})),
    ("StructuredSVM", put("planes_", {"kind": "tuple", "items": [1, 2, 3]})),
    ("FisherDiscriminant", reshaped("classes_", (1,))),
    ("LinearDiscriminantAnalysis", reshaped("_scatters", (0, 3, 3))),
    ("PoissonHMM", lambda state, arrays: _fill(state, arrays, "lambdas_", 1e300)),
    ("HiddenMarkovModel", put("n_components", 1.0)),
    ("SparsePCA", lambda state, arrays: _fill(state, arrays, "components_", 1e200)),
    ("GaussianHMM", lambda state, arrays: _fill(state, arrays, "_covars_", 0.0)),
]


def _fill(state, arrays, name, value):
    arrays[state[name]["member"]][...] = value


@pytest.mark.parametrize("name, change", FORGERIES)
def test_what_predictions_and_proofs_trust_is_refused_when_forged(
    name, change, tmp_path
):
    model, _, _ = specimen_of(name)
    infimum.save(model, tmp_path / "good.infimum")
    infimum.load(tmp_path / "good.infimum")
    with pytest.raises(ModelFileError) as said:
        infimum.load(forged(model, tmp_path, change))
    assert "\n" not in str(said.value)


def test_weights_of_other_features_are_refused_in_one_sentence(tmp_path):
    model, X, y = specimen_of("StructuredSVM")
    loaded = infimum.load(forged(model, tmp_path, reshaped("coef_", (5,))))
    for ask in (lambda: loaded.predict(X), lambda: loaded.certify(X, y)):
        with pytest.raises(InfimumError, match="Weights of 2 labels"):
            ask()


@pytest.mark.parametrize("shares", [(-1e-9, 1.0), (1e6, 1e6), (np.nan, 0.0)])
def test_shares_of_labellings_that_prove_too_much_are_refused(tmp_path, shares):
    model, X, y = specimen_of("StructuredSVM")
    sound = model.certify(X, y)
    assert np.isfinite(sound.dual)

    def change(state, arrays):
        member = state["planes_"]["items"][1]["member"]
        arrays[member][: len(shares)] = shares

    with pytest.raises(InfimumError):
        infimum.load(forged(model, tmp_path, change)).certify(X, y)


def test_a_fitted_model_with_a_parameter_outside_its_domain_is_not_written(tmp_path):
    model = KMeans(n_clusters=2).fit(np.eye(3)).set_params(max_iter=-5)
    with pytest.raises(InfimumError, match="max_iter"):
        infimum.save(model, tmp_path / "m.infimum")


def test_a_solver_that_cannot_shrink_says_so_as_both_libraries_do():
    machine = LinearDiscriminantAnalysis(shrinkage="auto")
    for kind in (NotImplementedError, InfimumError):
        with pytest.raises(kind, match="shrinkage"):
            machine.fit(np.eye(4), [0, 0, 1, 1])
