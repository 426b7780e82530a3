"""Classifiers that model probabilities first, in the words of the lecture."""

import pickle

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import infimum
from infimum.distributions import DecisionProblem, Normal
from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear import LogisticRegression
from infimum.models.probabilistic import BayesDecisionClassifier, PlugInClassifier


@pytest.fixture
def heights(rng):
    male, female = rng.normal(178, 7, size=70), rng.normal(165, 6, size=30)
    labels = np.array(["male"] * 70 + ["female"] * 30)
    return np.concatenate([male, female])[:, None], labels


@pytest.mark.syllabus("S4A-027")
def test_the_prior_rule_is_the_most_frequent_class(heights):
    X, y = heights
    ours = BayesDecisionClassifier(rule="prior").fit(X, y)
    theirs = DummyClassifier(strategy="most_frequent").fit(X, y)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert ours.score(X, y) == 0.7


@pytest.mark.syllabus("S4A-028", "S4A-029", "S4A-030", "S4A-031")
def test_the_four_rules_with_learnt_laws_are_those_of_the_known_problem(heights):
    X, y = heights
    costs = ((0.0, 3.0), (1.0, 0.0))
    model = BayesDecisionClassifier(costs=costs).fit(X, y)
    laws = tuple(Normal.fit(X[y == label, 0]) for label in model.classes_)
    problem = DecisionProblem(laws, (0.3, 0.7), costs, ("female", "male"))
    grid = np.linspace(140, 200, 121)
    for rule in ("prior", "likelihood", "posterior", "cost"):
        decided = model.set_params(rule=rule).predict(grid[:, None])
        assert np.array_equal(decided, problem.decide(grid, rule))
    assert model.predict_proba(grid[:, None]) == pytest.approx(problem.posteriors(grid))
    equal = BayesDecisionClassifier(rule="likelihood").fit(X, y).predict(X)
    even = BayesDecisionClassifier(priors=[0.5, 0.5]).fit(X, y).predict(X)
    assert np.array_equal(equal, even)


def test_several_features_are_taken_as_independent(rng):
    X = rng.normal(size=(80, 3)) + np.repeat([[0.0], [1.0], [2.0], [1.5]], 20, axis=0)
    y = np.repeat([0, 1, 2, 3], 20)
    ours = BayesDecisionClassifier().fit(X, y)
    theirs = GaussianNB(var_smoothing=0.0).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X))
    held = BayesDecisionClassifier().fit(sparse.csr_array(X), y)
    assert held.predict_proba(sparse.csr_array(X)) == pytest.approx(
        ours.predict_proba(X)
    )


def test_counts_have_laws_of_counts(rng):
    X = np.concatenate([rng.poisson(2.0, 40), rng.poisson(6.0, 40)])[:, None]
    y = np.repeat(["low", "high"], 40)
    model = BayesDecisionClassifier("poisson").fit(X, y)
    rates = [X[y == label].mean() for label in model.classes_]
    joint = 0.5 * stats.poisson(rates).pmf(np.arange(9)[:, None])
    chance = joint / joint.sum(axis=1, keepdims=True)
    assert model.predict_proba(np.arange(9.0)[:, None]) == pytest.approx(chance)
    # Impossible under every class: nothing is known but the priors.
    assert model.predict_proba([[-1.0]])[0] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"density": "cauchy"}, r"density must be one of"),
        ({"rule": "gut"}, r"rule must be one of"),
        ({"priors": [0.2, 0.2]}, r"priors must be 2 non-negative numbers"),
        ({"costs": [[0.0, 1.0]]}, r"costs must be a 2 × 2 table"),
    ],
)
def test_a_setting_that_is_none_leaves_the_old_model(settings, message, heights):
    X, y = heights
    model = BayesDecisionClassifier().fit(X, y)
    before = model.predict(X)
    fresh = {"density": "normal", "rule": "posterior", "priors": None, "costs": None}
    with pytest.raises(InvalidParameterError, match=message):
        model.set_params(**settings).fit(X[::-1] + 5.0, y)
    assert np.array_equal(model.set_params(**fresh).predict(X), before)


def test_weights_must_leave_every_class_something(heights):
    X, y = heights
    with pytest.raises(InvalidParameterError, match="nothing of the class"):
        BayesDecisionClassifier().fit(X, y, sample_weight=(y == "male"))
    with pytest.raises(DataError, match="Beta reads values"):
        BayesDecisionClassifier("beta").fit(X, y)


@pytest.mark.syllabus("S4A-035")
def test_the_plug_in_classifier_thresholds_any_estimate_of_eta(rng):
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + 0.5 * rng.normal(size=200) > 0).astype(int)
    new = rng.normal(size=(300, 2))
    for k in (5, 9):  # odd: no ties
        plugged = PlugInClassifier(KNeighborsRegressor(k)).fit(X, y)
        direct = KNeighborsClassifier(k).fit(X, y)
        assert np.array_equal(plugged.predict(new), direct.predict(new))
    eta = plugged.regression_function(new)[:, 1]
    assert np.array_equal(plugged.predict(new), (eta >= 0.5).astype(int))
    # Even: a tie at exactly one half goes to 1 here, to 0 in the other.
    plugged = PlugInClassifier(KNeighborsRegressor(2)).fit(X, y)
    direct = KNeighborsClassifier(2).fit(X, y)
    tied = plugged.regression_function(new)[:, 1] == 0.5
    differ = plugged.predict(new) != direct.predict(new)
    assert tied.any()
    assert np.array_equal(differ, tied)
    assert (plugged.predict(new)[tied] == 1).all()


def test_a_classifier_can_be_plugged_in_and_the_threshold_moved(rng):
    X = rng.normal(size=(90, 2))
    y = np.where(X[:, 0] + rng.normal(size=90) > 0, "yes", "no")
    model = PlugInClassifier(LogisticRegression(), threshold=0.8).fit(X, y)
    chance = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    assert np.array_equal(model.predict(X) == "yes", chance >= 0.8)
    three = PlugInClassifier().fit(X, np.arange(90) % 3)
    assert three.regression_function(X).sum(axis=1) == pytest.approx(1)
    assert len(three.estimators_) == 3


@pytest.mark.parametrize(
    "model",
    [BayesDecisionClassifier(), PlugInClassifier()],
    ids=["bayes", "plug-in"],
)
def test_models_travel_in_files_and_pickles(model, heights, tmp_path):
    X, y = heights
    model.fit(X, y)
    infimum.save(model, tmp_path / "model.infimum")
    again = infimum.load(tmp_path / "model.infimum")
    assert np.array_equal(again.predict(X), model.predict(X))
    assert np.array_equal(
        pickle.loads(pickle.dumps(model)).predict(X), model.predict(X)
    )
