"""Committees, boosted stumps and naive Bayes survive a model file and a pickle."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris

import infimum
from infimum.models.ensembles import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    ComparisonForestClassifier,
    ComparisonForestRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from infimum.models.linear import LinearRegression, LogisticRegression, Ridge
from infimum.models.multiclass import OneVsOneClassifier, OneVsRestClassifier
from infimum.models.probabilistic import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MultinomialNB,
)
from infimum.models.trees import (
    ComparisonTreeClassifier,
    ComparisonTreeRegressor,
    DecisionStump,
)

NAMERS = [("bayes", GaussianNB()), ("stump", DecisionStump())]
MEASURERS = [("line", LinearRegression()), ("ridge", Ridge())]
MODELS = [
    AdaBoostClassifier(n_estimators=5),
    AdaBoostClassifier(LogisticRegression(), n_estimators=2, algorithm="real"),
    AdaBoostRegressor(Ridge(), n_estimators=3, random_state=0),
    BaggingClassifier(GaussianNB(), 3, max_features=2, random_state=0),
    BaggingRegressor(Ridge(), 3, random_state=0),
    BernoulliNB(),
    CategoricalNB(),
    ComparisonForestClassifier(3, random_state=0),
    ComparisonForestRegressor(3, random_state=0),
    ComparisonTreeClassifier(random_state=0),
    ComparisonTreeRegressor(random_state=0),
    ComplementNB(),
    DecisionStump(),
    GaussianNB(),
    GradientBoostingClassifier(n_estimators=3, init=LogisticRegression()),
    GradientBoostingRegressor(n_estimators=3),
    MultinomialNB(),
    OneVsOneClassifier(LogisticRegression()),
    OneVsRestClassifier(LogisticRegression()),
    StackingClassifier(NAMERS, cv=3),
    StackingRegressor(MEASURERS, cv=3),
    VotingClassifier(NAMERS),
    VotingRegressor(MEASURERS),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_model_file_gives_back_the_same_answers(model, tmp_path):
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    told = model.predict(X)
    infimum.save(model, tmp_path / "model.infimum")
    loaded = infimum.load(tmp_path / "model.infimum")
    assert type(loaded) is type(model)
    assert np.array_equal(loaded.predict(X), told)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), told)
