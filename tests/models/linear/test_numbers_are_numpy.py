"""Every number that a fit keeps is NumPy's, so that it can be rounded and saved."""

import numpy as np
import pytest

from infimum.models import linear

FITS = {
    "LassoCV": ("alpha_", {"cv": 3}),
    "ElasticNetCV": ("l1_ratio_", {"cv": 3, "l1_ratio": [0.3, 0.9]}),
    "RidgeCV": ("alpha_", {}),
    "LassoLarsCV": ("alpha_", {"cv": 3}),
    "LassoLarsIC": ("noise_variance_", {}),
    "BayesianRidge": ("alpha_", {}),
    "HuberRegressor": ("scale_", {}),
    "QuantileRegressor": ("intercept_", {}),
    "Ridge": ("intercept_", {}),
}


@pytest.mark.parametrize("name", FITS)
def test_a_fitted_number_can_be_rounded(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = X @ [1.0, 0.0, -2.0, 0.0] + 0.1 * rng.normal(size=60)
    number, parameters = FITS[name]
    fitted = getattr(linear, name)(**parameters).fit(X, y)
    value = getattr(fitted, number)
    assert isinstance(value, np.floating)
    assert value.round(3) == pytest.approx(float(value), abs=1e-3)
