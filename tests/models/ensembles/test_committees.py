"""Bagging, voting and stacking: many models that answer together."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import ensemble as theirs
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import cross_val_score

from infimum.compiled.threads import in_parts
from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import variance_of_mean
from infimum.models.ensembles import (
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from infimum.models.linear import LinearRegression, LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsClassifier, KNeighborsRegressor
from infimum.models.probabilistic import GaussianNB
from infimum.models.trees import DecisionStump, DecisionTreeRegressor

MEMBERS = [
    ("bayes", GaussianNB()),
    ("stump", DecisionStump()),
    ("near", KNeighborsClassifier(5)),
]


@pytest.mark.syllabus("S4A-168")
@pytest.mark.parametrize("weights", [None, [1.0, 3.0, 1.5]])
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_a_committee_decides_by_weighted_majority(weights, voting):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    how = {"voting": voting, "weights": weights}
    ours = VotingClassifier(MEMBERS, **how).fit(X, names)
    reference = theirs.VotingClassifier(MEMBERS, **how).fit(X, names)
    assert (ours.predict(X) == reference.predict(X)).all()
    np.testing.assert_allclose(ours.transform(X), reference.transform(X))
    assert (ours.get_feature_names_out() == reference.get_feature_names_out()).all()
    if voting == "hard":
        said = np.array([member.predict(X) for member in ours.estimators_])
        counts = np.ones(3) if weights is None else np.array(weights)
        tally = np.array([counts @ (said == k) for k in range(3)])
        assert (ours.predict(X) == ours.classes_[tally.argmax(axis=0)]).all()
        assert not hasattr(ours, "predict_proba")


def test_members_can_be_dropped_renamed_and_set():
    X, y = load_iris(return_X_y=True)
    model = VotingClassifier(MEMBERS, weights=[5.0, 1.0, 1.0])
    model.set_params(bayes="drop", near__n_neighbors=1).fit(X, y)
    assert len(model.estimators_) == 2
    assert model.named_estimators_["near"].n_neighbors == 1
    assert model.named_estimators_["bayes"] == "drop"
    with pytest.raises(InvalidParameterError, match="weights must be equal"):
        VotingClassifier(MEMBERS, weights=[1.0]).fit(X, y)
    with pytest.raises(InvalidParameterError, match="non-empty list"):
        VotingClassifier([]).fit(X, y)


def test_voting_regressors_average():
    X, y = load_diabetes(return_X_y=True)
    members = [("a", Ridge()), ("b", KNeighborsRegressor())]
    model = VotingRegressor(members, weights=[2.0, 1.0]).fit(X, y)
    parts = [clone_fit(member, X, y).predict(X) for _, member in members]
    np.testing.assert_allclose(model.predict(X), (2 * parts[0] + parts[1]) / 3)


def clone_fit(member, X, y):
    return type(member)(**member.get_params()).fit(X, y)


@pytest.mark.syllabus("S4A-170", "S4A-172")
def test_the_bagged_prediction_is_the_mean_over_resamples():
    X, y = load_diabetes(return_X_y=True)
    model = BaggingRegressor(Ridge(), 15, random_state=1).fit(X, y)
    members = [Ridge().fit(X[r], y[r]) for r in model.estimators_samples_]
    mean = np.mean([member.predict(X) for member in members], axis=0)
    np.testing.assert_allclose(model.predict(X), mean)
    coefficients = np.mean([member.coef_ for member in model.estimators_], axis=0)
    whole = X @ coefficients + np.mean([m.intercept_ for m in model.estimators_])
    np.testing.assert_allclose(model.predict(X), whole)
    distinct = np.mean([len(np.unique(r)) for r in model.estimators_samples_])
    assert distinct / len(y) == pytest.approx(1 - np.exp(-1), abs=0.02)


@pytest.mark.syllabus("S4A-171", "S4A-172")
def test_bagging_lowers_the_variance_of_trees_and_leaves_their_bias(rng):
    def draw():
        X = rng.uniform(-1, 1, size=(80, 1))
        return X, np.sin(3 * X[:, 0]) + 0.5 * rng.normal(size=80)

    points = np.linspace(-0.9, 0.9, 25)[:, None]
    tree = DecisionTreeRegressor(random_state=0)
    alone, bagged, members = [], [], []
    for seed in range(24):
        X, y = draw()
        alone.append(tree.fit(X, y).predict(points))
        bag = BaggingRegressor(tree, 16, random_state=seed).fit(X, y)
        bagged.append(bag.predict(points))
        members.append([member.predict(points) for member in bag.estimators_])
    alone, bagged, members = np.array(alone), np.array(bagged), np.array(members)
    truth = np.sin(3 * points[:, 0])
    assert bagged.var(axis=0).mean() < 0.7 * alone.var(axis=0).mean()
    difference = bagged.mean(axis=0) - alone.mean(axis=0)
    noise = np.sqrt(alone.var(axis=0).mean() / 24)
    assert np.abs(difference).mean() < 2 * noise
    assert np.abs(alone.mean(axis=0) - truth).mean() < 3 * noise
    # ρσ² + (1 - ρ)σ²/B, with σ² and ρ of the members themselves.
    spread = members.var(axis=0).mean()
    apart = members - members.mean(axis=0)
    both = np.mean(apart[:, ::2] * apart[:, 1::2])
    told = variance_of_mean(spread, both / spread, 16)
    assert bagged.var(axis=0).mean() == pytest.approx(told, rel=0.1)


@pytest.mark.syllabus("S4A-171")
def test_the_variance_of_a_mean_of_equally_correlated_numbers(rng):
    assert variance_of_mean(1.0, 0.1, 100) == pytest.approx(0.109)
    assert variance_of_mean(2.0, 0.0, 50) == pytest.approx(2.0 / 50)
    shared, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 10))
    numbers = np.sqrt(0.3) * shared + np.sqrt(0.7) * own
    told = variance_of_mean(1.0, 0.3, 10)
    assert numbers.mean(axis=1).var() == pytest.approx(told, rel=0.05)
    with pytest.raises(InvalidParameterError, match="correlation"):
        variance_of_mean(1.0, -0.5, 10)


def test_rows_left_out_are_as_good_as_test_rows():
    X, y = load_breast_cancer(return_X_y=True)
    model = BaggingClassifier(DecisionStump(), 30, oob_score=True, random_state=0)
    model.fit(X, y)
    assert model.oob_decision_function_.shape == (len(y), 2)
    folds = cross_val_score(model.set_params(oob_score=False), X, y, cv=5).mean()
    assert model.oob_score_ == pytest.approx(folds, abs=0.03)
    every = np.arange(len(y))
    seen = np.array([np.isin(every, rows) for rows in model.estimators_samples_])
    for i in (0, 100, 300):
        left_out = np.flatnonzero(~seen[:, i])
        told = [model.estimators_[t].predict_proba(X[[i]])[0] for t in left_out]
        np.testing.assert_allclose(
            model.oob_decision_function_[i], np.mean(told, axis=0)
        )
    X, y = load_diabetes(return_X_y=True)
    numbers = BaggingRegressor(LinearRegression(), 30, oob_score=True, random_state=0)
    assert numbers.fit(X, y).oob_score_ == pytest.approx(0.48, abs=0.04)


@pytest.mark.parametrize("kind", [BaggingClassifier, BaggingRegressor])
def test_a_weight_is_a_number_of_copies_on_the_line_that_is_drawn_from(kind, rng):
    X, y = rng.normal(size=(50, 2)), rng.integers(3, size=50)
    base = GaussianNB() if kind is BaggingClassifier else LinearRegression()
    copies = rng.integers(0, 4, size=50)
    rows = np.repeat(np.arange(50), copies)
    how = {"max_samples": 1.0, "random_state": 5}
    weighted = kind(base, 8, **how).fit(X, y, sample_weight=copies)
    repeated = kind(base, 8, **how).fit(X[rows], y[rows])
    for mine, again in zip(
        weighted.estimators_samples_, repeated.estimators_samples_, strict=True
    ):
        assert (mine == rows[again]).all()
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-9)


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_the_pool_changes_nothing_even_when_members_share_it_themselves(n_jobs):
    X, y = load_iris(return_X_y=True)
    pairs = [
        (BaggingClassifier, {"estimator": KNeighborsClassifier(3), "random_state": 2}),
        (VotingClassifier, {"estimators": MEMBERS, "voting": "soft"}),
        (StackingClassifier, {"estimators": MEMBERS, "cv": 3}),
    ]
    for kind, how in pairs:
        alone = kind(**how).fit(X, y).predict_proba(X)
        shared = kind(**how, n_jobs=n_jobs).fit(X, y).predict_proba(X)
        assert (alone == shared).all()
    nested = in_parts(2, lambda _: kind(**how, n_jobs=2).fit(X, y).predict_proba(X), 2)
    assert all((answer == alone).all() for answer in nested)


def test_subsets_of_features_and_a_warm_start():
    X, y = load_iris(return_X_y=True)
    how = {"max_features": 2, "random_state": 0, "warm_start": True}
    model = BaggingClassifier(GaussianNB(), 4, **how).fit(X, y)
    first = model.estimators_[:]
    model.set_params(n_estimators=9).fit(X, y)
    assert model.estimators_[:4] == first
    fresh = BaggingClassifier(GaussianNB(), 9, **how).fit(X, y)
    assert (fresh.predict_proba(X) == model.predict_proba(X)).all()
    assert all(len(columns) == 2 for columns in model.estimators_features_)
    with pytest.raises(InvalidParameterError, match="larger or equal"):
        model.set_params(n_estimators=2).fit(X, y)
    with pytest.raises(InvalidParameterError, match="max_features must be at most"):
        BaggingClassifier(GaussianNB(), max_features=9).fit(X, y)


def test_the_final_model_learns_from_rows_held_back():
    X, y = load_breast_cancer(return_X_y=True)
    how = {"final_estimator": LogisticRegression(), "cv": 4}
    ours = StackingClassifier(MEMBERS, **how).fit(X, y)
    reference = theirs.StackingClassifier(MEMBERS, **how).fit(X, y)
    np.testing.assert_allclose(
        ours.final_estimator_.coef_, reference.final_estimator_.coef_, rtol=1e-4
    )
    np.testing.assert_allclose(ours.transform(X), reference.transform(X))
    assert (ours.predict(X) == reference.predict(X)).mean() > 0.995
    # One neighbour is always right about rows it has seen, and is not believed.
    heart = [("heart", KNeighborsClassifier(1)), ("bayes", GaussianNB())]
    stacked = StackingClassifier(heart).fit(X, y).score(X, y)
    assert stacked < 1.0


@pytest.mark.parametrize("hold", [np.asarray, sparse.csr_array])
def test_stacked_regressors_pass_samples_through_if_asked(hold):
    X, y = load_diabetes(return_X_y=True)
    members = [("a", Ridge()), ("b", Ridge(alpha=0.1))]
    model = StackingRegressor(members, passthrough=True, cv=3).fit(hold(X), y)
    table = model.transform(hold(X))
    assert table.shape == (len(y), 2 + X.shape[1])
    assert len(model.get_feature_names_out()) == table.shape[1]
    assert model.score(hold(X), y) > 0.45
    with pytest.raises(DataError, match="hold every row back exactly once"):
        StackingRegressor(members, cv=[([0, 1, 2], [3, 4])]).fit(X, y)
