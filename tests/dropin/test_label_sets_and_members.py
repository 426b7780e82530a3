"""Sets of labels of ridge classifiers; what reductions pass on to their models."""

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.base import ClassifierMixin
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from infimum.dropin import linear_model, multiclass, svm
from infimum.errors import DataError
from infimum.persistence import load, save

SETTINGS = [
    ("RidgeClassifier", {}),
    ("RidgeClassifier", {"class_weight": "balanced"}),
    ("RidgeClassifier", {"fit_intercept": False}),
    ("RidgeClassifierCV", {}),
    ("RidgeClassifierCV", {"cv": 3}),
    ("RidgeClassifierCV", {"cv": 3, "scoring": "f1_macro"}),
]


@pytest.fixture
def label_sets():
    return make_multilabel_classification(n_samples=80, n_features=8, random_state=0)


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
@pytest.mark.parametrize("given", [np.asarray, sparse.csr_array, np.ndarray.tolist])
def test_sets_of_labels_are_learnt_as_by_scikit_learn(
    label_sets, name, settings, given
):
    X, Y = label_sets
    ours = getattr(linear_model, name)(**settings).fit(X, given(Y))
    model = getattr(theirs, name)(**settings).fit(X, given(Y))
    np.testing.assert_allclose(ours.coef_, model.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.intercept_, model.intercept_, atol=1e-8)
    np.testing.assert_array_equal(ours.classes_, model.classes_)
    told, expected = ours.predict(X), model.predict(X)
    assert type(told) is type(expected)
    assert (told != expected).sum() == 0
    assert ours.score(X, Y) == model.score(X, Y)
    if "alpha_" in vars(model):
        assert ours.alpha_ == model.alpha_
        assert ours.best_score_ == pytest.approx(model.best_score_)
    assert ours.certify(X, given(Y)).closed
    assert ours.certify(X, given(Y), rigorous=True).relative_gap < 1e-8


def test_a_score_chooses_by_all_labels_of_a_set(label_sets):
    X, Y = label_sets
    model = linear_model.RidgeClassifierCV(scoring="f1_macro", store_cv_results=True)
    model.fit(X, Y)
    alphas = list(model.alphas)
    left_out = model.cv_results_[:, :, alphas.index(model.alpha_)] > 0
    own = sklearn.metrics.f1_score(Y, left_out, average="macro")
    assert model.best_score_ == pytest.approx(own)


def test_a_weight_of_a_set_is_its_copies(label_sets, rng):
    X, Y = label_sets
    weights = rng.integers(0, 3, len(X))
    for kind in (linear_model.RidgeClassifier, linear_model.RidgeClassifierCV):
        model = kind(class_weight="balanced").fit(X, Y, sample_weight=weights)
        copies = np.repeat(np.arange(len(X)), weights)
        other = kind(class_weight="balanced").fit(X[copies], Y[copies])
        np.testing.assert_allclose(model.coef_, other.coef_, atol=1e-7)


def test_labels_and_sets_of_labels_are_told_apart(label_sets):
    X, Y = label_sets
    model = linear_model.RidgeClassifier().fit(X, Y[:, 0])
    assert not model.multilabel_
    with pytest.raises(DataError, match="sets of labels"):
        model.certify(X, Y)
    with pytest.raises(DataError, match="5 labels, got 4"):
        model.fit(X, Y).certify(X, Y[:, :4])
    known = model.predict(X) > 0
    for wrong in (Y + 1, Y + 0.5):
        with pytest.raises(ValueError, match=r"zeros and ones|1d array"):
            linear_model.RidgeClassifier().fit(X, wrong)
    np.testing.assert_array_equal(model.fit(X, 2 * Y - 1).predict(X) > 0, known)


@pytest.mark.parametrize("given", [np.asarray, sparse.csr_array])
def test_a_model_of_sets_of_two_labels_outlives_its_file(label_sets, tmp_path, given):
    X, Y = label_sets
    for kind in (linear_model.RidgeClassifier, linear_model.RidgeClassifierCV):
        model = kind(fit_intercept=False).fit(X, given(Y[:, :2]))
        save(model, tmp_path / "model")
        again = load(tmp_path / "model")
        assert type(again.predict(X)) is type(model.predict(X))
        assert (again.predict(X) != model.predict(X)).sum() == 0
        assert again.certify(X, given(Y[:, :2])).closed


@pytest.mark.parametrize("name", ["OneVsOneClassifier", "OneVsRestClassifier"])
def test_weights_reach_the_models_of_all_classes(rng, name):
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    weights = rng.integers(1, 4, 60)
    copies = np.repeat(np.arange(60), weights)
    kind = getattr(multiclass, name)
    model = kind(LogisticRegression(tol=1e-10)).fit(X, y, sample_weight=weights)
    other = kind(LogisticRegression(tol=1e-10)).fit(X[copies], y[copies])
    for own, their in zip(model.estimators_, other.estimators_, strict=True):
        np.testing.assert_allclose(own.coef_, their.coef_, atol=1e-5)
    with pytest.raises(TypeError, match="sample weights"):
        kind(svm.SVC()).set_params(estimator=Nearest()).fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="metadata routing"):
        kind(LogisticRegression()).fit(X, y, groups=y)


class Nearest(ClassifierMixin, sklearn.base.BaseEstimator):
    """A classifier that takes no weights, and keeps what else it is told."""

    def fit(self, X, y, tint=None, shade=None):
        self.classes_, self.tint_, self.shade_ = np.unique(y), tint, shade

    def partial_fit(self, X, y, classes=None, tint=None):
        self.classes_, self.tint_ = np.asarray(classes), tint


@pytest.mark.parametrize("name", ["OneVsOneClassifier", "OneVsRestClassifier"])
def test_routed_metadata_reach_the_models_of_all_classes(rng, name):
    X, y, tint = rng.normal(size=(30, 2)), np.repeat([0, 1, 2], 10), np.arange(30)
    with sklearn.config_context(enable_metadata_routing=True):
        single = Nearest().set_fit_request(tint=True, shade=True)
        single.set_partial_fit_request(tint=True)
        model = getattr(multiclass, name)(single).fit(X, y, tint=tint, shade="dark")
        expected = np.r_[:20] if name == "OneVsOneClassifier" else np.r_[:30]
        np.testing.assert_array_equal(model.estimators_[0].tint_, expected)
        assert model.estimators_[-1].shade_ == "dark"
        model.partial_fit(X, y, tint=tint + 1)
        np.testing.assert_array_equal(model.estimators_[0].tint_, expected + 1)
        tree = DecisionTreeClassifier().set_fit_request(sample_weight=True)
        search = GridSearchCV(
            getattr(multiclass, name)(tree), {"estimator__max_depth": [1, 2]}, cv=2
        )
        search.fit(X, y, sample_weight=np.full(30, 0.5))
        root = search.best_estimator_.estimators_[0].tree_
        assert root.weighted_n_node_samples[0] == root.n_node_samples[0] / 2
