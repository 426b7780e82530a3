"""ν-machines whose classes cannot be told apart: f = 0 is proved, up to rounding."""

import warnings

import numpy as np
import pytest

from infimum.certificates import judged_by
from infimum.models.kernel import SVC, NuSVC
from infimum.models.warnings import UncertifiedWarning


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("nu", [0.3, 0.9])
def test_twins_of_two_classes_with_uneven_weights_leave_no_gap(seed, nu):
    rng = np.random.default_rng(seed)
    twins = rng.standard_normal((8, 2))
    weights = np.tile(rng.choice([0.3, 1.0, 2.7], 8), 2)
    X, y = np.vstack([twins, twins]), np.repeat([0, 1], 8)
    with pytest.warns(UncertifiedWarning, match="found no margin"):
        model = NuSVC(nu=nu).fit(X, y, sample_weight=weights)
    assert np.abs(model.decision_function(X)).max() < 10.0
    assert model.certificate_.closed
    assert model.certify(X, y, sample_weight=weights).closed
    assert abs(model.certificate_.primal) < 1e-12


def test_only_a_gain_far_below_rounding_is_judged_by_rounding():
    assert judged_by(1e-3, 1e-10, 1e-3) == 1e-3
    assert judged_by(1e-10, 1e-10, 1e-3) == 1e-10
    assert judged_by(1e-14, 1e-10, 1e-3) == pytest.approx(1e-7)


@pytest.mark.parametrize("offset", [1e6, 1e7, 1e8])
@pytest.mark.parametrize("machine", [SVC, NuSVC])
def test_samples_far_from_the_origin_prove_no_gap_that_is_wide(machine, offset, rng):
    X = rng.standard_normal((200, 3))
    y = X[:, 0] + rng.standard_normal(200) > 0
    near = machine(kernel="linear").fit(X, y).certificate_
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        far = machine(kernel="linear").fit(X + offset, y).certificate_
    # The same machine, but for its intercept: what there is to gain is the same.
    assert far.gap <= 2e-3 * near.scale or not far.closed
