"""Every tree and ensemble of trees, on tables that have little or nothing to tell."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from infimum.compiled import threads
from infimum.errors import DataError
from infimum.models import ensembles, trees
from infimum.models.ensembles.boosting import _boosted_tree, _growth_state

SMALL = {
    "n_estimators": 4, "max_iter": 4, "random_state": 0, "min_samples_leaf": 1
}  # fmt: skip
NAMES = {
    trees: (
        "DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier",
        "ExtraTreeRegressor",
    ),
    ensembles: (
        "AdaBoostClassifier", "AdaBoostRegressor", "ExtraTreesClassifier",
        "ExtraTreesRegressor", "GradientBoostingClassifier",
        "GradientBoostingRegressor", "HistGradientBoostingClassifier",
        "HistGradientBoostingRegressor", "QuantileForestRegressor",
        "RandomForestClassifier", "RandomForestRegressor",
    ),
}  # fmt: skip


def small(kind):
    known = kind().get_params()
    return kind(**{name: SMALL[name] for name in SMALL if name in known})


MODELS = [small(getattr(room, name)) for room in NAMES for name in NAMES[room]]
every_model = pytest.mark.parametrize(
    "model", MODELS, ids=[type(model).__name__ for model in MODELS]
)
ONE_CLASS_IS_REFUSED = {"GradientBoostingClassifier", "HistGradientBoostingClassifier"}


def fitted(model, X, y):
    return clone(model).fit(X, y)


def targets(model, n):
    y = np.arange(n) % 3
    return y if is_classifier(model) else y.astype(float)


@every_model
def test_constant_features_give_a_constant_answer(model):
    y = targets(model, 31)
    found = fitted(model, np.ones((31, 2)), y).predict(np.ones((31, 2)))
    assert len(np.unique(found)) == 1
    assert y.min() <= found[0] <= y.max()


@every_model
def test_one_row_is_answered_or_refused_in_a_sentence(model):
    X, y = np.array([[1.0, 2.0]]), targets(model, 1)
    if type(model).__name__ in ONE_CLASS_IS_REFUSED:
        with pytest.raises(DataError, match="needs 2 classes"):
            fitted(model, X, y)
        return
    assert fitted(model, X, y).predict([[5.0, 5.0]]).tolist() == y.tolist()


@every_model
def test_one_class_or_one_number_is_answered_or_refused_in_a_sentence(model, rng):
    X, y = rng.normal(size=(20, 2)), np.full(20, 7)
    if type(model).__name__ in ONE_CLASS_IS_REFUSED:
        with pytest.raises(DataError, match="needs 2 classes"):
            fitted(model, X, y)
        return
    np.testing.assert_allclose(fitted(model, X, y).predict(X), 7.0)


@every_model
def test_a_column_without_any_value_does_no_harm(model, rng):
    X = np.column_stack([np.full(60, np.nan), rng.normal(size=60)])
    y = (X[:, 1] > 0).astype(int)
    found = fitted(model, X, y).predict(X)
    wrong = found != y if is_classifier(model) else np.abs(found - y) > 0.5
    assert wrong.mean() < 0.3


@pytest.mark.parametrize(
    "model",
    [model for model in MODELS if "interaction_cst" in model.get_params()],
    ids=lambda model: type(model).__name__,
)
def test_a_million_categories_give_a_model_or_a_sentence(model):
    town, y = np.arange(1_000_000.0)[:, None], np.arange(1_000_000) % 2
    told = clone(model).set_params(categorical_features=[0])
    if type(model).__name__.startswith("Hist"):  # the heaviest have bins of their own
        told.set_params(max_iter=1, early_stopping=False)
        assert np.isfinite(told.fit(town, y).predict(town[:3])).all()
        return
    with pytest.raises(DataError, match="category 999999"):
        told.fit(town, y)


@every_model
def test_the_same_seed_gives_the_same_model_on_any_number_of_threads(
    model, rng, monkeypatch
):
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    for room in (_boosted_tree, _growth_state):
        monkeypatch.setattr(room, "MANY", 100)
    monkeypatch.setattr(_boosted_tree, "FEW_NUMBERS", 0)
    monkeypatch.setattr(_boosted_tree, "SECONDS_ALONE", 0.0)
    monkeypatch.setattr(_boosted_tree.TreeGrower, "busy_until", 0.0)
    together = fitted(model, X, y).predict(X)
    monkeypatch.setattr(_boosted_tree, "free_cores", lambda: 1)
    monkeypatch.setattr(threads._here, "enlisted", True, raising=False)
    np.testing.assert_array_equal(fitted(model, X, y).predict(X), together)
