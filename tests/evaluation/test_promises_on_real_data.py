"""Promises on real tables, over many splits: bounds hold, coverage lies in its band."""

import numpy as np
import pytest
from sklearn import datasets
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from infimum.evaluation import (
    ConformalClassifier,
    ConformalRegressor,
    binomial_guarantee,
    loss_guarantee,
    margin_guarantee,
    measure_coverage,
)
from infimum.models.linear import LogisticRegression, Ridge

SPLITS = 25


def shuffled(load, seed):
    X, y = load(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    return X[order], y[order]


def within(measured, expected, spread):
    """Tell whether an average of SPLITS measurements is where it should be."""
    return abs(np.mean(measured) - expected) <= 4 * spread / np.sqrt(SPLITS)


def test_test_set_bounds_hold_for_the_best_of_several_models():
    broken = 0
    for seed in range(SPLITS):
        X, y = shuffled(datasets.load_breast_cancer, seed)
        train, test = slice(0, 60), slice(60, 110)
        models = [
            make_pipeline(StandardScaler(), LogisticRegression(C=C))
            for C in (1e-3, 1e-1, 10.0)
        ]
        models = [model.fit(X[train], y[train]) for model in models]
        errors = [np.sum(model.predict(X[test]) != y[test]) for model in models]
        best = int(np.argmin(errors))  # chosen on the very rows that bound it
        promise = binomial_guarantee(int(errors[best]), 50, 0.9, comparisons=3)
        # The table is the population; the rows behind the bound are some of it.
        truth = np.mean(models[best].predict(X[60:]) != y[60:])
        broken += promise.bound < truth
    assert broken / SPLITS <= 0.1


def test_bounds_of_a_clipped_loss_hold():
    broken = 0
    for seed in range(SPLITS):
        X, y = shuffled(datasets.load_diabetes, seed)
        model = Ridge(alpha=0.1).fit(X[:100], y[:100])
        losses = np.minimum(np.abs(y - model.predict(X)), 200.0)
        promise = loss_guarantee(losses[100:200], 0.9, high=200.0)
        assert not promise.vacuous
        broken += promise.bound < losses[100:].mean()
    assert broken / SPLITS <= 0.1


def test_margin_bounds_are_never_below_the_error_on_the_rest():
    for seed in range(10):
        X, y = shuffled(datasets.load_breast_cancer, seed)
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01))
        model.fit(X[:400], y[:400])
        promise = margin_guarantee(model, X[:400], y[:400])
        assert promise.bound >= np.mean(model.predict(X[400:]) != y[400:])


@pytest.mark.parametrize("method", ["absolute", "normalized"])
def test_intervals_cover_as_promised_on_average_over_splits(method):
    shares, kept = [], []
    for seed in range(SPLITS):
        X, y = shuffled(datasets.load_diabetes, seed)
        model = ConformalRegressor(Ridge(alpha=0.1), method=method, coverage=0.8)
        model.fit(X[:240], y[:240])
        found = measure_coverage(
            model.predict_interval(X[240:]), y[240:], 0.8, n_calibration=60
        )
        shares.append(found.measured)
        kept.append(found.kept)
    assert within(shares, 49 / 61, np.std(shares))
    assert np.mean(kept) >= 0.9


@pytest.mark.parametrize("method", ["lac", "aps"])
@pytest.mark.parametrize("load", [datasets.load_iris, datasets.load_breast_cancer])
def test_sets_cover_as_promised_on_average_over_splits(load, method):
    shares = []
    for seed in range(SPLITS):
        X, y = shuffled(load, seed)
        learner = make_pipeline(StandardScaler(), LogisticRegression())
        model = ConformalClassifier(
            learner,
            method=method,
            coverage=0.8,
            empty_sets=True,
            random_state=seed,  # the adaptive scores' draws are part of the luck
        ).fit(X[:76], y[:76])
        found = measure_coverage(
            model.predict_set(X[76:]), y[76:], 0.8, classes=model.classes_
        )
        shares.append(found.measured)
    # 19 rows calibrate: the coverage is 16/20 exactly, whatever the classifier.
    assert within(shares, 0.8, np.std(shares))
