"""Strengths chosen on held-back folds: the same as scikit-learn's, with proofs."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as reference
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

import infimum
from infimum.errors import InvalidParameterError
from infimum.models.linear import (
    ElasticNet,
    ElasticNetCV,
    Lasso,
    LassoCV,
    LogisticRegression,
    LogisticRegressionCV,
    RidgeCV,
    enet_path,
    lasso_path,
)


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return 20 * X[:160], y[:160] / 50


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X)[::2], np.array(list("abc"))[y[::2]]


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X)[::4, :8], y[::4]


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_lasso_cv_chooses_as_scikit_learn_does(diabetes, positive, fit_intercept):
    X, y = diabetes
    options = {"alphas": 12, "positive": positive, "fit_intercept": fit_intercept}
    tight = {"tol": 1e-10, "max_iter": 100_000, "cv": 4}
    ours = LassoCV(**options, **tight).fit(X, y)
    theirs = reference.LassoCV(**options, **tight).fit(X, y)
    assert ours.alphas_ == pytest.approx(theirs.alphas_)
    assert ours.mse_path_ == pytest.approx(theirs.mse_path_, rel=1e-5)
    assert ours.alpha_ == pytest.approx(theirs.alpha_)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    assert ours.certificate_.closed
    assert ours.path_gap_ <= max(ours.tol, 1e-9)
    assert ours.certify(X, y).closed
    assert ours.dual_gap_ == ours.certificate_.gap


def test_elastic_net_cv_chooses_strength_and_share_as_scikit_learn_does(diabetes):
    X, y = diabetes
    weights = np.arange(len(y)) % 3 + 0.5
    options = {"l1_ratio": [0.2, 0.9], "alphas": 8, "cv": 3, "tol": 1e-10}
    ours = ElasticNetCV(**options).fit(X, y, weights)
    theirs = reference.ElasticNetCV(**options, max_iter=100_000).fit(X, y, weights)
    assert ours.alphas_ == pytest.approx(theirs.alphas_)
    assert ours.mse_path_ == pytest.approx(theirs.mse_path_, rel=1e-5)
    assert (ours.alpha_, ours.l1_ratio_) == pytest.approx(
        (theirs.alpha_, theirs.l1_ratio_)
    )
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    given = ElasticNetCV(alphas=[0.1, 1.0, 0.01], l1_ratio=0.0, cv=3).fit(X, y)
    assert given.alphas_.tolist() == [1.0, 0.1, 0.01]


@pytest.mark.parametrize("model", [LassoCV(), ElasticNetCV()], ids=repr)
def test_several_targets_are_refused_rather_than_dropped(diabetes, model):
    X, y = diabetes
    with pytest.raises(ValueError, match="1d array"):
        model.fit(X, np.column_stack([y, y]))


def test_the_simpler_strength_is_within_one_standard_error(diabetes):
    model = LassoCV(alphas=30).fit(*diabetes)
    means = model.mse_path_.mean(axis=1)
    best = means.argmin()
    noise = model.mse_path_[best].std(ddof=1) / np.sqrt(5)
    assert model.alpha_1se_ > model.alpha_
    place = np.flatnonzero(model.alphas_ == model.alpha_1se_)[0]
    assert means[place] <= means[best] + noise < means[place - 1]


def test_sparse_and_single_precision_tables_choose_alike(diabetes):
    X, y = diabetes
    X = np.where(np.abs(X) < 0.3, 0.0, X)
    dense = LassoCV(alphas=10, cv=3).fit(X, y)
    for other in (sparse.csr_array(X), X.astype(np.float32)):
        model = LassoCV(alphas=10, cv=3).fit(other, y)
        assert model.alpha_ == pytest.approx(dense.alpha_, rel=1e-5)
        assert model.coef_ == pytest.approx(dense.coef_, abs=2e-2)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_paths_have_scikit_learns_shapes_and_values(diabetes, ratio, positive):
    X, y = diabetes
    options = {"alphas": 7, "tol": 1e-10, "positive": positive, "return_n_iter": True}
    if ratio == 1.0:
        ours = lasso_path(X, y, **options)
        theirs = reference.lasso_path(X, y, **options, max_iter=100_000)
    else:
        ours = enet_path(X, y, l1_ratio=ratio, **options)
        theirs = reference.enet_path(X, y, l1_ratio=ratio, **options, max_iter=100_000)
    assert ours[0] == pytest.approx(theirs[0])
    assert ours[1] == pytest.approx(theirs[1], abs=1e-4)
    assert ours[2].shape == theirs[2].shape
    assert (ours[2] <= 1e-10 * y @ y).all()
    assert len(ours[3]) == len(theirs[3]) == 7


def test_a_path_starts_where_it_is_told_and_knows_its_parameters(diabetes):
    X, y = diabetes
    end = lasso_path(X, y, alphas=[0.01], tol=1e-12)[1][:, 0]
    *_, short = lasso_path(X, y, alphas=[0.01], coef_init=end, return_n_iter=True)
    *_, long = lasso_path(X, y, alphas=[0.01], return_n_iter=True)
    assert short[0] < long[0]
    weights = np.arange(len(y)) % 2
    half = lasso_path(X, y, alphas=[0.1], sample_weight=weights)[1]
    assert half == pytest.approx(lasso_path(X[1::2], y[1::2], alphas=[0.1])[1])
    with pytest.raises(InvalidParameterError, match="takes no parameter 'tolerance'"):
        enet_path(X, y, tolerance=1.0)
    with pytest.raises(InvalidParameterError, match="l1_ratio is 0"):
        enet_path(X, y, l1_ratio=0.0)


@pytest.mark.parametrize("model", [Lasso(0.1, tol=1e-9), ElasticNet(0.1, tol=1e-9)])
def test_several_targets_are_learnt_one_by_one(diabetes, model):
    X, y = diabetes
    Y = np.column_stack([y, X[:, 1] - y])
    both = type(model)(**model.get_params()).fit(X, Y)
    theirs = getattr(reference, type(model).__name__)(**model.get_params()).fit(X, Y)
    assert both.coef_ == pytest.approx(theirs.coef_, abs=1e-4)
    assert both.intercept_ == pytest.approx(theirs.intercept_, abs=1e-4)
    assert both.dual_gap_.shape == (2,)
    assert both.sparse_coef_.shape == (2, X.shape[1])
    alone = type(model)(**model.get_params()).fit(X, Y[:, 1])
    assert both.coef_[1] == pytest.approx(alone.coef_, abs=1e-6)
    assert alone.sparse_coef_.nnz == np.count_nonzero(alone.coef_)
    assert both.certify(X, Y).closed


@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
@pytest.mark.parametrize("legacy", [True, False])
def test_logistic_regression_cv_agrees_with_scikit_learn(wine, cancer, legacy, scoring):
    for X, y in (wine, cancer):
        options = {"Cs": [0.01, 0.1, 1.0], "cv": 3, "tol": 1e-6, "max_iter": 5_000}
        shapes = {"use_legacy_attributes": legacy, "l1_ratios": (0,)}
        ours = LogisticRegressionCV(**options, **shapes, scoring=scoring).fit(X, y)
        theirs = reference.LogisticRegressionCV(**options, **shapes, scoring=scoring)
        theirs.fit(X, y)
        assert np.ravel(ours.C_) == pytest.approx(np.ravel(theirs.C_))
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-3)
        assert np.shape(ours.n_iter_) == np.shape(theirs.n_iter_)
        assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-4)
        if legacy:
            assert list(ours.scores_) == list(theirs.scores_)
            for label, scores in theirs.scores_.items():
                assert ours.scores_[label] == pytest.approx(scores, abs=1e-3)
                path = theirs.coefs_paths_[label]
                assert ours.coefs_paths_[label].shape == path.shape
        else:
            assert ours.scores_ == pytest.approx(theirs.scores_, abs=1e-3)
            assert ours.coefs_paths_.shape == theirs.coefs_paths_.shape
        assert ours.certificate_.closed
        assert ours.path_gap_ <= 1e-8


def test_logistic_shares_of_the_lasso_are_tried_and_weights_count(cancer):
    X, y = cancer
    weights = np.arange(len(y)) % 3
    model = LogisticRegressionCV(
        Cs=[10.0, 0.1], l1_ratios=[0.0, 1.0], cv=KFold(3), use_legacy_attributes=False
    )
    model.fit(X, y, weights)
    assert model.coefs_paths_.shape == (3, 2, 2, 1, 9)
    final = LogisticRegression(C=model.C_, l1_ratio=model.l1_ratio_)
    final.fit(X, y, sample_weight=weights)
    assert model.coef_ == pytest.approx(final.coef_, abs=1e-3)
    train, held = next(KFold(3).split(X))
    first = LogisticRegression(C=0.1).fit(X[train], y[train], weights[train])
    expected = first.score(X[held], y[held], weights[held])
    assert model.scores_[0, 0, 1] == pytest.approx(expected)


def test_without_a_refit_the_folds_are_averaged_and_the_proof_says_so(cancer):
    X, y = cancer
    options = {
        "Cs": [0.01, 1.0],
        "cv": 3,
        "refit": False,
        "use_legacy_attributes": False,
    }
    model = LogisticRegressionCV(**options, l1_ratios=(0,), scoring=None).fit(X, y)
    theirs = reference.LogisticRegressionCV(
        **options, l1_ratios=(0,), scoring=None, tol=1e-6, max_iter=5_000
    ).fit(X, y)
    assert model.coef_ == pytest.approx(theirs.coef_, abs=1e-2)
    assert pytest.approx(theirs.C_) == model.C_
    assert not model.certificate_.closed
    assert "averaged" in str(model.certificate_)


@pytest.mark.parametrize(
    "model",
    [
        LassoCV(alphas=5),
        ElasticNetCV(alphas=5),
        RidgeCV(),
        LogisticRegressionCV(Cs=3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_model_file_keeps_what_was_chosen(model, cancer, tmp_path):
    X, y = cancer
    infimum.save(model.fit(X, y), tmp_path / "chosen.infimum")
    again = infimum.load(tmp_path / "chosen.infimum")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.certify(X, y).closed


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (LassoCV(alphas=[-1.0]), "LassoCV.alphas must be numbers in [0, inf)"),
        (ElasticNetCV(l1_ratio=2), "ElasticNetCV.l1_ratio must be in [0, 1], got 2."),
        (ElasticNetCV(l1_ratio=0), "ElasticNetCV.alphas must be given"),
        (LogisticRegressionCV(Cs=[0.0]), "Cs must be numbers in (0, inf]"),
        (LogisticRegressionCV(l1_ratios=[2]), "l1_ratios must be numbers in [0, 1]"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_bad_settings_are_one_sentence(model, words, cancer):
    with pytest.raises(InvalidParameterError) as refusal:
        model.fit(*cancer)
    assert words in str(refusal.value)


@pytest.mark.parametrize("seed", range(3))
def test_no_coefficient_that_wants_to_be_positive_leaves_paths_proved(seed):
    rng = np.random.default_rng(seed)
    X = 1e-4 * rng.standard_normal((40, 30)) + rng.standard_normal((40, 1))
    y = -X.sum(axis=1) + 0.01 * rng.standard_normal(40)
    model = ElasticNetCV(positive=True, l1_ratio=0.9).fit(X, y)
    assert model.path_gap_ <= model.tol
    assert not model.coef_.any()
    assert model.certificate_.closed
