"""Weights of classes: one rule and one sentence for all classifiers that take them."""

import inspect

import numpy as np
import pytest
from sklearn.base import is_classifier

from infimum.errors import InvalidParameterError
from infimum.models.ensembles import ExtraTreesClassifier, RandomForestClassifier
from infimum.models.trees import DecisionTreeClassifier
from tests.laws.estimators import ESTIMATORS, fitted, made

WEIGHING = {
    name: kind
    for name, kind in ESTIMATORS.items()
    if "class_weight" in inspect.signature(kind).parameters
}
every_kind = pytest.mark.parametrize("kind", WEIGHING.values(), ids=WEIGHING)


@pytest.fixture
def table(rng):
    X = rng.normal(size=(40, 3))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0.5, "yes", "no")


def test_classifiers_were_found():
    assert len(WEIGHING) > 15
    assert all(is_classifier(made(kind)) for kind in WEIGHING.values())


@every_kind
@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (
            {"yes": -1.0},
            r"class_weight must be in \[0, inf\) for every class, got -1.0",
        ),
        ({"yes": np.nan}, r"class_weight must be in \[0, inf\)"),
        ({"yes": "2"}, r"class_weight must be in \[0, inf\)"),
        ({"maybe": 2.0}, "class_weight names 'maybe', which is none of the classes"),
        ({"yes": 0.0, "no": 0.0}, "class_weight must leave some sample a weight"),
        ("balance", "class_weight must be None, 'balanced' or a dict"),
    ],
    ids=["negative", "missing", "a word", "unknown", "all zero", "misspelt"],
)
def test_a_weight_that_is_none_is_refused_in_one_sentence(
    kind, wanted, sentence, table
):
    with pytest.raises(InvalidParameterError, match=f"^{kind.__name__}.{sentence}"):
        made(kind, class_weight=wanted).fit(*table)


@every_kind
def test_a_label_that_did_not_come_may_have_a_weight_beside_all_others(kind, table):
    wanted = {"yes": 2.0, "no": 1.0, "maybe": 3.0}
    given = fitted(made(kind, class_weight=wanted), *table).predict(table[0])
    plain = {"yes": 2.0, "no": 1.0}
    known = fitted(made(kind, class_weight=plain), *table).predict(table[0])
    assert np.array_equal(given, known)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, ExtraTreesClassifier])
def test_balanced_classes_of_trees_count_weights(kind, table, rng):
    X, y = table
    counts = rng.integers(0, 4, size=len(y))
    rows = np.repeat(np.arange(len(y)), counts)
    model = made(kind, class_weight="balanced", max_depth=2)
    weighted = model.fit(X, y, sample_weight=counts).predict_proba(X)
    np.testing.assert_allclose(model.fit(X[rows], y[rows]).predict_proba(X), weighted)


def test_only_forests_balance_what_their_trees_have_drawn(table):
    with pytest.raises(InvalidParameterError, match="'balanced' or a dict"):
        DecisionTreeClassifier(class_weight="balanced_subsample").fit(*table)
    # Fractions used to be cut to whole numbers there, so that all rows were gone.
    model = ExtraTreesClassifier(5, class_weight="balanced_subsample", random_state=0)
    halves = model.fit(*table, sample_weight=np.full(40, 0.5)).predict_proba(table[0])
    assert np.array_equal(model.fit(*table).predict_proba(table[0]), halves)
    forest = RandomForestClassifier(5, class_weight="balanced_subsample").fit(*table)
    assert forest.score(*table) > 0.8


def test_each_output_of_a_tree_has_weights_of_its_own(table):
    X, y = table
    both = np.column_stack([y, np.where(X[:, 1] > 0, "up", "down")])
    rules = [{"yes": 9.0, "no": 1.0}, None]
    heavy = DecisionTreeClassifier(max_depth=1, class_weight=rules, random_state=0)
    factors = np.where(y == "yes", 9.0, 1.0)
    plain = DecisionTreeClassifier(max_depth=1, random_state=0)
    assert np.array_equal(
        heavy.fit(X, both).predict(X), plain.fit(X, both, factors).predict(X)
    )
    with pytest.raises(InvalidParameterError, match="has 1 entries for 2 outputs"):
        heavy.set_params(class_weight=[{"yes": 9.0}]).fit(X, both)
    with pytest.raises(InvalidParameterError, match="a list of dicts, one for each"):
        heavy.set_params(class_weight={"yes": 9.0}).fit(X, both)
