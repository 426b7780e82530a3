"""Laws of what Newton steps ask of parts: stiffness, free directions, planes."""

import numpy as np
import pytest

from infimum.penalties import Penalty
from tests.laws.parts import EVERY_LOSS, EVERY_PENALTY, EVERY_VECTOR_LOSS, targets

CONVEX = [penalty for penalty in EVERY_PENALTY if penalty.convex]
convex_penalty = pytest.mark.parametrize("penalty", CONVEX, ids=repr)
PLANES = [
    loss
    for loss in EVERY_LOSS + EVERY_VECTOR_LOSS
    if loss.planes(targets(loss, 1, np.random.default_rng(0))) is not None
]


@convex_penalty
@pytest.mark.parametrize("shape", [(6,), (6, 3), (6, 8)], ids=str)
@pytest.mark.parametrize("step", [0.3, 2.0])
def test_stiffness_is_the_derivative_of_what_the_proximal_step_takes(
    penalty, shape, step, rng
):
    w = 2.0 * rng.normal(size=shape)
    found = penalty.stiffness(w, step)
    by_differences = Penalty.stiffness(penalty, w, step)
    assert found == pytest.approx(by_differences, abs=1e-5)


@convex_penalty
@pytest.mark.parametrize("step", [1e-6, 0.1, 1e4])
def test_stiffness_is_symmetric_and_between_zero_and_one_per_step(penalty, step, rng):
    for size in (1e-3, 1.0, 1e3):
        found = step * penalty.stiffness(size * rng.normal(size=(6, 2)), step)
        assert found == pytest.approx(found.T, abs=1e-9)
        values = np.linalg.eigvalsh(found)
        assert values[0] >= -1e-8
        assert values[-1] <= 1.0 + 1e-8


@convex_penalty
def test_a_penalty_never_changes_along_its_free_directions(penalty, rng):
    w = penalty.prox(rng.normal(size=6), 0.5)
    for direction in penalty.free_directions(6).T:
        moved = penalty.value(w + 3.0 * direction)
        assert moved == pytest.approx(penalty.value(w), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("loss", PLANES, ids=repr)
def test_a_loss_made_of_planes_is_the_sum_of_their_maxima(loss, rng):
    y = targets(loss, 20, rng)
    f = 2.0 * rng.normal(size=(20, getattr(loss, "outputs", 1)))
    slopes, heights = loss.planes(y)
    tops = np.einsum("itpk,ik->itp", slopes, f) + heights
    scores = f if hasattr(loss, "outputs") else f[:, 0]
    assert tops.max(axis=2).sum(axis=1) == pytest.approx(loss.value(y, scores))


def test_every_loss_with_a_kink_is_smooth_or_made_of_planes():
    kinked = [loss for loss in EVERY_LOSS + EVERY_VECTOR_LOSS if not loss.smooth]
    assert all(loss in PLANES for loss in kinked if loss.convex)
    assert len(PLANES) >= 12
