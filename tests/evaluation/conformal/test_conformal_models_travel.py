"""Calibrated models can be saved, and answer the same when they return."""

import pickle

import numpy as np
import pytest

import infimum
from infimum.evaluation import (
    ConformalClassifier,
    ConformalRegressor,
    CrossConformalRegressor,
)
from infimum.models.linear import LogisticRegression, QuantileRegressor, Ridge

MODELS = {
    "absolute": ConformalRegressor(Ridge()),
    "normalized": ConformalRegressor(Ridge(), method="normalized"),
    "quantile": ConformalRegressor(QuantileRegressor(alpha=0.0), method="quantile"),
    "cross": CrossConformalRegressor(Ridge(), n_folds=3),
    "classes": ConformalClassifier(LogisticRegression(), method="aps"),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_file_keeps_the_calibration(name, rng, tmp_path):
    X = rng.standard_normal((60, 2))
    y = (X[:, 0] > 0).astype(int) if name == "classes" else X[:, 0]
    model = MODELS[name].fit(X, y)
    answer = "predict_set" if name == "classes" else "predict_interval"
    path = tmp_path / "model.infimum"
    infimum.save(model, path)
    for returned in (infimum.load(path), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(
            getattr(returned, answer)(X), getattr(model, answer)(X)
        )


def test_groups_return_too(rng, tmp_path):
    X, y = rng.standard_normal((80, 2)), rng.standard_normal(80)
    groups = np.where(X[:, 0] > 0, "high", "low")
    model = ConformalRegressor(Ridge()).fit(X, y, groups)
    path = tmp_path / "model.infimum"
    infimum.save(model, path)
    returned = infimum.load(path)
    np.testing.assert_array_equal(
        returned.predict_interval(X, groups=groups),
        model.predict_interval(X, groups=groups),
    )
