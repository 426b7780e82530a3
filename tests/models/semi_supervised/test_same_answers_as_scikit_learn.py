"""The drop-in classes give scikit-learn's answers, and more where it has none."""

import warnings
from functools import partial

import numpy as np
import pytest
import sklearn.semi_supervised as theirs
from scipy import sparse
from sklearn.callback import FitCallback
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from infimum.dropin import semi_supervised as ours
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import Gaussian
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.semi_supervised._edges import _near
from infimum.models.warnings import UncertifiedWarning

IRIS = load_iris()
rng = np.random.default_rng(4)
#: No two distances are equal.
FLOWERS = IRIS.data + 0.01 * rng.standard_normal(IRIS.data.shape)
HIDDEN = np.where(rng.random(150) < 0.8, -1, IRIS.target)


def quiet(model, *given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*given)


@pytest.mark.parametrize("name", ["LabelPropagation", "LabelSpreading"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"gamma": 0.5},
        {"gamma": 0},
        {"kernel": "knn", "max_iter": 300},
        {"kernel": "knn", "n_neighbors": 5, "max_iter": 7},
        {"kernel": lambda X, Z: np.exp(-np.abs(X[:, None] - Z[None]).sum(2))},
    ],
)
def test_distributions_sweeps_and_predictions_agree(name, settings):
    one = quiet(getattr(theirs, name)(**settings), FLOWERS, HIDDEN)
    two = quiet(getattr(ours, name)(**settings), FLOWERS, HIDDEN)
    assert two.n_iter_ == one.n_iter_
    reached = two.reached_
    np.testing.assert_allclose(
        two.label_distributions_[reached], one.label_distributions_[reached], atol=1e-10
    )
    assert (two.transduction_ == one.transduction_)[reached].all()
    fresh = FLOWERS[::7] + 0.05
    if reached.all():  # else scikit-learn divides by 0
        np.testing.assert_allclose(
            two.predict_proba(fresh), one.predict_proba(fresh), atol=1e-9
        )


@pytest.mark.parametrize("gamma, near", [(0.5, False), (20, True), (3000, True)])
def test_weights_lost_in_rounding_change_no_label(gamma, near):
    draw = np.random.default_rng(7)
    X = draw.standard_normal((600, 4)) + 3.0 * draw.integers(0, 2, (600, 1))
    X[300:310], copies = X[:10], draw.integers(1, 4, 600)
    y = np.where(np.arange(600) < 12, np.arange(600) % 3, -1)
    found = _near(X, gamma, copies.astype(float))
    assert (found is not None) == near
    assert not near or found.nnz < 0.3 * 600**2
    model = quiet(ours.LabelPropagation(gamma=gamma), X, y, copies)
    whole = quiet(ours.LabelPropagation(Gaussian.from_gamma(gamma)), X, y, copies)
    assert model.n_iter_ == whole.n_iter_
    np.testing.assert_allclose(
        model.label_distributions_, whole.label_distributions_, atol=1e-9
    )


@pytest.mark.parametrize(
    "settings",
    [{}, {"threshold": 0.9}, {"criterion": "k_best", "k_best": 7}, {"max_iter": None}],
)
def test_self_training_labels_the_same_samples_in_the_same_rounds(settings):
    learner = LogisticRegression(max_iter=1000)
    one = theirs.SelfTrainingClassifier(learner, **settings).fit(FLOWERS, HIDDEN)
    two = ours.SelfTrainingClassifier(learner, **settings).fit(FLOWERS, HIDDEN)
    assert two.termination_condition_ == one.termination_condition_
    assert two.n_iter_ == one.n_iter_
    assert (two.labeled_iter_ == one.labeled_iter_).all()
    assert (two.transduction_ == one.transduction_).all()
    assert (two.predict(IRIS.data) == one.predict(IRIS.data)).all()
    assert two.score(IRIS.data, IRIS.target) == one.score(IRIS.data, IRIS.target)


@pytest.mark.parametrize("cls", [ours.LabelPropagation, ours.LabelSpreading])
@pytest.mark.parametrize("kernel", ["rbf", "knn", "knn_rbf"])
def test_weights_are_copies_of_samples(cls, kernel):
    points = rng.standard_normal((30, 2))
    y = np.where(rng.random(30) < 0.6, -1, rng.integers(0, 2, 30))
    times = rng.integers(0, 4, 30)
    model = cls(kernel, gamma=0.7, n_neighbors=5, max_iter=5000, tol=1e-12)
    weighted = quiet(model, points, y, times)
    copied = quiet(cls(**model.get_params()), points.repeat(times, 0), y.repeat(times))
    kept = times > 0
    first = np.cumsum(times) - times
    if kernel == "rbf" or cls is ours.LabelPropagation:
        np.testing.assert_allclose(
            weighted.label_distributions_[kept],
            copied.label_distributions_[first[kept]],
            atol=1e-8,
        )
    fresh = rng.standard_normal((9, 2))
    if kernel == "rbf":
        np.testing.assert_allclose(
            weighted.predict_proba(fresh), copied.predict_proba(fresh), atol=1e-8
        )


@pytest.mark.parametrize("cls", [ours.LabelPropagation, ours.LabelSpreading])
def test_a_given_graph_is_the_graph_of_its_kernel(cls):
    points = FLOWERS[::3]
    y = HIDDEN[::3]
    W = Gaussian.from_gamma(20.0)(points)
    one = quiet(cls(), points, y)
    for given in (W, sparse.csr_array(W)):
        two = quiet(cls("precomputed"), given, y)
        np.testing.assert_allclose(
            two.label_distributions_, one.label_distributions_, atol=1e-12
        )
        new = Gaussian.from_gamma(20.0)(points[:4] + 0.01, points)
        np.testing.assert_allclose(
            two.predict_proba(new), one.predict_proba(points[:4] + 0.01), atol=1e-10
        )


@pytest.mark.parametrize("kernel", ["rbf", "knn", "knn_rbf"])
def test_sparse_samples_are_samples(kernel):
    dense = quiet(ours.LabelSpreading(kernel), FLOWERS, HIDDEN)
    thin = quiet(ours.LabelSpreading(kernel), sparse.csr_array(FLOWERS), HIDDEN)
    np.testing.assert_allclose(
        thin.label_distributions_, dense.label_distributions_, atol=1e-9
    )


@pytest.mark.parametrize("cls", [ours.LabelPropagation, ours.LabelSpreading])
def test_samples_that_no_label_reaches_are_told_and_have_all_classes_alike(cls):
    X = [[0.0], [0.1], [5.0], [5.1], [1e4], [2e4]]
    with pytest.warns(UncertifiedWarning, match="no label reaches 2 samples"):
        model = cls().fit(X, [0, -1, 1, -1, -1, -1])
    assert model.reached_.tolist() == [True] * 4 + [False] * 2
    assert model.label_distributions_[4:].tolist() == [[0.5, 0.5]] * 2
    assert model.predict_proba([[1e6]]).tolist() == [[0.5, 0.5]]


def test_kernel_values_that_are_not_kept_are_the_same(monkeypatch):
    from infimum.models.semi_supervised import _edges

    whole = quiet(ours.LabelSpreading(gamma=1.0), FLOWERS, HIDDEN)
    monkeypatch.setattr(_edges, "KEPT", 0)
    parts = quiet(ours.LabelSpreading(gamma=1.0), FLOWERS, HIDDEN)
    np.testing.assert_array_equal(
        parts.label_distributions_, whole.label_distributions_
    )


def test_text_labels_know_none_by_minus_one():
    X = [[0.0], [0.1], [1.0], [1.1]]
    for y in (["a", "-1", "b", "-1"], np.array(["a", -1, "b", -1], dtype=object)):
        model = ours.LabelPropagation().fit(X, y)
        assert model.transduction_.tolist() == ["a", "a", "b", "b"]
        learner = KNeighborsClassifier(1)
        taught = ours.SelfTrainingClassifier(learner).fit(X, y)
        assert taught.predict(X).tolist() == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    "settings, y, message",
    [
        ({"kernel": "cosine"}, [0, 1, -1], "kernel must be one of"),
        ({"gamma": -1.0}, [0, 1, -1], "gamma must be"),
        ({"max_iter": 0}, [0, 1, -1], "max_iter must be"),
        ({}, [-1, -1, -1], "needs a label"),
        ({"kernel": "precomputed"}, [0, 1, -1], "square"),
        ({"kernel": "knn", "n_neighbors": 9}, [0, 1, -1], "n_neighbors <= n_samples"),
        ({"kernel": lambda X, Z: -X @ Z.T}, [0, 1, -1], "not negative"),
    ],
)
def test_bad_settings_are_told_in_one_sentence(settings, y, message):
    with pytest.raises((DataError, InvalidParameterError), match=message):
        ours.LabelPropagation(**settings).fit([[1.0], [2.0], [3.0]], y)


def test_a_negative_graph_is_refused_and_the_old_model_stays():
    model = ours.LabelPropagation("precomputed").fit(np.ones((3, 3)), [0, 1, -1])
    before = model.label_distributions_.copy()
    with pytest.raises(DataError, match="not negative"):
        model.fit(-np.ones((3, 3)), [0, 1, -1])
    np.testing.assert_array_equal(model.label_distributions_, before)


class Witness(FitCallback):
    """Count the sweeps, and stop after some."""

    def __init__(self, most):
        self.most, self.seen = most, 0

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        self.seen += 1
        return self.seen >= self.most

    def teardown(self, estimator, context):
        pass


@pytest.mark.parametrize("name", ["LabelPropagation", "LabelSpreading"])
def test_callbacks_see_the_sweeps_and_may_stop_them(name):
    cls = partial(getattr(ours, name), gamma=0.5, max_iter=1000)
    every, three = Witness(10_000), Witness(3)
    full = cls().set_callbacks(every).fit(FLOWERS, HIDDEN)
    np.testing.assert_array_equal(
        full.label_distributions_, cls().fit(FLOWERS, HIDDEN).label_distributions_
    )
    assert every.seen > 3
    assert cls().set_callbacks(three).fit(FLOWERS, HIDDEN).n_iter_ == 3
