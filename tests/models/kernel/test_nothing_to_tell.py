"""ν-machines whose classes cannot be told apart: f = 0 is proved, up to rounding."""

import numpy as np
import pytest

from infimum.certificates import judged_by
from infimum.models.kernel import NuSVC


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("nu", [0.3, 0.9])
def test_twins_of_two_classes_with_uneven_weights_leave_no_gap(seed, nu):
    rng = np.random.default_rng(seed)
    twins = rng.standard_normal((8, 2))
    weights = np.tile(rng.choice([0.3, 1.0, 2.7], 8), 2)
    X, y = np.vstack([twins, twins]), np.repeat([0, 1], 8)
    model = NuSVC(nu=nu).fit(X, y, sample_weight=weights)
    assert model.certificate_.closed
    assert model.certify(X, y, sample_weight=weights).closed
    assert abs(model.certificate_.primal) < 1e-12


def test_only_a_gain_within_rounding_is_judged_by_rounding():
    assert judged_by(1e-3, 100.0, 1e-3) == 1e-3
    tiny = judged_by(1e-14, 100.0, 1e-3)
    assert 1e-14 < 1e-3 * tiny < 1e-9
