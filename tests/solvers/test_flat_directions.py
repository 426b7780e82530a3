"""A weak lasso with more features than samples still reaches its proof."""

import numpy as np
import pytest

from infimum.models.linear import Lasso


@pytest.mark.parametrize("alpha", [1e-3, 1.17e-4, 1e-5, 1e-6])
@pytest.mark.parametrize("repeated", [False, True])
def test_more_coefficients_than_samples_can_tell_apart_do_not_stop_the_descent(
    alpha, repeated
):
    draw = np.random.RandomState(42)
    X, y = draw.rand(15, 30), draw.randint(0, 3, 15).astype(float)
    counts = draw.randint(0, 5, 15)
    if repeated:
        model = Lasso(alpha=alpha, tol=1e-9).fit(
            X.repeat(counts, axis=0), y.repeat(counts)
        )
    else:
        model = Lasso(alpha=alpha, tol=1e-9).fit(X, y, sample_weight=counts)
    assert model.certificate_.closed
