"""Leaving one sample out, in closed form, is leaving it out; and RidgeCV chooses so."""

from contextlib import nullcontext

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as reference
from sklearn.datasets import load_diabetes, load_wine
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, cross_val_score
from sklearn.preprocessing import StandardScaler

from infimum.errors import InvalidParameterError
from infimum.models.linear import (
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    RidgeCV,
    ridge_path,
)

ALPHAS = np.geomspace(1e-2, 1e3, 11)
HOLDERS = {"dense": np.asarray, "sparse": sparse.csr_array}


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    X = 20 * X[:150]
    rng = np.random.default_rng(0)
    return X, np.column_stack([y[:150] / 50, X[:, 1] + 4 * rng.standard_normal(150)])


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X)[::2], y[::2]


def left_out(X, Y, weights, alpha, **options):
    """Return the residuals of one fit for each sample left out."""
    rows = np.arange(len(X))
    out = np.empty_like(Y)
    for i in rows:
        others = rows != i
        model = Ridge(alpha, **options).fit(X[others], Y[others], weights[others])
        out[i] = Y[i] - model.predict(X[i : i + 1])[0]
    return out


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("shape", [(20, 4), (7, 15), (9, 9)])
def test_the_closed_form_agrees_with_leaving_samples_out(shape, intercept, holder, rng):
    X = rng.standard_normal(shape) + 1.0
    Y, weights = rng.standard_normal((shape[0], 2)), rng.uniform(0.5, 2, shape[0])
    alphas = [3.0, 0.2]
    path = ridge_path(
        HOLDERS[holder](X),
        Y,
        alphas=alphas,
        fit_intercept=intercept,
        sample_weight=weights,
    )
    for alpha, errors in zip(alphas, path.left_out_errors, strict=True):
        slow = left_out(X, Y, weights, alpha, fit_intercept=intercept)
        slow = np.average(slow**2, axis=0, weights=weights)
        assert errors == pytest.approx(slow, rel=1e-8)
    assert path.gap < 1e-15


def test_a_path_agrees_with_fits_one_by_one_for_one_target_and_for_two(diabetes):
    X, Y = diabetes
    for y in (Y, Y[:, 0]):
        path = ridge_path(X, y, alphas=5, eps=1e-4)
        assert (np.diff(path.alphas) < 0).all()
        assert (np.diff(path.degrees_of_freedom) > 0).all()
        for k, alpha in enumerate(path.alphas):
            model = Ridge(alpha).fit(X, y)
            assert path.coefs[k] == pytest.approx(model.coef_, abs=1e-9)
            assert path.intercepts[k] == pytest.approx(model.intercept_)
        null = np.abs(path.coefs[0]).max()
        assert null < 0.1 * np.abs(path.coefs[-1]).max()


@pytest.mark.parametrize("mode", [None, "svd", "eigen"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("tall", [True, False])
def test_ridge_cv_chooses_as_scikit_learn_does(diabetes, mode, intercept, tall):
    X, Y = diabetes
    if not tall:
        X, Y = np.hstack([X[:9], X[:9] ** 2]), Y[:9]
    options = {"alphas": ALPHAS, "fit_intercept": intercept, "gcv_mode": mode}
    for y in (Y, Y[:, 0]):
        ours = RidgeCV(**options, store_cv_results=True).fit(X, y)
        theirs = reference.RidgeCV(**options, store_cv_results=True).fit(X, y)
        assert ours.alpha_ == theirs.alpha_
        assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-6)
        assert ours.cv_results_ == pytest.approx(theirs.cv_results_, rel=1e-6)
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-8)
        assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-8)
        assert ours.certificate_.closed
        assert ours.certify(X, y).closed
        assert ours.path_gap_ < 1e-12


@pytest.mark.parametrize("scoring", [None, "neg_mean_absolute_error", "r2"])
def test_each_target_may_choose_for_itself(diabetes, scoring):
    X, Y = diabetes
    options = {"alphas": ALPHAS, "alpha_per_target": True, "scoring": scoring}
    ours = RidgeCV(**options).fit(X, Y)
    theirs = reference.RidgeCV(**options).fit(X, Y)
    assert ours.alpha_.tolist() == theirs.alpha_.tolist()
    assert len(set(ours.alpha_)) == 2
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-8)
    assert ours.certify(X, Y).closed


@pytest.mark.parametrize(
    "scoring", [None, make_scorer(mean_absolute_error, greater_is_better=False)]
)
@pytest.mark.parametrize("cv", [4, KFold(3, shuffle=True, random_state=0)])
def test_folds_choose_as_scikit_learns_search_does(diabetes, scoring, cv):
    X, Y = diabetes
    options = {"alphas": ALPHAS, "cv": cv, "scoring": scoring}
    for y in (Y, Y[:, 0]):
        ours = RidgeCV(**options).fit(X, y)
        theirs = reference.RidgeCV(**options).fit(X, y)
        assert ours.alpha_ == theirs.alpha_
        assert ours.best_score_ == pytest.approx(theirs.best_score_)
        assert 0 <= ours.path_gap_ < 1e-12


@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("classes", [2, 3])
def test_ridge_classifier_cv_chooses_as_scikit_learn_does(wine, classes, class_weight):
    X, y = wine
    y = y if classes == 3 else np.where(y == 1, "one", "other")
    options = {"alphas": ALPHAS, "class_weight": class_weight}
    ours = RidgeClassifierCV(**options, store_cv_results=True).fit(X, y)
    theirs = reference.RidgeClassifierCV(**options, store_cv_results=True).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.coef_ == pytest.approx(np.atleast_2d(theirs.coef_), abs=1e-8)
    assert ours.cv_results_ == pytest.approx(theirs.cv_results_, abs=1e-8)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.certify(X, y).closed
    folds = RidgeClassifierCV(**options, cv=3).fit(X, y)
    search = reference.RidgeClassifierCV(**options, cv=3).fit(X, y)
    if class_weight is None:  # scikit-learn's search does not weigh its scores
        assert folds.best_score_ == pytest.approx(search.best_score_)


@pytest.mark.parametrize("classes", [2, 3])
def test_accuracy_of_left_out_samples_is_what_slow_leaving_out_gives(wine, classes):
    X, y = wine[0][::2], wine[1][::2]
    y = y if classes == 3 else (y == 1).astype(int)
    quick = RidgeClassifierCV(ALPHAS[::2], scoring="accuracy").fit(X, y)
    slow = [
        cross_val_score(RidgeClassifier(alpha), X, y, cv=LeaveOneOut()).mean()
        for alpha in ALPHAS[::2]
    ]
    assert quick.alpha_ == ALPHAS[::2][np.argmax(slow)]
    assert quick.best_score_ == pytest.approx(max(slow))


def test_weights_are_copies_that_are_left_out_together(diabetes):
    X, Y = diabetes[0][:40], diabetes[1][:40, 0]
    counts = np.arange(40) % 4
    rows = np.repeat(np.arange(40), counts)
    weighted = RidgeCV(ALPHAS, store_cv_results=True).fit(X, Y, counts)
    together = list(GroupKFold(30).split(X[rows], groups=rows))
    assert len(together) == len(np.unique(rows))
    errors = []
    for alpha in ALPHAS:
        squares = np.empty(len(rows))
        for train, held in together:
            model = Ridge(alpha).fit(X[rows][train], Y[rows][train])
            squares[held] = (Y[rows][held] - model.predict(X[rows][held])) ** 2
        errors.append(squares.mean())
    assert weighted.alpha_ == ALPHAS[np.argmin(errors)]
    assert weighted.best_score_ == pytest.approx(-min(errors))
    assert weighted.cv_results_.sum(axis=0) / len(rows) == pytest.approx(errors)
    assert not weighted.cv_results_[counts == 0].any()


def test_single_precision_and_sparse_data_choose_the_same(diabetes):
    X, y = diabetes[0], diabetes[1][:, 0]
    double = RidgeCV(ALPHAS).fit(X, y)
    for other in (X.astype(np.float32), sparse.csc_array(X)):
        wide = sparse.issparse(other)
        told = pytest.warns(FutureWarning, match="dense") if wide else nullcontext()
        with told:
            model = RidgeCV(ALPHAS, gcv_mode="svd").fit(other, y)
        assert model.alpha_ == double.alpha_
        assert model.coef_ == pytest.approx(double.coef_, abs=1e-5)
    assert RidgeCV(ALPHAS).fit(X.astype(np.float32), y).coef_.dtype == np.float32


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alphas": [1.0, 0.0]}, "RidgeCV.alphas must be numbers in (0, inf)"),
        ({"alphas": "many"}, "got 'many'."),
        ({"cv": 3, "store_cv_results": True}, "RidgeCV.store_cv_results needs cv=None"),
        ({"gcv_mode": "qr"}, "RidgeCV.gcv_mode must be one of"),
    ],
)
def test_bad_settings_are_one_sentence(diabetes, options, words):
    with pytest.raises(InvalidParameterError) as refusal:
        RidgeCV(**options).fit(diabetes[0], diabetes[1][:, 0])
    assert words in str(refusal.value)
    with pytest.raises(InvalidParameterError, match=r"ridge_path alphas"):
        ridge_path(diabetes[0], diabetes[1], alphas=[-1.0])
