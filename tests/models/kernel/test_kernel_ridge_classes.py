"""Kernel ridge classification for many strengths, and without each sample."""

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit, StratifiedKFold

from infimum.errors import InvalidParameterError
from infimum.kernels import Spectrum
from infimum.models.kernel import KernelRidgeClassifier, KernelRidgeClassifierCV
from infimum.models.kernel.kernel_ridges import _ridge_folds as folds

ALPHAS = np.geomspace(0.05, 5, 3)


def table(rng, classes):
    X = rng.normal(size=(30, 2))
    return X, np.argsort(np.argsort(X[:, 0])) * classes // 30


@pytest.mark.parametrize("intercept", [True, False], ids=["free", "none"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_path_is_many_fits_and_many_samples_left_out(classes, intercept, rng):
    X, y = table(rng, classes)
    weights = rng.integers(0, 4, size=30).astype(float)
    factors = dict(enumerate([2.5, 1.0, 0.5][:classes]))
    settings = {"gamma": 0.7, "fit_intercept": intercept, "class_weight": factors}
    path = KernelRidgeClassifier(**settings).path(X, y, ALPHAS, weights)
    for k, alpha in enumerate(ALPHAS):
        model = KernelRidgeClassifier(alpha, **settings).fit(X, y, weights)
        assert path.dual_coefs[k] == pytest.approx(model.dual_coef_.T)
        assert path.intercepts[k] == pytest.approx(model.intercept_)
        assert path.certificates[k].closed
        for i in np.flatnonzero(weights)[[0, 7, 13]]:
            fewer = weights.copy()
            fewer[i] -= 1.0
            without = KernelRidgeClassifier(alpha, **settings).fit(X, y, fewer)
            score = np.ravel(without.decision_function(X[[i]]))
            sides = [1] if classes == 2 else range(3)
            labels = np.array([1.0 if y[i] == side else -1.0 for side in sides])
            assert path.errors[k, i] == pytest.approx(labels - score)
    assert np.isnan(path.errors[:, weights == 0]).all()
    squares = (path.errors[:, weights > 0] ** 2).mean(axis=2)
    means = squares @ weights[weights > 0] / weights.sum()
    assert path.mean_errors == pytest.approx(means)


def test_the_degrees_of_freedom_are_the_trace_of_what_maps_labels_to_scores(rng):
    X, y = table(rng, 2)
    K = np.exp(-0.7 * ((X[:, None] - X) ** 2).sum(axis=2))
    path = KernelRidgeClassifier(gamma=0.7).path(X, y, ALPHAS)
    for alpha, found in zip(ALPHAS, path.degrees_of_freedom, strict=True):
        rows = np.block([[K + alpha * np.eye(30), np.ones((30, 1))], [np.ones(30), 0]])
        solved = np.linalg.inv(rows)[:, :30]
        assert found == pytest.approx(np.trace(K @ solved[:30] + solved[30]))


def test_a_path_leaves_the_machine_alone_and_wants_positive_strengths(rng):
    X, y = table(rng, 2)
    model = KernelRidgeClassifier().fit(X, y)
    model.path(X, np.where(y == 1, "yes", "no"), ALPHAS)
    assert model.classes_.tolist() == [0, 1]
    with pytest.raises(InvalidParameterError, match="alphas"):
        model.path(X, y, [0.0, 1.0])
    with pytest.raises(InvalidParameterError, match="needs a strength"):
        model.path(X, y, [])


@pytest.mark.parametrize("most", [0, 1_000], ids=["decomposed", "krylov"])
@pytest.mark.parametrize("intercept", [True, False], ids=["free", "none"])
@pytest.mark.parametrize("classes", [2, 3])
def test_folds_judge_as_machines_learnt_without_them(
    classes, intercept, most, rng, monkeypatch
):
    monkeypatch.setattr(folds, "FEW_STEPS", most)
    monkeypatch.setattr(folds, "SHARE", 0.0)
    X, y = table(rng, classes)
    weights = rng.integers(1, 4, size=30).astype(float)
    factors = dict(enumerate([2.5, 1.0, 0.5][:classes]))
    settings = {"gamma": 0.7, "fit_intercept": intercept, "class_weight": factors}
    model = KernelRidgeClassifierCV(ALPHAS, cv=3, **settings).fit(X, y, weights)
    sides = np.where(y[:, None] == ([1] if classes == 2 else range(3)), 1.0, -1.0)
    for alpha, error in zip(ALPHAS, model.cv_errors_, strict=True):
        alone = []
        for seen, left in StratifiedKFold(3).split(X, y):
            part = KernelRidgeClassifier(alpha, **settings)
            part.fit(X[seen], y[seen], weights[seen])
            scores = part.decision_function(X[left]).reshape(len(left), -1)
            squares = ((scores - sides[left]) ** 2).mean(axis=1)
            alone.append(np.average(squares, weights=weights[left]))
        assert error == pytest.approx(np.mean(alone), rel=1e-6)
    assert model.alpha_ == ALPHAS[np.argmin(model.cv_errors_)]
    whole = KernelRidgeClassifier(model.alpha_, **settings).fit(X, y, weights)
    assert model.dual_coef_ == pytest.approx(whole.dual_coef_, abs=1e-6)
    assert model.intercept_ == pytest.approx(whole.intercept_, abs=1e-6)
    assert model.certify(X, y, weights).closed


@pytest.mark.parametrize("cv", [None, "splits"], ids=["one by one", "folds"])
def test_a_choice_counts_copies(cv, rng):
    X, y = table(rng, 3)
    weights = rng.integers(0, 3, size=30)
    at = np.repeat(np.arange(30), weights)
    parts = list(ShuffleSplit(4, test_size=0.3, random_state=0).split(X))
    copied = [tuple(np.flatnonzero(np.isin(at, part)) for part in p) for p in parts]
    model = KernelRidgeClassifierCV(ALPHAS, gamma=0.7, class_weight="balanced")
    model.set_params(cv=cv and parts).fit(X, y, weights)
    errors, scores = model.cv_errors_, model.decision_function(X)
    model.set_params(cv=cv and copied).fit(X[at], y[at])
    assert model.cv_errors_ == pytest.approx(errors, rel=1e-7)
    assert model.decision_function(X) == pytest.approx(scores, abs=1e-6)


def test_leaving_out_each_sample_is_the_path(rng):
    X, y = table(rng, 2)
    model = KernelRidgeClassifierCV(ALPHAS, gamma=0.7).fit(X, y)
    path = KernelRidgeClassifier(gamma=0.7).path(X, y, ALPHAS)
    assert model.cv_errors_ == pytest.approx(path.mean_errors)
    assert model.best_score_ == -path.mean_errors.min()
    words = ["aa", "aab", "bb", "bbc", "ab", "bcb"]
    text = KernelRidgeClassifierCV((0.01, 1.0), kernel=Spectrum(1), cv=3)
    assert text.fit(words, ["a", "a", "b", "b", "a", "b"]).score(
        ["aaa", "bbb"], ["a", "b"]
    )
    with pytest.raises(InvalidParameterError, match="alphas must hold a strength"):
        KernelRidgeClassifierCV([]).fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"ClassifierCV\.alphas must be"):
        KernelRidgeClassifierCV([0.0]).fit(X, y)


@pytest.mark.parametrize("alphas", [(0.1, 1.0), (1e-12, 1.0)], ids=["steps", "whole"])
def test_a_fold_with_nobody_to_learn_from_predicts_nothing(alphas, rng):
    X, y = table(rng, 2)
    weights = np.where(np.arange(len(X)) < 20, 1.0, 0.0)
    old, new = np.flatnonzero(weights), np.flatnonzero(weights == 0.0)
    model = KernelRidgeClassifierCV(alphas, gamma=1.0, cv=[(new, old)])
    assert model.fit(X, y, weights).cv_errors_ == pytest.approx(1.0)


def test_a_refused_certificate_leaves_the_machine_alone(rng):
    X, y = table(rng, 2)
    model = KernelRidgeClassifier(gamma=1.0).fit(X, y)
    others = np.where(y == y[0], "a", "b")
    with pytest.raises(ValueError, match="Negative"):
        model.certify(X, others, -np.ones(len(X)))
    assert model.certify(X, y).closed
