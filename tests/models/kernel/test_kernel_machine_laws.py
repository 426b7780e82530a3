"""Laws of every kernel machine that proves something: shifts, weights, origins."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import is_regressor

from infimum.models.kernel import SVC, SVR, NuSVR
from infimum.models.warnings import UncertifiedWarning
from tests.models.kernel.certified_machines import (
    CERTIFIED,
    VECTORS,
    fitted,
    made,
    table,
    targets_of,
)

UNIT = 2.0**-53
REGRESSORS = [name for name in VECTORS if is_regressor(VECTORS[name]())]
#: The machines whose dual has the rounding in it that is counted.
COUNTED = [*VECTORS, *(name for name in CERTIFIED if "Ridge" in name)]
KINDS = ("even", "uneven", "few heavy", "heavy side")


def weighed(kind, sides, rng):
    """Return weights of ratios up to 1e10."""
    n = len(sides)
    return {
        "even": np.ones(n),
        "uneven": np.exp(rng.uniform(0.0, np.log(1e10), n)),
        "few heavy": np.where(rng.random(n) < 0.2, 1e10, 1.0),
        "heavy side": np.where(sides, 1e10, 1.0),
    }[kind]


def quietly(machine, X, y, weights=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        return fitted(machine, X, y, weights)


@pytest.mark.parametrize("weights", KINDS)
@pytest.mark.parametrize("far", [0.0, 1e6])
@pytest.mark.parametrize("name", COUNTED)
def test_no_proof_contradicts_itself(name, far, weights, rng):
    X = table(rng)
    for kernel in ("rbf", "linear"):
        machine = made(name, kernel=kernel)
        y = targets_of(machine, X, rng)
        heavy = weighed(weights, X[:, 0] > 0, rng)
        proof = quietly(machine, X + far, y, heavy).certificate_
        assert proof.dual <= proof.primal  # what is rounding is in the dual already
        assert not getattr(proof, "invalid", False)


@pytest.mark.parametrize("shift", [2.0**20, 2.0**30, 1e10])
@pytest.mark.parametrize("loss", ["plain", "squared"])
@pytest.mark.parametrize("name", REGRESSORS)
def test_targets_may_be_far_from_nought(name, loss, shift, rng):
    X = table(rng)
    told = {"loss": "squared_epsilon_insensitive"} if loss == "squared" else {}
    y = targets_of(made(name), X, rng)
    far = y + shift
    near = far - shift  # exactly: these targets are those, seen from elsewhere
    assert (near + shift == far).all()
    here = fitted(made(name, tol=1e-9, **told), X, near)
    there = fitted(made(name, **told), X, far)
    # The intercept is rounded to a number near the shift, and so is each prediction.
    blur = 2.0 * UNIT * shift
    known, found = here.certificate_, there.certificate_
    assert found.closed
    assert there.certify(X, far).closed
    assert found.scale == pytest.approx(known.scale, rel=1e-6)
    assert found.dual <= known.primal + 1e-12 * known.scale
    gap = np.sqrt(
        2.0 * found.gap
    )  # ‖f - f*‖ at most, and so |f - f*| under this kernel
    apart = np.abs((there.predict(X) - shift) - here.predict(X)).max()
    assert apart <= 2.0 * gap + 4.0 * blur + 1e-6


@pytest.mark.parametrize("far", [1e4, 1e8])
@pytest.mark.parametrize("name", VECTORS)
def test_a_gaussian_kernel_does_not_see_the_origin(name, far, rng):
    X = table(rng) + far
    near = X - far
    y = targets_of(made(name), near, rng)
    told = {"gamma": 0.5, "tol": 1e-6}
    here, there = fitted(made(name, **told), near, y), fitted(made(name, **told), X, y)
    assert there.certificate_.closed
    assert there.certificate_.dual == pytest.approx(here.certificate_.dual, rel=1e-6)
    score = "predict" if is_regressor(here) else "decision_function"
    mine, theirs = getattr(here, score)(near), getattr(there, score)(X)
    np.testing.assert_allclose(theirs, mine, atol=1e-5 * np.abs(mine).max())


@pytest.mark.parametrize("name", VECTORS)
def test_gamma_by_scale_does_not_see_the_origin_of_sparse_rows_either(name, rng):
    X, dense, thin = table(rng), made(name), made(name)
    y = targets_of(dense, X, rng)
    fitted(dense, X + 1e6, y)
    quietly(thin, sparse.csr_array(X + 1e6), y)
    assert thin._gamma == pytest.approx(dense._gamma, rel=1e-9)


@pytest.mark.parametrize("weights", KINDS[1:])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_what_there_is_to_gain_is_what_no_function_loses(kernel, weights, rng):
    worst = 0.0
    for _ in range(10):
        X = table(rng)
        y = (X[:, 0] + rng.standard_normal(60) > 0).astype(int)
        heavy = weighed(weights, y == 1, rng)
        proof = quietly(SVC(kernel=kernel), X, y, heavy).certificate_
        signs = 2.0 * y - 1.0
        # Of a constant function the hinges bend at -1 and 1 only.
        null = min(heavy @ np.maximum(0.0, 1.0 - b * signs) for b in (-1.0, 1.0))
        # Rounding closes a gap only below 1e-10 of the risk itself.
        floor = 1e-10 * null / proof.tolerance
        worst = max(worst, proof.scale / max(null - proof.dual, floor))
    assert worst <= 1.0 + 1e-4


@pytest.mark.parametrize(
    "name", [n for n in VECTORS if "C" in VECTORS[n]().get_params()]
)
def test_weights_and_the_price_are_one_factor(name, rng):
    X = table(rng)
    y = targets_of(made(name), X, rng)
    weights = np.exp(rng.uniform(0.0, np.log(1e4), 60))
    told = {"gamma": 0.5, "tol": 1e-6}
    one = fitted(made(name, C=1.0, **told), X, y, weights)
    other = fitted(made(name, C=2.0**-20, **told), X, y, weights * 2.0**20)
    assert one.certificate_.primal == pytest.approx(other.certificate_.primal, rel=1e-9)
    assert one.certificate_.dual == pytest.approx(other.certificate_.dual, rel=1e-9)


@pytest.mark.parametrize("machine", [SVR, NuSVR])
def test_targets_in_other_units_scale_the_machine(machine, rng):
    X, unit = table(rng), 2.0**24
    y = targets_of(machine(), X, rng)
    told = {"epsilon": 0.1} if machine is SVR else {}
    wide = {"epsilon": 0.1 * unit} if machine is SVR else {}
    small = machine(C=1.0, tol=1e-6, **told).fit(X, y)
    large = machine(C=unit, tol=1e-6, **wide).fit(X, unit * y)
    assert large.certificate_.closed
    np.testing.assert_allclose(
        large.predict(X) / unit, small.predict(X), atol=1e-4 * np.abs(y).max()
    )
