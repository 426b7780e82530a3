"""What a caller says beyond X and y reaches those it is meant for."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from infimum.errors import InvalidParameterError
from infimum.models._other_defaults import with_defaults
from infimum.models.ensembles import (
    BaggingClassifier,
    BaggingRegressor,
    ComparisonForestClassifier,
    ComparisonForestRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingRegressor,
)
from infimum.models.kernel import GaussianProcessRegressor
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsTransformer
from infimum.models.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)


class Told(RegressorMixin, BaseEstimator):
    """A member that keeps what it was told."""

    def fit(self, X, y, marks=None, loud=None):
        assert len(X) == len(marks)
        self.marks_, self.loud_ = np.asarray(marks), loud
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.marks_.mean())


def test_each_member_of_a_bag_is_told_of_its_own_rows(rng):
    X, y, marks = rng.normal(size=(40, 2)), np.zeros(40), np.arange(40.0)
    model = BaggingRegressor(Told(), random_state=0).fit(X, y, marks=marks, loud=True)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(member.marks_, marks[rows])
        assert member.loud_
    with pytest.raises(TypeError, match="nonsense"):
        BaggingClassifier().fit(X, y > 0, nonsense=1)


def test_the_final_model_of_a_stack_is_told_what_predict_was(rng):
    X = rng.normal(size=(40, 2))
    members = [("a", Ridge()), ("b", Ridge(alpha=9.0))]
    stack = StackingRegressor(members, GaussianProcessRegressor(alpha=0.1), cv=3)
    mean, deviation = stack.fit(X, X[:, 0]).predict(X, return_std=True)
    assert mean.shape == deviation.shape == (40,)
    assert mean == pytest.approx(stack.predict(X))
    heads = StackingClassifier([("a", LogisticRegression())], cv=3).fit(X, X[:, 0] > 0)
    with pytest.raises(TypeError, match="nonsense"):
        heads.predict(X, nonsense=1)


def test_trees_take_the_word_that_input_is_checked(rng):
    X = rng.normal(size=(30, 2))
    labels = DecisionTreeClassifier().fit(X, X[:, 0] > 0, check_input=False)
    assert labels.predict(X, check_input=False).tolist() == (X[:, 0] > 0).tolist()
    assert labels.predict_proba(X, check_input=False).max() == 1.0
    numbers = DecisionTreeRegressor().fit(X, X[:, 1])
    assert numbers.predict(X, check_input=False) == pytest.approx(X[:, 1])


@pytest.mark.parametrize(
    ("model", "other", "differing"),
    [
        (ExtraTreeClassifier, DecisionTreeClassifier, {"splitter", "max_features"}),
        (ExtraTreeRegressor, DecisionTreeRegressor, {"splitter", "max_features"}),
        (ExtraTreesClassifier, RandomForestClassifier, {"bootstrap"}),
        (ExtraTreesRegressor, RandomForestRegressor, {"bootstrap"}),
        (ComparisonForestRegressor, ComparisonForestClassifier, {"leaf_size"}),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_borrowed_constructor_differs_in_its_defaults_alone(model, other, differing):
    mine, theirs = model().get_params(), other().get_params()
    assert mine.keys() == theirs.keys()
    assert {name for name in mine if mine[name] != theirs[name]} == differing
    name = next(iter(differing))
    assert getattr(model(**{name: theirs[name]}), name) == theirs[name]
    assert get_tags(model()).estimator_type == (
        "classifier" if "Classifier" in model.__name__ else "regressor"
    )


def test_only_keywords_that_exist_get_another_default():
    with pytest.raises(AssertionError):
        with_defaults(KNeighborsTransformer.__init__, colour="red")


def test_votes_pass_on_what_members_have_asked_for(rng):
    X = rng.normal(size=(30, 2))
    y, marks = X[:, 0], np.arange(30)
    told = Told()
    model = VotingRegressor([("told", told), ("ridge", Ridge()), ("nobody", "drop")])
    with pytest.raises(InvalidParameterError, match="no argument 'marks' unless"):
        model.fit(X, y, marks=marks)
    with config_context(enable_metadata_routing=True):
        told.set_fit_request(marks=True)
        fitted = model.fit(X, y, marks=marks)
    assert (fitted.named_estimators_["told"].marks_ == marks).all()
    alone = Ridge().fit(X, y)
    assert np.array_equal(fitted.named_estimators_["ridge"].coef_, alone.coef_)


def test_weights_reach_the_end_of_a_chain_that_votes(rng):
    X = rng.normal(size=(30, 2))
    y, weights = X[:, 0] + rng.normal(size=30), rng.uniform(size=30)
    with config_context(enable_metadata_routing=True):
        chain = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            Ridge().set_fit_request(sample_weight=True),
        )
        model = VotingRegressor([("chain", chain)]).fit(X, y, sample_weight=weights)
    alone = Ridge().fit(StandardScaler().fit_transform(X), y, sample_weight=weights)
    assert model.estimators_[0][-1].coef_ == pytest.approx(alone.coef_)
