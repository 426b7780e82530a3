"""Decision stumps: the best of all questions, on any table."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.tree import DecisionTreeClassifier

from infimum.errors import InvalidParameterError
from infimum.models.trees import DecisionStump, _stump_search

CRITERIA = ("error", "gini", "entropy", "exponential")


def purity(weights, criterion):
    total = weights.sum()
    if total == 0:
        return 0.0
    if criterion == "error":
        return weights.max()
    if criterion == "gini":
        return weights @ weights / total
    if criterion == "entropy":
        seen = weights[weights > 0]
        return seen @ np.log(seen / total)
    return -len(weights) * np.prod(weights) ** (1 / len(weights))


def best_by_brute_force(X, y, weights, count, criterion):
    """Try every threshold of every feature, with the missing on either side."""
    best = purity(np.bincount(y, weights, count), criterion)
    for x in X.T:
        missing = np.isnan(x)
        for t in [-np.inf, *np.unique(x[~missing])]:
            for missing_left in (False, True):
                left = np.where(missing, missing_left, x <= t)
                parts = [np.bincount(y[s], weights[s], count) for s in (left, ~left)]
                best = max(best, sum(purity(part, criterion) for part in parts))
    return best


@pytest.mark.syllabus("S2-080", "S4A-185")
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("hold", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_one_pass_finds_what_brute_force_finds(criterion, hold, missing, rng):
    for _ in range(25):
        n, count = rng.integers(2, 14), rng.integers(2, 4)
        X = rng.integers(-2, 3, size=(n, 3)).astype(rng.choice(["f4", "f8"]))
        X[rng.uniform(size=X.shape) < missing] = np.nan
        y = np.unique(rng.integers(count, size=n), return_inverse=True)[1]
        count, weights = y.max() + 1, rng.integers(1, 4, size=n).astype(float)
        model = DecisionStump(criterion).fit(hold(X), y, weights)
        found = sum(purity(part, criterion) for part in model.class_weights_)
        best = best_by_brute_force(X, y, weights, count, criterion)
        assert found == pytest.approx(best, abs=1e-9)
        # What the stump says of its sides is what it does to the rows.
        right = weights[model.predict(hold(X)) == y].sum()
        assert right == pytest.approx(model.class_weights_.max(axis=1).sum())
        shares = model.tree_.predict(X)
        np.testing.assert_allclose(shares, model.predict_proba(hold(X)), atol=1e-12)


@pytest.mark.syllabus("S2-080", "S4A-185")
@pytest.mark.parametrize("criterion", ["gini", "exponential"])
def test_two_classes_take_a_quick_way_to_the_same_cut(criterion, rng, monkeypatch):
    X, weights = rng.normal(size=(1300, 4)).round(2), rng.uniform(size=1300)
    y = (X[:, 1] + rng.normal(size=1300) > 0.4).astype(int)
    quick = DecisionStump(criterion).fit(X, y, weights)
    monkeypatch.setattr(_stump_search, "_in_pairs", lambda *_: False)
    slow = DecisionStump(criterion).fit(X, y, weights)
    assert (quick.feature_, quick.threshold_) == (slow.feature_, slow.threshold_)
    np.testing.assert_allclose(quick.class_weights_, slow.class_weights_, rtol=1e-13)


def test_gini_stumps_are_scikit_learns_and_errors_can_only_be_fewer(rng):
    X, weights = rng.normal(size=(200, 6)), rng.uniform(0.2, 2.0, size=200)
    y = (X[:, 2] + 0.7 * rng.normal(size=200) > 0.3).astype(int)
    theirs = DecisionTreeClassifier(max_depth=1).fit(X, y, weights)
    ours = DecisionStump("gini").fit(X, y, weights)
    assert ours.feature_ == theirs.tree_.feature[0]
    assert ours.threshold_ == pytest.approx(theirs.tree_.threshold[0], rel=1e-6)
    errors = [
        weights @ (model.predict(X) != y)
        for model in (DecisionStump().fit(X, y, weights), ours, theirs)
    ]
    assert errors[0] <= errors[1] + 1e-9
    assert errors[1] == pytest.approx(errors[2])


def test_the_search_is_the_same_on_many_threads(rng, monkeypatch):
    X, y = rng.normal(size=(300, 9)).round(1), rng.integers(2, size=300)
    alone = [DecisionStump(c).fit(X, y) for c in CRITERIA]
    monkeypatch.setattr(_stump_search, "FEW", 0)
    for cores in (1, 2, 5):
        monkeypatch.setattr(_stump_search, "CORES", cores)
        for model, c in zip(alone, CRITERIA, strict=True):
            shared = DecisionStump(c).fit(X, y)
            assert (shared.feature_, shared.threshold_) == (
                model.feature_,
                model.threshold_,
            )


def test_a_threshold_between_neighbouring_numbers_keeps_them_apart():
    low, high = 1.0, np.nextafter(1.0, 2.0)
    model = DecisionStump().fit([[low], [high]], [0, 1])
    assert model.predict([[low], [high]]).tolist() == [0, 1]
    huge = np.finfo(float).max
    model = DecisionStump().fit([[-huge], [huge]], [0, 1])
    assert model.threshold_ == 0.0


def test_without_a_useful_question_the_majority_is_named():
    for X in ([[1.0], [1.0], [1.0]], [[np.nan], [np.nan], [np.nan]]):
        model = DecisionStump().fit(X, ["a", "b", "b"])
        assert model.feature_ == -1
        assert model.predict([[7.0]]).tolist() == ["b"]
        assert model.feature_importances_.tolist() == [0.0]
    assert DecisionStump().fit([[1.0]], ["a"]).predict([[3.0]]).tolist() == ["a"]


def test_values_only_known_or_missing_can_be_told_apart():
    model = DecisionStump().fit([[np.nan], [np.nan], [3.0], [5.0]], list("aabb"))
    assert model.predict([[np.nan], [4.0], [99.0]]).tolist() == ["a", "b", "b"]


def test_an_unknown_criterion_is_named():
    with pytest.raises(InvalidParameterError, match=r"criterion must be one of"):
        DecisionStump("luck").fit([[0.0], [1.0]], [0, 1])
