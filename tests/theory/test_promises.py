"""Promises about fitted models: formulas, sharing of the risk, and fresh rows."""

from math import comb, log

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from infimum.errors import InvalidParameterError
from infimum.models.ensembles import AdaBoostClassifier
from infimum.models.kernel import SVC
from infimum.models.linear import LinearSVC, LogisticRegression
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.trees import DecisionTreeClassifier
from infimum.theory import (
    Stumps,
    binomial_guarantee,
    compression_bound,
    log_sauer_shelah,
    log_tree_growth,
    margin_guarantee,
    promises,
)


def drawn(rng, n, noise=0.05):
    X = rng.uniform(-1, 1, (n, 2))
    y = (X[:, 0] + 0.4 * X[:, 1] > 0).astype(int)
    return X, np.where(rng.random(n) < noise, 1 - y, y)


MODELS = [
    LogisticRegression(),
    LinearSVC(),
    SVC(kernel="linear", C=1.0),
    SVC(kernel="rbf", gamma=0.5, C=1.0),
    DecisionTreeClassifier(max_leaf_nodes=6, random_state=0),
    AdaBoostClassifier(n_estimators=15, random_state=0),
    make_pipeline(StandardScaler(), LogisticRegression()),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_no_promise_is_broken_on_fresh_rows(model, rng):
    fresh = drawn(rng, 20_000)
    X, y = drawn(rng, 1500)
    model.fit(X, y)
    held_out = drawn(rng, 400)
    found = promises(model, X, y, held_out, confidence=0.95)
    true = 1 - model.score(*fresh)
    assert found.guarantees
    assert all(each.bound >= true for each in found.guarantees)
    assert all(each.confidence == 0.95 for each in found.guarantees)
    bounds = [each.bound for each in found.guarantees]
    assert bounds == sorted(bounds)
    assert found.best is found.guarantees[0]
    assert found.best.method == "Clopper-Pearson"
    assert "It is the Clopper-Pearson" in found.sentence


def test_all_hold_together_as_often_as_stated(rng):
    broken = 0
    for _ in range(60):
        X, y = drawn(rng, 300, 0.1)
        model = LinearSVC(C=0.1).fit(X, y)
        found = promises(model, X, y, drawn(rng, 50, 0.1), confidence=0.8)
        true = 1 - model.score(*drawn(rng, 4000, 0.1))
        broken += any(each.bound < true for each in found.guarantees)
    assert broken <= binom.ppf(0.999, 60, 0.2)


def test_a_linear_model_has_the_bounds_of_its_dimension_and_margin(rng):
    X, y = drawn(rng, 3000)
    model = LogisticRegression().fit(X, y)
    found = {each.method: each for each in promises(model, X, y).guarantees}
    delta = 0.05 / 2
    growth = log(2) + log_sauer_shelah(5999, 2)
    assert 2 * sum(comb(5999, i) for i in range(3)) == pytest.approx(np.exp(growth))
    width = 2 * np.sqrt((log(2) + growth - log(delta)) / 3000)
    vc = found["VC bound, dimension 3"]
    assert vc.bound == pytest.approx(1 - model.score(X, y) + width)
    margin = margin_guarantee(model, X, y, 0.95, comparisons=2)
    assert found["Rademacher margin bound"].bound == pytest.approx(margin.bound)


def test_a_tree_pays_for_its_leaves(rng):
    X, y = drawn(rng, 4000)
    model = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(X, y)
    (found,) = promises(model, X, y).guarantees
    assert np.exp(log_tree_growth(4, 8000, 2)) == pytest.approx(5 * 16_000**3 * 16)
    own = 0.05 / (4 * 5)
    width = 2 * np.sqrt((log(2) + log_tree_growth(4, 8000, 2) - log(own)) / 4000)
    assert found.bound == pytest.approx(1 - model.score(X, y) + width)
    assert found.method == "shattering bound, 4 leaves"
    points = rng.random((6, 2))
    assert len(Stumps(2).patterns(points)) <= np.exp(log_tree_growth(2, 6, 2))


def test_support_vectors_alone_make_the_same_machine(rng):
    X, y = drawn(rng, 400, 0.0)
    model = SVC(kernel="rbf", gamma=0.5, C=10.0, tol=1e-8).fit(X, y)
    again = SVC(kernel="rbf", gamma=0.5, C=10.0, tol=1e-8).fit(
        X[model.support_], y[model.support_]
    )
    assert np.mean(again.predict(X) != model.predict(X)) < 0.01
    found = promises(model, X, y)
    k = len(model.support_)
    compressed = next(e for e in found.guarantees if "compression" in e.method)
    rest = np.ones(400, dtype=bool)
    rest[model.support_] = False
    errors = int(np.sum(model.predict(X)[rest] != y[rest]))
    assert compressed.bound == pytest.approx(compression_bound(400, k, errors, 0.025))


def test_the_compression_bound_is_its_formula():
    found = compression_bound(500, 7, 12, 0.05)
    seen = 12 / 493
    entropy = seen * log(seen / found) + (1 - seen) * log((1 - seen) / (1 - found))
    assert entropy == pytest.approx((log(500) + log(comb(500, 7)) - log(0.05)) / 493)
    # The relative entropy bounds the exact tail.
    tail = binom.cdf(12, 493, found)
    assert tail <= 0.05 / (500 * comb(500, 7))
    nothing = compression_bound(100, 0, 0, 0.1)
    assert nothing == pytest.approx(1 - (0.1 / 100) ** (1 / 100))
    assert compression_bound(10, 10, 0, 0.1) == 1.0
    assert compression_bound(10, 5, 5, 0.1) == 1.0
    with pytest.raises(InvalidParameterError):
        compression_bound(10, 11, 0, 0.1)


def test_boosted_stumps_have_a_margin_of_votes(rng):
    X, y = drawn(rng, 60_000, 0.0)
    model = AdaBoostClassifier(n_estimators=3, random_state=0).fit(X, y)
    (found,) = promises(model, X, y).guarantees
    assert found.method == "voting margin bound"
    deep = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=3), n_estimators=3, random_state=0
    ).fit(X[:500], y[:500])
    refused = promises(deep, X[:500], y[:500])
    assert refused.guarantees == ()
    assert "not all stumps" in refused.refused["voting margin"]
    ratio = 2 ** np.arange(-32.0, 32)
    votes = sum(
        w * np.where(each.predict(X) == 1, 1, -1)
        for w, each in zip(model.estimator_weights_, model.estimators_, strict=True)
    )
    margins = (2 * y - 1) * votes / np.abs(model.estimator_weights_).sum()
    reach = np.sqrt(2 * log(Stumps(2).growth(60_000)) / 60_000)
    ramps = np.clip(1 - ratio[:, None] * margins, 0, 1).mean(axis=1)
    slack = np.sqrt(log(64 / 0.05) / 120_000)
    assert found.bound == pytest.approx(np.min(ramps + 2 * ratio * reach) + slack)


def test_what_does_not_apply_is_said(rng):
    X, y = drawn(rng, 200)
    scaled = promises(SVC().fit(X, y), X, y)
    assert "looks at all rows" in scaled.refused["compression"]
    near = promises(KNeighborsClassifier(5).fit(X, y), X, y)
    assert near.guarantees == ()
    assert near.best is None
    assert "only unseen rows" in near.refused["training rows"]
    assert near.sentence.startswith("Nothing is promised")
    three = LogisticRegression().fit(X, rng.integers(0, 3, 200))
    tested = promises(three, X, y, drawn(rng, 100))
    assert [each.method for each in tested.guarantees] == ["Clopper-Pearson"]
    few = promises(LinearSVC().fit(X[:30], y[:30]), X[:30], y[:30])
    assert all(each.vacuous for each in few.guarantees)
    assert "VC bound, dimension 3" in few.sentence
    assert few.to_dict()["guarantees"][0]["vacuous"]


def test_comparisons_and_bounds_share_the_risk(rng):
    X, y = drawn(rng, 1000)
    model = LogisticRegression().fit(X, y)
    fresh = drawn(rng, 300)
    found = promises(model, X, y, fresh, comparisons=10)
    errors = int(np.sum(model.predict(fresh[0]) != fresh[1]))
    expected = binomial_guarantee(errors, 300, 0.95, comparisons=30)
    assert found.best.bound == pytest.approx(expected.bound)
    assert found.best.comparisons == 10
    assert len(found.plot().data) == 1


def test_promises_about_a_bundled_table():
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01))
    model.fit(X[:400], y[:400])
    found = promises(model, X[:400], y[:400], (X[400:], y[400:]))
    assert found.best.bound < 0.11
    assert {each.method for each in found.vacuous} == {"VC bound, dimension 31"} | {
        each.method for each in found.guarantees if each.bound >= 1
    }
