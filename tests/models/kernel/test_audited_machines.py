"""Whoever audits a kernel machine sets the tolerance, and finds what was changed."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.models.novelty import SupportVectorDataDescription
from tests.models.kernel.certified_machines import (
    VECTORS,
    fitted,
    made,
    table,
    targets_of,
)

#: Machines whose `certify` takes the auditor's tolerance here; the others inherit it.
AUDITED = [*VECTORS, "KernelRidge", "KernelRidgeClassifier", "KernelRidgeClassifierCV"]


def audit(machine, X, y, weights=None, **told):
    """Return whether a proof is closed; what is refused is not."""
    try:
        return machine.certify(X, y, weights, **told).closed
    except DataError:
        return False


def problem(name, rng, kind=np.float64):
    machine = made(name, kernel="rbf")
    X = table(rng).astype(kind)
    return machine, X, targets_of(machine, X.astype(np.float64), rng)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", AUDITED)
def test_what_is_closed_stays_closed_in_a_file(name, weighted, kind, tmp_path, rng):
    machine, X, y = problem(name, rng, kind)
    weights = rng.integers(0, 4, len(X)).astype(float) if weighted else None
    fitted(machine, X, y, weights)
    assert machine.certificate_.closed
    infimum.save(machine, tmp_path / "machine.infimum")
    loaded = infimum.load(tmp_path / "machine.infimum")
    for each in (machine, loaded):
        again = each.certify(X, y, weights)
        assert again.closed
        assert again.primal == pytest.approx(machine.certificate_.primal, rel=1e-6)


@pytest.mark.parametrize("name", AUDITED)
def test_the_tolerance_is_the_auditors(name, tmp_path, rng):
    machine, X, y = problem(name, rng)
    fitted(machine, X, y)
    default = type(machine)().tol
    assert machine.certify(X, y).tolerance == default
    assert machine.certify(X, y, tolerance=0.5).tolerance == 0.5
    if name in VECTORS:  # whose rounding is counted
        assert not machine.certify(X, y, tolerance=1e-16).closed
    with pytest.raises(InvalidParameterError, match="tolerance"):
        machine.certify(X, y, tolerance=0.0)
    spoilt = deepcopy(machine)
    spoilt.dual_coef_ = 0.9 * spoilt.dual_coef_
    spoilt.certificate_ = replace(
        machine.certificate_,
        tolerance=1e6,
        scale=1e300,
        dual=machine.certificate_.primal,
    )
    spoilt.set_params(tol=1e6)
    infimum.save(spoilt, tmp_path / "spoilt.infimum")
    loaded = infimum.load(tmp_path / "spoilt.infimum")
    assert loaded.certificate_.closed  # or so it claims
    assert not audit(loaded, X, y)


@pytest.mark.parametrize("name", VECTORS)
def test_every_field_that_answers_depend_on_is_audited(name, rng):
    machine, X, y = problem(name, rng)
    fitted(machine, X, y)
    assert audit(machine, X, y)
    forged = {
        "dual_coef_": machine.dual_coef_
        * (1.0 + 0.2 * rng.standard_normal(machine.dual_coef_.shape)),
        "intercept_": machine.intercept_ + 0.5,
        "support_vectors_": machine.support_vectors_ + 1e-3,
        "support_": np.roll(machine.support_, 1),
        "_gamma": 1.5 * machine._gamma,
    }
    if hasattr(machine, "offset_"):
        forged["offset_"] = machine.offset_ + 0.5
    for field, value in forged.items():
        spoilt = deepcopy(machine)
        setattr(spoilt, field, value)
        assert not audit(spoilt, X, y), field


@pytest.mark.parametrize("name", VECTORS)
def test_a_weight_dropped_or_a_row_exchanged_is_noticed(name, rng):
    machine, X, y = problem(name, rng)
    weights = rng.integers(1, 4, len(X)).astype(float)
    fitted(machine, X, y, weights)
    assert audit(machine, X, y, weights)
    heaviest = machine.support_[np.argmax(weights[machine.support_])]
    fewer = weights.copy()
    fewer[heaviest] = 0.0
    assert not audit(machine, X, y, fewer)
    exchanged = X.copy()
    exchanged[[0, -1]] = X[[-1, 0]] + 0.1
    assert not audit(machine, exchanged, y, weights)


@pytest.mark.parametrize("field", ["radius_", "center_norm_"])
def test_a_ball_that_contradicts_itself_is_refused(field, rng):
    X = table(rng)
    ball = SupportVectorDataDescription().fit(X)
    moved = deepcopy(ball)
    setattr(moved, field, getattr(ball, field) * 1.001)
    assert not audit(moved, X, None)


def test_an_indefinite_kernel_that_calls_itself_definite_proves_nothing(rng):
    from infimum.models.kernel import SVC

    X = table(rng)
    y = (X[:, 0] > 0).astype(int)
    gram = X @ X.T
    honest = SVC(kernel="precomputed").fit(gram, y)
    lies = gram - 0.3 * np.trace(gram) / len(X) * np.eye(len(X))
    assert audit(honest, gram, y)
    assert honest.certify(lies, y).dual == -np.inf
