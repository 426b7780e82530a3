"""A formula says the same in machine code and in NumPy; every file is on the shelf."""

import inspect
from pathlib import Path

import numpy as np
import pytest

from infimum import losses, penalties
from infimum.compiled.callbacks import compile_formula, compile_prox, evaluate
from infimum.compiled.descent.dual_coordinate_ascent import ascend
from infimum.compiled.rows import rows_of
from infimum.penalties import SeparablePenalty
from tests.laws.parts import (
    EVERY_LOSS,
    EVERY_PENALTY,
    EVERY_SOLVER,
    EVERY_VECTOR_LOSS,
    targets,
)

SAMPLES = 60


@pytest.mark.parametrize("loss", EVERY_LOSS, ids=repr)
def test_the_formulas_of_a_loss_agree_compiled_and_not(loss, rng):
    y, f = targets(loss, SAMPLES, rng), 3 * rng.normal(size=SAMPLES)
    f[:5] = y[:5]  # on the kinks too
    numbers = loss.parameters
    slopes = evaluate(compile_formula(type(loss).derivative_formula), y, f, numbers)
    np.testing.assert_allclose(slopes, loss.derivative(y, f), rtol=1e-13, atol=1e-14)
    if loss.smooth:
        bends = evaluate(compile_formula(type(loss).hessian_formula), y, f, numbers)
        np.testing.assert_allclose(bends, loss.hessian(y, f), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(
    "loss",
    [each for each in EVERY_LOSS if type(each).prox_formula],
    ids=repr,
)
@pytest.mark.parametrize("step", [0.01, 1.0, 40.0])
def test_the_proximal_step_of_a_loss_agrees_compiled_and_not(loss, step, rng):
    y, f = targets(loss, SAMPLES, rng), 3 * rng.normal(size=SAMPLES)
    f[:5] = y[:5]
    # One pass of the dual loop that moves no weight: each slope is (f - prox)/step.
    slopes, order = np.zeros(SAMPLES), np.arange(SAMPLES)
    ascend(
        rows_of(f[:, None]),
        (y, np.ones(SAMPLES), np.full(SAMPLES, step)),
        order,
        (slopes, np.zeros(SAMPLES, dtype=np.int64), np.ones(1)),
        0.0,
        (0.0, 0.0, 2),
        compile_prox(type(loss).prox_formula),
        loss.parameters,
        False,
    )
    np.testing.assert_allclose(f - step * slopes, loss.prox(y, f, step), atol=1e-12)


@pytest.mark.parametrize(
    "penalty", [p for p in EVERY_PENALTY if isinstance(p, SeparablePenalty)], ids=repr
)
def test_the_shrinking_step_of_a_penalty_agrees_compiled_and_not(penalty, rng):
    z, steps = 3 * rng.normal(size=SAMPLES), rng.uniform(0.01, 5.0, size=SAMPLES)
    shrink, settings = compile_formula(type(penalty).shrink), penalty.settings
    for j in range(6):  # the row of each coefficient, or the one of all
        row = np.ascontiguousarray(settings[min(j, len(settings) - 1)])
        found = evaluate(shrink, z, steps, row)
        expected = [
            penalty.prox(np.full(6, number), step)[j]
            for number, step in zip(z, steps.tolist(), strict=True)
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("room", [losses, penalties], ids=lambda r: r.__name__)
def test_every_file_of_a_room_is_exported(room):
    files = {path.stem for path in Path(room.__file__).parent.rglob("[!_]*.py")}
    homes = {getattr(room, name).__module__ for name in room.__all__}
    exported = {home.rpartition(".")[2] for home in homes}
    assert files == {name for name in exported if not name.startswith("_")}


def test_the_laws_meet_every_part():
    met = {type(p) for p in (*EVERY_LOSS, *EVERY_VECTOR_LOSS, *EVERY_PENALTY)}
    met.add(losses.PreferenceGraph)  # of one sample; held to its word in tests/models
    met |= set(losses.SampleLoss.__subclasses__())  # of all samples: tests/losses
    met |= {losses.StructuredHinge, losses.StructuredLogistic}  # of labellings, too
    met |= {losses.OntologyHinge, losses.OntologySoftmax}
    for room in (losses, penalties):
        for name in room.__all__:
            cls = getattr(room, name)
            if not inspect.isclass(cls):
                continue  # a function on the shelf, such as `losses.compare`
            assert cls in met or inspect.isabstract(cls), name
    assert len(EVERY_SOLVER) >= 7
